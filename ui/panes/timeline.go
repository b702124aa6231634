package panes

import (
	"slices"

	"informerscope/journal"
	"informerscope/ui/filter"
	"informerscope/ui/phrase"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/view"
	"informerscope/ui/viewer"
	"informerscope/ui/vlist"
)

// timelinePane shows the journal's events as they happen.
type timelinePane struct {
	list   vlist.List
	follow bool   // the cursor is on the newest event
	at     uint64 // Seq of the selected event
	all    bool   // of all resources
	only   journal.Stage
	flt    filter.Filter

	// seqs are the events that are shown, oldest first. It follows the
	// journal: each event is looked at once.
	seqs []uint64
	of   string // what seqs is for
	from uint64 // events that had fallen off when the first one was seen
	upTo uint64 // events seen
	line []byte
}

var _ pane = (*timelinePane)(nil)

// stages in the order in which s goes through them.
var stages = []journal.Stage{"", journal.StageWire, journal.StageReflector, journal.StageFIFO, journal.StageIndexer,
	journal.StageListener, journal.StageQueue, journal.StageWorker, journal.StageStores, journal.StageControl}

func (p *timelinePane) title(c *view.Context, b []byte, w int) []byte {
	if p.flt.On() {
		b = append(filter.AppendShown(b, &p.flt, len(p.seqs), -1), ", "...)
	}
	if p.only != "" {
		b = append(append(b, "only "...), p.only...)
		b = append(b, ", "...)
	}
	if p.all {
		b = append(b, "all resources, "...)
	}
	if p.follow {
		b = append(b, "following"...)
	} else {
		if below := p.list.Len() - p.list.End(); below > 0 {
			b = screen.AppendCount(b, int64(below))
			b = append(b, " below, "...)
		}
		b = append(b, "G follows"...)
	}
	return b
}

func (p *timelinePane) foot(c *view.Context, b []byte, w int) []byte {
	if d := c.State.Journal.Dropped(); d > 0 {
		b = screen.AppendCount(b, int64(d))
		b = append(b, " fell off"...)
		if c.State.Journal.Heavy() {
			b = append(b, ": their objects are large"...)
		}
	}
	return b
}

// update looks at the events that are new.
func (p *timelinePane) update(c *view.Context) {
	v := c.State.Journal
	of := c.Name + "\x00" + string(p.only) + "\x00" + p.flt.Text
	if p.all {
		of = "\x00" + of
	}
	if p.of != of {
		p.of, p.upTo, p.seqs = of, 0, p.seqs[:0]
	}
	if p.upTo > v.Last() {
		// The view went back in time.
		i, _ := slices.BinarySearch(p.seqs, v.Last()+1)
		p.seqs, p.upTo = p.seqs[:i], v.Last()
	}
	if v.Dropped() < p.from {
		p.upTo, p.seqs = 0, p.seqs[:0]
	}
	if p.upTo == 0 {
		p.from = v.Dropped()
	}
	if d := v.Dropped(); d > 0 {
		p.upTo, p.from = max(p.upTo, d), max(p.from, d)
		if i, _ := slices.BinarySearch(p.seqs, d+1); i > 0 {
			p.seqs = slices.Delete(p.seqs, 0, i)
		}
	}
	for ; p.upTo < v.Last(); p.upTo++ {
		if e := v.Find(p.upTo + 1); p.shows(c, e) {
			p.seqs = append(p.seqs, e.Seq)
		}
	}
}

func (p *timelinePane) shows(c *view.Context, e *journal.Event) bool {
	if !p.all && e.Resource != "" && e.Resource != c.Name {
		return false
	}
	if p.only != "" && e.Kind.Stage() != p.only {
		return false
	}
	if !p.flt.On() {
		return true
	}
	b := append(p.line[:0], phrase.StageNames[e.Kind.Stage()]...)
	b = append(append(b, ' '), e.Kind.String()...)
	b = append(append(b, ' '), e.Resource...)
	b = append(append(b, ' '), e.Key...)
	p.line = e.AppendDetails(append(b, ' '))
	return p.flt.Match(string(p.line))
}

func (p *timelinePane) draw(c *view.Context, a screen.Area, focused bool) {
	p.update(c)
	n := len(p.seqs)
	if p.follow {
		p.list.Resize(n, a.H)
		p.list.Set(n - 1)
	} else {
		// Events that fell off above move the rows: the selected one stays.
		i, _ := slices.BinarySearch(p.seqs, p.at)
		if d := i - p.list.Cursor(); d != 0 {
			p.list.Resize(max(n, p.list.Len()), a.H)
			p.list.Anchor(i)
		}
		p.list.Resize(n, a.H)
	}
	if n == 0 {
		if p.flt.On() || p.only != "" {
			view.Explain(a, "No event matches; esc clears the filter, s changes the stage.")
		} else {
			view.Explain(a, "No events yet.")
		}
		return
	}
	p.at = p.seqs[p.list.Cursor()]
	for i := p.list.Top(); i < p.list.End(); i++ {
		y := i - p.list.Top()
		if e := c.State.Journal.Find(p.seqs[i]); e != nil {
			p.drawEvent(c, a, y, e)
		}
		if focused && i == p.list.Cursor() {
			view.SelectRow(a, y)
		}
	}
}

// Widths of the columns of a wide Timeline.
const wideTimeline, detailWidth = 70, 26

// kindWidth leaves a space after the longest name of a kind.
var kindWidth = func() int {
	w := 0
	for _, k := range journal.Kinds() {
		w = max(w, len(phrase.KindName(k)))
	}
	return w + 1
}()

func (p *timelinePane) drawEvent(c *view.Context, a screen.Area, y int, e *journal.Event) {
	sign, st := c.Marker(e.Key)
	a.Rune(0, y, st, sign)
	var buf [512]byte
	pen := a.Pen(1, y)
	wide := a.W >= wideTimeline
	digits, stageAt := 3, 10
	if !wide {
		digits, stageAt = 2, 8
	}
	pen.Bytes(theme.Dim, phrase.AppendOffset(buf[:0], e.Time.Sub(c.Start), digits))
	pen.Str(theme.Dim, " ").To(stageAt)
	x := pen.X
	pen.Str(theme.Dim, phrase.StageNames[e.Kind.Stage()])
	if !wide {
		p.drawBrief(a, x+7, y, st, e, len(c.Resource.Listeners) > 1)
		return
	}
	kst := theme.Plain
	if phrase.IsFailure(e.Kind) {
		kst = theme.Warn
	}
	pen.To(x+8).Str(kst, phrase.KindName(e.Kind)).To(x + 8 + kindWidth)
	if p.all {
		pen.Fit(theme.Dim, e.Resource, 12)
		pen.To(x + 8 + kindWidth + 13)
	}
	if e.Key != "" {
		room := a.W - pen.X
		keyEnd := pen.X + min(40, max(room/2, room-detailWidth))
		pen.X = phrase.FitKey(a, pen.X, y, keyEnd-pen.X-1, st, e.Key)
		pen.To(keyEnd)
	}
	screen.Fit(a, pen.X, y, a.W-pen.X, phrase.DetailStyle(e), e.AppendDetails(buf[:0]))
}

// drawBrief draws the key and what happened to it where there is no room for
// columns; the key gives way first. named says which handler a notification is
// for.
func (p *timelinePane) drawBrief(a screen.Area, x, y int, st screen.Style, e *journal.Event, named bool) {
	var buf [512]byte
	b := buf[:0]
	if named && e.Kind.Stage() == journal.StageListener && e.Key != "" {
		b = append(append(b, e.Listener()...), ' ')
	}
	b = phrase.AppendBrief(b, e)
	if e.Key != "" {
		room := a.W - x
		w := max(min(9, room/2), room-1-screen.Width(a.Canvas(), b))
		x = phrase.FitKey(a, x, y, w, st, e.Key) + 1
	}
	screen.Fit(a, x, y, a.W-x, phrase.DetailStyle(e), b)
}

func (p *timelinePane) act(c *view.Context, a view.Action) (chose string) {
	switch a {
	case view.ActAll:
		p.all = !p.all
		p.follow = true
		if p.all {
			c.Say("Timeline: events of all resources")
		} else {
			c.Say("Timeline: events of " + c.Name)
		}
	case view.ActStage:
		i := slices.Index(stages, p.only)
		p.only = stages[(i+1)%len(stages)]
		p.follow = true
		if p.only == "" {
			c.Say("Timeline: all stages")
		} else {
			c.Say("Timeline: only the stage " + string(p.only))
		}
	case view.ActOpen:
		if e := c.State.Journal.Find(p.at); e != nil && len(p.seqs) > 0 {
			viewer.OpenEvent(c, e)
		} else {
			c.Refuse("no event to open")
		}
	default:
		if view.MoveList(&p.list, a) {
			chose = p.moved(c)
			p.follow = a == view.ActEnd
		}
	}
	return chose
}

// moved follows the cursor to its event and returns the key of that. The user
// took over: no following.
func (p *timelinePane) moved(c *view.Context) string {
	if len(p.seqs) == 0 {
		return ""
	}
	p.follow = false
	p.at = p.seqs[min(p.list.Cursor(), len(p.seqs)-1)]
	return p.selected(c)
}

func (p *timelinePane) click(c *view.Context, y int) (chose string, again bool) {
	i := p.list.Top() + y
	if i >= p.list.End() {
		return "", false
	}
	again = i == p.list.Cursor() && !p.follow
	p.list.Set(i)
	return p.moved(c), again
}

func (p *timelinePane) scroll(c *view.Context, _, rows int) {
	p.list.Scroll(rows)
	if len(p.seqs) == 0 {
		return
	}
	p.follow = rows > 0 && p.list.End() == p.list.Len()
	p.at = p.seqs[min(p.list.Cursor(), len(p.seqs)-1)]
}

func (p *timelinePane) position() *vlist.List { return &p.list }

func (p *timelinePane) selected(c *view.Context) string {
	if e := c.State.Journal.Find(p.at); e != nil {
		return e.Key
	}
	return ""
}

// reveal leaves the Timeline where it is: it marks all events of the key.
func (p *timelinePane) reveal(*view.Context, string) {}

func (p *timelinePane) filter() *filter.Filter { return &p.flt }

func (p *timelinePane) stage(c *view.Context) (s journal.Stage, handler, why string) {
	if e := c.State.Journal.Find(p.at); e != nil && !p.follow {
		if s := stepStage(e.Kind.Stage()); s != "" {
			return s, "", ""
		}
	}
	return "", "", "n steps a stage: select an event of one, or focus another pane"
}

func (p *timelinePane) clone() pane {
	other := *p
	return &other
}

func (p *timelinePane) reset() {
	*p = timelinePane{follow: true, all: p.all, only: p.only, flt: p.flt}
}

// stepStage maps the stage of an event to the stage that lets such events
// happen.
func stepStage(s journal.Stage) journal.Stage {
	switch s {
	case journal.StageWire, journal.StageReflector:
		return journal.StageReflector
	case journal.StageFIFO, journal.StageIndexer:
		return journal.StageFIFO
	case journal.StageListener:
		return journal.StageListener
	case journal.StageQueue, journal.StageWorker:
		return journal.StageQueue
	}
	return ""
}
