package faults

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// statusOf is what kube-apiserver says with a code.
func statusOf(code int, f *Fault, r *Request) *metav1.Status {
	seconds := int(f.RetryAfter / time.Second)
	gr := r.GroupResource()
	var err *apierrors.StatusError
	switch code {
	case http.StatusUnauthorized:
		err = apierrors.NewUnauthorized("Unauthorized")
	case http.StatusForbidden:
		err = apierrors.NewForbidden(gr, r.Name, fmt.Errorf("the user cannot %s resource %q in API group %q %s", r.rbacVerb(), r.Resource, r.Group, r.scope()))
	case http.StatusNotFound:
		err = apierrors.NewNotFound(gr, r.Name)
	case http.StatusMethodNotAllowed:
		err = apierrors.NewMethodNotSupported(gr, r.rbacVerb())
	case http.StatusGone:
		err = apierrors.NewResourceExpired(r.expired())
	case http.StatusUnprocessableEntity:
		// A server without the WatchList feature says this to sendInitialEvents.
		path, why := field.NewPath("sendInitialEvents"), "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled"
		if r.Verb != VerbWatchList {
			path, why = field.NewPath("resourceVersionMatch"), "resourceVersionMatch is forbidden unless resourceVersion is provided"
		}
		err = apierrors.NewInvalid(schema.GroupKind{Group: metav1.GroupName, Kind: "ListOptions"}, "", field.ErrorList{field.Forbidden(path, why)})
	case http.StatusTooManyRequests:
		err = apierrors.NewTooManyRequests("storage is (re)initializing", seconds)
	case http.StatusInternalServerError:
		err = apierrors.NewInternalError(errors.New("etcdserver: request timed out"))
	case http.StatusServiceUnavailable:
		err = apierrors.NewServiceUnavailable("the server is currently unable to handle the request")
	case http.StatusGatewayTimeout:
		err = apierrors.NewTimeoutError("Too large resource version: "+r.RV, seconds)
		err.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: metav1.CauseTypeResourceVersionTooLarge, Message: "Too large resource version"}}
	default:
		err = apierrors.NewGenericServerResponse(code, r.rbacVerb(), gr, r.Name, "", seconds, true)
	}
	s := err.ErrStatus
	if f.Text != "" {
		s.Message = f.Text
	}
	if seconds > 0 {
		if s.Details == nil {
			s.Details = &metav1.StatusDetails{}
		}
		s.Details.RetryAfterSeconds = int32(seconds)
	}
	s.TypeMeta = metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}
	return &s
}

func (r *Request) expired() string {
	if r.Continue {
		return "The provided continue parameter is too old to display a consistent list result."
	}
	if r.Verb&Watches != 0 {
		return "too old resource version: " + r.RV
	}
	return "The resourceVersion for the provided list is too old."
}

func (r *Request) rbacVerb() string {
	if r.Verb&Watches != 0 {
		return "watch"
	}
	return r.Verb.String()
}

func (r *Request) scope() string {
	if r.Namespace == "" {
		return "at the cluster scope"
	}
	return fmt.Sprintf("in the namespace %q", r.Namespace)
}

// answer is the response that the server did not send.
func answer(req *http.Request, f *Fault, r *Request) (*http.Response, error) {
	code := f.Status
	if f.Kind == ExpiredContinue {
		code = http.StatusGone
	}
	header := http.Header{}
	var body []byte
	switch {
	case f.Kind == Table:
		code = http.StatusOK
		header.Set("Content-Type", runtime.ContentTypeJSON)
		body = table(r)
	case code == http.StatusNotFound && r.Name == "" && f.Text == "":
		// A resource that is not served at all: no handler has that path.
		header.Set("Content-Type", "text/plain; charset=utf-8")
		body = []byte("404 page not found\n")
	default:
		contentType := accepted(req.Header)
		var err error
		if body, err = encode(statusOf(code, f, r), contentType); err != nil {
			return nil, fmt.Errorf("encode the status of fault %s: %w", f, err)
		}
		header.Set("Content-Type", contentType)
	}
	if f.RetryAfter > 0 {
		header.Set("Retry-After", strconv.Itoa(int(f.RetryAfter/time.Second)))
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	return &http.Response{
		Status: strconv.Itoa(code) + " " + http.StatusText(code), StatusCode: code,
		Proto: "HTTP/2.0", ProtoMajor: 2,
		Header: header, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Request: req,
	}, nil
}

// table is what kubectl asks for, and nobody else should get.
func table(r *Request) []byte {
	rv := r.RV
	if rv == "" || rv == "0" {
		rv = "1"
	}
	return fmt.Appendf(nil, `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":%q},`+
		`"columnDefinitions":[{"name":"Name","type":"string","format":"name","description":"","priority":0}],"rows":[{"cells":["a"],"object":null}]}`+"\n", rv)
}

// accepted is the encoding of those that we have that a client likes best.
func accepted(h http.Header) string {
	best, quality := runtime.ContentTypeJSON, 0.0
	for clause := range strings.SplitSeq(strings.Join(h.Values("Accept"), ","), ",") {
		mediaType, params, err := mime.ParseMediaType(clause)
		if err != nil || (mediaType != runtime.ContentTypeJSON && mediaType != runtime.ContentTypeProtobuf) {
			continue
		}
		q := 1.0
		if s, ok := params["q"]; ok {
			q, _ = strconv.ParseFloat(s, 64)
		}
		if q > quality {
			best, quality = mediaType, q
		}
	}
	return best
}

var protobufSerializer = func() *protobuf.Serializer {
	scheme := runtime.NewScheme()
	return protobuf.NewSerializer(scheme, scheme)
}()

// encode encodes a Status, whose TypeMeta must be set.
func encode(s *metav1.Status, contentType string) ([]byte, error) {
	if contentType != runtime.ContentTypeProtobuf {
		return json.Marshal(s)
	}
	var b bytes.Buffer
	err := protobufSerializer.Encode(s, &b)
	return b.Bytes(), err
}
