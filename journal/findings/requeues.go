package findings

import (
	"fmt"

	"informerscope/journal"
)

// requeues counts AddRateLimited of each key since its last Forget.
type requeues struct {
	timeless
	lasts
	Resources byName[byKey[int]] `json:"resources"`
}

func newRequeues() detector { return &requeues{} }

func (*requeues) wants() []journal.Kind {
	return []journal.Kind{journal.KindQueueAddLimited, journal.KindQueueForgotten}
}

func (d *requeues) apply(f *fold, e *journal.Event) {
	keys := d.Resources.of(e.Resource)
	if e.Kind == journal.KindQueueForgotten {
		if keys.len() == 0 {
			return
		}
		if n, ok := keys.delete(e.Key); ok && n >= f.thresholds.RequeuesGrowing {
			f.end(e.Resource, e.Key, "", int64(n))
		}
		return
	}
	n, _ := keys.get(e.Key)
	n++
	keys.set(e.Key, n)
	if n >= f.thresholds.RequeuesGrowing {
		f.report(e, record{Resource: e.Resource, Key: e.Key, N: int64(n), M: int64(e.Dur)})
	}
}

func (d *requeues) text(_ *fold, r *record) string {
	if r.Over {
		return fmt.Sprintf("%s came back by AddRateLimited %d times before Forget was called", r.Key, r.N)
	}
	return fmt.Sprintf("%s came back by AddRateLimited %d times without Forget, last with a delay of %s", r.Key, r.N, shortNS(r.M))
}

func (d *requeues) clone() detector {
	return &requeues{Resources: d.Resources.clone((*byKey[int]).clone)}
}
