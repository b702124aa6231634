// Package panes is the six panes. It imports problems, life, fifo, control, viewer,
// view and what is below them.
package panes

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/view"
)

// View is the six panes side by side, or one at a time. It is what lies
// below all other views.
type View struct {
	view.Base
	panes     [numPanes]pane
	focus     ID
	aside     ID // which of Reflector and Listeners is in the place that they share
	maximised bool
	lay       paneLayout
	tabs      [numPanes]int // columns of the tabs
	tabsY     int
}

var (
	_ view.View    = (*View)(nil)
	_ view.Watcher = (*View)(nil)
	_ view.Header  = (*View)(nil)
)

// New returns the panes, with the focus on the first one.
func New() *View {
	return &View{focus: FIFO, aside: Reflector,
		panes: [numPanes]pane{FIFO: &fifoPane{}, Indexer: newIndexerPane(), Queue: &queuePane{},
			Reflector: &reflectorPane{}, Timeline: &timelinePane{follow: true}, Listeners: &listenersPane{}}}
}

// Name is that of the view, not of a pane.
func (v *View) Name() string { return "panes" }

// Scope is where most keys act.
func (v *View) Scope() view.Scope { return view.Everywhere | view.Running | view.InTime | view.InPanes }

// Close does nothing: the panes are always there.
func (v *View) Close(*view.Context) {}

// Focus is the number of the pane with the focus, and its name in messages.
func (v *View) Focus() (number int, name string) { return int(v.focus), paneNames[v.focus] }

// Look gives the focus to the pane that shows a part of the snapshot, by its
// name there.
func (v *View) Look(part string) {
	id := map[string]ID{
		"deltaFIFO": FIFO, "indexer": Indexer, "workqueue": Queue, "workers": Queue,
		"reflector": Reflector, "listeners": Listeners,
	}[part]
	if id != 0 {
		v.focus = id
		v.settleFocus()
	}
}

// settleFocus remembers which of the two panes that share a place had the
// focus last.
func (v *View) settleFocus() {
	if v.focus == Reflector || v.focus == Listeners {
		v.aside = v.focus
	}
}

// chose is called when the user moved to a row of the pane with the focus: its
// key is highlighted in all panes, and found in the others.
func (v *View) chose(c *view.Context, key string) {
	if key == "" || key == c.Key {
		return
	}
	c.Key = key
	for id := FIFO; id < numPanes; id++ {
		if id != v.focus {
			v.panes[id].reveal(c, key)
		}
	}
}

// Changed forgets what was of another resource, and follows the newest event
// when the view moves in time.
func (v *View) Changed(_ *view.Context, what view.Change) {
	switch what {
	case view.ResourceChanged:
		for _, p := range v.panes[FIFO:] {
			p.reset()
		}
	case view.TimeMoved:
		v.panes[Timeline].(*timelinePane).follow = true
	}
}

// Draw draws those of the panes that have a place.
func (v *View) Draw(c *view.Context, body screen.Area, focused bool) {
	v.lay = arrange(c, body, v.focus, v.aside, v.maximised)
	for id := FIFO; id < numPanes; id++ {
		v.drawPane(c, id, focused)
	}
}

// drawPane draws a pane with its border.
func (v *View) drawPane(c *view.Context, id ID, focused bool) {
	a := v.lay.panes[id]
	if a.W < 4 || a.H < 3 {
		return
	}
	p := v.panes[id]
	focused = focused && id == v.focus
	line, head, mark := theme.Border, theme.Strong, " "
	if focused {
		line, head, mark = theme.BorderFocus, theme.TitleFocus, "▸"
	}
	in := a.Box(line)
	// Drawing settles the list, which title and position speak about.
	p.draw(c, in, focused)

	var buf [256]byte
	pen := a.Pen(2, 0)
	pen.End = a.W - 2
	pen.Str(line, mark)
	pen.Str(head, strconv.Itoa(int(id))).Str(head, " ").Str(head, id.title(c.Resource))
	end := a.W - 3
	if id == v.aside && v.lay.aside.W > 0 {
		end -= v.lay.aside.W
		other := Reflector + Listeners - id
		tab := v.lay.aside.Pen(0, 0)
		tab.Str(line, " ").Str(theme.Dim, strconv.Itoa(int(other))).Str(theme.Dim, " ").Str(theme.Dim, other.title(c.Resource)).Str(line, " ")
		end++ // the tab begins with a space
		pen.End = end
	}
	if t := p.title(c, buf[:0], end-2-pen.X); len(t) > 0 {
		pen.Str(theme.Dim, "  ")
		pen.X = screen.Fit(a, pen.X, 0, end-pen.X, theme.Plain, t)
	}
	pen.Str(line, " ")

	right := a.W - 2
	if l := p.position(); l != nil && l.Len() > l.Height() && l.Height() > 0 {
		right = view.DrawPosition(a, right, l)
	}
	b := append(buf[:0], ' ')
	if b = p.foot(c, b, right-5); len(b) > 1 {
		b = append(b, ' ')
		screen.Fit(a, 2, a.H-1, right-2, theme.Dim, b)
	}
}

// Text is what the focused pane shows, with its title above.
func (v *View) Text(c *view.Context, _ screen.Area) (text, what string) {
	p, name := v.panes[v.focus].clone(), v.focus.title(c.Resource)
	a := view.Sheet(v.lay.panes[v.focus])
	p.draw(c, a, false)
	lines := []string{strings.TrimSpace(name + "  " + string(p.title(c, nil, a.W-len(name)-2)))}
	for _, l := range a.Lines() {
		if l != "" {
			lines = append(lines, l)
		}
	}
	what = "the " + name + " pane"
	if l := p.position(); l != nil && l.Len() > l.Height() {
		rows := screen.AppendCount([]byte(": rows "), int64(l.Top()+1))
		rows = screen.AppendCount(append(rows, '-'), int64(l.End()))
		what += string(screen.AppendCount(append(rows, " of "...), int64(l.Len())))
	} else {
		what += ": " + strconv.Itoa(len(lines)) + " lines"
	}
	return view.JoinLines(lines), what
}

// Click gives the focus to the pane at a place and selects a row of it.
func (v *View) Click(c *view.Context, x, y int) tea.Cmd {
	defer v.settleFocus()
	if v.lay.aside.Contains(x, y) {
		v.focus = Reflector + Listeners - v.aside
		return nil
	}
	if v.lay.single && y == v.tabsY {
		if id := v.tabAt(x); id != 0 {
			v.focus = id
		}
		return nil
	}
	id := v.under(x, y)
	if id == 0 {
		return nil
	}
	had := v.focus == id
	v.focus = id
	p, a := v.panes[id], v.lay.panes[id]
	if y == a.Y || y == a.Y+a.H-1 {
		return nil
	}
	chose, again := p.click(c, y-a.Y-1)
	v.chose(c, chose)
	if again && had {
		p.act(c, view.ActOpen)
	}
	return nil
}

// Wheel scrolls the pane under the pointer.
func (v *View) Wheel(c *view.Context, x, y, rows int) {
	if id := v.under(x, y); id != 0 && rows != 0 {
		v.panes[id].scroll(c, y-v.lay.panes[id].Y-1, rows)
	}
}

// under is the pane at a place of the screen, 0 for none.
func (v *View) under(x, y int) ID {
	for id := FIFO; id < numPanes; id++ {
		if v.lay.panes[id].Contains(x, y) {
			return id
		}
	}
	return 0
}
