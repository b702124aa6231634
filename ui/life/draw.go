package life

import (
	"strconv"
	"strings"
	"time"

	"informerscope/journal"
	"informerscope/journal/life"
	"informerscope/ui/phrase"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/view"
)

// lifeColumn is a column of times: of one stage, or of two that belong together
// where there is little room.
type lifeColumn struct {
	name   string
	stages []life.Stage
}

var (
	narrowColumns = []lifeColumn{
		{"FIFO", []life.Stage{life.ToFIFO, life.InFIFO}}, {"pop", []life.Stage{life.Process}}, {"ring", []life.Stage{life.InRing}},
		{"handle", []life.Stage{life.Handler}}, {"queue", []life.Stage{life.Behind, life.InQueue}},
		{"work", []life.Stage{life.Reconcile}}, {"retry", []life.Stage{life.Backoff}},
	}
	tinyColumns = []lifeColumn{
		{"FIFO", []life.Stage{life.ToFIFO, life.InFIFO, life.Process}}, {"handle", []life.Stage{life.InRing, life.Handler}},
		{"queue", []life.Stage{life.Behind, life.InQueue}}, {"work", []life.Stage{life.Reconcile}}, {"retry", []life.Stage{life.Backoff}},
	}
	wideColumns = func() (cs []lifeColumn) {
		for s := range life.NumStages {
			name := strings.TrimPrefix(s.String(), "in ")
			cs = append(cs, lifeColumn{name, []life.Stage{s}})
		}
		return cs
	}()
)

// Widths of the life's columns.
const (
	wideLife, narrowLife = 112, 74
	narrowTime, wideTime = 7, 10
	changeAt             = 6 // column of the change
)

// times are the columns for a width, the place of the first one and the width
// of each.
func (v *lifeView) times(w int) (cs []lifeColumn, at, each int) {
	if w >= wideLife {
		return wideColumns, w - len(wideColumns)*wideTime - 1, wideTime
	}
	if w < narrowLife {
		return tinyColumns, w - len(tinyColumns)*narrowTime - 1, narrowTime
	}
	return narrowColumns, w - len(narrowColumns)*narrowTime - 1, narrowTime
}

// Draw draws the figures of the life and its passages.
func (v *lifeView) Draw(c *view.Context, a screen.Area, _ bool) {
	v.update(c)
	a.Fill(theme.Plain)
	in := a.Box(theme.BorderFocus)
	pen := a.Pen(2, 0)
	pen.End = a.W - 2
	pen.Str(theme.BorderFocus, "▸").Fit(theme.TitleFocus, "Life of "+v.Key+" in "+v.Resource, a.W-24).Str(theme.BorderFocus, " ")
	y := v.drawSummary(c, in)
	in.HLine(y, theme.Border, '╶', '─', '╴')
	v.drawNames(in, y+1)
	y += 2
	v.area = in.Sub(0, y, in.W, in.H-y)
	v.list.Resize(len(v.rows), v.area.H)
	if v.tail {
		v.list.Set(len(v.rows) - 1)
	}
	for i := v.list.Top(); i < v.list.End(); i++ {
		row := v.area.Sub(0, i-v.list.Top(), v.area.W, 1)
		v.drawRow(c, row, v.rows[i])
		if i == v.list.Cursor() && !v.tail {
			view.SelectRow(row, 0)
		}
	}
	switch {
	case v.Moving():
		text := "Reading the recording: " + strconv.FormatUint(v.scan.done.Load()*100/v.scan.total, 10) + " %"
		view.Explain(v.area, text)
	case len(v.rows) == 0:
		view.Explain(v.area, "Nothing has happened to this key here. It is followed as soon as something does.")
	}
	if v.list.Len() > v.list.Height() {
		view.DrawPosition(a, a.W-2, &v.list)
	}
	foot := " following the newest "
	if !v.tail {
		foot = " end follows the newest "
	}
	screen.Text(a, 2, a.H-1, theme.Dim, foot)
}

// drawSummary draws the life in a few figures and returns the line after them.
func (v *lifeView) drawSummary(c *view.Context, a screen.Area) int {
	l := v.life
	s := l.Summary(c.Now)
	var buf [32]byte
	pen := a.Pen(1, 0)
	pen.End = a.W - 1
	num := func(name string, n int) *screen.Pen {
		pen.Str(theme.Dim, name).Str(theme.Dim, " ").Int(theme.Strong, int64(n))
		return &pen
	}
	num("versions", l.Versions)
	num("  changes", s.Passages)
	if open := s.Passages - s.Over; open > 0 {
		pen.Str(theme.Plain, ", ").Int(theme.Accent, int64(open)).Str(theme.Plain, " under way")
	}
	num("  reconciles", l.Reconciles)
	if l.Failures > 0 {
		pen.Str(theme.Plain, ", ").Int(theme.Warn, int64(l.Failures)).Str(theme.Plain, " failed")
	}
	if l.Coalesced > 0 {
		num("  Adds coalesced", l.Coalesced)
	}
	pen = a.Pen(1, 1)
	pen.End = a.W - 1
	if s.WaitFor > 0 {
		pen.Str(theme.Dim, "waited longest ").Str(theme.Warn, waitText(s.Wait)).Str(theme.Plain, " ").Bytes(theme.Strong, journal.AppendShort(buf[:0], s.WaitFor)).Str(theme.Dim, " (change ").Int(theme.Dim, int64(s.WaitIn)).Str(theme.Dim, ")")
	} else {
		pen.Str(theme.Dim, "waited nowhere yet")
	}
	if p := s.Slowest; p != nil {
		text := ""
		if a.W >= wideLife {
			text = "  slowest to the end of its reconcile "
		} else {
			text = "  slowest "
		}
		pen.Str(theme.Dim, text).Bytes(theme.Strong, journal.AppendShort(buf[:0], p.Total())).Str(theme.Dim, " (change ").Int(theme.Dim, int64(p.Number)).Str(theme.Dim, ")")
		pen.Str(theme.Dim, "  mean ").Bytes(theme.Plain, journal.AppendShort(buf[:0], s.Mean))
	}
	if v.from <= 1 {
		return 2
	}
	pen = a.Pen(1, 2)
	pen.End = a.W - 1
	first := phrase.Count(v.from)
	if v.scan != nil {
		pen.Str(theme.Warn, "The file begins at event ").Str(theme.Warn, first).Str(theme.Warn, ": what was before is not in it.")
	} else {
		pen.Str(theme.Warn, "What was before event ").Str(theme.Warn, first).Str(theme.Warn, " is no longer kept.")
	}
	return 3
}

// waitText is a stage as one waits there.
func waitText(s life.Stage) string {
	switch s {
	case life.ToFIFO:
		return "before the FIFO"
	case life.InFIFO:
		return "in the FIFO"
	case life.Process:
		return "being processed"
	case life.Handler:
		return "in the handler"
	case life.Reconcile:
		return "in a reconcile"
	case life.Behind:
		return "behind a reconcile"
	case life.Backoff:
		return "in backoff"
	case life.InRing:
		return "in the ring"
	case life.InQueue:
		return "in the queue"
	}
	return s.String()
}

func (v *lifeView) drawNames(a screen.Area, y int) {
	cs, at, each := v.times(a.W)
	screen.Text(a, 3, y, theme.Dim, "#")
	screen.Fit(a, changeAt, y, at-changeAt-6, theme.Dim, "change")
	screen.Right(a, at, y, theme.Dim, "total")
	for i, c := range cs {
		screen.Right(a, at+(i+1)*each, y, theme.Dim, c.name)
	}
}

func (v *lifeView) drawRow(c *view.Context, a screen.Area, r lifeRow) {
	switch {
	case r.event == rowTimes:
		v.drawTimes(c, a, r.p)
	case r.event == rowNote:
		screen.Fit(a, changeAt, 0, a.W-changeAt-1, theme.Dim, noteOf(r.p, c.Now))
	default:
		v.drawEvent(a, r.p, &r.p.Events[r.event])
	}
}

func (v *lifeView) drawTimes(c *view.Context, a screen.Area, p *life.Passage) {
	cs, at, each := v.times(a.W)
	var buf [64]byte
	sign, st := ' ', theme.Strong
	switch {
	case !p.Over():
		sign = '>'
	case p.Outcome == life.GaveUp:
		sign, st = '!', theme.Warn
	}
	a.Rune(1, 0, theme.Accent, sign)
	screen.Right(a, changeAt-1, 0, theme.Dim, strconv.AppendInt(buf[:0], int64(p.Number), 10))
	b := append(buf[:0], p.Cause...)
	if p.RV != "" {
		b = append(append(b, '@'), p.RV...)
	}
	screen.Fit(a, changeAt, 0, at-changeAt-7, st, b)
	total := p.Total()
	if !p.Over() {
		total += p.Since(c.Now)
		c.Tenths = true
	}
	screen.Right(a, at, 0, theme.Strong, journal.AppendShort(buf[:0], total))
	longest, waited := p.Longest()
	for i, col := range cs {
		var d time.Duration
		now, most := false, false
		for _, s := range col.stages {
			d += p.In(s)
			if !p.Over() && p.Stage == s {
				now = true
				d += p.Since(c.Now)
			}
			most = most || waited && longest.Stage == s && longest.For > 0
		}
		st, b := theme.Plain, buf[:0]
		switch {
		case now:
			st, b = theme.Accent, journal.AppendShort(append(b, '>'), d)
		case d == 0:
			st, b = theme.Dim, append(b, '-')
		default:
			b = journal.AppendShort(b, d)
			if most {
				st, b = theme.Warn, append(b, '*')
			}
		}
		end := at + (i+1)*each
		if !most || now {
			end-- // the sign of the longest wait stands beside the column
		}
		screen.Right(a, end, 0, st, b)
	}
}

// noteOf says of a passage what its times do not.
func noteOf(p *life.Passage, now time.Time) string {
	var parts []string
	say := func(s string) { parts = append(parts, s) }
	if p.Over() {
		say(p.Outcome)
	} else {
		say("now " + waitText(p.Stage))
	}
	if longest, ok := p.Longest(); ok && longest.For > 0 && p.Total() > 0 {
		say("waited longest " + waitText(longest.Stage) + ": " + strconv.Itoa(int(longest.For*100/p.Total())) + " % of " + journal.Short(p.Total()))
	}
	if p.Attempts > 1 {
		say(strconv.Itoa(p.Attempts) + " reconciles")
	}
	if p.Shared == 2 {
		say("one reconcile served it and another change")
	} else if p.Shared > 2 {
		say("one reconcile served it and " + strconv.Itoa(p.Shared-1) + " other changes")
	}
	if p.Coalesced {
		say("its Add met an earlier one")
	}
	if p.Together > 1 {
		say(strconv.Itoa(p.Together) + " changes were popped at once")
	}
	if p.Tombstone {
		say("tombstone")
	}
	return strings.Join(parts, ", ")
}

// drawEvent draws an event of a passage by the time since its beginning.
func (v *lifeView) drawEvent(a screen.Area, p *life.Passage, e *journal.Event) {
	var buf [256]byte
	since := journal.AppendShort(append(buf[:0], '+'), max(0, e.Time.Sub(p.Start)))
	screen.Right(a, changeAt+8, 0, theme.Dim, since)
	x := changeAt + 10
	screen.Text(a, x, 0, theme.Dim, phrase.StageNames[e.Kind.Stage()])
	b := buf[:0]
	if e.Kind.Stage() == journal.StageListener {
		b = append(append(b, e.Listener()...), ' ')
	}
	screen.Fit(a, x+8, 0, a.W-x-9, phrase.DetailStyle(e), phrase.AppendBrief(b, e))
}
