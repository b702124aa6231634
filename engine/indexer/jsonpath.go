package indexer

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/jsonpath"
)

// byJSONPath makes an index function of an expression in kubectl's JSONPath,
// with or without the braces. Each result is one index value.
func byJSONPath(expr string) (cache.IndexFunc, error) {
	text := strings.TrimSpace(expr)
	if text == "" {
		return nil, errors.New("the path is empty")
	}
	if !strings.Contains(text, "{") {
		text = "{." + strings.TrimPrefix(strings.TrimPrefix(text, "$"), ".") + "}"
	}
	if _, err := compile(text); err != nil {
		return nil, fmt.Errorf("bad JSONPath %q: %w", expr, err)
	}
	// A JSONPath has state while it runs; readers may ask concurrently. One with
	// a range cuts itself down as it runs and is good for one object only. (A
	// field called range merely costs the time to compile again.)
	once := strings.Contains(text, "range")
	pool := &sync.Pool{New: func() any {
		p, err := compile(text)
		if err != nil {
			panic(err) // it compiled above
		}
		return p
	}}
	return func(obj any) ([]string, error) { return find(pool, once, obj), nil }, nil
}

func mustJSONPath(expr string) cache.IndexFunc {
	f, err := byJSONPath(expr)
	if err != nil {
		panic(err)
	}
	return f
}

func compile(text string) (*jsonpath.JSONPath, error) {
	p := jsonpath.New("index").AllowMissingKeys(true)
	return p, p.Parse(text)
}

// find evaluates a path of the pool. Errors and panics of the evaluation (an
// array that is too short, a filter that compares a number with a string) mean
// that the object has no value; the evaluator is then not used again, as it may
// have stopped half-way.
func find(pool *sync.Pool, once bool, obj any) (values []string) {
	defer func() {
		if recover() != nil {
			values = nil
		}
	}()
	if u, ok := obj.(runtime.Unstructured); ok {
		obj = u.UnstructuredContent()
	}
	p := pool.Get().(*jsonpath.JSONPath)
	groups, err := p.FindResults(obj)
	if err != nil {
		return nil
	}
	if !once {
		pool.Put(p)
	}
	for _, results := range groups {
		for _, r := range results {
			if v, ok := text(r); ok && !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
	}
	return values
}

// text prints a result: strings as they are, what is composed as JSON. Nothing
// and the empty string are no values.
func text(v reflect.Value) (string, bool) {
	for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return "", false
		}
		v = v.Elem()
	}
	if !v.IsValid() || !v.CanInterface() {
		return "", false
	}
	switch v.Kind() {
	case reflect.String:
		return v.String(), v.String() != ""
	case reflect.Map, reflect.Slice, reflect.Array, reflect.Struct:
		b, err := json.Marshal(v.Interface())
		return string(b), err == nil
	default:
		return fmt.Sprint(v.Interface()), true
	}
}
