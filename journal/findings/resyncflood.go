package findings

import (
	"fmt"

	"informerscope/journal"
)

// resyncFloods counts what resyncs bring each handler. It judges when the next
// resync begins: by what the last minute brought or, of resyncs that are further
// apart, by what one brings in the time between two. So one resync, of however
// many objects, is none; and a handler that gets more news than resyncs has none.
type resyncFloods struct {
	timeless
	Resources byName[resyncs] `json:"resources"`
}

type resyncs struct {
	Last      int64               `json:"last,omitempty"` // when the last one began
	Listeners byName[resyncCount] `json:"listeners"`
}

// resyncCount is what one listener got.
type resyncCount struct {
	Minute rate  `json:"minute"` // resyncs
	News   rate  `json:"news"`
	Since  int   `json:"since,omitempty"` // resyncs since Last
	NewsN  int   `json:"newsN,omitempty"` // news since then
	Gap    int64 `json:"gap,omitempty"`   // the time between the last two resyncs
}

const minute = int64(60e9)

func newResyncFloods() detector { return &resyncFloods{} }

func (*resyncFloods) wants() []journal.Kind {
	return []journal.Kind{journal.KindFIFOResync, journal.KindNotified, journal.KindListenerRemoved}
}

func (d *resyncFloods) apply(f *fold, e *journal.Event) {
	r := d.Resources.of(e.Resource)
	switch e.Kind {
	case journal.KindFIFOResync:
		d.resync(f, e, r)
		return
	case journal.KindListenerRemoved:
		*r.Listeners.of(e.ListenerRemoved().Listener) = resyncCount{}
		return
	}
	if r.Last == 0 {
		return // nothing is judged before the first resync
	}
	c := r.Listeners.of(e.Listener())
	if e.Has(journal.Resync) {
		c.Since++
		c.Minute.add(f.now, 1)
	} else {
		c.NewsN++
		c.News.add(f.now, 1)
	}
}

// resync ends the time between two.
func (d *resyncFloods) resync(f *fold, e *journal.Event, r *resyncs) {
	gap := f.now - r.Last
	first := r.Last == 0
	r.Last = f.now
	if first || gap <= 0 {
		return
	}
	for i := range r.Listeners {
		c, name := &r.Listeners[i].Value, r.Listeners[i].Name
		n, news := c.Minute.count(f.now), c.News.count(f.now)
		if gap > minute {
			n, news = int(int64(c.Since)*minute/gap), int(int64(c.NewsN)*minute/gap)
		}
		if n > int(f.thresholds.ResyncFlood) && n > news {
			f.report(e, record{Resource: e.Resource, Name: name, N: int64(n), M: gap})
		}
		c.Since, c.NewsN, c.Gap = 0, 0, gap
	}
}

// active: until two resyncs are missing, and for a minute at least.
func (d *resyncFloods) active(f *fold, r *record) bool { return f.now-r.Last < max(recent, 2*r.M) }
func (d *resyncFloods) again(f *fold, r *record) bool  { return !d.active(f, r) }

func (*resyncFloods) text(_ *fold, r *record) string {
	return fmt.Sprintf("the handler %s gets %d resyncs a minute, from one resync every %s, and less news than that", r.Name, r.N, shortNS(r.M))
}

func (d *resyncFloods) clone() detector {
	return &resyncFloods{Resources: d.Resources.clone(func(r *resyncs) resyncs {
		return resyncs{Last: r.Last, Listeners: r.Listeners.clone(nil)}
	})}
}
