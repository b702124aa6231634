package breakpoint

import (
	"context"

	"informerscope/journal"
	"informerscope/journal/history"
	"informerscope/journal/state"
)

// Enabled are the breakpoints of a state that count. One whose expression this
// program does not understand, as it may be in a recording, is left out.
func Enabled(s *state.State) (all []*Breakpoint) {
	for _, b := range s.Breakpoints() {
		if !b.Enabled {
			continue
		}
		if p, err := Parse(b.Expr); err == nil {
			all = append(all, p)
		}
	}
	return all
}

// findBlock is how many events are searched from one state, going back with a
// breakpoint that remembers.
const findBlock = 8192

// Find returns the first event from ... to, both included, that one of all
// matches, or 0. With from above to it goes back. What of the range is not kept
// is left out, and what all have seen does not count.
func Find(ctx context.Context, h history.History, all []*Breakpoint, from, to uint64) (seq uint64, err error) {
	first, last := h.Range()
	if last.Seq == 0 || len(all) == 0 || max(from, to) < first.Seq || min(from, to) > last.Seq {
		return 0, nil
	}
	from, to = min(max(from, first.Seq), last.Seq), min(max(to, first.Seq), last.Seq)
	remembers := false
	for _, b := range all {
		remembers = remembers || b.Remembers()
	}
	if from <= to || !remembers {
		return scan(ctx, h, all, from, to, false)
	}
	for high := from; ; {
		low := to
		if high-to >= findBlock {
			low = high - findBlock + 1
		}
		if seq, err := scan(ctx, h, all, low, high, true); seq != 0 || err != nil || low == to {
			return seq, err
		}
		high = low - 1
	}
}

// scan returns the first match from ... to, or the last.
func scan(ctx context.Context, h history.History, all []*Breakpoint, from, to uint64, wantLast bool) (seq uint64, err error) {
	set := &Set{}
	for i, b := range all {
		b = b.Clone()
		if b.Remembers() {
			// Of what comes before the first event that is kept nobody knows.
			if s, err := h.At(from - 1); err == nil {
				b.Prime(s)
			}
		}
		set.Add(i, b)
	}
	var hits []Hit
	err = h.Scan(ctx, from, to, func(e *journal.Event) bool {
		if hits = set.Match(e, hits[:0]); len(hits) > 0 {
			seq = e.Seq
		}
		return wantLast || seq == 0
	})
	return seq, err
}
