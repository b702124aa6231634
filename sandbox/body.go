package sandbox

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"informerscope/sandbox/kinds"
)

// bodyLimit is the largest request body accepted, as in kube-apiserver.
const bodyLimit = 3 << 20

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
func readJSON(r *http.Request, k *kinds.Kind) ([]byte, error) {
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
			return nil, k.Unrecognized(data, err)
		}
		return nil, apierrors.NewBadRequest(err.Error())
	case runtime.ContentTypeProtobuf:
		return kinds.ProtobufToJSON(data)
	}
	return nil, unsupportedMedia("application/json", "application/yaml", runtime.ContentTypeProtobuf)
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
