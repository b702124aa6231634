package sandbox

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
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

// readJSON reads a body that is JSON, YAML or protobuf and returns it as JSON.
func readJSON(r *http.Request) ([]byte, error) {
	data, err := readBody(r)
	if err != nil {
		return nil, err
	}
	switch mediaType(r) {
	case "", "application/json":
		return data, nil
	case "application/yaml":
		out, err := yaml.YAMLToJSON(data)
		if err != nil {
			return nil, apierrors.NewBadRequest(fmt.Sprintf("error parsing YAML: %v", err))
		}
		return out, nil
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
	want := k.gvk()
	if len(strings.TrimSpace(string(data))) == 0 {
		return nil, nil, apierrors.NewBadRequest(fmt.Sprintf("unable to decode an empty body as a %s", k.kind))
	}
	if k.custom != nil {
		return decodeCustom(k, data, strictness)
	}
	if got, gerr := kjson.DefaultMetaFactory.Interpret(data); gerr == nil {
		if got.Version != "" && (got.Group != want.Group || got.Version != want.Version) {
			return nil, nil, wrongVersion(got.GroupVersion().String(), k)
		}
		if got.Kind != "" && got.Kind != want.Kind {
			return nil, nil, apierrors.NewBadRequest(fmt.Sprintf(
				"%s in version %q cannot be handled as a %s: the kind in the data does not match the resource", got.Kind, k.version, k.kind))
		}
	}
	obj, _, err := strictJSON.Decode(data, &want, k.typed())
	if strict, ok := runtime.AsStrictDecodingError(err); ok && obj != nil {
		if warnings, err = strictResult(k, strict.Errors(), strictness); err != nil {
			return nil, nil, err
		}
	}
	if err != nil {
		return nil, nil, apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v", k.kind, k.version, k.kind, err))
	}
	content, err = runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return nil, nil, apierrors.NewInternalError(err)
	}
	return content, warnings, nil
}

// unrecognized is the answer to a body that does not say what it is.
func unrecognized(k *kind, data []byte, err error) error {
	const most = 30
	summary := fmt.Sprintf("%x", data)
	if len(data) > most {
		summary = fmt.Sprintf("%x ...", data[:most])
	}
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

func base64Of(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
