package server

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"

	yamlv2 "go.yaml.in/yaml/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/rest"
)

// bodyLimit is the largest request body accepted, as in kube-apiserver.
const bodyLimit = 3 << 20

func readBody(r *http.Request) ([]byte, error) {
	if r.ContentLength > bodyLimit {
		return nil, tooLargeBody()
	}
	data, err := io.ReadAll(io.LimitReader(r.Body, bodyLimit+1))
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, apierrors.NewTimeoutError("request did not complete within the allotted timeout", 0)
	}
	if err != nil {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("read the request body: %v", err))
	}
	if len(data) > bodyLimit {
		return nil, tooLargeBody()
	}
	return data, nil
}

func tooLargeBody() error {
	return apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("limit is %d", bodyLimit))
}

// checkAliases refuses YAML that is over bodyLimit once its aliases are written out: a short body may name a long text many
// times.
func checkAliases(data []byte) error {
	if bytes.IndexByte(data, '&') < 0 || bytes.IndexByte(data, '*') < 0 {
		return nil
	}
	var v any
	if yamlv2.Unmarshal(data, &v) != nil {
		return nil // whoever decodes it says what is wrong
	}
	if textOf(v, bodyLimit) > bodyLimit {
		return tooLargeBody()
	}
	return nil
}

// textOf is about how many bytes of JSON v has; it stops to count above limit.
func textOf(v any, limit int) int {
	n := 2
	switch v := v.(type) {
	case string:
		n += len(v)
	case []any:
		for _, e := range v {
			if n += textOf(e, limit-n); n > limit {
				break
			}
		}
	case map[any]any:
		for k, e := range v {
			if n += textOf(k, limit-n); n <= limit {
				n += textOf(e, limit-n)
			}
			if n > limit {
				break
			}
		}
	}
	return n
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
		return data, rest.CheckNested(data)
	case "application/yaml":
		if err := checkAliases(data); err != nil {
			return nil, err
		}
		out, err := yaml.YAMLToJSON(data)
		switch {
		case err == nil:
			return out, rest.CheckNested(out)
		case k != nil:
			return nil, k.Unrecognized(data, err)
		}
		return nil, apierrors.NewBadRequest(err.Error())
	case runtime.ContentTypeProtobuf:
		out, err := kinds.ProtobufToJSON(data)
		if err != nil {
			return nil, err
		}
		return out, rest.CheckNested(out)
	}
	return nil, unsupportedMedia("application/json", "application/yaml", runtime.ContentTypeProtobuf)
}
