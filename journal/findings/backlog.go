package findings

import (
	"fmt"
	"time"

	"informerscope/journal"
)

// backlogs watches what waits for each handler. It looks at parts of time, a
// third of the threshold long: the backlog grows in one when it is longer at the
// end than at the start and never was shorter in between. Three of these in a row
// are no burst that is being worked off. It goes on until half of it is done.
type backlogs struct {
	lasts
	Resources byName[byName[backlog]] `json:"resources"`
}

// parts is how many parts of time must have seen a backlog grow.
const parts = 3

// backlog is that of one listener.
type backlog struct {
	Len   int64  `json:"len"`
	Peak  int64  `json:"peak,omitempty"`
	Start int64  `json:"start"`          // at the start of this part
	Least int64  `json:"least"`          // in this part
	From  int64  `json:"from"`           // when the part began, in running time
	Grew  int    `json:"grew,omitempty"` // so many parts before this one
	Low   int64  `json:"low,omitempty"`  // where that began
	Seq   uint64 `json:"seq"`            // of the newest notification
	Time  int64  `json:"time"`
	Told  bool   `json:"told,omitempty"` // reported, and not over
}

func newBacklogs() detector { return &backlogs{} }

func (*backlogs) wants() []journal.Kind {
	return []journal.Kind{journal.KindNotified, journal.KindHandlerStarted, journal.KindListenerAdded, journal.KindListenerRemoved}
}

func (d *backlogs) apply(f *fold, e *journal.Event) {
	b := d.Resources.of(e.Resource).of(e.Listener())
	switch e.Kind {
	case journal.KindNotified:
		if b.Len == 0 && b.Grew == 0 && b.Start == 0 {
			d.begin(f, b, f.run) // nothing to look at before
		}
		b.Len++
		b.Seq, b.Time, b.Peak = e.Seq, f.now, max(b.Peak, b.Len)
		return
	case journal.KindHandlerStarted:
		b.Len = max(0, b.Len-1)
		b.Least = min(b.Least, b.Len)
	default: // what was not called yet goes with the listener
		b.Len, b.Least = 0, 0
	}
	if b.Told && b.Len <= b.Peak/2 {
		f.end(e.Resource, "", e.Listener(), b.Peak)
		b.Told = false
	}
	if b.Len == 0 {
		b.Peak = 0
	}
}

// begin starts a part of time.
func (d *backlogs) begin(f *fold, b *backlog, at int64) {
	b.From, b.Start, b.Least = at, b.Len, b.Len
	f.sooner(at + d.part(f))
}

func (*backlogs) part(f *fold) int64 { return max(1, int64(f.thresholds.BacklogGrowing)/parts) }

func (d *backlogs) ripen(f *fold) (next int64) {
	next = never
	for i := range d.Resources {
		ls, resource := d.Resources[i].Value, d.Resources[i].Name
		for j := range ls {
			b, name := &ls[j].Value, ls[j].Name
			if b.Start == 0 && b.Len == 0 && b.Grew == 0 {
				continue // sleeps until the next notification
			}
			if f.run-b.From < d.part(f) {
				next = min(next, b.From+d.part(f))
				continue
			}
			if d.grew(f, b) {
				b.Told = true
				f.report(nil, record{Resource: resource, Name: name, Seq: b.Seq, Last: b.Time, N: b.Len, M: b.Low})
			}
			// Nothing has happened in the parts that went by since.
			began := b.From + (f.run-b.From)/d.part(f)*d.part(f)
			if began-b.From >= 2*d.part(f) {
				b.Grew = 0
			}
			d.begin(f, b, began)
			if b.Len > 0 || b.Grew > 0 {
				next = min(next, b.From+d.part(f))
			}
		}
	}
	return next
}

// grew ends a part of time, and reports whether enough of them saw it grow.
func (d *backlogs) grew(f *fold, b *backlog) bool {
	if b.Len <= b.Start || b.Least < b.Start {
		b.Grew = 0
		return false
	}
	if b.Grew == 0 {
		b.Low = b.Start
	}
	b.Grew++
	return b.Grew >= parts && b.Len >= int64(f.thresholds.BacklogSize)
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
	return &backlogs{Resources: d.Resources.clone(func(l *byName[backlog]) byName[backlog] { return l.clone(nil) })}
}

func shortNS(n int64) string { return journal.Short(time.Duration(n)) }
