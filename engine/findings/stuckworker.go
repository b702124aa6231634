package findings

import (
	"fmt"
	"time"

	"informerscope/engine/journal"
)

// stuckWorkers watches how long keys are in processing: from Get to Done.
type stuckWorkers struct {
	lasts
	Resources byName[byKey[inProcessing]] `json:"resources"`
}

// inProcessing is a key between Get and Done.
type inProcessing struct {
	Worker string `json:"worker"`
	Seq    uint64 `json:"seq"` // of the Get
	Time   int64  `json:"time"`
	Run    int64  `json:"run"`             // running time of the Get
	Ended  bool   `json:"ended,omitempty"` // the reconcile did, and Done was not called
	Told   bool   `json:"told,omitempty"`  // reported
}

func newStuckWorkers() detector { return &stuckWorkers{} }

func (*stuckWorkers) wants() []journal.Kind {
	return []journal.Kind{journal.QueueGot, journal.QueueDone, journal.ReconcileDone, journal.ReconcileFailed, journal.ReconcilePanicked}
}

func (d *stuckWorkers) apply(f *fold, e *journal.Event) {
	keys := d.Resources.of(e.Resource)
	switch e.Kind {
	case journal.QueueGot:
		keys.set(e.Key, inProcessing{Worker: e.Name, Seq: e.Seq, Time: f.now, Run: f.run})
		f.sooner(f.run + int64(f.thresholds.StuckWorker))
	case journal.QueueDone:
		if p, ok := keys.delete(e.Key); ok && p.Told {
			f.end(e.Resource, e.Key, p.Worker, f.run-p.Run)
		}
	default:
		if p, ok := keys.get(e.Key); ok {
			p.Ended = true
			keys.set(e.Key, p)
		}
	}
}

func (d *stuckWorkers) ripen(f *fold) (next int64) {
	next = never
	for i := range d.Resources {
		keys, resource := &d.Resources[i].Value, d.Resources[i].Name
		var due []string
		keys.scan(func(key string, p *inProcessing) {
			switch at := p.Run + int64(f.thresholds.StuckWorker); {
			case p.Told:
			case at <= f.run:
				due = append(due, key)
			default:
				next = min(next, at)
			}
		})
		for _, key := range due {
			p, _ := keys.get(key)
			p.Told = true
			keys.set(key, p)
			f.report(nil, record{Resource: resource, Key: key, Name: p.Worker, Seq: p.Seq, Last: p.Time})
		}
	}
	return next
}

func (d *stuckWorkers) text(f *fold, r *record) string {
	if keys := d.Resources.find(r.Resource); keys != nil && !r.Over {
		if p, ok := keys.get(r.Key); ok {
			had := fmt.Sprintf("%s has been in processing of %s for %s", r.Key, r.Name, journal.Short(time.Duration(f.run-p.Run)))
			if p.Ended {
				return had + ": its reconcile has ended, and Done was not called"
			}
			return had
		}
	}
	return fmt.Sprintf("%s was in processing of %s for %s", r.Key, r.Name, journal.Short(time.Duration(r.N)))
}

func (d *stuckWorkers) clone() detector {
	return &stuckWorkers{Resources: d.Resources.clone((*byKey[inProcessing]).clone)}
}
