package findings

import (
	"fmt"
	"time"

	"informerscope/journal"
)

// stuckWorkers watches how long keys are in processing: from Get to Done.
type stuckWorkers struct {
	lasts
	Resources byName[processing] `json:"resources"`
}

// processing is what one workqueue has handed out.
type processing struct {
	Workers byName[inProcessing] `json:"workers"` // the newest key of each
	// Left are the keys that a worker got before its newest one, and that are not
	// done: a worker has but one, unless somebody forgets Done.
	Left byKey[inProcessing] `json:"left"`
}

// inProcessing is a key between Get and Done.
type inProcessing struct {
	Key    string `json:"key,omitempty"` // "" is none
	Worker string `json:"worker,omitempty"`
	Seq    uint64 `json:"seq,omitempty"` // of the Get
	Time   int64  `json:"time,omitempty"`
	Run    int64  `json:"run,omitempty"`   // running time of the Get
	Ended  bool   `json:"ended,omitempty"` // the reconcile has ended
	Told   bool   `json:"told,omitempty"`  // reported
}

func newStuckWorkers() detector { return &stuckWorkers{} }

func (*stuckWorkers) wants() []journal.Kind {
	return []journal.Kind{journal.KindQueueGot, journal.KindQueueDone, journal.KindReconcileDone, journal.KindReconcileFailed, journal.KindReconcilePanicked}
}

func (d *stuckWorkers) apply(f *fold, e *journal.Event) {
	p := d.Resources.of(e.Resource)
	switch e.Kind {
	case journal.KindQueueGot:
		w := p.Workers.of(e.QueueGot().Worker)
		if w.Key != "" {
			p.Left.set(w.Key, *w)
		}
		*w = inProcessing{Key: e.Key, Worker: e.QueueGot().Worker, Seq: e.Seq, Time: f.now, Run: f.run}
		f.sooner(f.run + int64(f.thresholds.StuckWorker))
	case journal.KindQueueDone:
		done := inProcessing{}
		if w := p.worker(e); w != nil {
			done, *w = *w, inProcessing{}
		} else if p.Left.len() > 0 {
			done, _ = p.Left.delete(e.Key)
		}
		if done.Told {
			f.end(e.Resource, e.Key, done.Worker, f.run-done.Run)
		}
	default:
		if w := p.worker(e); w != nil {
			w.Ended = true
		} else if x, ok := p.Left.get(e.Key); ok {
			x.Ended = true
			p.Left.set(e.Key, x)
		}
	}
}

// worker is the one that has the key of e as its newest; nil when nobody has.
func (p *processing) worker(e *journal.Event) *inProcessing {
	if w := p.Workers.find(e.Worker()); w != nil && w.Key == e.Key {
		return w
	}
	for i := range p.Workers {
		if w := &p.Workers[i].Value; w.Key == e.Key {
			return w
		}
	}
	return nil
}

func (d *stuckWorkers) ripen(f *fold) (next int64) {
	next = never
	for i := range d.Resources {
		p, resource := &d.Resources[i].Value, d.Resources[i].Name
		for j := range p.Workers {
			next = min(next, d.judge(f, resource, &p.Workers[j].Value))
		}
		var due []inProcessing
		p.Left.scan(func(_ string, x *inProcessing) {
			told := x.Told
			next = min(next, d.judge(f, resource, x))
			if x.Told && !told {
				due = append(due, *x)
			}
		})
		for _, x := range due {
			p.Left.set(x.Key, x)
		}
	}
	return next
}

// judge reports a key that has been in processing for too long, and returns when
// it will have been.
func (d *stuckWorkers) judge(f *fold, resource string, x *inProcessing) int64 {
	at := x.Run + int64(f.thresholds.StuckWorker)
	switch {
	case x.Key == "" || x.Told:
		return never
	case at > f.run:
		return at
	}
	x.Told = true
	f.report(nil, record{Resource: resource, Key: x.Key, Name: x.Worker, Seq: x.Seq, Last: x.Time})
	return never
}

func (d *stuckWorkers) text(f *fold, r *record) string {
	if x, ok := d.find(r); ok && !r.Over {
		had := fmt.Sprintf("%s has been in processing of %s for %s", r.Key, r.Name, journal.Short(time.Duration(f.run-x.Run)))
		if x.Ended {
			return had + ": its reconcile has ended, and Done was not called"
		}
		return had
	}
	return fmt.Sprintf("%s was in processing of %s for %s", r.Key, r.Name, journal.Short(time.Duration(r.N)))
}

func (d *stuckWorkers) find(r *record) (inProcessing, bool) {
	p := d.Resources.find(r.Resource)
	if p == nil {
		return inProcessing{}, false
	}
	if w := p.Workers.find(r.Name); w != nil && w.Key == r.Key {
		return *w, true
	}
	return p.Left.get(r.Key)
}

func (d *stuckWorkers) clone() detector {
	return &stuckWorkers{Resources: d.Resources.clone(func(p *processing) processing {
		return processing{p.Workers.clone(nil), p.Left.clone()}
	})}
}
