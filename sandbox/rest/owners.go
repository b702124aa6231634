package rest

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"time"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/tree"
)

// Most writes of controllers set again what the same controller set before: a heartbeat, a counter. Then nothing in
// managedFields changes but a time, and there is no need to type the object to find that out.

// sameHands is managedFields after a write by manager that changes only fields that manager alone owns, and has set in
// the same way before; ok is false for any other write.
func sameHands(k *kinds.Kind, subresource, manager string, live, content map[string]any, owners []any, now time.Time) (after []any, ok bool) {
	mine := slices.IndexFunc(owners, func(e any) bool {
		m, _ := e.(map[string]any)
		return tree.String(m, "manager") == manager && tree.String(m, "operation") == "Update" && tree.String(m, "apiVersion") == k.APIVersion() &&
			tree.String(m, "subresource") == subresource
	})
	if mine < 0 {
		return nil, false
	}
	c := &handCheck{mine: mine}
	for _, e := range owners {
		m, _ := e.(map[string]any)
		c.nodes = append(c.nodes, tree.Map(m, "fieldsV1"))
	}
	x, y := ownable(k, subresource, live), ownable(k, subresource, content)
	if !c.maps(x, y, c.nodes) {
		return nil, false
	}
	after = slices.Clone(owners)
	if !c.changed {
		return after, true
	}
	entry := timeless(after[mine].(map[string]any))
	entry["time"] = tree.Stamp(now)
	after[mine] = entry
	slices.SortStableFunc(after, compareOwners)
	return after, true
}

// ownable is content without what a write through subresource does not own.
func ownable(k *kinds.Kind, subresource string, content map[string]any) map[string]any {
	out := make(map[string]any, len(content))
	for f, v := range content {
		switch {
		case f == "apiVersion", f == "kind":
		case k.HasStatus() && subresource != "status" && f == "status":
		case k.HasStatus() && subresource == "status" && (f == "spec" || f == "metadata" && k.StatusOnly()):
		case f == "metadata":
			m, _ := v.(map[string]any)
			meta := make(map[string]any, len(m))
			for g, w := range m {
				switch g {
				case "name", "namespace", "creationTimestamp", "selfLink", "uid", "generation", "managedFields", "resourceVersion":
				default:
					meta[g] = w
				}
			}
			if subresource == "status" {
				for _, g := range k.StatusKeeps() {
					delete(meta, g)
				}
			}
			out[f] = meta
		default:
			out[f] = v
		}
	}
	return out
}

// handCheck walks two versions of an object and, along with them, the fieldsV1 of every entry of managedFields.
type handCheck struct {
	mine  int
	nodes []map[string]any
	// changed is set once a difference was seen.
	changed bool
}

// maps says whether a and b have the same fields and differ in values that mine alone owns. nodes are where the entries
// stand, nil for those that own nothing here.
func (c *handCheck) maps(a, b map[string]any, nodes []map[string]any) bool {
	if len(a) != len(b) {
		return false
	}
	for f, v := range a {
		w, both := b[f]
		if !both {
			return false
		}
		if !c.values(f, v, w, nodes) {
			return false
		}
	}
	return true
}

func (c *handCheck) values(f string, v, w any, nodes []map[string]any) bool {
	m, isMap := v.(map[string]any)
	n, isMapToo := w.(map[string]any)
	if isMap && isMapToo {
		if reflect.ValueOf(m).Pointer() == reflect.ValueOf(n).Pointer() {
			return true
		}
		below := make([]map[string]any, len(nodes))
		for i, node := range nodes {
			below[i] = tree.Map(node, "f:"+f)
		}
		return c.maps(m, n, below)
	}
	if reflect.DeepEqual(v, w) {
		return true
	}
	c.changed = true
	if !isScalar(v) || !isScalar(w) {
		return false
	}
	for i, node := range nodes {
		if tree.Map(node, "f:"+f) != nil != (i == c.mine) {
			return false
		}
	}
	return true
}

func isScalar(v any) bool {
	switch v.(type) {
	case string, int64, float64, bool:
		return true
	}
	return false
}

// compareOwners orders managedFields as kube-apiserver does.
func compareOwners(a, b any) int {
	x, _ := a.(map[string]any)
	y, _ := b.(map[string]any)
	return cmp.Or(
		strings.Compare(tree.String(x, "operation"), tree.String(y, "operation")),
		strings.Compare(tree.String(x, "time"), tree.String(y, "time")),
		strings.Compare(tree.String(x, "manager"), tree.String(y, "manager")),
		strings.Compare(tree.String(x, "apiVersion"), tree.String(y, "apiVersion")),
		strings.Compare(tree.String(x, "subresource"), tree.String(y, "subresource")))
}

func timeless(entry map[string]any) map[string]any {
	out := make(map[string]any, len(entry))
	for f, v := range entry {
		if f != "time" {
			out[f] = v
		}
	}
	return out
}

// sameOwners says whether two values of managedFields differ at most in their times.
func sameOwners(a, b []any) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, _ := a[i].(map[string]any)
		y, _ := b[i].(map[string]any)
		if !reflect.DeepEqual(timeless(x), timeless(y)) {
			return false
		}
	}
	return true
}
