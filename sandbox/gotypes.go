package sandbox

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
)

// goTypes has the Go types of the built-in kinds: those of client-go, and those of apiextensions, which client-go lacks.
var goTypes = builtinScheme{extensions: func() *runtime.Scheme {
	s := runtime.NewScheme()
	if err := apiextensionsv1.AddToScheme(s); err != nil {
		panic(err)
	}
	return s
}()}

type builtinScheme struct{ extensions *runtime.Scheme }

var (
	_ runtime.ObjectCreater = builtinScheme{}
	_ runtime.ObjectTyper   = builtinScheme{}
)

func (s builtinScheme) New(gvk schema.GroupVersionKind) (runtime.Object, error) {
	if s.extensions.Recognizes(gvk) && !scheme.Scheme.Recognizes(gvk) {
		return s.extensions.New(gvk)
	}
	return scheme.Scheme.New(gvk)
}

func (s builtinScheme) ObjectKinds(o runtime.Object) ([]schema.GroupVersionKind, bool, error) {
	kinds, unversioned, err := scheme.Scheme.ObjectKinds(o)
	if runtime.IsNotRegisteredError(err) {
		return s.extensions.ObjectKinds(o)
	}
	return kinds, unversioned, err
}

func (s builtinScheme) Recognizes(gvk schema.GroupVersionKind) bool {
	return scheme.Scheme.Recognizes(gvk) || s.extensions.Recognizes(gvk)
}
