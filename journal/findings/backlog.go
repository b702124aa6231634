package findings

import (
	"fmt"
	"time"

	"informerscope/journal"
)

// backlogs watches what waits for each handler.
type backlogs struct {
	lasts
	Resources byName[byName[growth]] `json:"resources"`
}

func newBacklogs() detector { return &backlogs{} }

func (*backlogs) wants() []journal.Kind {
	return []journal.Kind{journal.KindNotified, journal.KindHandlerStarted, journal.KindListenerAdded, journal.KindListenerRemoved}
}

func (d *backlogs) apply(f *fold, e *journal.Event) {
	b := d.Resources.of(e.Resource).of(e.Listener())
	left := int64(0) // what was not called yet goes with the listener
	switch e.Kind {
	case journal.KindNotified:
		b.longer(f, d.part(f), e.Seq)
		return
	case journal.KindHandlerStarted:
		left = b.Len - 1
	}
	if over, peak := b.shorter(left); over {
		f.end(e.Resource, "", e.Listener(), peak)
	}
}

func (*backlogs) part(f *fold) int64 { return max(1, int64(f.thresholds.BacklogGrowing)/parts) }

func (d *backlogs) ripen(f *fold) (next int64) {
	next = never
	for i := range d.Resources {
		ls, resource := d.Resources[i].Value, d.Resources[i].Name
		for j := range ls {
			b, name := &ls[j].Value, ls[j].Name
			grown, at := b.ripen(f, d.part(f), int64(f.thresholds.BacklogSize))
			next = min(next, at)
			if grown {
				f.report(nil, record{Resource: resource, Name: name, Seq: b.Seq, Last: b.Time, N: b.Len, M: b.Low})
			}
		}
	}
	return next
}

func (d *backlogs) text(f *fold, r *record) string {
	if !r.Over {
		return fmt.Sprintf("%d notifications wait for the handler %s; when that began to grow, there were %d", d.lenOf(r), r.Name, r.M)
	}
	return fmt.Sprintf("up to %d notifications waited for the handler %s", r.N, r.Name)
}

func (d *backlogs) lenOf(r *record) int64 {
	if ls := d.Resources.find(r.Resource); ls != nil {
		if b := ls.find(r.Name); b != nil {
			return b.Len
		}
	}
	return r.N
}

func (d *backlogs) clone() detector {
	return &backlogs{Resources: d.Resources.clone(func(l *byName[growth]) byName[growth] { return l.clone(nil) })}
}

func shortNS(n int64) string { return journal.Short(time.Duration(n)) }
