package server

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

// sendList answers with a collection. The usual one, typed JSON, is not assembled first: it may be large.
func (h *Handler) sendList(w http.ResponseWriter, r *http.Request, q *request, items []*store.Object, meta metav1.ListMeta) error {
	now := h.options.Clock.Now()
	if q.view.as != "" || q.view.yaml || q.view.protobuf || q.view.pretty || q.kind.Custom() || q.kind.Converts() {
		release, err := h.holdList(r, items)
		if err != nil {
			return err
		}
		defer release()
		data, err := q.view.list(r.Context(), q.kind, items, meta, now)
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
