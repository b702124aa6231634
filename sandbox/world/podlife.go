package world

import (
	"time"

	"k8s.io/apimachinery/pkg/watch"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

// noticePod plays the scheduler and the kubelet.
func (w *World) noticePod(e *store.Event) {
	o := e.Object
	switch {
	case e.Type == watch.Added:
		w.startPod(o.Ref(), o.UID())
	case e.Type == watch.Modified && o.Deleting() && !e.Prev.Deleting() && !o.Pinned():
		grace := time.Duration(tree.Int(tree.Meta(o.Content()), "deletionGracePeriodSeconds")) * time.Second
		w.after(min(grace, w.between(300*time.Millisecond, 900*time.Millisecond)), func() {
			if cur := w.store.Get(o.Ref()); cur != nil && cur.UID() == o.UID() {
				w.drop(o.Ref(), true)
			}
		})
	}
}

// startPending starts the pods that waited for a node.
func (w *World) startPending() {
	for _, o := range w.store.Snapshot(kinds.Pods).Objects("", "") {
		if o.Field("spec.nodeName") == "" {
			w.startPod(o.Ref(), o.UID())
		}
	}
}

// startPod plans how a pending pod becomes a running one, in three steps.
func (w *World) startPod(r store.Ref, uid string) {
	step := func(d time.Duration, fn func(content map[string]any) bool) {
		w.after(d, func() {
			w.modify(r, func(content map[string]any) bool {
				meta := tree.Meta(content)
				return tree.String(meta, "uid") == uid && tree.String(meta, "deletionTimestamp") == "" && fn(content)
			})
		})
	}
	scheduled := w.between(50*time.Millisecond, 200*time.Millisecond)
	creating := scheduled + w.between(100*time.Millisecond, 300*time.Millisecond)
	running := creating + w.between(400*time.Millisecond, 1200*time.Millisecond)
	choice := w.rng.Uint64()
	step(scheduled, func(content map[string]any) bool {
		spec, status := tree.Ensure(content, "spec"), tree.Ensure(content, "status")
		if phase := tree.String(status, "phase"); phase != "" && phase != "Pending" {
			return false
		}
		if tree.String(spec, "nodeName") == "" {
			node := w.nodeFor(choice)
			if node == "" {
				w.condition(status, "PodScheduled", false, "Unschedulable")
				return true
			}
			spec["nodeName"] = node
		}
		w.condition(status, "PodScheduled", true, "")
		return true
	})
	step(creating, func(content map[string]any) bool {
		status := tree.Ensure(content, "status")
		if tree.String(tree.Map(content, "spec"), "nodeName") == "" || tree.String(status, "phase") != "Pending" {
			return false
		}
		status["hostIP"] = kinds.Address("172.18", tree.String(tree.Map(content, "spec"), "nodeName"))
		status["startTime"] = tree.Stamp(w.clock.Now())
		w.condition(status, "Initialized", true, "")
		w.condition(status, "Ready", false, "ContainersNotReady")
		setContainers(content, map[string]any{"waiting": map[string]any{"reason": "ContainerCreating"}}, false)
		return true
	})
	step(running, func(content map[string]any) bool {
		status := tree.Ensure(content, "status")
		if tree.String(tree.Map(content, "spec"), "nodeName") == "" || tree.String(status, "phase") != "Pending" {
			return false
		}
		runPod(content, uid, tree.Stamp(w.clock.Now()))
		w.condition(status, "Ready", true, "")
		w.condition(status, "ContainersReady", true, "")
		return true
	})
}

// runPod makes a pod's status that of one that runs since started.
func runPod(content map[string]any, uid, started string) {
	status := tree.Ensure(content, "status")
	status["phase"] = "Running"
	ip := kinds.Address("10.244", uid)
	status["podIP"], status["podIPs"] = ip, []any{map[string]any{"ip": ip}}
	setContainers(content, map[string]any{"running": map[string]any{"startedAt": started}}, true)
}

// setContainers gives every container of a pod the same state.
func setContainers(content map[string]any, state map[string]any, ready bool) {
	status := tree.Ensure(content, "status")
	restarts := map[string]int64{}
	for _, c := range tree.List(status, "containerStatuses") {
		if m, ok := c.(map[string]any); ok {
			restarts[tree.String(m, "name")] = tree.Int(m, "restartCount")
		}
	}
	var out []any
	for _, c := range tree.List(tree.Map(content, "spec"), "containers") {
		m, _ := c.(map[string]any)
		name := tree.String(m, "name")
		out = append(out, map[string]any{"name": name, "image": m["image"], "imageID": "", "ready": ready, "started": ready,
			"restartCount": restarts[name], "state": state})
	}
	status["containerStatuses"] = out
}

// nodeFor chooses a node that takes pods, "" when there is none.
func (w *World) nodeFor(choice uint64) string {
	var names []string
	for name, o := range w.store.Snapshot(kinds.Nodes).Objects("", "") {
		if o.Field("spec.unschedulable") != "true" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return names[choice%uint64(len(names))]
}

func isReady(pod *store.Object) bool {
	return tree.ConditionIs(tree.Map(pod.Content(), "status"), "Ready", "True")
}

// reconcileJob runs pods until as many as wanted have succeeded, and deletes the job when its time to live is over.
func (w *World) reconcileJob(job *store.Object) {
	content := job.Content()
	spec, status := tree.Map(content, "spec"), tree.Map(content, "status")
	if tree.String(status, "completionTime") != "" {
		w.expireJob(job, spec)
		return
	}
	completions, parallel := tree.Int(spec, "completions"), tree.Int(spec, "parallelism")
	var active, succeeded int64
	for _, p := range w.members(job, kinds.Pods) {
		switch tree.String(tree.Map(p.Content(), "status"), "phase") {
		case "Succeeded":
			succeeded++
		case "Running":
			w.finishLater(p)
			active++
		case "Pending":
			active++
		}
	}
	var failed error
	if !job.Deleting() && !tree.Bool(spec, "suspend") {
		var made []*store.Object
		made, failed = w.createPods(job, min(parallel, completions-succeeded)-active, func() map[string]any {
			pod := podFor(job, tree.Map(spec, "template"), job.Name()+"-"+w.suffix(5))
			labels := tree.Ensure(tree.Meta(pod), "labels")
			labels["batch.kubernetes.io/job-name"], labels["job-name"] = job.Name(), job.Name()
			return pod
		})
		active += int64(len(made))
	}
	w.modify(job.Ref(), func(content map[string]any) bool {
		s := tree.Ensure(content, "status")
		tree.Default(s, "startTime", tree.Stamp(w.clock.Now()))
		counts(s, map[string]int64{"active": active, "succeeded": succeeded})
		w.replicaFailure(s, failed)
		if succeeded >= completions {
			s["completionTime"] = tree.Stamp(w.clock.Now())
			w.condition(s, "Complete", true, "CompletionsReached")
		}
		return true
	})
}

// finishLater lets a job's pod succeed after a while; once only, as the plan is kept by the pod's uid.
func (w *World) finishLater(pod *store.Object) {
	r, uid := pod.Ref(), pod.UID()
	if w.queued[store.Ref{Kind: kinds.Jobs, Namespace: uid, Name: ""}] {
		return
	}
	w.queued[store.Ref{Kind: kinds.Jobs, Namespace: uid, Name: ""}] = true
	w.after(w.between(1500*time.Millisecond, 4*time.Second), func() {
		delete(w.queued, store.Ref{Kind: kinds.Jobs, Namespace: uid, Name: ""})
		w.modify(r, func(content map[string]any) bool {
			status := tree.Ensure(content, "status")
			if tree.String(tree.Meta(content), "uid") != uid || tree.String(status, "phase") != "Running" {
				return false
			}
			now := tree.Stamp(w.clock.Now())
			status["phase"] = "Succeeded"
			w.condition(status, "Ready", false, "PodCompleted")
			w.condition(status, "ContainersReady", false, "PodCompleted")
			setContainers(content, map[string]any{"terminated": map[string]any{"exitCode": int64(0), "reason": "Completed", "finishedAt": now}}, false)
			return true
		})
	})
}

func (w *World) expireJob(job *store.Object, spec map[string]any) {
	if spec["ttlSecondsAfterFinished"] == nil || w.queued[store.Ref{Kind: kinds.Jobs, Namespace: job.UID(), Name: "ttl"}] {
		return
	}
	w.queued[store.Ref{Kind: kinds.Jobs, Namespace: job.UID(), Name: "ttl"}] = true
	w.after(time.Duration(tree.Int(spec, "ttlSecondsAfterFinished"))*time.Second, func() {
		delete(w.queued, store.Ref{Kind: kinds.Jobs, Namespace: job.UID(), Name: "ttl"})
		if cur := w.store.Get(job.Ref()); cur != nil && cur.UID() == job.UID() {
			w.drop(job.Ref(), false)
		}
	})
}
