package kinds

import (
	"cmp"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"

	"informerscope/sandbox/tree"
)

// Catalog is the kinds that a server serves at one moment, in the order of discovery. It never changes: a server that
// comes to serve other kinds takes another catalog.
type Catalog struct {
	kinds []*Kind
	// byPath is keyed by group, version and resource.
	byPath map[schema.GroupVersionResource]*Kind
}

// Builtin is what every server serves.
var Builtin = newCatalog(rows)

func newCatalog(kinds []*Kind) *Catalog {
	c := &Catalog{kinds: kinds, byPath: make(map[schema.GroupVersionResource]*Kind, len(kinds))}
	for _, k := range kinds {
		c.byPath[k.GVR()] = k
	}
	return c
}

// With is the catalog without what definitions made of gr, and with ks in its stead.
func (c *Catalog) With(gr schema.GroupResource, ks ...*Kind) *Catalog {
	all := slices.DeleteFunc(slices.Clone(c.kinds), func(k *Kind) bool { return k.custom != nil && k.GR() == gr })
	all = append(all, ks...)
	n := len(Builtin.kinds)
	slices.SortStableFunc(all[min(n, len(all)):], func(a, b *Kind) int {
		return cmp.Or(cmp.Compare(a.group, b.group), -version.CompareKubeAwareVersionStrings(a.version, b.version),
			cmp.Compare(a.resource, b.resource))
	})
	return newCatalog(all)
}

// Kinds lists the kinds in the order of discovery. The slice must not be changed.
func (c *Catalog) Kinds() []*Kind { return c.kinds }

// Lookup finds a kind, nil if it is not served.
func (c *Catalog) Lookup(gvr schema.GroupVersionResource) *Kind { return c.byPath[gvr] }

// GroupVersions lists what is served, in the order of the table, the core group first.
func (c *Catalog) GroupVersions() []schema.GroupVersion {
	var out []schema.GroupVersion
	seen := map[schema.GroupVersion]bool{}
	for _, k := range c.kinds {
		gv := k.GVK().GroupVersion()
		if !seen[gv] {
			seen[gv] = true
			out = append(out, gv)
		}
	}
	return out
}

// Groups lists the named groups with their versions, the preferred version first.
func (c *Catalog) Groups() (names []string, versions map[string][]string) {
	versions = map[string][]string{}
	for _, gv := range c.GroupVersions() {
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

// Of lists the kinds of one group and version.
func (c *Catalog) Of(gv schema.GroupVersion) []*Kind {
	var out []*Kind
	for _, k := range c.kinds {
		if k.group == gv.Group && k.version == gv.Version {
			out = append(out, k)
		}
	}
	return out
}

// NameConflict says which name of a definition another resource of its group has, "" for none.
func (c *Catalog) NameConflict(gr schema.GroupResource, content map[string]any) string {
	names := tree.Map(content, "spec", "names")
	resources := []string{tree.String(names, "plural"), tree.String(names, "singular")}
	for _, n := range tree.List(names, "shortNames") {
		resources = append(resources, fmt.Sprint(n))
	}
	kinds := []string{tree.String(names, "kind"), tree.String(names, "listKind")}
	for _, k := range c.kinds {
		if k.group != gr.Group || k.custom != nil && k.GR() == gr {
			continue
		}
		for _, n := range append([]string{k.resource, k.singular}, k.short...) {
			if slices.Contains(resources, n) {
				return fmt.Sprintf("%q is already in use", n)
			}
		}
		for _, n := range []string{k.kind, k.listKind} {
			if slices.Contains(kinds, n) {
				return fmt.Sprintf("%q is already in use", n)
			}
		}
	}
	return ""
}
