package openapi

import (
	"encoding/json"
	"maps"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/tree"
)

// customKind adds the schema of a custom kind, as its definition gives it, and returns its reference.
func (s *schemas) customKind(k *kinds.Kind) map[string]any {
	var m map[string]any
	if err := json.Unmarshal(tree.MustMarshal(k.Schema()), &m); err != nil {
		panic(err)
	}
	if !s.wrap {
		forSwagger(m)
	}
	properties := tree.Ensure(m, "properties")
	docs := metav1.TypeMeta{}.SwaggerDoc()
	for _, f := range []string{"apiVersion", "kind"} {
		properties[f] = map[string]any{"type": "string", "description": docs[f]}
	}
	about := "Standard object's metadata. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata"
	properties["metadata"] = s.with(s.of(reflect.TypeFor[metav1.ObjectMeta]()), map[string]any{"description": about})
	m["x-kubernetes-group-version-kind"] = []any{k.GVKExtension()}
	s.done[k.ModelName()] = m
	return map[string]any{"$ref": s.refPrefix + k.ModelName()}
}

// forSwagger takes out what OpenAPI v2 has no word for.
func forSwagger(schema map[string]any) {
	for _, f := range []string{"nullable", "oneOf", "anyOf", "not", "default"} {
		delete(schema, f)
	}
	if tree.Bool(schema, "x-kubernetes-preserve-unknown-fields") || tree.Bool(schema, "x-kubernetes-int-or-string") {
		// kubectl would refuse what the schema does not name.
		maps.DeleteFunc(schema, func(f string, _ any) bool { return f == "type" || f == "properties" || f == "items" })
	}
	for _, p := range tree.Map(schema, "properties") {
		if m, ok := p.(map[string]any); ok {
			forSwagger(m)
		}
	}
	for _, f := range []string{"items", "additionalProperties"} {
		if m := tree.Map(schema, f); m != nil {
			forSwagger(m)
		}
	}
}
