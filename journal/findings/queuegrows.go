package findings

import (
	"fmt"

	"informerscope/journal"
)

// growingQueues watches the workqueues: whether more comes than the workers finish.
type growingQueues struct {
	lasts
	Resources byName[drain] `json:"resources"`
}

// drain is what goes through one workqueue.
type drain struct {
	Ready   growth `json:"ready"` // keys
	In      rate   `json:"in"`
	Out     rate   `json:"out"`
	Workers int64  `json:"workers,omitempty"`
	Busy    int64  `json:"busy,omitempty"`
	Took    int64  `json:"took,omitempty"` // about how long one takes, in ns
}

func newGrowingQueues() detector { return &growingQueues{} }

func (*growingQueues) wants() []journal.Kind {
	return []journal.Kind{journal.KindQueueAdded, journal.KindQueueGot, journal.KindQueueDone, journal.KindWorkerStarted, journal.KindWorkerStopped}
}

func (d *growingQueues) apply(f *fold, e *journal.Event) {
	q := d.Resources.of(e.Resource)
	switch e.Kind {
	case journal.KindWorkerStarted:
		q.Workers++
	case journal.KindWorkerStopped:
		q.Workers = max(0, q.Workers-1)
	case journal.KindQueueAdded:
		if e.QueueAdded().Result == journal.AddQueued {
			q.In.add(f.now, 1)
			q.Ready.longer(f, d.part(f), e.Seq)
		}
	case journal.KindQueueGot:
		q.Busy++
		if over, peak := q.Ready.shorter(q.Ready.Len - 1); over {
			f.end(e.Resource, "", "", peak)
		}
	case journal.KindQueueDone:
		q.Out.add(f.now, 1)
		q.Busy = max(0, q.Busy-1)
		q.took(int64(e.Dur))
		if e.Has(journal.Requeued) {
			q.In.add(f.now, 1)
			q.Ready.longer(f, d.part(f), e.Seq)
		}
	}
}

// took follows how long reconciles take: each new one counts for an eighth.
func (q *drain) took(ns int64) {
	if q.Took == 0 {
		q.Took = ns
		return
	}
	q.Took += (ns - q.Took) / 8
}

func (*growingQueues) part(f *fold) int64 { return max(1, int64(f.thresholds.QueueGrows)/parts) }

func (d *growingQueues) ripen(f *fold) (next int64) {
	next = never
	for i := range d.Resources {
		q, resource := &d.Resources[i].Value, d.Resources[i].Name
		grown, at := q.Ready.ripen(f, d.part(f), int64(f.thresholds.QueueSize))
		next = min(next, at)
		if grown {
			f.report(nil, record{Resource: resource, Seq: q.Ready.Seq, Last: q.Ready.Time, N: q.Ready.Len, M: q.Ready.Low})
		}
	}
	return next
}

// would is how many workers could keep up with what comes, 0 when that cannot be
// told.
func (q *drain) would(now int64) int64 {
	in := int64(q.In.count(now))
	if q.Took <= 0 || in == 0 {
		return 0
	}
	return max(q.Workers+1, (in*q.Took+minute-1)/minute)
}

func (d *growingQueues) text(f *fold, r *record) string {
	q := d.Resources.find(r.Resource)
	if q == nil || r.Over {
		return fmt.Sprintf("up to %d keys were ready in the workqueue of %s", r.N, r.Resource)
	}
	text := fmt.Sprintf("%d keys are ready in the workqueue of %s; when that began to grow, there were %d: within a minute %s came and %s finished",
		q.Ready.Len, r.Resource, r.M, plural(int64(q.In.count(f.now)), "key"), isOrAre(int64(q.Out.count(f.now))))
	switch {
	case q.Workers == 0:
		return text + "; there is no worker"
	case q.Busy < q.Workers:
		return fmt.Sprintf("%s; %d of %s at work", text, q.Busy, plural(q.Workers, "worker"))
	}
	if n := q.would(f.now); n > 0 {
		text += fmt.Sprintf("; all %s at work, a reconcile takes about %s, and about %d workers would do", plural(q.Workers, "worker"), shortNS(q.Took), n)
	}
	return text
}

func isOrAre(n int64) string {
	if n == 1 {
		return "1 was"
	}
	return fmt.Sprintf("%d were", n)
}

func (d *growingQueues) causes(f *fold, r *record) []Cause {
	q := d.Resources.find(r.Resource)
	switch {
	case q == nil:
		return nil
	case q.Workers == 0:
		return []Cause{{"nothing takes keys from this queue", "no worker has started"}}
	case q.Busy >= q.Workers && q.Out.count(f.now) == 0:
		return []Cause{{"every worker hangs in a reconcile", "no reconcile has ended within a minute"}}
	case q.Busy >= q.Workers:
		return []Cause{
			{"reconciles take too long for so few workers: they wait for the network or for a lock", "all workers are at work, and one reconcile takes about " + shortNS(q.Took)},
			{"keys come back for nothing: look for a hot loop, resyncs, or requeues", ""},
		}
	}
	return []Cause{{"workers wait for something else than keys: a gate, a rate limit, a lock", fmt.Sprintf("%d of %d are at work", q.Busy, q.Workers)}}
}

func (d *growingQueues) clone() detector { return &growingQueues{Resources: d.Resources.clone(nil)} }
