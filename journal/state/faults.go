package state

import (
	"slices"
	"time"

	"informerscope/journal"
)

// Fault is one that is armed on the wire.
type Fault struct {
	ID    int64
	Text  string // as a person types it
	Left  int64  // how often it may still strike; -1 is without end
	Hits  uint64
	Since time.Time
	For   time.Duration // how long it stays armed; 0 is until it is cleared
}

// Over reports whether the time of a fault has run out, which no event tells.
func (f *Fault) Over(now time.Time) bool { return f.For > 0 && !now.Before(f.Since.Add(f.For)) }

// Faults are those that are armed at now, the oldest first.
func (s *State) Faults(now time.Time) []Fault {
	return slices.DeleteFunc(slices.Clone(s.faults), func(f Fault) bool { return f.Over(now) })
}

func (s *State) applyFault(e *journal.Event) {
	i := slices.IndexFunc(s.faults, func(f Fault) bool { return f.ID == e.ID() })
	switch {
	case e.Kind == journal.KindFaultArmed && e.FaultArmed().Left != 0:
		x := e.FaultArmed()
		s.faults = append(s.faults, Fault{ID: x.ID, Text: x.Fault, Left: x.Left, Since: e.Time, For: x.For})
	case i < 0: // used up before it was told that it is armed
	case e.Kind == journal.KindFaultCleared || e.Kind == journal.KindFaultHit && e.FaultHit().Left == 0:
		s.faults = slices.Delete(s.faults, i, i+1)
	case e.Kind == journal.KindFaultHit:
		s.faults[i].Hits++
		s.faults[i].Left = e.FaultHit().Left
	}
}
