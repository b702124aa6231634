package engine_test

import (
	"context"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"informerscope/engine"
	. "informerscope/internal/testing/apiscript"
	"informerscope/journal"
)

// careless is a reconcile that writes to the cached object.
func careless(_ context.Context, _ string, obj any) error {
	obj.(*unstructured.Unstructured).SetLabels(map[string]string{"app": "y"})
	return nil
}

func TestE10AMutationOfACachedObjectIsNamed(t *testing.T) {
	a := ConfigMap("a", "5").Label("app", "x")
	o := engine.Options{Workers: 1, Indexes: []string{"label:app"}, Reconcile: careless, DetectMutations: time.Second}
	everywhere(t, o, func(r *run) {
		r.pass(5 * time.Second)
		x := &r.resource().Indexer
		all := x.Mutations()
		if len(all) != 1 || x.Mutated != 1 {
			t.Fatalf("%d mutations were found, want 1:\n%s", len(all), r.text())
		}
		m := all[0]
		if m.Key != "a" || m.Field != "metadata.labels.app" || m.Change != `"x" -> "y"` || m.RV != "5" {
			t.Errorf("found %+v", m)
		}
		if e := r.Journal().View().Find(m.Since); e == nil || e.Kind != journal.KindStoreAdded || e.Key != "a" {
			t.Errorf("since %d, which is %v", m.Since, e)
		}
		// The index still has what the object was.
		index, _ := x.Index("label:app")
		if keys, _ := index.Get("x"); keys.Len() != 1 {
			t.Error("the index lost the object")
		}
	}, Stream(Added(a), InitialEventsEnd("7"), Hold()))
}

func TestE10NothingIsComparedUnlessAskedFor(t *testing.T) {
	o := engine.Options{Workers: 1, Reconcile: careless}
	everywhere(t, o, func(r *run) {
		r.pass(5 * time.Second)
		if n := r.resource().Indexer.Mutated; n != 0 {
			t.Errorf("%d mutations", n)
		}
	}, Stream(Added(ConfigMap("a", "5").Label("app", "x")), InitialEventsEnd("7"), Hold()))
}
