package sandbox

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// settleTime is how long a controller waits before it looks at what changed, so that a flurry costs it one look.
const settleTime = 100 * time.Millisecond

// notice is where the controllers learn of a change.
func (w *world) notice(e *event) {
	o := e.object
	w.noticeDefinition(e, e.typ == watch.Deleted)
	if o.deleting && e.typ != watch.Deleted && slices.Contains(list(metaOf(o.content()), "finalizers"), any(metav1.FinalizerDeleteDependents)) {
		w.foreground(o.ref())
	}
	if e.typ == watch.Deleted {
		for _, r := range w.waiting[o.uid] {
			w.foreground(r)
		}
		delete(w.waiting, o.uid)
		w.collect(o)
		if ns := w.store.get(ref{namespaces, "", o.namespace}); ns != nil && ns.deleting {
			w.enqueue(ns.ref())
		}
	}
	switch o.kind {
	case pods:
		w.noticePod(e)
	case nodes:
		if e.typ == watch.Added {
			w.startPending()
		}
	}
	if e.typ != watch.Deleted && w.reconcilers(o.kind) != nil && (o.kind != namespaces || o.deleting) {
		w.enqueue(o.ref())
	}
	w.enqueueOwners(o)
}

// enqueueOwners has the controllers that own o look at its change.
func (w *world) enqueueOwners(o *object) {
	if len(o.owners) == 0 {
		return
	}
	for _, r := range list(metaOf(o.content()), "ownerReferences") {
		m, _ := r.(map[string]any)
		group, _, ok := strings.Cut(str(m, "apiVersion"), "/")
		if !ok {
			group = ""
		}
		for _, k := range kinds {
			if k.kind == str(m, "kind") && k.group == group && w.reconcilers(k) != nil {
				w.enqueue(ref{k, o.namespace, str(m, "name")})
			}
		}
	}
}

func (w *world) enqueue(r ref) {
	if w.queued[r] {
		return
	}
	w.queued[r] = true
	w.after(settleTime, func() {
		delete(w.queued, r)
		if o := w.store.get(r); o != nil {
			w.reconcilers(r.kind)(o)
		}
	})
}

// reconcilers is the controller of a kind, nil for none.
func (w *world) reconcilers(k *kind) func(*object) {
	switch k {
	case namespaces:
		return w.finalizeNamespace
	case deployments:
		return w.reconcileDeployment
	case replicasets:
		return w.reconcileReplicas
	case statefuls:
		return w.reconcileStateful
	case daemonsets:
		return w.reconcileDaemons
	case jobs:
		return w.reconcileJob
	case definitions:
		return w.reconcileDefinition
	case claims:
		return w.releaseClaim
	}
	if k.kind == "ReplicationController" {
		return w.reconcileReplicas
	}
	return nil
}

// collect deletes the dependents of a deleted owner that have no other.
func (w *world) collect(owner *object) {
	for _, r := range w.store.dependentsOf(owner.uid) {
		if o := w.store.get(r); o != nil && !o.deleting && len(o.owners) == 1 {
			w.drop(r, false)
		}
	}
}

// foreground deletes the dependents of what r names, whose deletion waits for theirs, and lets it go when they are gone.
func (w *world) foreground(r ref) {
	w.after(settleTime, func() {
		owner := w.store.get(r)
		if owner == nil || !owner.deleting {
			return
		}
		left := false
		for _, d := range w.store.dependentsOf(owner.uid) {
			w.drop(d, false)
			if o := w.store.get(d); o != nil {
				w.waiting[o.uid] = append(w.waiting[o.uid], r)
				left = true
			}
		}
		if !left {
			w.modify(r, func(content map[string]any) bool {
				meta := metaOf(content)
				meta["finalizers"] = slices.DeleteFunc(list(meta, "finalizers"), func(f any) bool { return f == metav1.FinalizerDeleteDependents })
				return true
			})
		}
	})
}

// finalizeNamespace empties a namespace that is being deleted, and lets it go when it is empty.
func (w *world) finalizeNamespace(ns *object) {
	if !ns.deleting {
		return
	}
	empty := true
	seen := map[string]bool{}
	for _, k := range w.store.catalog().kinds {
		if !k.namespaced || seen[k.storage] {
			continue
		}
		seen[k.storage] = true
		items, _, err := w.store.at(k, 0)
		if err != nil {
			continue
		}
		prefix := keyPrefix(ns.name)
		var refs []ref
		items.Ascend(prefix, func(key string, o *object) bool {
			if !strings.HasPrefix(key, prefix) {
				return false
			}
			refs = append(refs, o.ref())
			return true
		})
		for _, r := range refs {
			w.drop(r, true)
			empty = empty && w.store.get(r) == nil
		}
	}
	if empty {
		w.modify(ns.ref(), func(content map[string]any) bool {
			delete(ensure(content, "spec"), "finalizers")
			return true
		})
	}
}

// reconcileDeployment keeps one ReplicaSet for the current template, at the wanted size, and retires the others once
// the new pods are ready.
func (w *world) reconcileDeployment(d *object) {
	content := d.content()
	spec := dict(content, "spec")
	want := integer(spec, "replicas")
	hash := templateHash(dict(spec, "template"))
	name := d.name + "-" + hash
	var current *object
	var older []*object
	for _, rs := range w.members(d, replicasets) {
		if rs.name == name {
			current = rs
		} else {
			older = append(older, rs)
		}
	}
	if d.deleting {
		return
	}
	if current == nil {
		if current = w.add(replicasets, replicaSetFor(d, content, hash, want)); current == nil {
			return
		}
	}
	revision := w.revise(current, older)
	w.resize(current, want)
	var ready, total, updated int64
	status := dict(current.content(), "status")
	ready, updated = integer(status, "readyReplicas"), integer(status, "replicas")
	total = updated
	rolledOut := ready >= want
	for _, rs := range older {
		s := dict(rs.content(), "status")
		ready, total = ready+integer(s, "readyReplicas"), total+integer(s, "replicas")
		if rolledOut {
			w.resize(rs, 0)
		}
	}
	w.modify(d.ref(), func(content map[string]any) bool {
		ensure(metaOf(content), "annotations")[revisionAnnotation] = revision
		s := ensure(content, "status")
		counts(s, map[string]int64{"replicas": total, "updatedReplicas": updated, "readyReplicas": ready,
			"availableReplicas": ready, "unavailableReplicas": max(want-ready, 0)})
		s["observedGeneration"] = integer(metaOf(content), "generation")
		available := ready >= want-want/4
		w.condition(s, "Available", available, pick(available, "MinimumReplicasAvailable", "MinimumReplicasUnavailable"))
		w.condition(s, "Progressing", true, pick(rolledOut, "NewReplicaSetAvailable", "ReplicaSetUpdated"))
		return true
	})
}

// revisionAnnotation numbers the rollouts of a deployment, on itself and on its ReplicaSets.
const revisionAnnotation = "deployment.kubernetes.io/revision"

func revisionOf(rs *object) int {
	n, _ := strconv.Atoi(str(dict(rs.content(), "metadata", "annotations"), revisionAnnotation))
	return n
}

// revise gives the current ReplicaSet a revision above those of the older ones, and returns it.
func (w *world) revise(current *object, older []*object) string {
	newest, revision := 0, revisionOf(current)
	for _, rs := range older {
		newest = max(newest, revisionOf(rs))
	}
	if revision > newest {
		return strconv.Itoa(revision)
	}
	next := strconv.Itoa(newest + 1)
	w.modify(current.ref(), func(content map[string]any) bool {
		ensure(metaOf(content), "annotations")[revisionAnnotation] = next
		return true
	})
	return next
}

func (w *world) resize(rs *object, want int64) {
	w.modify(rs.ref(), func(content map[string]any) bool {
		spec := ensure(content, "spec")
		if integer(spec, "replicas") == want {
			return false
		}
		spec["replicas"] = want
		metaOf(content)["generation"] = integer(metaOf(content), "generation") + 1
		return true
	})
}

// reconcileReplicas makes or deletes pods until a ReplicaSet or ReplicationController has as many as it wants.
func (w *world) reconcileReplicas(rs *object) {
	content := rs.content()
	spec := dict(content, "spec")
	want := int(integer(spec, "replicas"))
	active := w.activePods(rs)
	if !rs.deleting {
		for range max(want-len(active), 0) {
			if o := w.add(pods, w.podFor(rs, dict(spec, "template"), rs.name+"-"+w.suffix(5))); o != nil {
				active = append(active, o)
			}
		}
		// Those that are not ready go first, then the youngest.
		slices.SortStableFunc(active, func(a, b *object) int {
			if x, y := isReady(a), isReady(b); x != y {
				return pick(x, 1, -1)
			}
			return pick(a.rv > b.rv, -1, 1)
		})
		for len(active) > want {
			w.drop(active[0].ref(), false)
			active = active[1:]
		}
	}
	ready := int64(0)
	for _, p := range active {
		if isReady(p) {
			ready++
		}
	}
	w.modify(rs.ref(), func(content map[string]any) bool {
		s := ensure(content, "status")
		n := int64(len(active))
		s["replicas"] = n
		counts(s, map[string]int64{"fullyLabeledReplicas": n, "readyReplicas": ready, "availableReplicas": ready})
		s["observedGeneration"] = integer(metaOf(content), "generation")
		return true
	})
}

func (w *world) reconcileStateful(sts *object) {
	content := sts.content()
	spec := dict(content, "spec")
	want := int(integer(spec, "replicas"))
	have := map[string]*object{}
	for _, p := range w.members(sts, pods) {
		have[p.name] = p
	}
	var ready int64
	for i := range want {
		name := fmt.Sprintf("%s-%d", sts.name, i)
		p := have[name]
		delete(have, name)
		if p == nil && !sts.deleting {
			pod := w.podFor(sts, dict(spec, "template"), name)
			ensure(metaOf(pod), "labels")["statefulset.kubernetes.io/pod-name"] = name
			w.add(pods, pod)
		} else if p != nil && isReady(p) {
			ready++
		}
	}
	for _, name := range sortedKeys(nil, have) {
		if !have[name].deleting {
			w.drop(have[name].ref(), false)
		}
	}
	w.modify(sts.ref(), func(content map[string]any) bool {
		s := ensure(content, "status")
		s["replicas"] = int64(want)
		counts(s, map[string]int64{"readyReplicas": ready, "availableReplicas": ready, "currentReplicas": int64(want), "updatedReplicas": int64(want)})
		s["observedGeneration"] = integer(metaOf(content), "generation")
		return true
	})
}

func (w *world) reconcileDaemons(ds *object) {
	content := ds.content()
	on := map[string]*object{}
	for _, p := range w.activePods(ds) {
		on[str(dict(p.content(), "spec"), "nodeName")] = p
	}
	items, _, err := w.store.at(nodes, 0)
	if err != nil {
		return
	}
	var ready int64
	names := items.Keys()
	for _, node := range names {
		switch p := on[node]; {
		case p == nil && !ds.deleting:
			pod := w.podFor(ds, dict(content, "spec", "template"), ds.name+"-"+w.suffix(5))
			ensure(pod, "spec")["nodeName"] = node
			w.add(pods, pod)
		case p != nil && isReady(p):
			ready++
		}
	}
	w.modify(ds.ref(), func(content map[string]any) bool {
		s := ensure(content, "status")
		n := int64(len(names))
		for _, f := range []string{"desiredNumberScheduled", "currentNumberScheduled", "updatedNumberScheduled"} {
			s[f] = n
		}
		s["numberReady"], s["numberMisscheduled"] = ready, int64(0)
		counts(s, map[string]int64{"numberAvailable": ready, "numberUnavailable": n - ready})
		s["observedGeneration"] = integer(metaOf(content), "generation")
		return true
	})
}

// activePods are the pods of owner that run or will.
func (w *world) activePods(owner *object) []*object {
	return slices.DeleteFunc(w.members(owner, pods), func(p *object) bool {
		phase := str(dict(p.content(), "status"), "phase")
		return p.deleting || phase == "Succeeded" || phase == "Failed"
	})
}

// counts sets numbers, leaving out zeros as Kubernetes does for these fields.
func counts(status map[string]any, numbers map[string]int64) {
	for f, n := range numbers {
		if status[f] = n; n == 0 {
			delete(status, f)
		}
	}
}

func pick[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}

// condition sets one condition, and its transition time when it changes.
func (w *world) condition(status map[string]any, typ string, is bool, reason string) {
	value := pick(is, "True", "False")
	conditions := list(status, "conditions")
	now := stamp(w.clock.Now())
	for _, c := range conditions {
		m, ok := c.(map[string]any)
		if !ok || str(m, "type") != typ {
			continue
		}
		if str(m, "status") != value {
			m["status"], m["lastTransitionTime"] = value, now
		}
		if m["reason"] = reason; reason == "" {
			delete(m, "reason")
		}
		return
	}
	c := map[string]any{"type": typ, "status": value, "lastTransitionTime": now}
	if reason != "" {
		c["reason"] = reason
	}
	status["conditions"] = append(slices.Clone(conditions), c)
}
