package ui

import (
	"context"
	"math"
	"time"

	tea "charm.land/bubbletea/v2"

	"informerscope/journal"
	"informerscope/journal/history"
	"informerscope/ui/screen"
)

// overviewCells is into how many parts of the kept time the events are counted:
// as many as the widest bar has columns.
const overviewCells = 512

// overview is what the scrubber shows of a history beside the cursor. It is made
// beside the screen, once for each history that is captured.
type overview struct {
	h      history.History // that it is of, or is being made of
	counts []uint32        // events in each part of the time; nil: not made yet
	hits   []history.Point // of breakpoints
	wrong  []history.Point // where findings began
	stop   context.CancelFunc
}

// overviewMsg brings a finished overview.
type overviewMsg struct {
	h      history.History
	counts []uint32
	hits   []history.Point
	wrong  []history.Point
}

// part is the place of t in first ... last, cut into n parts.
func part(t time.Time, first, last history.Point, n int) int {
	span := last.Time.Sub(first.Time)
	if span <= 0 {
		return 0
	}
	return min(max(0, int(float64(t.Sub(first.Time))/float64(span)*float64(n))), n-1)
}

// lookOver makes the overview of a history that was captured.
func (m *model) lookOver() tea.Cmd {
	p := m.past
	if p == nil || p.ticks.h == p.h {
		return nil
	}
	if p.ticks.stop != nil {
		p.ticks.stop()
	}
	ctx, cancel := context.WithCancel(context.Background())
	// The counts of the capture before stand until the new ones are there.
	p.ticks.h, p.ticks.stop = p.h, cancel
	h, first, last := p.h, p.first, p.last
	return func() tea.Msg {
		defer cancel()
		msg := overviewMsg{h: h, counts: make([]uint32, overviewCells)}
		err := h.Scan(ctx, first.Seq, last.Seq, func(e *journal.Event) bool {
			msg.counts[part(e.Time, first, last, overviewCells)]++
			if e.Kind == journal.KindBreakpointHit {
				msg.hits = append(msg.hits, history.Point{Seq: e.Seq, Time: e.Time})
			}
			return true
		})
		if err != nil {
			return nil
		}
		if end, err := h.At(last.Seq); err == nil {
			for _, f := range end.Findings(last.Time) {
				msg.wrong = append(msg.wrong, history.Point{Seq: f.First, Time: f.Since})
			}
		}
		return msg
	}
}

func (m *model) lookedOver(msg overviewMsg) {
	if p := m.past; p != nil && p.ticks.h == msg.h {
		p.ticks.counts, p.ticks.hits, p.ticks.wrong = msg.counts, msg.hits, msg.wrong
		m.dirty = true
	}
}

// levels are the heights of the bar: how much happened.
var levels = []rune("▁▂▃▄▅▆▇█")

// drawScrubber draws the kept time as a bar: how much happened when, the
// cursor, the marks by their letters, where findings began and where breakpoints
// stopped the engine.
func (m *model) drawScrubber(a screen.Area) {
	p := m.past
	a.Fill(plain)
	var buf [32]byte
	pen := a.Pen(1, 0)
	pen.Bytes(dim, appendOffset(buf[:0], p.first.Time.Sub(m.start), 1)).Str(dim, "s ")
	end := appendOffset(buf[:0], p.last.Time.Sub(m.start), 1)
	right := screen.Right(a, a.W-1, 0, dim, append(append(append([]byte(nil), ' '), end...), 's'))
	m.lay.bar = a.Sub(pen.X, 0, max(1, right-pen.X), 1)
	bar := m.lay.bar
	cursor := part(p.at, p.first, p.last, bar.W)
	heights := p.ticks.heights(bar.W)
	for x := range bar.W {
		st := accent
		if x > cursor {
			st = border
		}
		bar.Rune(x, 0, st, levels[heights[x]])
	}
	tick := func(t time.Time, st screen.Style, r rune) {
		if !t.Before(p.first.Time) && !t.After(p.last.Time) {
			bar.Rune(part(t, p.first, p.last, bar.W), 0, st, r)
		}
	}
	for _, f := range p.ticks.wrong {
		tick(f.Time, alert, '!')
	}
	for _, hit := range p.ticks.hits {
		tick(hit.Time, warn, '◆')
	}
	for _, mk := range m.marks {
		tick(mk.time, hotkey, mk.letter)
	}
	bar.Rune(cursor, 0, chipPast, '┃')
}

// heights are the places in levels of w columns. Little is seen beside much:
// heights grow with the root.
func (o *overview) heights(w int) []int {
	out := make([]int, w)
	if len(o.counts) == 0 {
		return out
	}
	sums, most := make([]float64, w), 0.0
	for i, n := range o.counts {
		x := i * w / len(o.counts)
		sums[x] += float64(n)
	}
	if w > len(o.counts) {
		for x := range sums {
			sums[x] = float64(o.counts[x*len(o.counts)/w])
		}
	}
	for _, s := range sums {
		most = max(most, s)
	}
	for x, s := range sums {
		if s > 0 {
			out[x] = 1 + int(math.Sqrt(s/most)*float64(len(levels)-2)+0.5)
		}
	}
	return out
}

// scrub moves the cursor to a column of the bar, at once or with the next frame.
func (m *model) scrub(x int) {
	p := m.past
	bar := m.lay.bar
	if bar.W == 0 {
		return
	}
	x = min(max(0, x-bar.X), bar.W-1)
	m.stopPlaying()
	if x == bar.W-1 {
		p.wanted = p.last.Seq
		return
	}
	span := p.last.Time.Sub(p.first.Time)
	t := p.first.Time.Add(time.Duration(float64(span) * (float64(x) + 0.5) / float64(bar.W)))
	if seq, err := p.h.Seek(t); err == nil {
		p.wanted = seq
	}
}

// drag is what the mouse does between a press on the bar and its release.
func (m *model) drag(msg tea.Msg) {
	switch e := msg.(type) {
	case tea.MouseMotionMsg:
		if m.dragging && m.past != nil && e.Button == tea.MouseLeft {
			m.scrub(e.X)
		}
	case tea.MouseReleaseMsg:
		m.dragging = false
	}
}
