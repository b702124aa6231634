package engine

import (
	"k8s.io/client-go/tools/cache"

	"informerscope/engine/indexer"
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
