// Package viewer shows an object with its versions, or an event with its objects,
// and whatever else is opened from a row. It imports list, view and what is below
// them.
package viewer

import (
	"slices"
	"strconv"
	"strings"

	"informerscope/journal/object"
	"informerscope/ui/filter"
	"informerscope/ui/phrase"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/view"
	"informerscope/ui/vlist"
)

// Version is one state of an object in the viewer.
type Version struct {
	Label  string // "stored", "Updated", "before"
	Rv     string
	Object any
	Note   string // what to know about it: age, tombstone
}

// Viewer shows an object, or an event with its object. It holds what it was
// opened with and does not change while the engine runs on.
type Viewer struct {
	view.Base
	Title    string
	seq      uint64      // of the event that is open; 0: an object is
	Facts    [][2]string // lines above the object: name, text
	Versions []Version   // oldest first
	At       int         // the version that is shown
	Diff     bool        // against the version before
	None     string      // what is said in place of an object
	Stack    bool        // versions of which any two are compared
	Against  int         // the one that is compared with; -1: the one before
	managed  bool        // with managedFields
	managers int         // of versions[at]
	Gone     string      // why there is no version before the first one
	flt      filter.Filter
	left     int // columns scrolled
	list     vlist.List

	lines filter.Kept[[]object.Line] // what is shown of versions[at]
}

var _ view.View = (*Viewer)(nil)

// contextLines are shown around each change.
const contextLines = 3

// Name is that of an object's or an event's view.
func (v *Viewer) Name() string { return "object" }

// Scope is that of an opened object, or of versions of which two are compared.
func (v *Viewer) Scope() view.Scope {
	if v.Stack {
		return view.Everywhere | view.Running | view.InVersions
	}
	return view.Everywhere | view.Running | view.InViewer
}

// Close removes the view.
func (v *Viewer) Close(c *view.Context) { c.Remove(v) }

// Changed removes the view when the time of its event is shown.
func (v *Viewer) Changed(c *view.Context, what view.Change) {
	if what == view.WentToEvent {
		c.Remove(v)
	}
}

// prepare makes the lines, once for each version and mode.
func (v *Viewer) prepare(c *view.Context) {
	of := strconv.Itoa(v.At) + " " + strconv.Itoa(v.Against) + strconv.FormatBool(v.Diff) + strconv.FormatBool(v.managed) + v.flt.Text
	v.lines.Once(of, func(lines *[]object.Line) {
		*lines = nil
		if len(v.Versions) > 0 {
			*lines = v.linesOf(c.Object)
		}
	})
}

// linesOf are the lines of the version that is shown, as far as they are.
func (v *Viewer) linesOf(o object.Options) (lines []object.Line) {
	o.ManagedFields = true
	v.managers = countManagers(object.YAML(v.Versions[v.At].Object, o))
	o.ManagedFields = v.managed
	now := object.YAML(v.Versions[v.At].Object, o)
	if from := v.from(); v.Diff && from >= 0 {
		before := object.YAML(v.Versions[from].Object, o)
		lines = object.Hunks(object.Diff(before, now), contextLines)
	} else {
		for _, l := range now {
			lines = append(lines, object.Line{Op: object.Same, Text: l})
		}
	}
	if v.flt.On() {
		lines = slices.DeleteFunc(lines, func(l object.Line) bool { return !v.flt.Match(l.Text) })
	}
	return lines
}

// Text is all lines of the object.
func (v *Viewer) Text(c *view.Context, body screen.Area) (text, what string) {
	other := *v
	return view.BoxText(body, func(a screen.Area) { other.Draw(c, a, false) }), v.Title
}

// Wheel scrolls the lines.
func (v *Viewer) Wheel(_ *view.Context, _, _, rows int) { v.list.Scroll(rows) }

// Draw draws what is known of the object, its versions and its lines.
func (v *Viewer) Draw(c *view.Context, a screen.Area, _ bool) {
	v.prepare(c)
	a.Fill(theme.Plain)
	in := a.Box(theme.BorderFocus)
	pen := a.Pen(2, 0)
	pen.End = a.W - 2
	pen.Str(theme.BorderFocus, "▸").Fit(theme.TitleFocus, v.Title, a.W-8).Str(theme.BorderFocus, " ")

	y := 0
	for _, f := range v.Facts {
		y = drawFact(in, y, in.H-3, f)
	}
	if len(v.Versions) > 0 {
		v.drawVersions(in, y)
		y++
		if n := v.Versions[v.At].Note; n != "" {
			screen.Fit(in, 1, y, in.W-2, theme.Dim, n)
			y++
		}
		in.HLine(y, theme.Border, '╶', '─', '╴')
		pen := in.Pen(1, y)
		pen.Str(theme.Dim, v.mode())
		y++
	}
	body := in.Sub(0, y, in.W, in.H-y)
	v.list.Resize(len(v.lines.Rows), body.H)
	for i := v.list.Top(); i < v.list.End(); i++ {
		v.drawLine(body, i-v.list.Top(), v.lines.Rows[i])
	}
	switch {
	case len(v.Versions) == 0:
		text := v.None
		if text == "" {
			text = "This event carries no object."
		}
		view.Explain(body.Sub(0, 1, body.W, body.H), text)
	case len(v.lines.Rows) == 0 && v.flt.On():
		view.Explain(body, "No line matches "+v.flt.Text+".")
	case len(v.lines.Rows) == 0 && v.Diff:
		view.Explain(body, "No difference: the object is the same as before.")
	}
	if v.list.Len() > v.list.Height() {
		view.DrawPosition(a, a.W-2, &v.list)
	}
}

// factsAt is the column of the texts of facts.
const factsAt = 18

// drawFact draws a name and its text, wrapped into lines before end, and returns
// the next line.
func drawFact(a screen.Area, y, end int, f [2]string) int {
	if y >= end {
		return y
	}
	screen.Fit(a, 1, y, factsAt-2, theme.Dim, f[0])
	lines := []string{f[1]}
	if screen.Width(a.Canvas(), f[1]) > a.W-factsAt-1 {
		lines = phrase.Wrap(f[1], a.W-factsAt-1)
	}
	for _, l := range lines {
		if y >= end {
			break
		}
		screen.Fit(a, factsAt, y, a.W-factsAt-1, theme.Plain, l)
		y++
	}
	return y
}

// mode says what the lines below are.
func (v *Viewer) mode() string {
	s := " object as YAML "
	from := v.from()
	switch {
	case v.Diff && from < 0 && v.Gone != "":
		s = " object as YAML: " + v.Gone + " "
	case v.Diff && from < 0:
		s = " object as YAML: nothing before it "
	case v.Diff:
		p := v.Versions[from]
		s = " difference to " + p.Label
		if p.Rv != "" {
			s += "@" + p.Rv
		}
		s += " "
	}
	if v.managers > 0 {
		s += managersText(v.managers, v.managed)
	}
	if v.flt.On() {
		s += "/" + v.flt.Text + "/ "
	}
	return s
}

// drawVersions draws the row of versions with the shown one marked; the ones
// that do not fit are left out on the older side.
func (v *Viewer) drawVersions(a screen.Area, y int) {
	width := func(i int) int { return len(v.Versions[i].Label) + len(v.Versions[i].Rv) + 4 }
	from, to := v.At, v.At+1
	w := width(v.At) + 8
	for from > 0 && w+width(from-1) < a.W {
		from--
		w += width(from)
	}
	for to < len(v.Versions) && w+width(to) < a.W {
		w += width(to)
		to++
	}
	pen := a.Pen(1, y)
	if from > 0 {
		pen.Str(theme.Dim, "(+").Int(theme.Dim, int64(from)).Str(theme.Dim, ") ")
	}
	for i := from; i < to; i++ {
		x := &v.Versions[i]
		text := x.Label
		if x.Rv != "" {
			text += "@" + x.Rv
		}
		if i == v.At {
			pen.Str(theme.ChipOn, "["+text+"]").Str(theme.Plain, " ")
		} else if v.Stack && i == v.Against {
			pen.Str(theme.Accent, "*"+text+"*").Str(theme.Plain, " ")
		} else {
			pen.Str(theme.TypeStyle(x.Label), " "+text+" ").Str(theme.Plain, " ")
		}
	}
	if to < len(v.Versions) {
		pen.Str(theme.Dim, "(+").Int(theme.Dim, int64(len(v.Versions)-to)).Str(theme.Dim, ")")
	}
}

func (v *Viewer) drawLine(a screen.Area, y int, l object.Line) {
	st := theme.Plain
	switch l.Op {
	case object.Added:
		st = theme.LineAdded
	case object.Removed:
		st = theme.LineRemoved
	}
	x := 1
	if v.Diff && v.from() >= 0 {
		a.Rune(1, y, st, rune(l.Op))
		x = 3
		if l.Op == object.Same {
			st = theme.Dim
		}
	}
	text := l.Text
	if v.left > 0 {
		r := []rune(text)
		text = string(r[min(v.left, len(r)):])
	}
	screen.Fit(a, x, y, a.W-x-1, st, text)
}

// from is the version that is compared with, -1 for none.
func (v *Viewer) from() int {
	if v.Stack && v.Against >= 0 && v.Against != v.At {
		return v.Against
	}
	return v.At - 1
}

// countManagers counts the managers of managedFields in an object's lines.
func countManagers(lines []string) (n int) {
	for _, l := range lines {
		if strings.HasPrefix(l, "    manager: ") || strings.HasPrefix(l, "  - manager: ") {
			n++
		}
	}
	return n
}

func managersText(n int, shown bool) string {
	text := "managedFields: " + strconv.Itoa(n) + " managers"
	if n == 1 {
		text = "managedFields: 1 manager"
	}
	if shown {
		return text + " (m hides) "
	}
	return text + " (hidden, m shows) "
}
