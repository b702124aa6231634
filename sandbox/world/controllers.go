package world

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

// reconcileDeployment keeps one ReplicaSet for the current template, at the wanted size, and retires the others once
// the new pods are ready.
func (w *World) reconcileDeployment(d *store.Object) {
	content := d.Content()
	spec := tree.Map(content, "spec")
	want := tree.Int(spec, "replicas")
	hash := templateHash(tree.Map(spec, "template"))
	name := d.Name() + "-" + hash
	var current *store.Object
	var older []*store.Object
	for _, rs := range w.members(d, kinds.ReplicaSets) {
		if rs.Name() == name {
			current = rs
		} else {
			older = append(older, rs)
		}
	}
	if d.Deleting() {
		return
	}
	if current == nil {
		if current = w.add(kinds.ReplicaSets, replicaSetFor(d, content, hash, want)); current == nil {
			return
		}
	}
	revision := w.revise(current, older)
	w.resize(current, want)
	var ready, total, updated int64
	status := tree.Map(current.Content(), "status")
	ready, updated = tree.Int(status, "readyReplicas"), tree.Int(status, "replicas")
	total = updated
	rolledOut := ready >= want
	for _, rs := range older {
		s := tree.Map(rs.Content(), "status")
		ready, total = ready+tree.Int(s, "readyReplicas"), total+tree.Int(s, "replicas")
		if rolledOut {
			w.resize(rs, 0)
		}
	}
	w.modify(d.Ref(), func(content map[string]any) bool {
		tree.Ensure(tree.Meta(content), "annotations")[revisionAnnotation] = revision
		s := tree.Ensure(content, "status")
		counts(s, map[string]int64{"replicas": total, "updatedReplicas": updated, "readyReplicas": ready,
			"availableReplicas": ready, "unavailableReplicas": max(want-ready, 0)})
		s["observedGeneration"] = tree.Int(tree.Meta(content), "generation")
		available := ready >= want-want/4
		w.condition(s, "Available", available, pick(available, "MinimumReplicasAvailable", "MinimumReplicasUnavailable"))
		w.condition(s, "Progressing", true, pick(rolledOut, "NewReplicaSetAvailable", "ReplicaSetUpdated"))
		return true
	})
}

func revisionOf(rs *store.Object) int {
	n, _ := strconv.Atoi(tree.String(tree.Map(rs.Content(), "metadata", "annotations"), revisionAnnotation))
	return n
}

// revise gives the current ReplicaSet a revision above those of the older ones, and returns it.
func (w *World) revise(current *store.Object, older []*store.Object) string {
	newest, revision := 0, revisionOf(current)
	for _, rs := range older {
		newest = max(newest, revisionOf(rs))
	}
	if revision > newest {
		return strconv.Itoa(revision)
	}
	next := strconv.Itoa(newest + 1)
	w.modify(current.Ref(), func(content map[string]any) bool {
		tree.Ensure(tree.Meta(content), "annotations")[revisionAnnotation] = next
		return true
	})
	return next
}

func (w *World) resize(rs *store.Object, want int64) {
	w.modify(rs.Ref(), func(content map[string]any) bool {
		spec := tree.Ensure(content, "spec")
		if tree.Int(spec, "replicas") == want {
			return false
		}
		spec["replicas"] = want
		tree.Meta(content)["generation"] = tree.Int(tree.Meta(content), "generation") + 1
		return true
	})
}

// reconcileReplicas makes or deletes pods until a ReplicaSet or ReplicationController has as many as it wants.
func (w *World) reconcileReplicas(rs *store.Object) {
	content := rs.Content()
	spec := tree.Map(content, "spec")
	want := int(tree.Int(spec, "replicas"))
	active := w.activePods(rs)
	if !rs.Deleting() {
		for range max(want-len(active), 0) {
			if o := w.add(kinds.Pods, podFor(rs, tree.Map(spec, "template"), rs.Name()+"-"+w.suffix(5))); o != nil {
				active = append(active, o)
			}
		}
		// Those that are not ready go first, then the youngest.
		slices.SortStableFunc(active, func(a, b *store.Object) int {
			if x, y := isReady(a), isReady(b); x != y {
				return pick(x, 1, -1)
			}
			return pick(a.RV() > b.RV(), -1, 1)
		})
		for len(active) > want {
			w.drop(active[0].Ref(), false)
			active = active[1:]
		}
	}
	ready := int64(0)
	for _, p := range active {
		if isReady(p) {
			ready++
		}
	}
	w.modify(rs.Ref(), func(content map[string]any) bool {
		s := tree.Ensure(content, "status")
		n := int64(len(active))
		s["replicas"] = n
		counts(s, map[string]int64{"fullyLabeledReplicas": n, "readyReplicas": ready, "availableReplicas": ready})
		s["observedGeneration"] = tree.Int(tree.Meta(content), "generation")
		return true
	})
}

func (w *World) reconcileStateful(sts *store.Object) {
	content := sts.Content()
	spec := tree.Map(content, "spec")
	want := int(tree.Int(spec, "replicas"))
	have := map[string]*store.Object{}
	for _, p := range w.members(sts, kinds.Pods) {
		have[p.Name()] = p
	}
	var ready int64
	for i := range want {
		name := fmt.Sprintf("%s-%d", sts.Name(), i)
		p := have[name]
		delete(have, name)
		if p == nil && !sts.Deleting() {
			pod := podFor(sts, tree.Map(spec, "template"), name)
			tree.Ensure(tree.Meta(pod), "labels")["statefulset.kubernetes.io/pod-name"] = name
			w.add(kinds.Pods, pod)
		} else if p != nil && isReady(p) {
			ready++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(have)) {
		if !have[name].Deleting() {
			w.drop(have[name].Ref(), false)
		}
	}
	w.modify(sts.Ref(), func(content map[string]any) bool {
		s := tree.Ensure(content, "status")
		s["replicas"] = int64(want)
		counts(s, map[string]int64{"readyReplicas": ready, "availableReplicas": ready, "currentReplicas": int64(want), "updatedReplicas": int64(want)})
		s["observedGeneration"] = tree.Int(tree.Meta(content), "generation")
		return true
	})
}

func (w *World) reconcileDaemons(ds *store.Object) {
	content := ds.Content()
	on := map[string]*store.Object{}
	for _, p := range w.activePods(ds) {
		on[tree.String(tree.Map(p.Content(), "spec"), "nodeName")] = p
	}
	var ready, n int64
	for node := range w.store.Snapshot(kinds.Nodes).Objects("", "") {
		n++
		switch p := on[node]; {
		case p == nil && !ds.Deleting():
			pod := podFor(ds, tree.Map(content, "spec", "template"), ds.Name()+"-"+w.suffix(5))
			tree.Ensure(pod, "spec")["nodeName"] = node
			w.add(kinds.Pods, pod)
		case p != nil && isReady(p):
			ready++
		}
	}
	w.modify(ds.Ref(), func(content map[string]any) bool {
		s := tree.Ensure(content, "status")
		for _, f := range []string{"desiredNumberScheduled", "currentNumberScheduled", "updatedNumberScheduled"} {
			s[f] = n
		}
		s["numberReady"], s["numberMisscheduled"] = ready, int64(0)
		counts(s, map[string]int64{"numberAvailable": ready, "numberUnavailable": n - ready})
		s["observedGeneration"] = tree.Int(tree.Meta(content), "generation")
		return true
	})
}

// activePods are the pods of owner that run or will.
func (w *World) activePods(owner *store.Object) []*store.Object {
	return slices.DeleteFunc(w.members(owner, kinds.Pods), func(p *store.Object) bool {
		phase := tree.String(tree.Map(p.Content(), "status"), "phase")
		return p.Deleting() || phase == "Succeeded" || phase == "Failed"
	})
}
