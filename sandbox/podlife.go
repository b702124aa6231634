package sandbox

import (
	"time"

	"k8s.io/apimachinery/pkg/watch"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/tree"
)

// noticePod plays the scheduler and the kubelet.
func (w *world) noticePod(e *event) {
	o := e.object
	switch {
	case e.typ == watch.Added:
		w.startPod(o.ref(), o.uid)
	case e.typ == watch.Modified && o.deleting && !e.prev.deleting && !o.pinned:
		grace := time.Duration(gracePeriod(o.content())) * time.Second
		w.after(min(grace, w.between(300*time.Millisecond, 900*time.Millisecond)), func() {
			if cur := w.store.get(o.ref()); cur != nil && cur.uid == o.uid {
				w.drop(o.ref(), true)
			}
		})
	}
}

// startPending starts the pods that waited for a node.
func (w *world) startPending() {
	items, _, err := w.store.at(kinds.Pods, 0)
	if err != nil {
		return
	}
	items.Scan(func(_ string, o *object) bool {
		if (objectFields{o}).Get("spec.nodeName") == "" {
			w.startPod(o.ref(), o.uid)
		}
		return true
	})
}

// startPod plans how a pending pod becomes a running one, in three steps.
func (w *world) startPod(r ref, uid string) {
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
func (w *world) nodeFor(choice uint64) string {
	items, _, err := w.store.at(kinds.Nodes, 0)
	if err != nil {
		return ""
	}
	var names []string
	items.Scan(func(name string, o *object) bool {
		if (objectFields{o}).Get("spec.unschedulable") != "true" {
			names = append(names, name)
		}
		return true
	})
	if len(names) == 0 {
		return ""
	}
	return names[choice%uint64(len(names))]
}

func isReady(pod *object) bool {
	return tree.ConditionIs(tree.Map(pod.content(), "status"), "Ready", "True")
}

// reconcileJob runs pods until as many as wanted have succeeded, and deletes the job when its time to live is over.
func (w *world) reconcileJob(job *object) {
	content := job.content()
	spec, status := tree.Map(content, "spec"), tree.Map(content, "status")
	if tree.String(status, "completionTime") != "" {
		w.expireJob(job, spec)
		return
	}
	completions, parallel := tree.Int(spec, "completions"), tree.Int(spec, "parallelism")
	var active, succeeded int64
	for _, p := range w.members(job, kinds.Pods) {
		switch tree.String(tree.Map(p.content(), "status"), "phase") {
		case "Succeeded":
			succeeded++
		case "Running":
			w.finishLater(p)
			active++
		case "Pending":
			active++
		}
	}
	if !job.deleting && !tree.Bool(spec, "suspend") {
		for ; active < min(parallel, completions-succeeded); active++ {
			pod := w.podFor(job, tree.Map(spec, "template"), job.name+"-"+w.suffix(5))
			labels := tree.Ensure(tree.Meta(pod), "labels")
			labels["batch.kubernetes.io/job-name"], labels["job-name"] = job.name, job.name
			w.add(kinds.Pods, pod)
		}
	}
	w.modify(job.ref(), func(content map[string]any) bool {
		s := tree.Ensure(content, "status")
		tree.Default(s, "startTime", tree.Stamp(w.clock.Now()))
		counts(s, map[string]int64{"active": active, "succeeded": succeeded})
		if succeeded >= completions {
			s["completionTime"] = tree.Stamp(w.clock.Now())
			w.condition(s, "Complete", true, "CompletionsReached")
		}
		return true
	})
}

// finishLater lets a job's pod succeed after a while; once only, as the plan is kept by the pod's uid.
func (w *world) finishLater(pod *object) {
	r, uid := pod.ref(), pod.uid
	if w.queued[ref{kinds.Jobs, uid, ""}] {
		return
	}
	w.queued[ref{kinds.Jobs, uid, ""}] = true
	w.after(w.between(1500*time.Millisecond, 4*time.Second), func() {
		delete(w.queued, ref{kinds.Jobs, uid, ""})
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

func (w *world) expireJob(job *object, spec map[string]any) {
	if spec["ttlSecondsAfterFinished"] == nil || w.queued[ref{kinds.Jobs, job.uid, "ttl"}] {
		return
	}
	w.queued[ref{kinds.Jobs, job.uid, "ttl"}] = true
	w.after(time.Duration(tree.Int(spec, "ttlSecondsAfterFinished"))*time.Second, func() {
		delete(w.queued, ref{kinds.Jobs, job.uid, "ttl"})
		if cur := w.store.get(job.ref()); cur != nil && cur.uid == job.uid {
			w.drop(job.ref(), false)
		}
	})
}
