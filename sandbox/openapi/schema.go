package openapi

import (
	"encoding/json"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// schemas builds JSON schemas of the API's Go types, with what kubectl takes from them: types, descriptions, and how
// lists merge.
type schemas struct {
	// refPrefix is where the document keeps its schemas: "#/components/schemas/" or "#/definitions/".
	refPrefix string
	// wrap says that a reference with siblings must be wrapped in allOf, as OpenAPI v3 demands.
	wrap bool
	// done has every schema that was referred to, by name.
	done map[string]any
}

// wellKnown are types whose JSON is not that of their Go structure.
var wellKnown = map[reflect.Type]map[string]any{
	reflect.TypeFor[metav1.Time]():          {"type": "string", "format": "date-time"},
	reflect.TypeFor[metav1.MicroTime]():     {"type": "string", "format": "date-time"},
	reflect.TypeFor[metav1.Duration]():      {"type": "string"},
	reflect.TypeFor[metav1.FieldsV1]():      {"type": "object"},
	reflect.TypeFor[resource.Quantity]():    {"type": "string"},
	reflect.TypeFor[intstr.IntOrString]():   {"type": "string", "format": "int-or-string"},
	reflect.TypeFor[runtime.RawExtension](): {"type": "object"},
	reflect.TypeFor[json.RawMessage]():      {"type": "object"},
}

// named are those of wellKnown that kubectl explain shows by their name.
var named = map[reflect.Type]bool{reflect.TypeFor[intstr.IntOrString](): true, reflect.TypeFor[resource.Quantity](): true}

// eitherType says in OpenAPI v3, which has the words for it, that these are numbers or strings.
var eitherType = map[reflect.Type]map[string]any{
	reflect.TypeFor[intstr.IntOrString](): {"format": "int-or-string", "oneOf": []any{map[string]any{"type": "integer"}, map[string]any{"type": "string"}}},
	reflect.TypeFor[resource.Quantity]():  {"oneOf": []any{map[string]any{"type": "string"}, map[string]any{"type": "number"}}},
}

// modelName names the schema of a Go type: k8s.io/api/core/v1.Pod is io.k8s.api.core.v1.Pod.
func modelName(t reflect.Type) string {
	host, rest, _ := strings.Cut(t.PkgPath(), "/")
	labels := strings.Split(host, ".")
	for i, j := 0, len(labels)-1; i < j; i, j = i+1, j-1 {
		labels[i], labels[j] = labels[j], labels[i]
	}
	return strings.Join(labels, ".") + "." + strings.ReplaceAll(rest, "/", ".") + "." + t.Name()
}

// of is the schema of t, a reference for structures.
func (s *schemas) of(t reflect.Type) map[string]any {
	if known, ok := wellKnown[t]; ok {
		if !named[t] {
			return known
		}
		if s.done[modelName(t)] = known; s.wrap {
			s.done[modelName(t)] = eitherType[t]
		}
		return map[string]any{"$ref": s.refPrefix + modelName(t)}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return s.of(t.Elem())
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int32, reflect.Uint32, reflect.Int16, reflect.Uint16, reflect.Uint8:
		return map[string]any{"type": "integer", "format": "int32"}
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return map[string]any{"type": "integer", "format": "int64"}
	case reflect.Float32, reflect.Float64:
		return map[string]any{"type": "number", "format": "double"}
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return map[string]any{"type": "string", "format": "byte"}
		}
		return map[string]any{"type": "array", "items": s.of(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": s.of(t.Elem())}
	case reflect.Struct:
		name := modelName(t)
		if _, ok := s.done[name]; !ok {
			s.done[name] = nil // stops the recursion of types that contain themselves
			s.done[name] = s.structure(t)
		}
		return map[string]any{"$ref": s.refPrefix + name}
	default:
		if values := enums[t]; values != nil {
			return map[string]any{"type": "string", "enum": values}
		}
		return map[string]any{"type": "string"}
	}
}

func (s *schemas) structure(t reflect.Type) map[string]any {
	properties := map[string]any{}
	docs := docsOf(t)
	s.addFields(t, docs, properties)
	out := map[string]any{"type": "object", "properties": properties}
	if d := docs[""]; d != "" {
		out["description"] = d
	}
	return out
}

func (s *schemas) addFields(t reflect.Type, docs map[string]string, properties map[string]any) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || !f.IsExported() {
			continue
		}
		if name == "" {
			if f.Anonymous || strings.Contains(opts, "inline") {
				s.addFields(f.Type, docsOf(f.Type), properties)
			}
			continue
		}
		extra := map[string]any{}
		if d := docs[name] + possibleValues(f.Type); d != "" {
			extra["description"] = d
		}
		if v := f.Tag.Get("patchStrategy"); v != "" {
			extra["x-kubernetes-patch-strategy"] = v
		}
		if v := f.Tag.Get("patchMergeKey"); v != "" {
			extra["x-kubernetes-patch-merge-key"] = v
		}
		properties[name] = s.with(s.of(f.Type), extra)
	}
}

// with adds extra to a schema, which it copies.
func (s *schemas) with(schema, extra map[string]any) map[string]any {
	if len(extra) == 0 {
		return schema
	}
	out := map[string]any{}
	if _, isRef := schema["$ref"]; isRef && s.wrap {
		out["allOf"] = []any{schema}
	} else {
		for k, v := range schema {
			out[k] = v
		}
	}
	for k, v := range extra {
		out[k] = v
	}
	return out
}

func docsOf(t reflect.Type) map[string]string {
	if d, ok := reflect.New(t).Interface().(interface{ SwaggerDoc() map[string]string }); ok {
		return d.SwaggerDoc()
	}
	return nil
}
