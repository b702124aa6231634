package world

import (
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/watch"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

// reconcileDefinition serves what a CustomResourceDefinition defines, once its names are free, and says so in its
// status. One that is being deleted loses its objects first.
func (w *World) reconcileDefinition(o *store.Object) {
	content := o.Content()
	if o.Deleting() {
		w.finalizeDefinition(o, content)
		return
	}
	gr := kinds.Defines(content)
	conflict := w.store.Catalog().NameConflict(gr, content)
	if conflict == "" {
		ks, err := kinds.Defined(content)
		if err != nil {
			return
		}
		w.store.Serve(gr, ks...)
	}
	w.modify(o.Ref(), func(content map[string]any) bool {
		s := tree.Ensure(content, "status")
		if conflict != "" {
			w.explain(s, "NamesAccepted", false, "KindConflict", conflict)
			if !kinds.Established(content) {
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

// finalizeDefinition deletes the objects of a kind whose definition is being deleted, and lets the definition go when
// the last is gone.
func (w *World) finalizeDefinition(o *store.Object, content map[string]any) {
	gr := kinds.Defines(content)
	left := 0
	for _, r := range w.store.RefsOf(gr) {
		if !r.Kind.Custom() {
			break // a built-in kind, whose name the definition never got
		}
		w.drop(r, true)
		if w.store.Get(r) != nil {
			left++
		}
	}
	w.modify(o.Ref(), func(content map[string]any) bool {
		s := tree.Ensure(content, "status")
		if left > 0 {
			w.explain(s, "Terminating", true, "InstanceDeletionInProgress", "CustomResource deletion is in progress")
			return true
		}
		w.explain(s, "Terminating", false, "InstanceDeletionCompleted", "removed all instances")
		tree.DropFinalizer(tree.Meta(content), apiextensionsv1.CustomResourceCleanupFinalizer)
		return true
	})
}

// noticeDefinition reacts to changes of definitions, and of the objects of those that are being deleted.
func (w *World) noticeDefinition(e *store.Event, deleted bool) {
	o := e.Object
	switch {
	case o.Kind() == kinds.Definitions && e.Type == watch.Modified:
		w.noticeRedefinition(e)
	case o.Kind() == kinds.Definitions && deleted:
		w.store.Serve(kinds.Defines(o.Content()))
		// The names that it had may be what another waits for.
		for _, r := range w.store.RefsOf(kinds.Definitions.GR()) {
			w.enqueue(r)
		}
	case o.Kind().Custom() && deleted:
		if d := w.store.Get(store.Ref{Kind: kinds.Definitions, Name: o.Kind().Definition()}); d != nil && d.Deleting() {
			w.enqueue(d.Ref())
		}
	}
}

// redefineTime is how long watches outlive a change of what defines their resource: kube-apiserver begins to serve the resource
// anew at once, and takes the old storage down after a second.
const redefineTime = time.Second

// noticeRedefinition ends the watches of a resource whose definition has changed, be it in a description only. Those that began
// after the change go on.
func (w *World) noticeRedefinition(e *store.Event) {
	before, after := e.Prev.Content(), e.Object.Content()
	names := func(content map[string]any) any { return tree.Map(content, "status")["acceptedNames"] }
	if !kinds.Established(before) || tree.Equal(before["spec"], after["spec"]) && tree.Equal(names(before), names(after)) {
		return
	}
	w.after(redefineTime, func() { w.store.EndWatches(kinds.Defines(after), e.Object.RV()) })
}

// explain sets a condition with its reason and message.
func (w *World) explain(status map[string]any, typ string, is bool, reason, message string) {
	w.condition(status, typ, is, reason)
	for _, c := range tree.List(status, "conditions") {
		if m, ok := c.(map[string]any); ok && tree.String(m, "type") == typ {
			m["message"] = message
		}
	}
}
