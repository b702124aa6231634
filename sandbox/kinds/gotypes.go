package kinds

import (
	"bytes"
	"encoding/json"
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
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

// schemeName is how kube-apiserver calls the set of types that it knows.
const schemeName = "pkg/runtime/scheme.go:111"

// NotRegistered is the error about a type that kube-apiserver does not know.
func NotRegistered(gvk schema.GroupVersionKind) error {
	return runtime.NewNotRegisteredErrForKind(schemeName, gvk)
}

var protobufSerializer = protobuf.NewSerializer(goTypes, goTypes)

// ToProtobuf encodes obj, an object or list of a type of the API, in its envelope, which says what it is. Its type must be set.
func ToProtobuf(obj runtime.Object) ([]byte, error) {
	var b bytes.Buffer
	if err := protobufSerializer.Encode(obj, &b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// ProtobufToJSON is what a typed client sends in protobuf, as that of kubectl does, in JSON. What does not decode is a BadRequest.
func ProtobufToJSON(data []byte) ([]byte, error) {
	if len(data) == 0 {
		return nil, nil
	}
	obj, gvk, err := protobufSerializer.Decode(data, nil, nil)
	if err != nil {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("unable to decode a protobuf body: %v", err))
	}
	obj.GetObjectKind().SetGroupVersionKind(*gvk)
	return json.Marshal(obj)
}

// New returns a new, empty value of the Go type of a built-in kind.
func (k *Kind) New() runtime.Object {
	o, err := goTypes.New(k.GVK())
	if err != nil {
		panic(fmt.Sprintf("kind %s has no Go type: %v", k.GVK(), err))
	}
	return o
}

// NewList returns a new, empty list of the Go type of a built-in kind, with its type set.
func (k *Kind) NewList() (runtime.Object, error) {
	gvk := k.GVK()
	gvk.Kind = k.listKind
	list, err := goTypes.New(gvk)
	if err != nil {
		return nil, err
	}
	list.GetObjectKind().SetGroupVersionKind(gvk)
	return list, nil
}
