package faults_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/framer"
	"k8s.io/client-go/kubernetes/scheme"

	"informerscope/engine/faults"
)

// Encodings of a stream, by Content-Type.
const (
	jsonStream     = "application/json"
	protobufStream = "application/vnd.kubernetes.protobuf;stream=watch"
)

// roundTripper answers every request.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// watchBody is body as a client of set sees it in the answer to a WATCH of pods.
func watchBody(t testing.TB, set *faults.Set, contentType string, body io.ReadCloser) io.ReadCloser {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://server/api/v1/pods?watch=true&resourceVersion=5", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := set.Wrap(roundTripper(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {contentType}}, Body: body}, nil
	})).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	return resp.Body
}

// chunked gives data out in pieces, as a network does.
type chunked struct {
	data  []byte
	sizes []byte // of the pieces, less one, in turn; none is all at once
	next  int
	err   error // after data; nil is io.EOF
	shut  atomic.Bool
}

func (c *chunked) Read(p []byte) (int, error) {
	if c.shut.Load() {
		return 0, http.ErrBodyReadAfterClose
	}
	if len(c.data) == 0 {
		if c.err != nil {
			return 0, c.err
		}
		return 0, io.EOF
	}
	n := len(c.data)
	if len(c.sizes) > 0 {
		n = min(n, 1+int(c.sizes[c.next%len(c.sizes)]))
		c.next++
	}
	n = copy(p, c.data[:n])
	c.data = c.data[n:]
	return n, nil
}

func (c *chunked) Close() error {
	c.shut.Store(true)
	return nil
}

func arm(t testing.TB, set *faults.Set, words string) int {
	t.Helper()
	f, err := faults.Parse(strings.Fields(words))
	if err != nil {
		t.Fatal(err)
	}
	id, err := set.Arm(f)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// podFrame is one watch event as kube-apiserver encodes it.
func podFrame(t testing.TB, contentType, typ, name, rv string) []byte {
	t.Helper()
	return objectFrame(t, contentType, typ, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, ResourceVersion: rv}})
}

// bigPodFrame is an event of about 2 kB.
func bigPodFrame(t testing.TB, contentType string) []byte {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", ResourceVersion: "7", Annotations: map[string]string{}}}
	for i := range 30 {
		pod.Annotations[fmt.Sprintf("example.org/annotation-%02d", i)] = "a value of some length, as annotations have"
	}
	return objectFrame(t, contentType, "MODIFIED", pod)
}

func objectFrame(t testing.TB, contentType, typ string, obj runtime.Object) []byte {
	t.Helper()
	mediaType, _, _ := strings.Cut(contentType, ";")
	info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), mediaType)
	raw, err := runtime.Encode(scheme.Codecs.EncoderForVersion(info.Serializer, corev1.SchemeGroupVersion), obj)
	if err != nil {
		t.Fatal(err)
	}
	event := &metav1.WatchEvent{Type: typ, Object: runtime.RawExtension{Raw: bytes.TrimSpace(raw)}}
	if contentType == protobufStream {
		event.Object.Raw = raw
	}
	var b bytes.Buffer
	if err := info.StreamSerializer.Serializer.Encode(event, info.StreamSerializer.Framer.NewFrameWriter(&b)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// decoded reads a stream as client-go does: "MODIFIED a@5".
func decoded(t testing.TB, contentType string, stream []byte) (events []string, end error) {
	t.Helper()
	mediaType, _, _ := strings.Cut(contentType, ";")
	info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), mediaType)
	frames := framer.NewJSONFramedReader(io.NopCloser(bytes.NewReader(stream)))
	if contentType == protobufStream {
		frames = framer.NewLengthDelimitedFrameReader(io.NopCloser(bytes.NewReader(stream)))
	}
	buf := make([]byte, 1<<16)
	for {
		n, err := frames.Read(buf)
		if err != nil {
			return events, err
		}
		var e metav1.WatchEvent
		if _, _, err := info.StreamSerializer.Serializer.Decode(buf[:n], nil, &e); err != nil {
			return events, err
		}
		obj, err := runtime.Decode(scheme.Codecs.UniversalDeserializer(), e.Object.Raw)
		if err != nil {
			return events, err
		}
		what := ""
		switch obj := obj.(type) {
		case *corev1.Pod:
			what = obj.Name + "@" + obj.ResourceVersion
		case *metav1.Status:
			what = string(obj.Reason)
		}
		events = append(events, e.Type+" "+what)
	}
}

func eachEncoding(t *testing.T, f func(t *testing.T, contentType string)) {
	for name, contentType := range map[string]string{"json": jsonStream, "protobuf": protobufStream} {
		t.Run(name, func(t *testing.T) { f(t, contentType) })
	}
}
