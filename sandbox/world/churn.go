package world

import (
	"fmt"
	"strconv"
	"time"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

// burst makes a flurry of writes about one object, and plans the next one so that the mean rate of all the world's
// writes is Options.Churn. What makes a burst visible is that it is much faster than the mean.
func (w *World) burst() {
	end, before := time.Duration(0), w.writes
	w.choose(func(n int, step func(i int)) {
		for i := range n {
			w.after(end, func() { step(i) })
			end += w.between(w.gap()/2, w.gap()*3/2)
		}
	})
	// The writes of this burst, and those that it causes, are booked when they happen: the next burst starts when
	// the rate allows for as many as were booked by then.
	w.after(end+time.Millisecond, func() { w.calm(w.writes > before) })
}

// calm waits until the mean rate has come down to what was asked for. A burst that wrote nothing is not tried again at
// once.
func (w *World) calm(wrote bool) {
	due := time.Duration(float64(w.writes) / w.options.Churn * float64(time.Second))
	wait := max(due-w.now, 0)
	if !wrote {
		wait = max(wait, w.gap())
	}
	w.after(wait, w.burst)
}

// gap is the mean time between two writes of a burst.
func (w *World) gap() time.Duration {
	return min(60*time.Millisecond, time.Duration(float64(250*time.Millisecond)/w.options.Churn))
}

// choose draws what happens next. It hands the steps of the burst to run.
func (w *World) choose(run func(n int, step func(i int))) {
	flurry := 3 + w.rng.IntN(4)
	full := w.population() > w.options.Objects+w.options.Objects/20+3
	switch d := w.rng.IntN(100); {
	case d < 34:
		w.flap(flurry, run)
	case d < 58:
		w.edit(flurry, run)
	case d < 80:
		w.renew(flurry, run)
	case d < 87:
		if victim := w.hot(kinds.Pods); victim != nil && len(victim.Owners()) > 0 {
			run(1, func(int) { w.drop(victim.Ref(), false) })
		}
	case d < 93 && !full:
		w.startJob(run)
	case d < 97:
		w.passing(run)
	default:
		w.rescaleOne(full, run)
	}
}

// population is how many objects there are but namespaces.
func (w *World) population() int {
	return w.store.Size() - w.store.Count(kinds.Namespaces)
}

// hot draws an object of kind k, a few of them far more often than the rest; nil when there is none.
func (w *World) hot(k *kinds.Kind) *store.Object {
	u := w.rng.Float64()
	return w.store.Choose(k, func(n int) int {
		rank := int(float64(n) * u * u * u)
		// Neighbours in the ranking should not be neighbours by name.
		return (rank*7919 + int(uint64(w.options.Seed)%1009)) % n
	})
}

// flap has a pod become unready and ready again, and restart at times.
func (w *World) flap(flurry int, run func(int, func(int))) {
	target := w.hot(kinds.Pods)
	if target == nil {
		return
	}
	restarts := w.rng.IntN(3) == 0
	// An even number of flips leaves the pod as it was.
	run(flurry+flurry%2, func(i int) {
		w.modify(target.Ref(), func(content map[string]any) bool {
			status := tree.Ensure(content, "status")
			if tree.String(status, "phase") != "Running" || tree.String(tree.Meta(content), "uid") != target.UID() {
				return false
			}
			ready := i%2 == 1
			reason := pick(ready, "", "ContainersNotReady")
			w.condition(status, "ContainersReady", ready, reason)
			w.condition(status, "Ready", ready, reason)
			for _, c := range tree.List(status, "containerStatuses") {
				m, ok := c.(map[string]any)
				if !ok {
					continue
				}
				m["ready"] = ready
				if restarts && ready {
					m["restartCount"] = tree.Int(m, "restartCount") + 1
					m["state"] = map[string]any{"running": map[string]any{"startedAt": tree.Stamp(w.clock.Now())}}
				}
			}
			return true
		})
	})
}

// edit changes a ConfigMap a few times.
func (w *World) edit(flurry int, run func(int, func(int))) {
	target := w.hot(kinds.ConfigMaps)
	if target == nil {
		return
	}
	run(flurry, func(i int) {
		workers := strconv.Itoa(1 + w.rng.IntN(16))
		w.modify(target.Ref(), func(content map[string]any) bool {
			if tree.Bool(content, "immutable") {
				return false
			}
			data := tree.Ensure(content, "data")
			revision, _ := strconv.Atoi(tree.String(data, "revision"))
			data["revision"], data["workers"] = strconv.Itoa(revision+1), workers
			return true
		})
	})
}

// renew has the holder of a lease renew it.
func (w *World) renew(flurry int, run func(int, func(int))) {
	target := w.hot(kinds.Leases)
	if target == nil {
		return
	}
	run(flurry, func(i int) {
		w.modify(target.Ref(), func(content map[string]any) bool {
			spec := tree.Ensure(content, "spec")
			// Each renewal is later than the one before, even on a clock that stands still: whether a write
			// happens must not depend on the time.
			renewed := w.clock.Now().Truncate(time.Microsecond)
			if before, err := time.Parse(time.RFC3339, tree.String(spec, "renewTime")); err == nil && !renewed.After(before) {
				renewed = before.Add(time.Microsecond)
			}
			spec["renewTime"] = tree.MicroStamp(renewed)
			return true
		})
	})
}

// startJob starts a job, which its controller runs, completes and deletes.
func (w *World) startJob(run func(int, func(int))) {
	run(1, func(int) {
		w.jobs++
		app := []string{"report", "backup", "reindex"}[w.rng.IntN(3)]
		w.add(kinds.Jobs, jobFor("batch", fmt.Sprintf("%s-%d", app, 29384000+w.jobs), app))
	})
}

// passing makes a pod that somebody uses for a moment: created, started, labelled and deleted in one flurry.
func (w *World) passing(run func(int, func(int))) {
	name := "debug-" + w.suffix(5)
	r := store.Ref{Kind: kinds.Pods, Namespace: "default", Name: name}
	run(4, func(i int) {
		switch i {
		case 0:
			content := map[string]any{"metadata": map[string]any{"name": name, "namespace": "default", "generation": int64(1),
				"labels": map[string]any{"run": "debug"}},
				"spec": map[string]any{"containers": []any{map[string]any{"name": "debug", "image": "registry.example.com/busybox:1.37"}}}}
			kinds.Pods.SetDefaults(content)
			w.add(kinds.Pods, content)
		case 3:
			w.drop(r, true)
		default:
			w.modify(r, func(content map[string]any) bool {
				tree.Ensure(tree.Meta(content), "labels")["step"] = strconv.Itoa(i)
				return true
			})
		}
	})
}

// rescaleOne moves one deployment's size by one, down if there are enough objects.
func (w *World) rescaleOne(full bool, run func(int, func(int))) {
	target := w.hot(kinds.Deployments)
	if target == nil {
		return
	}
	down := full || w.rng.IntN(2) == 0
	run(1, func(int) {
		w.modify(target.Ref(), func(content map[string]any) bool {
			spec := tree.Ensure(content, "spec")
			n := tree.Int(spec, "replicas")
			if down {
				n--
			} else {
				n++
			}
			if n < 1 || (!down && n > 12) {
				return false
			}
			spec["replicas"] = n
			tree.Meta(content)["generation"] = tree.Int(tree.Meta(content), "generation") + 1
			return true
		})
	})
}
