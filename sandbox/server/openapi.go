package server

import (
	"fmt"
	"hash/fnv"
	"mime"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"informerscope/sandbox/kinds"
)

// Clients ask for the first of these; it is no valid media type, so the answer carries the second.
const (
	openAPIv2ProtobufAccept = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf"
	openAPIv2ProtobufType   = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"
)

// serveOpenAPI answers /openapi/v2, /openapi/v3 and the documents of /openapi/v3. It always answers.
func (h *Handler) serveOpenAPI(w http.ResponseWriter, r *http.Request, c *kinds.Catalog, path string) bool {
	d := h.docs.of(c)
	switch {
	case path == "/openapi/v2" && (accepts(r, openAPIv2ProtobufAccept) || accepts(r, openAPIv2ProtobufType)):
		data, err := d.V2Protobuf()
		if err != nil {
			fail(w, r, apierrors.NewInternalError(err))
			return true
		}
		send(w, r, http.StatusOK, openAPIv2ProtobufType, data)
	case path == "/openapi/v2":
		send(w, r, http.StatusOK, "application/json", d.V2())
	case path == "/openapi/v3":
		paths := map[string]any{}
		for name, doc := range d.V3() {
			h := fnv.New64a()
			h.Write(doc)
			paths[name] = map[string]any{"serverRelativeURL": fmt.Sprintf("/openapi/v3/%s?hash=%X", name, h.Sum64())}
		}
		writeJSON(w, http.StatusOK, map[string]any{"paths": paths})
	default:
		doc, ok := d.V3()[strings.TrimPrefix(path, "/openapi/v3/")]
		switch {
		case !ok:
			fail(w, r, notServed(r))
		case !accepts(r, "application/json"):
			_, err := negotiate(r, nil)
			fail(w, r, err)
		default:
			send(w, r, http.StatusOK, "application/json", doc)
		}
	}
	return true
}

// accepts says whether the client named this media type, or any type for JSON.
func accepts(r *http.Request, want string) bool {
	accept := strings.Join(r.Header.Values("Accept"), ",")
	if accept == "" {
		return want == "application/json"
	}
	for part := range strings.SplitSeq(accept, ",") {
		t, _, err := mime.ParseMediaType(part)
		if err != nil {
			// The protobuf types have an @, which is no token.
			t = strings.TrimSpace(part)
		}
		if t == want || (want == "application/json" && (t == "*/*" || t == "application/*")) {
			return true
		}
	}
	return false
}
