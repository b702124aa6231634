package sandbox

import (
	"bufio"
	"compress/gzip"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/rest"
	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

// gzipFrom is the size in bytes from which an answer is compressed for a client that accepts it, as in kube-apiserver.
const gzipFrom = 128 << 10

// handler serves the API over HTTP.
type handler struct {
	api      *rest.API
	store    *store.Store
	clock    clock.WithTicker
	token    string
	bookmark time.Duration
	minWatch time.Duration
	rights   *rights
	docs     lastDocuments
}

var _ http.Handler = (*handler)(nil)

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		if p := recover(); p != nil {
			if p == http.ErrAbortHandler {
				panic(p)
			}
			fail(w, r, apierrors.NewInternalError(fmt.Errorf("panic while serving %s %s: %v", r.Method, r.URL.Path, p)))
		}
	}()
	w.Header().Set("Cache-Control", "no-cache, private")
	if serveHealth(w, r) {
		return
	}
	if !h.authorized(r) {
		w.Header().Set("WWW-Authenticate", `Bearer realm="informerscope-sandbox"`)
		fail(w, r, apierrors.NewUnauthorized("Unauthorized"))
		return
	}
	if h.serveDocuments(w, r) {
		return
	}
	q := parse(h.store.Catalog(), r.URL.Path)
	if q == nil {
		fail(w, r, notServed(r))
		return
	}
	if err := h.serveResource(w, r, q); err != nil {
		fail(w, r, err)
	}
}

func (h *handler) authorized(r *http.Request) bool {
	got, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return ok && subtle.ConstantTimeCompare([]byte(got), []byte(h.token)) == 1
}

func (h *handler) serveResource(w http.ResponseWriter, r *http.Request, q *request) error {
	var err error
	if q.view, err = negotiate(r, q.kind); err != nil {
		return err
	}
	q.view.kind = q.kind
	if q.name == "" && truth(r.URL.Query(), "watch") {
		q.watch = true
	}
	verb := q.verb(r)
	if err := h.rights.check(q, verb); err != nil {
		return err
	}
	if err := h.terminating(q.kind, verb); err != nil {
		return err
	}
	switch verb {
	case "list":
		return h.list(w, r, q)
	case "watch":
		return h.watch(w, r, q)
	case "get":
		return h.get(w, r, q)
	case "create":
		return h.post(w, r, q)
	case "evict":
		return h.evict(w, r, q)
	case "update":
		return h.put(w, r, q)
	case "patch":
		return h.patch(w, r, q)
	case "delete":
		return h.remove(w, r, q)
	case "deletecollection":
		return h.removeAll(w, r, q)
	default:
		return notAllowed(r)
	}
}

// terminating refuses new objects of a kind whose definition is being deleted.
func (h *handler) terminating(k *kinds.Kind, verb string) error {
	if !k.Custom() || verb != "create" {
		return nil
	}
	if d := h.store.Get(store.Ref{Kind: kinds.Definitions, Name: k.Definition()}); d == nil || !d.Deleting() {
		return nil
	}
	err := apierrors.NewMethodNotSupported(k.GR(), verb)
	err.ErrStatus.Message = verb + " not allowed while custom resource definition is terminating"
	return err
}

// notServed is the answer for a path that names nothing.
func notServed(r *http.Request) error {
	return apierrors.NewGenericServerResponse(http.StatusNotFound, strings.ToLower(r.Method), schema.GroupResource{}, "", "", 0, false)
}

// notAllowed is the answer to a method that a path does not take.
func notAllowed(r *http.Request) error {
	return apierrors.NewGenericServerResponse(http.StatusMethodNotAllowed, strings.ToLower(r.Method), schema.GroupResource{}, "", "", 0, false)
}

// fail answers with the Status of err, in protobuf if r asks for that first.
func fail(w http.ResponseWriter, r *http.Request, err error) {
	s := asStatus(err)
	if d := s.Details; d != nil && d.RetryAfterSeconds > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(d.RetryAfterSeconds)))
	}
	if data, ok := protobufStatus(r, &s); ok {
		send(w, r, int(s.Code), runtime.ContentTypeProtobuf, data)
		return
	}
	writeJSON(w, int(s.Code), &s)
}

func writeJSON(w http.ResponseWriter, code int, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	// A client that went away is no error of ours.
	_, _ = w.Write(append(data, '\n'))
}

// send answers with data, compressed when that is wanted and worth it.
func send(w http.ResponseWriter, r *http.Request, code int, contentType string, data []byte) {
	sendChunks(w, r, code, contentType, len(data), func(dst io.Writer) { _, _ = dst.Write(data) })
}

// sendChunks is send for size bytes that write produces piece by piece. A client that went away is no error of ours.
func sendChunks(w http.ResponseWriter, r *http.Request, code int, contentType string, size int, write func(dst io.Writer)) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Add("Vary", "Accept-Encoding")
	if size < gzipFrom || !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.Header().Set("Content-Length", strconv.Itoa(size))
		w.WriteHeader(code)
		write(w)
		return
	}
	w.Header().Set("Content-Encoding", "gzip")
	w.WriteHeader(code)
	z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		panic(err)
	}
	write(z)
	_ = z.Close()
}

// sendList answers with a collection. The usual one, typed JSON, is not assembled first: it may be large.
func sendList(w http.ResponseWriter, r *http.Request, q *request, items []*store.Object, meta metav1.ListMeta, now time.Time) error {
	if q.view.as != "" || q.view.yaml || q.view.protobuf || q.view.pretty || q.kind.Custom() || q.kind.Converts() {
		data, err := q.view.list(q.kind, items, meta, now)
		if err != nil {
			return err
		}
		send(w, r, http.StatusOK, q.view.contentType(), data)
		return nil
	}
	const tail = "]}\n"
	head := fmt.Appendf(nil, `{"kind":%q,"apiVersion":%q,"metadata":%s,"items":[`, q.kind.ListKind(), q.kind.APIVersion(), tree.MustMarshal(meta))
	size := len(head) + len(tail) + max(len(items)-1, 0)
	for _, o := range items {
		size += len("{") + len(o.JSON()) - len(o.Kind().Prefix())
	}
	sendChunks(w, r, http.StatusOK, q.view.contentType(), size, func(dst io.Writer) {
		out := bufio.NewWriterSize(dst, 32<<10)
		out.Write(head)
		for i, o := range items {
			if i > 0 {
				out.WriteByte(',')
			}
			// Elements of a typed list carry no apiVersion and kind.
			out.WriteByte('{')
			out.Write(o.JSON()[len(o.Kind().Prefix()):])
		}
		out.WriteString(tail)
		_ = out.Flush()
	})
	return nil
}

// sendObject answers with one object in the representation that the client asked for.
func sendObject(w http.ResponseWriter, r *http.Request, q *request, code int, o *store.Object, now time.Time) error {
	data, err := q.view.object(o, now)
	if err != nil {
		return err
	}
	send(w, r, code, q.view.contentType(), data)
	return nil
}

func warn(w http.ResponseWriter, warnings []string) {
	for _, text := range warnings {
		w.Header().Add("Warning", `299 - `+strconv.Quote(text))
	}
}

func success(k *kinds.Kind, o *store.Object) *metav1.Status {
	s := &metav1.Status{Status: metav1.StatusSuccess, Details: &metav1.StatusDetails{
		Name: o.Name(), Group: k.GVK().Group, Kind: k.GR().Resource, UID: types.UID(o.UID())}}
	s.Kind, s.APIVersion = "Status", "v1"
	return s
}
