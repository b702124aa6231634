package rest

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	"pgregory.net/rapid"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/tree"
)

func TestMain(m *testing.M) {
	// A fixed seed makes runs repeatable; -rapid.seed=0 draws others.
	if err := flag.Set("rapid.seed", "1"); err != nil {
		panic(err)
	}
	m.Run()
}

// ownerEdits change a Deployment in ways that differ for its owners.
var ownerEdits = []func(t *rapid.T, o map[string]any){
	func(t *rapid.T, o map[string]any) {
		tree.Ensure(o, "metadata", "labels")[pickName(t)] = pickName(t)
	},
	func(t *rapid.T, o map[string]any) {
		delete(tree.Ensure(o, "metadata", "labels"), pickName(t))
	},
	func(t *rapid.T, o map[string]any) {
		delete(tree.Ensure(o, "metadata"), "labels")
	},
	func(t *rapid.T, o map[string]any) {
		tree.Ensure(o, "metadata")["labels"] = map[string]any{}
	},
	func(t *rapid.T, o map[string]any) {
		tree.Ensure(o, "spec", "template", "metadata")["annotations"] = map[string]any{}
	},
	func(t *rapid.T, o map[string]any) {
		tree.Ensure(o, "spec")["replicas"] = int64(rapid.IntRange(0, 3).Draw(t, "replicas"))
	},
	func(t *rapid.T, o map[string]any) {
		tree.Ensure(o, "spec", "selector", "matchLabels")[pickName(t)] = pickName(t)
	},
	func(t *rapid.T, o map[string]any) {
		spec := tree.Ensure(o, "spec", "template", "spec")
		var cs []any
		for i := range rapid.IntRange(0, 3).Draw(t, "containers") {
			cs = append(cs, map[string]any{"name": fmt.Sprint("c", i), "image": pickName(t)})
		}
		if spec["containers"] = cs; cs == nil {
			delete(spec, "containers")
		}
	},
	func(t *rapid.T, o map[string]any) {
		tree.Ensure(o, "spec", "template", "spec", "nodeSelector")[pickName(t)] = pickName(t)
	},
	func(t *rapid.T, o map[string]any) {
		tree.Ensure(o, "spec", "template", "metadata", "annotations")[pickName(t)] = pickName(t)
	},
	func(t *rapid.T, o map[string]any) {
		tree.Ensure(o, "status")["replicas"] = int64(rapid.IntRange(0, 2).Draw(t, "status"))
	},
}

// TestOwnersAreThoseOfTheWholeObject holds the two short cuts of manage, unchanged hands and differing fields, against
// what the FieldManager says of the whole object.
func TestOwnersAreThoseOfTheWholeObject(t *testing.T) {
	quick := 0
	rapid.Check(t, func(t *rapid.T) {
		k := kinds.Deployments
		live := map[string]any{"metadata": map[string]any{"name": "d", "namespace": "n"}, "spec": map[string]any{"replicas": int64(1)}}
		if err := manage(k, "", "a", nil, live); err != nil {
			t.Fatal(err)
		}
		tree.Meta(live)["uid"] = "u"
		for range rapid.IntRange(1, 8).Draw(t, "writes") {
			next := runtime.DeepCopyJSON(live)
			for range rapid.IntRange(1, 2).Draw(t, "edits") {
				rapid.SampledFrom(ownerEdits).Draw(t, "edit")(t, next)
			}
			manager := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "manager")
			sub := rapid.SampledFrom([]string{"", "", "status"}).Draw(t, "subresource")
			whole, err := k.FieldManager(sub)
			if err != nil {
				t.Fatal(err)
			}
			want, err := whole.Update(k.Unstructured(runtime.DeepCopyJSON(live)), k.Unstructured(runtime.DeepCopyJSON(next)), manager)
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := sameHands(k, sub, manager, live, next, tree.List(tree.Meta(live), "managedFields"), time.Time{}); ok {
				quick++
			}
			if err := manage(k, sub, manager, live, next); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(entries(want.(interface{ UnstructuredContent() map[string]any }).UnstructuredContent()), entries(next)); diff != "" {
				t.Fatalf("%s wrote through %q (-whole +ours):\n%s", manager, sub, diff)
			}
			live = next
		}
	})
	if quick < 20 {
		t.Errorf("only %d writes took the short cut", quick)
	}
}

func pickName(t *rapid.T) string { return rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "name") }

// entries is managedFields by manager and subresource, without times.
func entries(o map[string]any) map[string]any {
	out := map[string]any{}
	for _, e := range tree.List(tree.Meta(o), "managedFields") {
		m := e.(map[string]any)
		out[fmt.Sprint(m["manager"], m["operation"], m["subresource"])] = m["fieldsV1"]
	}
	return out
}
