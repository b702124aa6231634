package server

import (
	"fmt"
	"io"
	"mime"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
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
