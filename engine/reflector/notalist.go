package reflector

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"informerscope/journal"
)

// The dynamic client decodes any JSON object as a list, one without items as an
// empty list. Of these answers the Reflector refuses only a Table that is one
// page (kubernetes #132926): an informer takes all others for the news that
// there is nothing, and deletes what it holds.

// stranger is the kind of an answer without items that does not call itself a
// list; "" for all others. The other clients refuse such answers by themselves.
func stranger(list runtime.Object) string {
	u, ok := list.(*unstructured.UnstructuredList)
	if !ok || len(u.Items) > 0 || strings.HasSuffix(u.GetKind(), "List") {
		return ""
	}
	if u.GetKind() == "" {
		return "object without a kind"
	}
	return fmt.Sprintf("%s of %s", u.GetKind(), u.GetAPIVersion())
}

// refused reports whether the Reflector will not take list, which is a whole
// answer (reflector.go, isUnsupportedTableListObject).
func refused(list runtime.Object) bool {
	u, ok := list.(*unstructured.UnstructuredList)
	if !ok {
		return false
	}
	gvk := u.GroupVersionKind()
	return gvk.Group == metav1.GroupName && gvk.Kind == "Table" && (gvk.Version == "v1" || gvk.Version == "v1beta1")
}

// warnLocked says what client-go does not: that such an answer is taken for an
// empty list.
func (t *Tap) warnLocked(kind string) {
	text := fmt.Sprintf("the server answered a LIST with a %s, which has no items: client-go takes it for an empty list", kind)
	t.o.Journal.Append(journal.LogLine{Level: "warning", Message: text}.Event(t.o.Resource, ""))
}
