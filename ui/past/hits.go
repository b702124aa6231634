package past

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"informerscope/journal"
	"informerscope/journal/breakpoint"
	"informerscope/journal/history"
	"informerscope/journal/state"
	"informerscope/ui/phrase"
	"informerscope/ui/view"
)

// FindHit looks, beside the screen, for the nearest event before or after the
// cursor that a breakpoint matches. StopSearch ends that.
func (t *Traveller) FindHit(d int) tea.Cmd {
	if t.c.Past == nil && d > 0 {
		t.c.Refuse("this is now: nothing has happened after it")
		return nil
	}
	if t.c.Past == nil || d > 0 {
		if !t.did(t.capture()) {
			return nil
		}
	}
	p := *t.c.Past
	t.exitUnseen() // until there is a place to go to
	t.StopSearch()
	search := hitSearch{h: p.History, first: p.First.Seq, last: p.Last.Seq, cursor: t.c.State.Seq}
	if !p.Recording {
		search.now = t.c.Source.Snapshot()
	}
	ctx, cancel := context.WithCancel(context.Background())
	t.stopSearch = cancel
	t.c.Say("looking for an event that a breakpoint matches ...")
	return func() tea.Msg {
		seq, err := search.find(ctx, d)
		return view.Answer(func() {
			if ctx.Err() == nil {
				t.StopSearch()
				t.foundHit(d, seq, err)
			}
		})
	}
}

// hitSearch looks for hits in a history: events that a breakpoint which counts
// matches, and those at which one has stopped the engine.
type hitSearch struct {
	h                   history.History
	now                 *state.State // whose breakpoints count; nil: that at the end of h
	first, last, cursor uint64
}

func (s hitSearch) find(ctx context.Context, d int) (seq uint64, err error) {
	from, to := s.cursor+1, s.last
	if d < 0 {
		from, to = s.cursor-1, s.first
	}
	if d < 0 && s.cursor <= s.first || d > 0 && s.cursor >= s.last {
		return 0, nil
	}
	if s.now == nil {
		if s.now, err = s.h.At(s.last); err != nil {
			return 0, err
		}
	}
	if seq, err = breakpoint.Find(ctx, s.h, breakpoint.Enabled(s.now), from, to); err != nil {
		return 0, err
	}
	if seq != 0 {
		to = seq // a stop counts when it is nearer
	}
	err = s.h.Scan(ctx, from, to, func(e *journal.Event) bool {
		hit := uint64(e.BreakpointHit().Seq)
		if e.Kind != journal.KindBreakpointHit || d < 0 && hit >= s.cursor || d > 0 && hit <= s.cursor {
			return true
		}
		if seq == 0 || d < 0 && hit > seq || d > 0 && hit < seq {
			seq = hit
		}
		return false
	})
	return seq, err
}

func (t *Traveller) foundHit(d int, seq uint64, err error) {
	where := "before"
	if d > 0 {
		where = "after"
	}
	switch {
	case err != nil:
		t.c.Refuse(err.Error())
	case seq == 0:
		t.c.Refuse("no breakpoint matches an event " + where + " this one; b lists the breakpoints")
	case t.did(t.jump(seq)):
		t.c.Say("event " + phrase.Count(seq) + ": " + phrase.Event(t.c.State, seq))
	}
}
