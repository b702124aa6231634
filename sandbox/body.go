package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"reflect"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"sigs.k8s.io/yaml"
)

// bodyLimit is the largest request body accepted, as in kube-apiserver.
const bodyLimit = 3 << 20

var strictJSON = kjson.NewSerializerWithOptions(kjson.DefaultMetaFactory, goTypes, goTypes,
	kjson.SerializerOptions{Strict: true})

func readBody(r *http.Request) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r.Body, bodyLimit+1))
	if err != nil {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("read the request body: %v", err))
	}
	if len(data) > bodyLimit {
		return nil, apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("limit is %d", bodyLimit))
	}
	return data, nil
}

// mediaType is the type of the request body, without parameters.
func mediaType(r *http.Request) string {
	t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return r.Header.Get("Content-Type")
	}
	return t
}

// readJSON reads a body that is JSON, YAML or protobuf and returns it as JSON. k is what it should be an object of; nil
// for options.
func readJSON(r *http.Request, k *kind) ([]byte, error) {
	data, err := readBody(r)
	if err != nil {
		return nil, err
	}
	switch mediaType(r) {
	case "", "application/json":
		return data, nil
	case "application/yaml":
		out, err := yaml.YAMLToJSON(data)
		switch {
		case err == nil:
			return out, nil
		case k != nil:
			return nil, unrecognized(k, data, err)
		}
		return nil, apierrors.NewBadRequest(err.Error())
	case runtime.ContentTypeProtobuf:
		return protobufToJSON(data)
	}
	return nil, unsupportedMedia("application/json", "application/yaml", runtime.ContentTypeProtobuf)
}

var protobufSerializer = protobuf.NewSerializer(goTypes, goTypes)

// protobufToJSON lets typed clients send protobuf, as those of kubectl do.
func protobufToJSON(data []byte) ([]byte, error) {
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

func unsupportedMedia(accepted ...string) *apierrors.StatusError {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure,
		Code:   http.StatusUnsupportedMediaType,
		Reason: metav1.StatusReasonUnsupportedMediaType,
		Message: "the body of the request was in an unknown format - accepted media types include: " +
			strings.Join(accepted, ", "),
	}}
}

// decode turns JSON into the content of an object of kind k: checked against the Go type of k, and with what that type
// does not know left out. strictness is the value of fieldValidation; warnings are what Warn, the default, reports.
func decode(k *kind, data []byte, strictness string) (content map[string]any, warnings []string, err error) {
	if k.custom != nil {
		return decodeCustom(k, data, strictness)
	}
	got, err := kjson.DefaultMetaFactory.Interpret(data)
	if err != nil {
		return nil, nil, unrecognized(k, data, err)
	}
	want := k.gvk()
	if got.Kind == "" {
		got.Kind = want.Kind
	}
	if got.Version == "" && got.Group == "" {
		got.Group, got.Version = want.Group, want.Version
	}
	if *got != want {
		return nil, nil, misfit(k, *got)
	}
	obj, _, err := strictJSON.Decode(data, &want, k.typed())
	if strict, ok := runtime.AsStrictDecodingError(err); ok && obj != nil {
		if warnings, err = strictResult(k, strict.Errors(), strictness); err != nil {
			return nil, nil, err
		}
	}
	if err != nil {
		return nil, nil, unfit(want, k, err)
	}
	content, err = runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return nil, nil, apierrors.NewInternalError(err)
	}
	return content, warnings, nil
}

// misfit is the answer to an object of type got where one of kind k should be.
func misfit(k *kind, got schema.GroupVersionKind) error {
	typ, err := goTypes.New(got)
	switch {
	case err != nil:
		return unfit(got, k, runtime.NewNotRegisteredErrForKind(schemeName, got))
	case got.Kind == k.kind && got.Group == k.group:
		return wrongVersion(got.GroupVersion().String(), k)
	}
	internal, _, _ := strings.Cut(k.group, ".")
	if internal == "" {
		internal = "core"
	}
	return unfit(got, k, fmt.Errorf("converting (%s) to (%s.%s): unknown conversion", reflect.TypeOf(typ).Elem(), internal, k.kind))
}

// schemeName is how kube-apiserver calls the set of types that it knows.
const schemeName = "pkg/runtime/scheme.go:111"

func unfit(got schema.GroupVersionKind, k *kind, err error) error {
	return apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v", got.Kind, got.Version, k.kind, err))
}

// unrecognized is the answer to a body that does not say what it is.
func unrecognized(k *kind, data []byte, err error) error {
	const most = 30
	head, more := data, ""
	if len(data) > most {
		head, more = data[:most], " ..."
	}
	summary := fmt.Sprintf("%x", head)
	if len(data) == 0 {
		summary = "<empty>"
	} else if data[0] == '{' {
		summary = string(head)
	}
	summary += more
	return apierrors.NewBadRequest(fmt.Sprintf("the object provided is unrecognized (must be of type %s): %v (%s)", k.kind, err, summary))
}

func wrongVersion(got string, k *kind) error {
	return apierrors.NewBadRequest(fmt.Sprintf(
		"the API version in the data (%s) does not match the expected API version (%s)", got, k.apiVersion()))
}

// asStatus is err as clients see it.
func asStatus(err error) metav1.Status {
	status := metav1.Status{Status: metav1.StatusFailure, Code: http.StatusInternalServerError, Message: err.Error()}
	var s apierrors.APIStatus
	if errors.As(err, &s) {
		status = s.Status()
	}
	status.Kind, status.APIVersion = "Status", "v1"
	return status
}
