package breakpoint

import (
	"informerscope/journal"
	"informerscope/journal/state"
)

// moving are the kinds of events after which a Reflector may have another
// resourceVersion, or that tell whether it has.
var moving = kinds(journal.KindListDone, journal.KindWatchStarted, journal.KindWatchEvent, journal.KindWatchBookmark)

// versions are the resourceVersions that the Reflectors have, by resource. They
// go as state.Reflector's.
type versions struct{ of map[string]version }

type version struct {
	rv      string
	initial bool // a WatchList streams its initial events, whose RVs are in no order
}

// backwards takes an event and reports whether it made an RV older.
func (v *versions) backwards(e *journal.Event) bool {
	if !moving.has(e.Kind) {
		return false
	}
	now := v.of[e.Resource]
	was := now.rv
	switch e.Kind {
	case journal.KindWatchStarted:
		now.initial = e.WatchStarted().Verb == journal.VerbWatchList
	case journal.KindListDone:
		now.initial = false
		if !e.Has(journal.Partial) {
			now.rv = e.RV
		}
	case journal.KindWatchBookmark:
		if e.Has(journal.Initial) {
			now.initial = false
		}
		fallthrough
	case journal.KindWatchEvent:
		if !now.initial {
			now.rv = e.RV
		}
	}
	if v.of == nil {
		v.of = map[string]version{}
	}
	v.of[e.Resource] = now
	return journal.OlderRV(now.rv, was)
}

func (v *versions) prime(s *state.State) {
	v.of = map[string]version{}
	for _, r := range s.Resources {
		name := r.Name
		if base, _, ok := r.Lane(); ok {
			name = base // whose Reflector the lanes share
		}
		v.of[name] = version{rv: r.Reflector.RV, initial: r.Reflector.Phase == state.PhaseWatchList}
	}
}
