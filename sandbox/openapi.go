package sandbox

import (
	"fmt"
	"hash/fnv"
	"mime"
	"net/http"
	"strings"
	"sync"

	openapi_v2 "github.com/google/gnostic-models/openapiv2"
	"google.golang.org/protobuf/proto"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"informerscope/sandbox/tree"
)

// openAPIDocs are the documents of one catalog, each made when first asked for.
type openAPIDocs struct {
	v3         func() map[string][]byte
	v2         func() []byte
	v2Protobuf func() ([]byte, error)
}

func newOpenAPIDocs(c, base *catalog) openAPIDocs {
	d := openAPIDocs{
		v3: sync.OnceValue(func() map[string][]byte {
			docs := map[string][]byte{}
			for _, gv := range c.groupVersions() {
				path := strings.TrimPrefix(gvPath(gv), "/")
				if ks := c.of(gv); ks[0].custom == nil && base != nil {
					docs[path] = base.openAPI.v3()[path]
				} else {
					docs[path] = tree.MustMarshal(newOpenAPI(true, ks))
				}
			}
			return docs
		}),
		v2: sync.OnceValue(func() []byte { return tree.MustMarshal(newOpenAPI(false, c.kinds)) }),
	}
	d.v2Protobuf = sync.OnceValues(func() ([]byte, error) {
		doc, err := openapi_v2.ParseDocument(d.v2())
		if err != nil {
			return nil, err
		}
		return proto.Marshal(doc)
	})
	return d
}

// Clients ask for the first of these; it is no valid media type, so the answer carries the second.
const (
	openAPIv2ProtobufAccept = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf"
	openAPIv2ProtobufType   = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"
)

func gvPath(gv schema.GroupVersion) string {
	if gv.Group == "" {
		return "/api/" + gv.Version
	}
	return "/apis/" + gv.String()
}

// serve answers /openapi/v2, /openapi/v3 and the documents of /openapi/v3. It always answers.
func (d openAPIDocs) serve(w http.ResponseWriter, r *http.Request, path string) bool {
	switch {
	case path == "/openapi/v2" && (accepts(r, openAPIv2ProtobufAccept) || accepts(r, openAPIv2ProtobufType)):
		data, err := d.v2Protobuf()
		if err != nil {
			fail(w, r, apierrors.NewInternalError(err))
			return true
		}
		send(w, r, http.StatusOK, openAPIv2ProtobufType, data)
	case path == "/openapi/v2":
		send(w, r, http.StatusOK, "application/json", d.v2())
	case path == "/openapi/v3":
		paths := map[string]any{}
		for name, doc := range d.v3() {
			h := fnv.New64a()
			h.Write(doc)
			paths[name] = map[string]any{"serverRelativeURL": fmt.Sprintf("/openapi/v3/%s?hash=%X", name, h.Sum64())}
		}
		writeJSON(w, http.StatusOK, map[string]any{"paths": paths})
	default:
		doc, ok := d.v3()[strings.TrimPrefix(path, "/openapi/v3/")]
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

// newOpenAPI describes the given kinds, as OpenAPI v3 or v2.
func newOpenAPI(v3 bool, ks []*kind) map[string]any {
	s := &schemas{refPrefix: "#/definitions/", done: map[string]any{}}
	if v3 {
		s.refPrefix, s.wrap = "#/components/schemas/", true
	}
	paths := map[string]any{}
	for _, k := range ks {
		ref := s.kind(k)
		base := gvPath(schema.GroupVersion{Group: k.group, Version: k.version})
		if k.namespaced {
			paths[base+"/"+k.resource] = map[string]any{"get": operation(v3, k, "list", ref)}
			base += "/namespaces/{namespace}"
		}
		collection := map[string]any{"get": operation(v3, k, "list", ref), "post": operation(v3, k, "post", ref)}
		one := map[string]any{"get": operation(v3, k, "get", ref), "put": operation(v3, k, "put", ref),
			"patch": operation(v3, k, "patch", ref), "delete": operation(v3, k, "delete", ref)}
		if k.namespaced {
			collection["parameters"] = []any{parameter(v3, "namespace", "path")}
			one["parameters"] = []any{parameter(v3, "name", "path"), parameter(v3, "namespace", "path")}
		} else {
			one["parameters"] = []any{parameter(v3, "name", "path")}
		}
		paths[base+"/"+k.resource] = collection
		paths[base+"/"+k.resource+"/{name}"] = one
	}
	doc := map[string]any{
		"info":  map[string]any{"title": "informerscope sandbox", "version": serverVersion.GitVersion},
		"paths": paths,
	}
	if v3 {
		doc["openapi"], doc["components"] = "3.0.0", map[string]any{"schemas": s.done}
	} else {
		doc["swagger"], doc["definitions"] = "2.0", s.done
	}
	return doc
}

func operation(v3 bool, k *kind, action string, ref map[string]any) map[string]any {
	ok := map[string]any{"description": "OK"}
	if v3 {
		ok["content"] = map[string]any{"application/json": map[string]any{"schema": ref}}
	} else {
		ok["schema"] = ref
	}
	op := map[string]any{
		"responses":                       map[string]any{"200": ok},
		"x-kubernetes-action":             action,
		"x-kubernetes-group-version-kind": k.gvkExtension(),
	}
	switch action {
	case "post", "put", "patch":
		op["parameters"] = []any{parameter(v3, "dryRun", "query"), parameter(v3, "fieldManager", "query"), parameter(v3, "fieldValidation", "query")}
	case "delete":
		op["parameters"] = []any{parameter(v3, "dryRun", "query")}
	}
	return op
}

func parameter(v3 bool, name, in string) map[string]any {
	p := map[string]any{"name": name, "in": in}
	if in == "path" {
		p["required"] = true
	}
	if v3 {
		p["schema"] = map[string]any{"type": "string"}
	} else {
		p["type"] = "string"
	}
	return p
}
