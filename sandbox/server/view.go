package server

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
	"informerscope/sandbox/tables"
	"informerscope/sandbox/tree"
)

// view is the representation that a client chose with its Accept header.
type view struct {
	// kind is what the objects are shown as.
	kind *kinds.Kind
	// as is "", "Table" or "PartialObjectMetadata"; version is the meta.k8s.io version of the latter two.
	as, version    string
	yaml, protobuf bool
	// pretty indents JSON, but not in a watch.
	pretty bool
	// include says what rows of a Table carry: Metadata (or empty), Object or None.
	include string
}

func (v view) contentType() string {
	switch {
	case v.yaml:
		return "application/yaml"
	case v.protobuf:
		return runtime.ContentTypeProtobuf
	}
	return "application/json"
}

func (v view) table(f *tables.Format, header bool) *metav1.Table {
	t := &metav1.Table{TypeMeta: metav1.TypeMeta{Kind: "Table", APIVersion: metav1.GroupName + "/" + v.version}}
	if header {
		t.ColumnDefinitions = f.Columns()
	}
	return t
}

func (v view) partial(o *store.Object) ([]byte, error) {
	return tree.AppendJSON(nil, map[string]any{
		"kind": "PartialObjectMetadata", "apiVersion": metav1.GroupName + "/" + v.version, "metadata": o.Content()["metadata"]})
}
