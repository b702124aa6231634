package panes

import (
	"slices"

	"informerscope/journal/state"
	"informerscope/ui/filter"
	"informerscope/ui/view"
	"informerscope/ui/vlist"
)

// section is one part of the Workqueue pane.
type section int

const (
	secQueue      section = iota // of a priority queue: ready
	secDirty                     // not of a priority queue
	secProcessing                // of a priority queue: locked
	secWaiting
	secFailures // what the rate limiter counts
	numSections
)

var sectionNames = [numSections]string{"queue", "dirty", "processing", "waiting", "failures"}

// The sections of each kind of queue, from top to bottom. A queue that has not
// said what it is made of shows no rate limiter.
var (
	plainSections    = []section{secQueue, secDirty, secProcessing, secWaiting}
	layeredSections  = []section{secQueue, secDirty, secProcessing, secWaiting, secFailures}
	prioritySections = []section{secQueue, secProcessing, secWaiting, secFailures}
)

// sections are those of the queue's kind.
func sections(q *state.Queue) []section {
	switch q.Kind {
	case "":
		return plainSections
	case state.QueuePriority:
		return prioritySections
	}
	return layeredSections
}

// sectionName is client-go's word for a section, or the priority queue's.
func sectionName(q *state.Queue, s section) string {
	if q.Kind == state.QueuePriority {
		switch s {
		case secQueue:
			return "ready"
		case secProcessing:
			return "locked"
		}
	}
	return sectionNames[s]
}

// heights shares h lines among the sections. Processing has one line a worker,
// the queue gets most of the rest.
func (p *queuePane) heights(secs []section, h int) [numSections]int {
	var hs [numSections]int
	has := func(s section) bool { return slices.Contains(secs, s) }
	for _, s := range [...]section{secQueue, secProcessing, secWaiting, secDirty, secFailures} {
		if h > 0 && has(s) {
			hs[s], h = 1, h-1
		}
	}
	for h > 0 {
		for _, s := range [...]section{secQueue, secDirty, secWaiting, secProcessing, secQueue, secFailures} {
			switch {
			case h == 0 || !has(s):
			case s == secProcessing && hs[s] >= max(1, len(p.procs)):
			case s == secFailures && hs[s] >= 4:
			default:
				hs[s]++
				h--
			}
		}
	}
	return hs
}

// labelWidth is the column of the sections' names.
const labelWidth = 11

// queuePane shows the workqueue, layer by layer: the base queue, the delaying
// queue and the rate limiter. Each section has its own rows on the screen
// and scrolls in them, so that nothing jumps when another one grows.
type queuePane struct {
	at    section
	lists [numSections]vlist.List
	tops  [numSections]int // first line of each section in the pane
	hs    [numSections]int // lines of each
	q     *state.Queue     // as drawn last
	flt   filter.Filter
	rows  [numSections]queueRows
	procs []state.Processing // by worker; Key is empty for an idle one
}

// byWorker lists who processes what, each worker in its own line.
func (p *queuePane) byWorker(r *state.Resource) {
	p.procs = p.procs[:0]
	for i := range r.Workers {
		p.procs = append(p.procs, state.Processing{Worker: r.Workers[i].Name})
	}
	known := len(p.procs)
next:
	for i := range r.Queue.ProcessingLen() {
		x := r.Queue.ProcessingAt(i)
		for w := range known {
			if p.procs[w].Worker == x.Worker && p.procs[w].Key == "" {
				p.procs[w] = x
				continue next
			}
		}
		p.procs = append(p.procs, x)
	}
}

// keyAt is the key of the i-th shown row of a section, "" for an idle worker.
func (p *queuePane) keyAt(c *view.Context, s section, i int) string {
	if p.rows[s].on {
		return p.rows[s].kept.Rows[i]
	}
	q := &c.Resource.Queue
	switch s {
	case secQueue:
		return q.At(i)
	case secDirty:
		return q.DirtyAt(i)
	case secProcessing:
		return p.procs[i].Key
	case secFailures:
		key, _ := q.FailureAt(i)
		return key
	}
	return q.WaitingAt(i).Key
}

func (p *queuePane) procAt(c *view.Context, i int) state.Processing {
	if !p.rows[secProcessing].on {
		return p.procs[i]
	}
	x, _ := c.Resource.Queue.Processing(p.rows[secProcessing].kept.Rows[i])
	return x
}

// queueRows are the keys of one section that match a filter.
type queueRows struct {
	on   bool
	kept filter.Kept[[]string]
}

func (f *queueRows) len(c *view.Context, p *queuePane, s section) int {
	if f.on {
		return len(f.kept.Rows)
	}
	q := &c.Resource.Queue
	switch s {
	case secQueue:
		return q.Len()
	case secDirty:
		return q.DirtyLen()
	case secProcessing:
		return len(p.procs)
	case secFailures:
		return q.FailuresLen()
	}
	return q.WaitingLen()
}
