package findings

import (
	"math"

	"informerscope/journal"
)

// detector finds one kind. What it remembers are its exported fields, which go
// into recordings as JSON; of what was reported the fold keeps the records.
//
// It has three clocks, all in nanoseconds and told by events: fold.now is the wall
// time, for rates, fold.run the time that has passed while the engine was not
// paused, for how long something takes, and fold.wire the same for what lives in
// requests and watches: a fake clock, which only steps move, says nothing of how
// long these have lasted, so that it stands still then. What depends on time alone is
// judged in ripen, which is also called at each event that finds the time come,
// before apply: so the same events lead to the same findings, whenever somebody
// looks in between.
type detector interface {
	// wants are the kinds of events that apply is for.
	wants() []journal.Kind
	// apply folds one event. It must be cheap: it runs under the journal's lock.
	apply(f *fold, e *journal.Event)
	// ripen reports what time has brought about, and returns the f.run at which
	// it is to be called next; never when only an event can change that. It is
	// called after each apply too if that has set f.sooner.
	ripen(f *fold) (next int64)
	// active reports whether what r is about goes on. It writes nothing.
	active(f *fold, r *record) bool
	// again reports whether new evidence for r begins it anew, so that it is
	// raised once more. It may not look at what the event at hand has changed.
	again(f *fold, r *record) bool
	// text is one sentence with the figures. It writes nothing.
	text(f *fold, r *record) string
	// clone is a copy that what is done to either does not change.
	clone() detector
}

const never = math.MaxInt64

// timeless is for detectors that nothing but events moves.
type timeless struct{}

func (timeless) ripen(*fold) int64 { return never }

// happens is for what has no duration, such as tombstones and rates: it is active
// for a while, and begins anew after it.
type happens struct{}

func (happens) active(f *fold, r *record) bool { return f.now-r.Last < recent }
func (happens) again(f *fold, r *record) bool  { return f.now-r.Last >= recent }

// lasts is for what goes on until fold.end is told of it.
type lasts struct{}

func (lasts) active(_ *fold, r *record) bool { return !r.Over }
func (lasts) again(_ *fold, r *record) bool  { return r.Over }

// fold is what a detector may use of its Set while it is called.
type fold struct {
	*Set
	kind int // index in kinds
	now  int64
	run  int64
	wire int64
}

// sooner asks for a call of ripen when f.run is at.
func (f *fold) sooner(at int64) { f.next = min(f.next, at) }

// soonerWire asks for a call of ripen when after more ns of f.wire have passed, which
// under a fake clock they never do.
func (f *fold) soonerWire(after int64) {
	if !f.fake {
		f.sooner(f.wire + after)
	}
}

// waits reports whether f.wire has not come to at, and then sets next to it where
// that is earlier. Under a fake clock it waits for ever.
func (f *fold) waits(at int64, next *int64) bool {
	switch {
	case f.fake:
	case at > f.wire:
		*next = min(*next, at)
	default:
		return false
	}
	return true
}

// report takes a piece of evidence: what is set in r of resource, key, name, Seq,
// Last, figures and note. Seq and Last 0 are those of the event at hand.
func (f *fold) report(e *journal.Event, r record) {
	if r.Seq == 0 {
		r.Seq, r.Last = e.Seq, e.Time.UnixNano()
	}
	k := &f.found[f.kind]
	at := id(r.Resource, r.Key, r.Name)
	old, known := k.Records.get(at)
	if !known && k.Records.len() >= kept && !f.makeRoom() {
		k.Missed++
		k.MissedLast = f.now
		return
	}
	raised := !known || k.Detector.again(f, &old)
	r.First, r.Since, r.Count = r.Seq, r.Last, 1
	if known {
		r.First, r.Since, r.Count = old.First, old.Since, old.Count+1
	}
	k.Records.set(at, r)
	if raised {
		k.Raised++
		f.raised = append(f.raised, raisedID{f.kind, at})
	}
}

// end notes that what was reported is over, with its last figure; of what was not
// reported nothing is noted.
func (f *fold) end(resource, key, name string, n int64) {
	k := &f.found[f.kind]
	at := id(resource, key, name)
	if r, ok := k.Records.get(at); ok {
		r.Over, r.N = true, n
		k.Records.set(at, r)
	}
}

// kept is how many records of a kind there are at most.
const kept = 256

// makeRoom forgets the older half of what is no longer active, once a second at
// most, and reports whether that was any.
func (f *fold) makeRoom() bool {
	k := &f.found[f.kind]
	if f.now-k.Swept < 1e9 && k.Swept != 0 {
		return false
	}
	k.Swept = f.now
	var over []int64
	k.Records.scan(func(_ string, r *record) {
		if !k.Detector.active(f, r) {
			over = append(over, r.Last)
		}
	})
	if len(over) == 0 {
		return false
	}
	until := median(over)
	var gone []string
	k.Records.scan(func(at string, r *record) {
		if r.Last <= until && !k.Detector.active(f, r) {
			gone = append(gone, at)
		}
	})
	for _, at := range gone {
		k.Records.delete(at)
	}
	return true
}
