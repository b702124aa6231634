package state

import (
	"slices"
	"time"

	"informerscope/journal"
	"informerscope/journal/findings"
)

// Breakpoint is one that is set, with what it did.
type Breakpoint struct {
	ID      int64
	Expr    string // as package breakpoint parses it
	Enabled bool
	Hits    uint64
	LastSeq uint64    // of the newest event that it matched; 0 before the first
	LastHit time.Time // when that was
}

// Stop is why the engine stands still, when a breakpoint made it.
type Stop struct {
	Breakpoint int64 // its ID
	Expr       string
	Event      uint64 // the seq of what it matched
	Time       time.Time
	Resource   string // of that event, as Key is
	Key        string
}

// Breakpoints are those that are set, the oldest first. The slice is the
// caller's.
func (s *State) Breakpoints() []Breakpoint { return slices.Clone(s.breakpoints) }

// Stopped is the newest hit since the engine was resumed; ok is false when there
// was none.
func (s *State) Stopped() (stop Stop, ok bool) { return s.stop, s.stop.Event != 0 }

// FindingsSet is the fold of the findings, for who goes on from it. It is the
// caller's.
func (s *State) FindingsSet() *findings.Set { return s.findings.Clone() }

func (s *State) applyBreakpoint(e *journal.Event) {
	i := slices.IndexFunc(s.breakpoints, func(b Breakpoint) bool { return b.ID == e.ID() })
	switch {
	case e.Kind == journal.KindBreakpointSet:
		s.breakpoints = append(s.breakpoints, Breakpoint{ID: e.ID(), Expr: e.BreakpointSet().Breakpoint, Enabled: true})
	case i < 0:
	case e.Kind == journal.KindBreakpointCleared:
		s.breakpoints = slices.Delete(s.breakpoints, i, i+1)
	case e.Kind == journal.KindBreakpointEnabled:
		s.breakpoints[i].Enabled = e.BreakpointEnabled().State == journal.Enabled
	case e.Kind == journal.KindBreakpointHit:
		b := &s.breakpoints[i]
		b.Hits++
		b.LastSeq, b.LastHit = uint64(e.BreakpointHit().Seq), e.Time
		s.stop = Stop{b.ID, b.Expr, b.LastSeq, e.Time, e.Resource, e.Key}
	}
}
