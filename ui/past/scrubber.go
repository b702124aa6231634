package past

import (
	"context"
	"math"
	"time"

	tea "charm.land/bubbletea/v2"

	"informerscope/journal"
	"informerscope/journal/history"
	"informerscope/ui/phrase"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/view"
)

// overviewCells is into how many parts of the kept time the events are counted:
// as many as the widest bar has columns.
const overviewCells = 512

// part is the place of t in first ... last, cut into n parts.
func part(t time.Time, first, last history.Point, n int) int {
	span := last.Time.Sub(first.Time)
	if span <= 0 {
		return 0
	}
	return min(max(0, int(float64(t.Sub(first.Time))/float64(span)*float64(n))), n-1)
}

// LookOver makes the overview of a history that was captured.
func (t *Traveller) LookOver() tea.Cmd {
	p := t.c.Past
	if p == nil || t.ticks.h == p.History {
		return nil
	}
	if t.ticks.stop != nil {
		t.ticks.stop()
	}
	ctx, cancel := context.WithCancel(context.Background())
	// The counts of the capture before stand until the new ones are there.
	t.ticks.h, t.ticks.stop = p.History, cancel
	h, first, last := p.History, p.First, p.Last
	return func() tea.Msg {
		defer cancel()
		made := overview{h: h, counts: make([]uint32, overviewCells)}
		err := h.Scan(ctx, first.Seq, last.Seq, func(e *journal.Event) bool {
			made.counts[part(e.Time, first, last, overviewCells)]++
			if e.Kind == journal.KindBreakpointHit {
				made.hits = append(made.hits, history.Point{Seq: e.Seq, Time: e.Time})
			}
			return true
		})
		if err != nil {
			return nil
		}
		if end, err := h.At(last.Seq); err == nil {
			for _, f := range end.Findings(last.Time) {
				made.wrong = append(made.wrong, history.Point{Seq: f.First, Time: f.Since})
			}
		}
		return view.Answer(func() {
			if t.c.Past != nil && t.ticks.h == h {
				t.ticks.counts, t.ticks.hits, t.ticks.wrong = made.counts, made.hits, made.wrong
				t.c.Redraw()
			}
		})
	}
}

// levels are the heights of the bar: how much happened.
var levels = []rune("▁▂▃▄▅▆▇█")

// Draw draws the kept time as a bar: how much happened when, the
// cursor, the marks by their letters, where findings began and where breakpoints
// stopped the engine.
func (t *Traveller) Draw(a screen.Area) {
	p := t.c.Past
	a.Fill(theme.Plain)
	var buf [32]byte
	pen := a.Pen(1, 0)
	pen.Bytes(theme.Dim, phrase.AppendOffset(buf[:0], p.First.Time.Sub(t.c.Start), 1)).Str(theme.Dim, "s ")
	end := phrase.AppendOffset(buf[:0], p.Last.Time.Sub(t.c.Start), 1)
	right := screen.Right(a, a.W-1, 0, theme.Dim, append(append(append([]byte(nil), ' '), end...), 's'))
	t.bar = a.Sub(pen.X, 0, max(1, right-pen.X), 1)
	bar := t.bar
	cursor := part(p.At, p.First, p.Last, bar.W)
	heights := t.ticks.heights(bar.W)
	for x := range bar.W {
		st := theme.Accent
		if x > cursor {
			st = theme.Border
		}
		bar.Rune(x, 0, st, levels[heights[x]])
	}
	tick := func(at time.Time, st screen.Style, r rune) {
		if !at.Before(p.First.Time) && !at.After(p.Last.Time) {
			bar.Rune(part(at, p.First, p.Last, bar.W), 0, st, r)
		}
	}
	for _, f := range t.ticks.wrong {
		tick(f.Time, theme.Alert, '!')
	}
	for _, hit := range t.ticks.hits {
		tick(hit.Time, theme.Warn, '◆')
	}
	for _, mk := range t.marks {
		tick(mk.time, theme.Hotkey, mk.letter)
	}
	bar.Rune(cursor, 0, theme.ChipPast, '┃')
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
func (t *Traveller) scrub(x int) {
	p := t.c.Past
	bar := t.bar
	if bar.W == 0 {
		return
	}
	x = min(max(0, x-bar.X), bar.W-1)
	t.stopPlaying()
	if x == bar.W-1 {
		t.wanted = p.Last.Seq
		return
	}
	span := p.Last.Time.Sub(p.First.Time)
	at := p.First.Time.Add(time.Duration(float64(span) * (float64(x) + 0.5) / float64(bar.W)))
	if seq, err := p.History.Seek(at); err == nil {
		t.wanted = seq
	}
}

// Press takes the cursor of the scrubber to a column, and holds it.
func (t *Traveller) Press(x int) {
	t.dragging = true
	t.scrub(x)
}

// Drag is what the mouse does between a press on the bar and its release.
func (t *Traveller) Drag(msg tea.Msg) {
	switch e := msg.(type) {
	case tea.MouseMotionMsg:
		if t.dragging && t.c.Past != nil && e.Button == tea.MouseLeft {
			t.scrub(e.X)
		}
	case tea.MouseReleaseMsg:
		t.dragging = false
	}
}
