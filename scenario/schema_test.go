package scenario

import (
	"cmp"
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
)

// jsonSchema is docs/scenario.schema.json, with which editors complete and check
// scenario files. It is made of the tables that read them.
func jsonSchema() string {
	r := &reader{}
	s := objectSchema(r.fileFields(&File{}))
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = "informerscope scenario"
	s["required"] = []string{"title", "steps"}
	ops := map[string]any{}
	for _, o := range operators {
		ops[o.name] = map[string]any{"description": o.doc}
	}
	defs := map[string]any{
		"Operator": map[string]any{
			"type": "object", "additionalProperties": false, "minProperties": 1, "properties": ops,
			"description": "takes the place of a value",
		},
	}
	for name, t := range map[string]any{"Text": []string{"string", "number"}, "Truth": "boolean", "Number": "number"} {
		defs[name] = orOperator(map[string]any{"type": t})
	}
	defs["Line"], defs["Call"] = lineSchema(), map[string]any{"type": "string", "pattern": callForm.String()}
	define(defs, expectationType)
	s["$defs"] = defs
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic(err) // of texts and numbers only
	}
	return string(b) + "\n"
}

// lineSchema lets a line begin with a verb.
func lineSchema() map[string]any {
	var names, usages []string
	for i := range Verbs {
		names = append(names, regexp.QuoteMeta(Verbs[i].Name))
		usages = append(usages, Verbs[i].Usage())
	}
	return map[string]any{
		"type": "string", "pattern": `^\s*(-r \S+ +)?(` + strings.Join(names, "|") + `)(\s|$)`,
		"examples": usages,
	}
}

// define adds the schema of what is expected of a struct, and of all in it.
func define(defs map[string]any, t reflect.Type) {
	if _, ok := defs[t.Name()]; ok {
		return
	}
	properties := map[string]any{}
	defs[t.Name()] = map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
	for f := range jsonStructFields(t) {
		properties[jsonName(f)] = expected(defs, f.Type)
	}
}

// expected is the schema of an expectation about a value of type t.
func expected(defs map[string]any, t reflect.Type) map[string]any {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	var of []any
	switch t.Kind() {
	case reflect.Struct:
		define(defs, t)
		of = append(of, map[string]any{"$ref": "#/$defs/" + t.Name()})
		if _, ok := labelOf(t); ok {
			of = append(of, map[string]any{"type": "string"})
		}
	case reflect.Map:
		of = append(of, map[string]any{"type": "object", "additionalProperties": expected(defs, t.Elem())})
	case reflect.Slice:
		item := expected(defs, t.Elem())
		of = append(of, map[string]any{"type": "array", "items": item})
		if _, ok := labelOf(t.Elem()); ok {
			of = append(of, map[string]any{"type": "object", "additionalProperties": item})
		}
	default:
		name := map[string]string{"a text": "Text", "true or false": "Truth"}[kindName(t)]
		return map[string]any{"$ref": "#/$defs/" + cmp.Or(name, "Number")}
	}
	return orOperator(of...)
}

// orOperator is one of these, an operator, or nothing.
func orOperator(of ...any) map[string]any {
	return map[string]any{"anyOf": append(of, map[string]any{"$ref": "#/$defs/Operator"}, map[string]any{"type": "null"})}
}
