// Package diff tells what changed between two moments: the difference of two
// states, in words. It imports journal, journal/findings and journal/state.
package diff

import (
	"fmt"
	"strings"
	"time"

	"informerscope/journal/state"
)

// Change is one difference between two moments.
type Change struct {
	Resource  string // "" for what concerns all of them
	Structure string // one of the Structures below
	// Key is the object's key, the name of the listener or worker, or "" for
	// what a structure counts.
	Key     string
	Text    string // what changed, in one line
	Was, Is string // before and after; "" where there was, or is, nothing
}

// Structures, in the order in which Of has them.
const (
	StructureSession   = "Session"
	StructureFindings  = "Findings"
	StructurePipeline  = "Pipeline"
	StructureReflector = "Reflector"
	StructureDeltaFIFO = "DeltaFIFO" // also of a RealFIFO
	StructureIndexer   = "Indexer"
	StructureListeners = "Listeners"
	StructureWorkqueue = "Workqueue"
	StructureWorkers   = "Workers"
	StructureStore     = "Store " // and its name
)

// Of tells what changed from a to b, which may be in either order: what
// concerns all, then resource by resource as in b, within one in the order of
// the pipeline, within a structure what it counts and then its keys by name. It
// returns at most limit changes, and how many more there are. It compares every
// key of both, some 50 ns each.
func Of(a, b *state.State, limit int) (changes []Change, more int) {
	d := &differ{limit: limit}
	d.session(a, b)
	d.findings(a, b)
	for _, r := range b.Resources {
		d.resource = r.Name
		was := a.Resource(r.Name)
		if was == nil {
			d.changed(StructurePipeline, "", "new", "", r.Name)
			was = &state.Resource{Reflector: state.Reflector{Phase: state.PhaseStarting}}
		}
		d.pipeline(was, r)
	}
	for _, r := range a.Resources {
		if d.resource = r.Name; b.Resource(r.Name) == nil {
			d.changed(StructurePipeline, "", "not there", r.Name, "")
		}
	}
	return d.changes, d.more
}

func (d *differ) pipeline(a, b *state.Resource) {
	d.yes(StructurePipeline, "synced", a.Synced, b.Synced)
	d.says(StructurePipeline, "failed", a.Failed, b.Failed)
	d.reflector(&a.Reflector, &b.Reflector)
	d.fifo(&a.FIFO, &b.FIFO)
	d.indexer(&a.Indexer, &b.Indexer)
	d.listeners(a.Listeners, b.Listeners)
	d.queue(&a.Queue, &b.Queue)
	d.workers(a.Workers, b.Workers)
	d.stores(&a.Stores, &b.Stores)
}

func (d *differ) session(a, b *state.State) {
	d.yes(StructureSession, "paused", a.Paused, b.Paused)
	if a.Pace != b.Pace {
		d.says(StructureSession, "pace", paceText(a.Pace), paceText(b.Pace))
	}
	if a.Divergences != b.Divergences {
		d.changed(StructureSession, "", fmt.Sprintf("divergences %d -> %d: %s", a.Divergences, b.Divergences, b.LastDivergence),
			fmt.Sprint(a.Divergences), fmt.Sprint(b.Divergences))
	}
	d.says(StructureSession, "recording to", a.Recording.File, b.Recording.File)
	d.says(StructureSession, "recording failed:", a.Recording.Failed, b.Recording.Failed)
	byID := func(f *state.Fault) int64 { return f.ID }
	always := time.Time{} // also those whose time has run out
	named(a.Faults(always), b.Faults(always), byID, func(was, is *state.Fault) {
		switch {
		case was == nil:
			d.changed(StructureSession, "", "fault armed: "+is.Text, "", is.Text)
		case is == nil:
			d.changed(StructureSession, "", "fault over: "+was.Text, was.Text, "")
		default:
			d.count(StructureSession, "fault "+is.Text+": hits", was.Hits, is.Hits)
		}
	})
	setID := func(p *state.Breakpoint) int64 { return p.ID }
	named(a.Breakpoints(), b.Breakpoints(), setID, func(was, is *state.Breakpoint) {
		switch {
		case was == nil:
			d.changed(StructureSession, "", "breakpoint set: "+is.Expr, "", is.Expr)
		case is == nil:
			d.changed(StructureSession, "", "breakpoint cleared: "+was.Expr, was.Expr, "")
		default:
			d.count(StructureSession, "breakpoint "+is.Expr+": hits", was.Hits, is.Hits)
			d.yes(StructureSession, "breakpoint on: "+is.Expr, was.Enabled, is.Enabled)
		}
	})
}

func paceText(perSecond float64) string {
	if perSecond == 0 {
		return "real time"
	}
	return fmt.Sprintf("%g/s", perSecond)
}

// differ collects changes up to a limit.
type differ struct {
	resource string
	limit    int
	changes  []Change
	more     int
}

// full counts a change that finds no place any more.
func (d *differ) full() bool {
	if len(d.changes) < d.limit {
		return false
	}
	d.more++
	return true
}

func (d *differ) changed(structure, key, text, was, is string) {
	if !d.full() {
		d.changes = append(d.changes, Change{d.resource, structure, key, text, was, is})
	}
}

// yes compares a fact that holds or not.
func (d *differ) yes(structure, what string, was, is bool) {
	switch {
	case is && !was:
		d.changed(structure, "", what, "", what)
	case was && !is:
		d.changed(structure, "", "no longer "+what, what, "")
	}
}

// says compares what something is said to be.
func (d *differ) says(structure, what, was, is string) {
	if was != is && !d.full() {
		d.changes = append(d.changes, Change{d.resource, structure, "", strings.TrimSpace(what + " " + arrow(was, is)), was, is})
	}
}

func (d *differ) count(structure, what string, was, is uint64) {
	if was != is {
		d.says(structure, what, fmt.Sprint(was), fmt.Sprint(is))
	}
}

// arrow is "was -> is", without a side that is empty.
func arrow(was, is string) string {
	switch {
	case was == "":
		return is
	case is == "":
		return was + " -> none"
	}
	return was + " -> " + is
}

// parts are what changed of one key or name, joined to one line.
type parts []string

func (p *parts) add(format string, args ...any) { *p = append(*p, fmt.Sprintf(format, args...)) }

func (p *parts) count(what string, was, is uint64) {
	if was != is {
		p.add("%s %d -> %d", what, was, is)
	}
}

func (p *parts) yes(what, not string, was, is bool) {
	switch {
	case is && !was:
		*p = append(*p, what)
	case was && !is:
		*p = append(*p, not)
	}
}

func (p parts) String() string { return strings.Join(p, ", ") }

// named calls f for each element of a or b, as they come in b; nil where there
// is none of that name.
func named[T any, N comparable](a, b []T, name func(*T) N, f func(was, is *T)) {
	find := func(s []T, n N) *T {
		for i := range s {
			if name(&s[i]) == n {
				return &s[i]
			}
		}
		return nil
	}
	for i := range b {
		f(find(a, name(&b[i])), &b[i])
	}
	for i := range a {
		if find(b, name(&a[i])) == nil {
			f(&a[i], nil)
		}
	}
}
