// Package history gives the state after any event that is kept: of a running
// session, or of a recording. Both go the same way: from the newest keyframe,
// a snapshot of the fold, that is not younger, and from there on by the fold
// that also makes the live state. The package imports journal and state.
package history

import (
	"context"
	"fmt"
	"sort"
	"time"

	"informerscope/journal"
	"informerscope/journal/state"
)

// Point is a place in a journal.
type Point struct {
	Seq  uint64 // 0 is before the first event
	Time time.Time
}

// History is a past that does not change. It is safe for concurrent use.
type History interface {
	// Range returns the oldest and the newest event that At can go to.
	Range() (first, last Point)
	// At returns the state after event seq. Its Journal ends with that event, and
	// begins where the ring in memory would, or later.
	At(seq uint64) (*state.State, error)
	// Seek returns the newest event at or before t, or the first when all are younger.
	Seek(t time.Time) (uint64, error)
	// Scan calls f with the events from ... to, both included, the other way
	// round when from is above to, until f returns false or ctx ends, whose error
	// it returns. What is outside of the range is left out. f must not keep the
	// event.
	Scan(ctx context.Context, from, to uint64, f func(*journal.Event) bool) error
}

// Fold returns the state that base, a snapshot, becomes by the events up to
// seq. each hands out the events after base in order, as long as it is told to.
func Fold(base *state.State, seq uint64, view journal.View, each func(func(*journal.Event) bool)) *state.State {
	f := state.Resume(base)
	each(func(e *journal.Event) bool {
		if e.Seq <= seq {
			f.Apply(e)
		}
		return e.Seq < seq
	})
	return f.Snapshot(view)
}

// Gone is the error for an event that is not kept.
type Gone struct {
	Seq         uint64
	First, Last uint64
}

// Error says what is kept.
func (g *Gone) Error() string {
	if g.Last == 0 {
		return "nothing has happened yet"
	}
	return fmt.Sprintf("event %d is not kept: %d to %d are", g.Seq, g.First, g.Last)
}

// Keyframes are snapshots of a fold, oldest first. They are for one goroutine,
// or under a lock.
type Keyframes struct {
	every  uint64
	frames []*state.State
}

// NewKeyframes returns Keyframes that are to be taken once in every events.
func NewKeyframes(every int) *Keyframes { return &Keyframes{every: uint64(max(1, every))} }

// Due reports whether a keyframe is to be taken after the event seq.
func (k *Keyframes) Due(seq uint64) bool { return seq%k.every == 0 }

// Add takes a keyframe that is younger than those before, and lets go those
// from which nothing can be folded any more, as the events after them fell off:
// dropped is the newest that did.
func (k *Keyframes) Add(s *state.State, dropped uint64) {
	from := 0
	for from < len(k.frames) && k.frames[from].Seq < dropped {
		from++
	}
	// A new slice: a Past may hold the old one.
	k.frames = append(append(make([]*state.State, 0, len(k.frames)-from+1), k.frames[from:]...), s)
}

// Past returns what can be gone back to now: view is what the journal keeps.
func (k *Keyframes) Past(view journal.View) *Past {
	frames := k.frames
	for len(frames) > 0 && frames[0].Seq < view.Dropped() {
		frames = frames[1:]
	}
	return &Past{view: view, frames: frames}
}

// Past is the History of a session at one moment. It keeps the events and
// objects of that moment in memory.
type Past struct {
	view   journal.View
	frames []*state.State // oldest first
}

var _ History = (*Past)(nil)

// Range is part of History.
func (p *Past) Range() (first, last Point) {
	if len(p.frames) == 0 || p.view.Last() == 0 {
		return Point{}, Point{}
	}
	at := func(seq uint64) Point {
		if e := p.view.Find(seq); e != nil {
			return Point{seq, e.Time}
		}
		return Point{Seq: seq}
	}
	return at(max(p.frames[0].Seq, p.view.Dropped()+1)), at(p.view.Last())
}

// At is part of History.
func (p *Past) At(seq uint64) (*state.State, error) {
	first, last := p.Range()
	if seq < first.Seq || seq > last.Seq || last.Seq == 0 {
		return nil, &Gone{seq, first.Seq, last.Seq}
	}
	i := sort.Search(len(p.frames), func(i int) bool { return p.frames[i].Seq > seq }) - 1
	base := p.frames[i]
	return Fold(base, seq, p.view.Until(seq), func(f func(*journal.Event) bool) {
		for n := base.Seq + 1; n <= seq && f(p.view.Find(n)); n++ {
		}
	}), nil
}

// Seek is part of History.
func (p *Past) Seek(t time.Time) (uint64, error) {
	first, last := p.Range()
	if last.Seq == 0 {
		return 0, &Gone{}
	}
	n := sort.Search(int(last.Seq-first.Seq), func(i int) bool { return p.view.Find(first.Seq + 1 + uint64(i)).Time.After(t) })
	return first.Seq + uint64(n), nil
}

// Scan is part of History.
func (p *Past) Scan(ctx context.Context, from, to uint64, f func(*journal.Event) bool) error {
	first, last := p.Range()
	if last.Seq == 0 {
		return nil
	}
	step := uint64(1)
	if from > to {
		step--
		step-- // backwards
	}
	outside := func(n uint64) bool { return n < first.Seq || n > last.Seq }
	if outside(from) && outside(to) && (from < first.Seq) == (to < first.Seq) {
		return nil
	}
	from, to = clamp(from, first.Seq, last.Seq), clamp(to, first.Seq, last.Seq)
	for n := from; ; n += step {
		if (n == from || n%1024 == 0) && ctx.Err() != nil {
			return ctx.Err()
		}
		if !f(p.view.Find(n)) || n == to {
			return nil
		}
	}
}

func clamp(n, low, high uint64) uint64 { return min(max(n, low), high) }
