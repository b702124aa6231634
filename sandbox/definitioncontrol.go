package sandbox

import (
	"fmt"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"informerscope/sandbox/tree"
)

const definitionCleanup = apiextensionsv1.CustomResourceCleanupFinalizer

// served is the group and resource that a definition defines.
func served(content map[string]any) schema.GroupResource {
	spec := tree.Map(content, "spec")
	return schema.GroupResource{Group: tree.String(spec, "group"), Resource: tree.String(tree.Map(spec, "names"), "plural")}
}

// reconcileDefinition serves what a CustomResourceDefinition defines, once its names are free, and says so in its
// status. One that is being deleted loses its objects first.
func (w *world) reconcileDefinition(o *object) {
	content := o.content()
	if o.deleting {
		w.finalizeDefinition(o, content)
		return
	}
	gr := served(content)
	conflict := w.nameConflict(gr, content)
	if conflict == "" {
		crd, err := definitionOf(content)
		if err != nil {
			return
		}
		ks, err := kindsOf(crd)
		if err != nil {
			return
		}
		w.store.serve(gr, ks...)
	}
	w.modify(o.ref(), func(content map[string]any) bool {
		s := tree.Ensure(content, "status")
		if conflict != "" {
			w.explain(s, "NamesAccepted", false, "KindConflict", conflict)
			if !isEstablished(content) {
				w.explain(s, "Established", false, "NotAccepted", "not all names are accepted")
			}
			return true
		}
		s["acceptedNames"] = tree.Map(content, "spec", "names")
		w.explain(s, "NamesAccepted", true, "NoConflicts", "no conflicts found")
		w.explain(s, "Established", true, "InitialNamesAccepted", "the initial names have been accepted")
		return true
	})
}

// nameConflict says which name of a definition another resource of its group has, "" for none.
func (w *world) nameConflict(gr schema.GroupResource, content map[string]any) string {
	names := tree.Map(content, "spec", "names")
	resources := []string{tree.String(names, "plural"), tree.String(names, "singular")}
	for _, n := range tree.List(names, "shortNames") {
		resources = append(resources, fmt.Sprint(n))
	}
	kinds := []string{tree.String(names, "kind"), tree.String(names, "listKind")}
	for _, k := range w.store.catalog().kinds {
		if k.group != gr.Group || k.custom != nil && k.gr() == gr {
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

// finalizeDefinition deletes the objects of a kind whose definition is being deleted, and lets the definition go when
// the last is gone.
func (w *world) finalizeDefinition(o *object, content map[string]any) {
	gr := served(content)
	left := 0
	for _, r := range w.store.refsOf(gr) {
		if r.kind.custom == nil {
			break // a built-in kind, whose name the definition never got
		}
		w.drop(r, true)
		if w.store.get(r) != nil {
			left++
		}
	}
	w.modify(o.ref(), func(content map[string]any) bool {
		s := tree.Ensure(content, "status")
		if left > 0 {
			w.explain(s, "Terminating", true, "InstanceDeletionInProgress", "CustomResource deletion is in progress")
			return true
		}
		w.explain(s, "Terminating", false, "InstanceDeletionCompleted", "removed all instances")
		tree.DropFinalizer(tree.Meta(content), definitionCleanup)
		return true
	})
}

// noticeDefinition reacts to changes of definitions, and of the objects of those that are being deleted.
func (w *world) noticeDefinition(e *event, deleted bool) {
	o := e.object
	switch {
	case o.kind == definitions && deleted:
		w.store.serve(served(o.content()))
		// The names that it had may be what another waits for.
		for _, r := range w.store.refsOf(definitions.gr()) {
			w.enqueue(r)
		}
	case o.kind.custom != nil && deleted:
		if d := w.store.get(ref{kind: definitions, name: o.kind.custom.definition}); d != nil && d.deleting {
			w.enqueue(d.ref())
		}
	}
}

// explain sets a condition with its reason and message.
func (w *world) explain(status map[string]any, typ string, is bool, reason, message string) {
	w.condition(status, typ, is, reason)
	for _, c := range tree.List(status, "conditions") {
		if m, ok := c.(map[string]any); ok && tree.String(m, "type") == typ {
			m["message"] = message
		}
	}
}
