package life

import (
	"time"

	"informerscope/journal"
)

// Duration is a time that was spent.
type Duration = time.Duration

// Stage is where a passage spends its time.
type Stage uint8

// The stages, in the order of the pipeline.
const (
	ToFIFO    Stage = iota // decoded, not queued yet; the initial list gathers here
	InFIFO                 // a delta waits to be popped
	Process                // popped: the store changes, listeners are told
	InRing                 // in the listener's ring
	Handler                // the handler runs, until it calls Add
	Behind                 // added while a worker has the key: it waits for that Done
	InQueue                // in the workqueue
	Reconcile              // a worker has it, until Done
	Backoff                // failed: in the delaying queue
	NumStages
)

var stageNames = [NumStages]string{"to FIFO", "in FIFO", "process", "in ring", "handler", "behind", "in queue", "reconcile", "backoff"}

// String is the stage in words.
func (s Stage) String() string { return stageNames[s] }

// Waits reports whether nothing is done in the stage but to wait.
func (s Stage) Waits() bool {
	switch s {
	case InFIFO, InRing, Behind, InQueue, Backoff:
		return true
	}
	return false
}

// Outcomes of a passage that is over.
const (
	Reconciled = "reconciled"
	GaveUp     = "failed, not queued again"
	Superseded = "superseded" // a newer version took its place before it was queued
	Unknown    = "not queued: nobody knew the key"
	Handled    = "handled" // no handler called Add
	Refused    = "the queue is shut down"
)

// Spent is a time in a stage, and the event that ended it.
type Spent struct {
	Stage Stage
	For   Duration
	Seq   uint64
}

// Passage is one change on its way: what came at once, or was given to the
// workqueue by somebody. The times of Spent add up to Total.
type Passage struct {
	Number    int    // from 1
	Cause     string // ADDED, MODIFIED, DELETED, or without a watch event a delta's type, or what was called
	RV        string
	Start     time.Time
	Spent     []Spent
	Stage     Stage // in which it is, unless it is over
	Outcome   string
	Tombstone bool
	Coalesced bool // its Add met an earlier one, which serves it too
	Together  int  // deltas that were popped with its own, when above 1
	Shared    int  // passages that its last reconcile served
	Attempts  int  // reconciles
	Events    []journal.Event

	at       time.Time // until when Spent goes
	told     []told
	added    bool
	merged   bool // its delta took the place of the one before
	finished bool
}

// told is one listener's notification.
type told struct {
	name                    string
	notified, started, done journal.Event
}

// Over reports whether nothing more happens to it.
func (p *Passage) Over() bool { return p.finished }

// Total is how long it took so far: until it was over, or the newest of its
// events that ended a stage.
func (p *Passage) Total() Duration { return p.at.Sub(p.Start) }

// Since is how long it is in its stage at a time.
func (p *Passage) Since(now time.Time) Duration { return max(0, now.Sub(p.at)) }

// In is what it spent in a stage, in all attempts together.
func (p *Passage) In(s Stage) (d Duration) {
	for i := range p.Spent {
		if p.Spent[i].Stage == s {
			d += p.Spent[i].For
		}
	}
	return d
}

// Longest is the stage in which it waited longest; ok is false when it never
// waited.
func (p *Passage) Longest() (longest Spent, ok bool) {
	for _, s := range p.Spent {
		if s.Stage.Waits() && (!ok || s.For > longest.For) {
			longest, ok = s, true
		}
	}
	return longest, ok
}

// spend ends a stage with an event. A clock that was set back does not give
// time back.
func (p *Passage) spend(s Stage, e *journal.Event) Duration {
	d := max(0, e.Time.Sub(p.at))
	p.Spent = append(p.Spent, Spent{s, d, e.Seq})
	p.at = p.at.Add(d)
	return d
}

// settled reports whether it is over and all its handlers have returned.
func (p *Passage) settled() bool {
	for i := range p.told {
		if p.told[i].done.Seq == 0 {
			return false
		}
	}
	return p.finished
}

func (p *Passage) end(outcome string) { p.Outcome, p.finished = outcome, true }

// note keeps an event, once.
func (p *Passage) note(e *journal.Event) {
	if n := len(p.Events); n == 0 || p.Events[n-1].Seq < e.Seq {
		p.Events = append(p.Events, *e)
	}
}
