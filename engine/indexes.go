package engine

import (
	"maps"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/cache"

	"informerscope/engine/indexer"
	"informerscope/journal/object"
)

// indexes are the index functions of every pipeline, and the order in which they
// are shown.
type indexes struct {
	functions cache.Indexers
	order     []string
}

// add has no effect for a name that is there.
func (x *indexes) add(name string, f cache.IndexFunc) {
	if _, ok := x.functions[name]; !ok {
		x.functions[name] = f
		x.order = append(x.order, name)
	}
}

// parseIndexes is namespace and what specs say, each once.
func parseIndexes(specs []string) (indexes, error) {
	x := indexes{functions: cache.Indexers{}}
	for _, spec := range append([]string{cache.NamespaceIndex}, specs...) {
		name, f, err := indexer.Parse(spec)
		if err != nil {
			return indexes{}, err
		}
		x.add(name, f)
	}
	return x, nil
}

func validateIndexes(specs []string) error {
	_, err := parseIndexes(specs)
	return err
}

// masked are the functions, of which those of a JSONPath give no value that is to
// be hidden: of a Secret, and of an object with annotations that look like
// credentials, they see what a recording has. unmask is for all as they are.
func (x *indexes) masked(unmask bool) cache.Indexers {
	if unmask {
		return x.functions
	}
	functions := maps.Clone(x.functions)
	for name, f := range functions {
		if !strings.HasPrefix(name, "jsonpath:") {
			continue
		}
		functions[name] = func(obj any) ([]string, error) {
			if tree := object.MaskedTree(obj); tree != nil {
				obj = &unstructured.Unstructured{Object: tree}
			}
			return f(obj)
		}
	}
	return functions
}

// secrets reports whether a target is those of the core group.
func secrets(t Target) bool { return t.GVR.Group == "" && t.GVR.Resource == "secrets" }
