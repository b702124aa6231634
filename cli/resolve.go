package cli

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/restmapper"

	"informerscope/engine"
	"informerscope/internal/phrase"
)

// resolver turns the types of the command line into resources, by the rules of
// kubectl: the same RESTMapper, shortcut and category expanders over discovery.
type resolver struct {
	lists    []*metav1.APIResourceList
	mapper   meta.RESTMapper
	category restmapper.CategoryExpander
	partial  error // discovery of some groups failed; nil when all is known
}

// newResolver asks the server what it serves. client must cache.
func newResolver(ctx context.Context, client discovery.CachedDiscoveryInterface) (*resolver, error) {
	c := discovery.ToCachedDiscoveryInterfaceWithContext(client)
	groups, lists, err := c.ServerGroupsAndResourcesWithContext(ctx)
	if err != nil && (len(lists) == 0 || !discovery.IsGroupDiscoveryFailedError(err)) {
		return nil, err
	}
	r := &resolver{lists: lists, partial: err, category: restmapper.NewDiscoveryCategoryExpander(client)}
	r.mapper = restmapper.NewShortcutExpander(restmapper.NewDiscoveryRESTMapper(groupResources(groups, lists)), client, nil)
	return r, nil
}

// groupResources joins the two halves of discovery for the RESTMapper.
func groupResources(groups []*metav1.APIGroup, lists []*metav1.APIResourceList) []*restmapper.APIGroupResources {
	byVersion := map[string][]metav1.APIResource{}
	for _, l := range lists {
		byVersion[l.GroupVersion] = l.APIResources
	}
	var out []*restmapper.APIGroupResources
	for _, g := range groups {
		gr := &restmapper.APIGroupResources{Group: *g, VersionedResources: map[string][]metav1.APIResource{}}
		for _, v := range g.Versions {
			if rs, ok := byVersion[v.GroupVersion]; ok {
				gr.VersionedResources[v.Version] = rs
			}
		}
		out = append(out, gr)
	}
	return out
}

// scope is what the flags say about all resources.
type scope struct {
	namespace string // "" is all
	labels    string
	fields    string
}

// targets resolves all refs, in order, duplicates merged.
func (r *resolver) targets(refs []ref, s scope) ([]engine.Target, error) {
	var out []engine.Target
	var names []string // object names, parallel to out
	for _, f := range refs {
		resources, err := r.resolve(f.Type)
		if err != nil {
			return nil, err
		}
		for _, res := range resources {
			if slices.ContainsFunc(indices(out), func(i int) bool { return out[i].GVR == res.gvr && names[i] == f.Name }) {
				continue
			}
			t := engine.Target{GVR: res.gvr, Kind: res.kind, LabelSelector: s.labels, FieldSelector: s.fields}
			if res.namespaced {
				t.Namespace = s.namespace
			}
			if f.Name != "" {
				t.FieldSelector = fields.OneTermEqualSelector(metav1.ObjectNameField, f.Name).String()
			}
			out, names = append(out, t), append(names, f.Name)
		}
	}
	nameTargets(out, names)
	return out, nil
}

func indices[T any](s []T) []int {
	out := make([]int, len(s))
	for i := range out {
		out[i] = i
	}
	return out
}

// nameTargets gives every target the shortest name that is its own: pods, or
// deployments.apps; with the version where two versions are watched, and with
// the object's name where two objects of a resource are.
func nameTargets(targets []engine.Target, names []string) {
	for i := range targets {
		versions, objects := false, false
		for j := range targets {
			if targets[j].GVR.GroupResource() != targets[i].GVR.GroupResource() {
				continue
			}
			versions = versions || targets[j].GVR.Version != targets[i].GVR.Version
			objects = objects || names[j] != names[i]
		}
		gvr := targets[i].GVR
		name := gvr.GroupResource().String()
		if versions {
			name = strings.TrimSuffix(gvr.Resource+"."+gvr.Version+"."+gvr.Group, ".")
		}
		if objects && names[i] != "" {
			name += "/" + names[i]
		}
		targets[i].Name = name
	}
}

// resource is a resolved type.
type resource struct {
	gvr        schema.GroupVersionResource
	kind       string
	namespaced bool
}

// resolve finds one type, or the resources of a category.
func (r *resolver) resolve(typ string) ([]resource, error) {
	res, err := r.one(typ)
	if err == nil {
		return []resource{res}, nil
	}
	if !meta.IsNoMatchError(err) {
		return nil, err
	}
	if group, ok := r.category.Expand(typ); ok {
		var out []resource
		for _, gr := range group {
			// A category may hold what cannot be watched: it is left out.
			if res, err := r.one(gr.String()); err == nil && !slices.Contains(out, res) {
				out = append(out, res)
			}
		}
		if len(out) > 0 {
			// client-go gives the groups of a category in map order: the core
			// group first, the others by name.
			slices.SortStableFunc(out, func(a, b resource) int { return strings.Compare(a.gvr.Group, b.gvr.Group) })
			return out, nil
		}
	}
	return nil, r.unknown(typ)
}

func (r *resolver) one(typ string) (resource, error) {
	mapping, err := r.mapping(typ)
	if err != nil {
		return resource{}, err
	}
	gvr := mapping.Resource
	api := r.find(gvr)
	if api == nil { // the mapper guesses names such as podlist
		return resource{}, &meta.NoResourceMatchError{PartialResource: gvr}
	}
	if err := watchable(gvr, api.Verbs); err != nil {
		return resource{}, err
	}
	return resource{gvr, api.Kind, api.Namespaced}, nil
}

// mapping tries the readings of TYPE in kubectl's order: resource.version.group,
// resource.group, Kind.version.group, Kind.group.
func (r *resolver) mapping(typ string) (*meta.RESTMapping, error) {
	gvr, gr := schema.ParseResourceArg(typ)
	if gvr != nil {
		if gvk, err := r.mapper.KindFor(*gvr); err == nil {
			// A short name is expanded without its version.
			return r.mapper.RESTMapping(gvk.GroupKind(), gvr.Version)
		}
	}
	if gvk, err := r.mapper.KindFor(gr.WithVersion("")); err == nil {
		return r.mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
	}
	gvk, gk := schema.ParseKindArg(typ)
	if gvk != nil {
		if m, err := r.mapper.RESTMapping(gvk.GroupKind(), gvk.Version); err == nil {
			return m, nil
		}
	}
	return r.mapper.RESTMapping(gk)
}

func (r *resolver) find(gvr schema.GroupVersionResource) *metav1.APIResource {
	for _, l := range r.lists {
		if l.GroupVersion != gvr.GroupVersion().String() {
			continue
		}
		for i := range l.APIResources {
			if l.APIResources[i].Name == gvr.Resource {
				return &l.APIResources[i]
			}
		}
	}
	return nil
}

func watchable(gvr schema.GroupVersionResource, verbs []string) error {
	var lacks []string
	for _, v := range []string{"list", "watch"} {
		if !slices.Contains(verbs, v) {
			lacks = append(lacks, v)
		}
	}
	if len(lacks) == 0 {
		return nil
	}
	has := "none"
	if len(verbs) > 0 {
		has = strings.Join(slices.Sorted(slices.Values(verbs)), ", ")
	}
	return failf(nil, "%s cannot be inspected: an informer needs the verbs list and watch, and it lacks %s (it has: %s)",
		gvr.GroupResource(), strings.Join(lacks, " and "), has)
}

// unknown is the error for a type that no resource matches, with near names.
func (r *resolver) unknown(typ string) error {
	f := failf(nil, "the server has no resource type %q", typ)
	if near := r.near(typ); len(near) > 0 {
		f.hint("did you mean %s?", strings.Join(near, ", "))
	}
	if r.partial != nil {
		f.hint("some API groups could not be read: %s", oneLine(r.partial.Error()))
	}
	return f.hint("`kubectl api-resources --verbs=list,watch` shows all that can be inspected")
}

// near suggests types for one that does not exist. A right name with a wrong
// group or version is answered with the groups that have it.
func (r *resolver) near(typ string) []string {
	plain, _, dotted := strings.Cut(typ, ".")
	var names, short, qualified, same []string
	plural := map[string]string{} // of a singular name
	for _, l := range r.lists {
		gv, err := schema.ParseGroupVersion(l.GroupVersion)
		if err != nil {
			continue
		}
		for _, a := range l.APIResources {
			if strings.Contains(a.Name, "/") || watchable(gv.WithResource(a.Name), a.Verbs) != nil {
				continue
			}
			full := gv.WithResource(a.Name).GroupResource().String()
			qualified = append(qualified, full)
			names = append(names, a.Name, a.SingularName)
			short = append(short, a.ShortNames...)
			plural[a.SingularName] = a.Name
			if (a.Name == plain || a.SingularName == plain || slices.Contains(a.ShortNames, plain)) && !slices.Contains(same, full) {
				same = append(same, full)
			}
		}
	}
	switch {
	case dotted && len(same) > 0:
		slices.Sort(same)
		return same
	case dotted:
		return phrase.Near(typ, qualified)
	}
	var out []string
	for _, n := range phrase.Near(typ, append(names, short...)) {
		if p := plural[n]; p != "" {
			n = p
		}
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}
