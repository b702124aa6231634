package sandbox

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
)

// catalog is the kinds that a server serves at one moment, in the order of discovery. It never changes: a server that
// comes to serve other kinds takes another catalog.
type catalog struct {
	kinds []*kind
	// byPath is keyed by group, version and resource.
	byPath  map[schema.GroupVersionResource]*kind
	openAPI openAPIDocs
}

// builtin is what every server serves.
var builtin = newCatalog(kinds, nil)

// newCatalog makes a catalog. What base says of its kinds, it may repeat.
func newCatalog(kinds []*kind, base *catalog) *catalog {
	c := &catalog{kinds: kinds, byPath: make(map[schema.GroupVersionResource]*kind, len(kinds))}
	for _, k := range kinds {
		c.byPath[k.gvr()] = k
	}
	c.openAPI = newOpenAPIDocs(c, base)
	return c
}

// with is the catalog without what definitions made of gr, and with ks in its stead.
func (c *catalog) with(gr schema.GroupResource, ks ...*kind) *catalog {
	all := slices.DeleteFunc(slices.Clone(c.kinds), func(k *kind) bool { return k.custom != nil && k.gr() == gr })
	all = append(all, ks...)
	n := len(builtin.kinds)
	slices.SortStableFunc(all[min(n, len(all)):], func(a, b *kind) int {
		return cmp.Or(cmp.Compare(a.group, b.group), -version.CompareKubeAwareVersionStrings(a.version, b.version),
			cmp.Compare(a.resource, b.resource))
	})
	return newCatalog(all, builtin)
}

func (c *catalog) lookup(group, version, resource string) *kind {
	return c.byPath[schema.GroupVersionResource{Group: group, Version: version, Resource: resource}]
}

// groupVersions lists what is served, in the order of the table, the core group first.
func (c *catalog) groupVersions() []schema.GroupVersion {
	var out []schema.GroupVersion
	seen := map[schema.GroupVersion]bool{}
	for _, k := range c.kinds {
		gv := k.gvk().GroupVersion()
		if !seen[gv] {
			seen[gv] = true
			out = append(out, gv)
		}
	}
	return out
}

// groups lists the named groups with their versions, the preferred version first.
func (c *catalog) groups() (names []string, versions map[string][]string) {
	versions = map[string][]string{}
	for _, gv := range c.groupVersions() {
		if gv.Group == "" {
			continue
		}
		if versions[gv.Group] == nil {
			names = append(names, gv.Group)
		}
		versions[gv.Group] = append(versions[gv.Group], gv.Version)
	}
	return names, versions
}

// of lists the kinds of one group and version.
func (c *catalog) of(gv schema.GroupVersion) []*kind {
	var out []*kind
	for _, k := range c.kinds {
		if k.group == gv.Group && k.version == gv.Version {
			out = append(out, k)
		}
	}
	return out
}
