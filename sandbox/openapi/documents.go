package openapi

import (
	"reflect"
	"strings"
	"sync"

	openapi_v2 "github.com/google/gnostic-models/openapiv2"
	"google.golang.org/protobuf/proto"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/tree"
)

// Documents are the OpenAPI documents of one catalog, each made when it is first asked for. They may be used from any
// goroutine; what they return must not be changed.
type Documents struct {
	v3         func() map[string][]byte
	v2         func() []byte
	v2Protobuf func() ([]byte, error)
}

// builtinDocuments are those of what every server serves. All servers of a process share them.
var builtinDocuments = newDocuments(kinds.Builtin, nil)

// Of describes the kinds of c. What it says of built-in ones, it takes from a document that is made only once.
func Of(c *kinds.Catalog) *Documents {
	if c == kinds.Builtin {
		return builtinDocuments
	}
	return newDocuments(c, builtinDocuments)
}

func newDocuments(c *kinds.Catalog, base *Documents) *Documents {
	d := &Documents{
		v3: sync.OnceValue(func() map[string][]byte {
			docs := map[string][]byte{}
			for _, gv := range c.GroupVersions() {
				path := strings.TrimPrefix(gvPath(gv), "/")
				if ks := c.Of(gv); base != nil && !ks[0].Custom() {
					docs[path] = base.v3()[path]
				} else {
					docs[path] = tree.MustMarshal(describe(true, ks))
				}
			}
			return docs
		}),
		v2: sync.OnceValue(func() []byte { return tree.MustMarshal(describe(false, c.Kinds())) }),
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

// V3 has the OpenAPI v3 documents by the path of their group and version, like "apis/apps/v1".
func (d *Documents) V3() map[string][]byte { return d.v3() }

// V2 is the OpenAPI v2 document, as JSON.
func (d *Documents) V2() []byte { return d.v2() }

// V2Protobuf is the OpenAPI v2 document in protobuf.
func (d *Documents) V2Protobuf() ([]byte, error) { return d.v2Protobuf() }

func gvPath(gv schema.GroupVersion) string {
	if gv.Group == "" {
		return "/api/" + gv.Version
	}
	return "/apis/" + gv.String()
}

// describe describes the given kinds, as OpenAPI v3 or v2.
func describe(v3 bool, ks []*kinds.Kind) map[string]any {
	s := &schemas{refPrefix: "#/definitions/", done: map[string]any{}}
	if v3 {
		s.refPrefix, s.wrap = "#/components/schemas/", true
	}
	paths := map[string]any{}
	for _, k := range ks {
		ref := s.kind(k)
		base, resource := gvPath(k.GVK().GroupVersion()), k.GR().Resource
		if k.Namespaced() {
			paths[base+"/"+resource] = map[string]any{"get": operation(v3, k, "list", ref)}
			base += "/namespaces/{namespace}"
		}
		collection := map[string]any{"get": operation(v3, k, "list", ref), "post": operation(v3, k, "post", ref)}
		one := map[string]any{"get": operation(v3, k, "get", ref), "put": operation(v3, k, "put", ref),
			"patch": operation(v3, k, "patch", ref), "delete": operation(v3, k, "delete", ref)}
		if k.Namespaced() {
			collection["parameters"] = []any{parameter(v3, "namespace", "path")}
			one["parameters"] = []any{parameter(v3, "name", "path"), parameter(v3, "namespace", "path")}
		} else {
			one["parameters"] = []any{parameter(v3, "name", "path")}
		}
		paths[base+"/"+resource] = collection
		paths[base+"/"+resource+"/{name}"] = one
	}
	doc := map[string]any{
		"info":  map[string]any{"title": "informerscope sandbox", "version": kinds.ServerVersion.GitVersion},
		"paths": paths,
	}
	if v3 {
		doc["openapi"], doc["components"] = "3.0.0", map[string]any{"schemas": s.done}
	} else {
		doc["swagger"], doc["definitions"] = "2.0", s.done
	}
	return doc
}

func operation(v3 bool, k *kinds.Kind, action string, ref map[string]any) map[string]any {
	ok := map[string]any{"description": "OK"}
	if v3 {
		ok["content"] = map[string]any{"application/json": map[string]any{"schema": ref}}
	} else {
		ok["schema"] = ref
	}
	op := map[string]any{
		"responses":                       map[string]any{"200": ok},
		"x-kubernetes-action":             action,
		"x-kubernetes-group-version-kind": k.GVKExtension(),
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

// kind adds the schema of a kind, marked with the group, version and kind that clients look it up by, and returns its
// reference.
func (s *schemas) kind(k *kinds.Kind) map[string]any {
	if k.Custom() {
		return s.customKind(k)
	}
	t := reflect.TypeOf(k.New()).Elem()
	r := s.of(t)
	s.done[modelName(t)].(map[string]any)["x-kubernetes-group-version-kind"] = []any{k.GVKExtension()}
	return r
}
