package server

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
)

// gzipFrom is the size in bytes from which an answer is compressed for a client that accepts it, as in kube-apiserver.
const gzipFrom = 128 << 10

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

// Bounds on the warnings of an answer, in characters and as in kube-apiserver: clients refuse headers that are too long.
const (
	maxWarnings    = 4 << 10 // all together
	maxLongWarning = 256     // each, when they are over maxWarnings
)

func warn(w http.ResponseWriter, warnings []string) {
	total := 0
	for _, text := range warnings {
		total += utf8.RuneCountInString(text)
	}
	left := maxWarnings
	for _, text := range warnings {
		if total > maxWarnings {
			text = cut(text, maxLongWarning)
		}
		if left -= utf8.RuneCountInString(text); left < 0 {
			return
		}
		w.Header().Add("Warning", `299 - `+strconv.Quote(text))
	}
}

func success(k *kinds.Kind, o *store.Object) *metav1.Status {
	s := &metav1.Status{Status: metav1.StatusSuccess, Details: &metav1.StatusDetails{
		Name: o.Name(), Group: k.GVK().Group, Kind: k.GR().Resource, UID: types.UID(o.UID())}}
	s.Kind, s.APIVersion = "Status", "v1"
	return s
}

// asStatus is err as clients see it.
func asStatus(err error) metav1.Status {
	status := metav1.Status{Status: metav1.StatusFailure, Code: http.StatusInternalServerError, Message: err.Error()}
	var s apierrors.APIStatus
	if errors.As(err, &s) {
		status = s.Status()
	}
	status.Kind, status.APIVersion = "Status", "v1"
	bound(&status)
	return status
}

// maxText is how many characters a Status has in its message, and in its causes together. Refusals quote what was sent, which
// may be megabytes.
const maxText = 16 << 10

// bound cuts what a Status quotes.
func bound(s *metav1.Status) {
	s.Message = cut(s.Message, maxText)
	if s.Details == nil {
		return
	}
	d := s.Details.DeepCopy() // the error's own stays as it is
	s.Details = d
	d.Name = cut(d.Name, maxText)
	causes := d.Causes
	d.Causes = nil
	left := maxText
	for _, c := range causes {
		c.Message, c.Field = cut(c.Message, left), cut(c.Field, left)
		d.Causes = append(d.Causes, c)
		// A cause without a text counts too.
		if left -= len(c.Message) + len(c.Field) + 16; left <= 0 {
			return
		}
	}
}

// cut is text with at most n characters; it ends with "..." where some are missing.
func cut(text string, n int) string {
	if len(text) <= n || utf8.RuneCountInString(text) <= n {
		return text
	}
	n = max(n-len("..."), 0)
	for i := range text {
		if n == 0 {
			return text[:i] + "..."
		}
		n--
	}
	return text
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

// codeOf is the status of an answer to a write that may have created its object.
func codeOf(created bool) int {
	if created {
		return http.StatusCreated
	}
	return http.StatusOK
}

// protobufStatus encodes a Status for a client that prefers protobuf; false for any other.
func protobufStatus(r *http.Request, s *metav1.Status) ([]byte, bool) {
	if v, err := negotiate(r, nil); err != nil || !v.protobuf {
		return nil, false
	}
	data, err := kinds.ToProtobuf(s)
	return data, err == nil
}
