package world

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

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
		var err error
		if current, err = w.create(kinds.ReplicaSets, replicaSetFor(d, content, hash, want)); err != nil {
			w.noReplicaSet(d, name, err)
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
	sets := []map[string]any{status}
	for _, rs := range older {
		s := tree.Map(rs.Content(), "status")
		sets = append(sets, s)
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
		w.passOnFailure(s, sets)
		return true
	})
}

// noReplicaSet says in the status of a deployment why its ReplicaSet of this name could not be made.
func (w *World) noReplicaSet(d *store.Object, name string, err error) {
	w.refused[d.Ref()] = true
	w.modify(d.Ref(), func(content map[string]any) bool {
		s := tree.Ensure(content, "status")
		w.explain(s, "Progressing", false, "ReplicaSetCreateError", fmt.Sprintf("Failed to create new replica set %q: %v", name, err))
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
	want := tree.Int(spec, "replicas")
	active := w.activePods(rs)
	var failed error
	if !rs.Deleting() {
		var made []*store.Object
		made, failed = w.createPods(rs, want-int64(len(active)), func() map[string]any {
			return podFor(rs, tree.Map(spec, "template"), rs.Name()+"-"+w.suffix(5))
		})
		for _, o := range made {
			active = append(active, pod{Object: o})
		}
		if int64(len(active)) > want {
			// Those that are not ready go first, then the youngest.
			slices.SortStableFunc(active, func(a, b pod) int {
				if a.ready != b.ready {
					return pick(a.ready, 1, -1)
				}
				return pick(a.RV() > b.RV(), -1, 1)
			})
			over := int64(len(active)) - want
			for _, p := range active[:over] {
				w.drop(p.Ref(), false)
			}
			active = active[over:]
		}
	}
	ready := int64(0)
	for _, p := range active {
		if p.ready {
			ready++
		}
	}
	w.modify(rs.Ref(), func(content map[string]any) bool {
		s := tree.Ensure(content, "status")
		n := int64(len(active))
		s["replicas"] = n
		counts(s, map[string]int64{"fullyLabeledReplicas": n, "readyReplicas": ready, "availableReplicas": ready})
		s["observedGeneration"] = tree.Int(tree.Meta(content), "generation")
		w.replicaFailure(s, failed)
		return true
	})
}

func (w *World) reconcileStateful(sts *store.Object) {
	content := sts.Content()
	spec := tree.Map(content, "spec")
	want := tree.Int(spec, "replicas")
	have := map[string]bool{}
	var over []*store.Object
	var ready, n int64
	for _, p := range w.members(sts, kinds.Pods) {
		have[p.Name()] = true
		if i := ordinal(sts, p.Name()); i >= 0 && i < want {
			n++
			if isReady(p) {
				ready++
			}
		} else if !p.Deleting() {
			over = append(over, p)
		}
	}
	var failed error
	if !sts.Deleting() {
		next := int64(-1)
		var made []*store.Object
		made, failed = w.createPods(sts, want-n, func() map[string]any {
			name := ""
			for next++; ; next++ {
				if name = fmt.Sprintf("%s-%d", sts.Name(), next); !have[name] {
					break
				}
			}
			pod := podFor(sts, tree.Map(spec, "template"), name)
			tree.Ensure(tree.Meta(pod), "labels")["statefulset.kubernetes.io/pod-name"] = name
			return pod
		})
		n += int64(len(made))
	}
	for _, p := range over {
		w.drop(p.Ref(), false)
	}
	w.modify(sts.Ref(), func(content map[string]any) bool {
		s := tree.Ensure(content, "status")
		s["replicas"] = n
		counts(s, map[string]int64{"readyReplicas": ready, "availableReplicas": ready, "currentReplicas": n, "updatedReplicas": n})
		s["observedGeneration"] = tree.Int(tree.Meta(content), "generation")
		w.replicaFailure(s, failed)
		return true
	})
}

// ordinal is the number of a StatefulSet's pod by its name, -1 for any other name.
func ordinal(sts *store.Object, name string) int64 {
	digits, _ := strings.CutPrefix(name, sts.Name()+"-")
	i, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || fmt.Sprintf("%s-%d", sts.Name(), i) != name {
		return -1
	}
	return i
}

func (w *World) reconcileDaemons(ds *store.Object) {
	content := ds.Content()
	on := map[string]bool{}
	var ready, n int64
	for _, p := range w.activePods(ds) {
		on[p.Field("spec.nodeName")] = true
		if p.ready {
			ready++
		}
	}
	var bare []string
	for node := range w.store.Snapshot(kinds.Nodes).Objects("", "") {
		if n++; !on[node] {
			bare = append(bare, node)
		}
	}
	scheduled := n - int64(len(bare))
	var failed error
	if !ds.Deleting() {
		left := bare
		var made []*store.Object
		made, failed = w.createPods(ds, int64(len(bare)), func() map[string]any {
			pod := podFor(ds, tree.Map(content, "spec", "template"), ds.Name()+"-"+w.suffix(5))
			tree.Ensure(pod, "spec")["nodeName"], left = left[0], left[1:]
			return pod
		})
		scheduled += int64(len(made))
	}
	w.modify(ds.Ref(), func(content map[string]any) bool {
		s := tree.Ensure(content, "status")
		s["desiredNumberScheduled"] = n
		s["currentNumberScheduled"], s["updatedNumberScheduled"] = scheduled, scheduled
		s["numberReady"], s["numberMisscheduled"] = ready, int64(0)
		counts(s, map[string]int64{"numberAvailable": ready, "numberUnavailable": n - ready})
		s["observedGeneration"] = tree.Int(tree.Meta(content), "generation")
		w.replicaFailure(s, failed)
		return true
	})
}

// pod is a pod and whether it is ready, which costs to find out.
type pod struct {
	*store.Object
	ready bool
}

// activePods are the pods of owner that run or will.
func (w *World) activePods(owner *store.Object) (active []pod) {
	for _, p := range w.members(owner, kinds.Pods) {
		status := tree.Map(p.Content(), "status")
		if phase := tree.String(status, "phase"); !p.Deleting() && phase != "Succeeded" && phase != "Failed" {
			active = append(active, pod{p, tree.ConditionIs(status, "Ready", "True")})
		}
	}
	return active
}
