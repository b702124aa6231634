package ui

import (
	"slices"
	"strconv"
	"strings"

	"informerscope/journal/object"
	"informerscope/ui/screen"
	"informerscope/ui/vlist"
)

// version is one state of an object in the viewer.
type version struct {
	label  string // "stored", "Updated", "before"
	rv     string
	object any
	note   string // what to know about it: age, tombstone
}

// viewer shows an object, or an event with its object. It holds what it was
// opened with and does not change while the engine runs on.
type viewer struct {
	Base
	title    string
	seq      uint64      // of the event that is open; 0: an object is
	facts    [][2]string // lines above the object: name, text
	versions []version   // oldest first
	at       int         // the version that is shown
	diff     bool        // against the version before
	none     string      // what is said in place of an object
	stack    bool        // versions of which any two are compared
	base     int         // the one that is compared with; -1: the one before
	managed  bool        // with managedFields
	managers int         // of versions[at]
	gone     string      // why there is no version before the first one
	flt      filter
	left     int // columns scrolled
	list     vlist.List

	lines Kept[[]object.Line] // what is shown of versions[at]
}

var _ View = (*viewer)(nil)

// contextLines are shown around each change.
const contextLines = 3

// Name is that of an object's or an event's view.
func (v *viewer) Name() string { return "object" }

// Scope is that of an opened object, or of versions of which two are compared.
func (v *viewer) Scope() Scope {
	if v.stack {
		return everywhere | running | inVersions
	}
	return everywhere | running | inViewer
}

// Close removes the view.
func (v *viewer) Close(c *Context) { c.Remove(v) }

// Changed removes the view when the time of its event is shown.
func (v *viewer) Changed(c *Context, what Change) {
	if what == WentToEvent {
		c.Remove(v)
	}
}

// prepare makes the lines, once for each version and mode.
func (v *viewer) prepare(c *Context) {
	of := strconv.Itoa(v.at) + " " + strconv.Itoa(v.base) + strconv.FormatBool(v.diff) + strconv.FormatBool(v.managed) + v.flt.text
	v.lines.Once(of, func(lines *[]object.Line) {
		*lines = nil
		if len(v.versions) > 0 {
			*lines = v.linesOf(c.Object)
		}
	})
}

// linesOf are the lines of the version that is shown, as far as they are.
func (v *viewer) linesOf(o object.Options) (lines []object.Line) {
	o.ManagedFields = true
	v.managers = countManagers(object.YAML(v.versions[v.at].object, o))
	o.ManagedFields = v.managed
	now := object.YAML(v.versions[v.at].object, o)
	if from := v.from(); v.diff && from >= 0 {
		before := object.YAML(v.versions[from].object, o)
		lines = object.Hunks(object.Diff(before, now), contextLines)
	} else {
		for _, l := range now {
			lines = append(lines, object.Line{Op: object.Same, Text: l})
		}
	}
	if v.flt.on() {
		lines = slices.DeleteFunc(lines, func(l object.Line) bool { return !v.flt.match(l.Text) })
	}
	return lines
}

// Text is all lines of the object.
func (v *viewer) Text(c *Context, body screen.Area) (text, what string) {
	other := *v
	return boxText(body, func(a screen.Area) { other.Draw(c, a, false) }), v.title
}

// Wheel scrolls the lines.
func (v *viewer) Wheel(_ *Context, _, _, rows int) { v.list.Scroll(rows) }

// Draw draws what is known of the object, its versions and its lines.
func (v *viewer) Draw(c *Context, a screen.Area, _ bool) {
	v.prepare(c)
	a.Fill(plain)
	in := a.Box(borderFocus)
	pen := a.Pen(2, 0)
	pen.End = a.W - 2
	pen.Str(borderFocus, "▸").Fit(titleFocus, v.title, a.W-8).Str(borderFocus, " ")

	y := 0
	for _, f := range v.facts {
		y = drawFact(in, y, in.H-3, f)
	}
	if len(v.versions) > 0 {
		v.drawVersions(in, y)
		y++
		if n := v.versions[v.at].note; n != "" {
			screen.Fit(in, 1, y, in.W-2, dim, n)
			y++
		}
		in.HLine(y, border, '╶', '─', '╴')
		pen := in.Pen(1, y)
		pen.Str(dim, v.mode())
		y++
	}
	body := in.Sub(0, y, in.W, in.H-y)
	v.list.Resize(len(v.lines.Rows), body.H)
	for i := v.list.Top(); i < v.list.End(); i++ {
		v.drawLine(body, i-v.list.Top(), v.lines.Rows[i])
	}
	switch {
	case len(v.versions) == 0:
		text := v.none
		if text == "" {
			text = "This event carries no object."
		}
		hint(body.Sub(0, 1, body.W, body.H), text)
	case len(v.lines.Rows) == 0 && v.flt.on():
		hint(body, "No line matches "+v.flt.text+".")
	case len(v.lines.Rows) == 0 && v.diff:
		hint(body, "No difference: the object is the same as before.")
	}
	if v.list.Len() > v.list.Height() {
		drawPosition(a, a.W-2, &v.list)
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
	screen.Fit(a, 1, y, factsAt-2, dim, f[0])
	lines := []string{f[1]}
	if screen.Width(a.Canvas(), f[1]) > a.W-factsAt-1 {
		lines = wrapped(f[1], a.W-factsAt-1)
	}
	for _, l := range lines {
		if y >= end {
			break
		}
		screen.Fit(a, factsAt, y, a.W-factsAt-1, plain, l)
		y++
	}
	return y
}

// mode says what the lines below are.
func (v *viewer) mode() string {
	s := " object as YAML "
	from := v.from()
	switch {
	case v.diff && from < 0 && v.gone != "":
		s = " object as YAML: " + v.gone + " "
	case v.diff && from < 0:
		s = " object as YAML: nothing before it "
	case v.diff:
		p := v.versions[from]
		s = " difference to " + p.label
		if p.rv != "" {
			s += "@" + p.rv
		}
		s += " "
	}
	if v.managers > 0 {
		s += managersText(v.managers, v.managed)
	}
	if v.flt.on() {
		s += "/" + v.flt.text + "/ "
	}
	return s
}

// drawVersions draws the row of versions with the shown one marked; the ones
// that do not fit are left out on the older side.
func (v *viewer) drawVersions(a screen.Area, y int) {
	width := func(i int) int { return len(v.versions[i].label) + len(v.versions[i].rv) + 4 }
	from, to := v.at, v.at+1
	w := width(v.at) + 8
	for from > 0 && w+width(from-1) < a.W {
		from--
		w += width(from)
	}
	for to < len(v.versions) && w+width(to) < a.W {
		w += width(to)
		to++
	}
	pen := a.Pen(1, y)
	if from > 0 {
		pen.Str(dim, "(+").Int(dim, int64(from)).Str(dim, ") ")
	}
	for i := from; i < to; i++ {
		x := &v.versions[i]
		text := x.label
		if x.rv != "" {
			text += "@" + x.rv
		}
		if i == v.at {
			pen.Str(chipOn, "["+text+"]").Str(plain, " ")
		} else if v.stack && i == v.base {
			pen.Str(accent, "*"+text+"*").Str(plain, " ")
		} else {
			pen.Str(typeStyle(x.label), " "+text+" ").Str(plain, " ")
		}
	}
	if to < len(v.versions) {
		pen.Str(dim, "(+").Int(dim, int64(len(v.versions)-to)).Str(dim, ")")
	}
}

func (v *viewer) drawLine(a screen.Area, y int, l object.Line) {
	st := plain
	switch l.Op {
	case object.Added:
		st = lineAdded
	case object.Removed:
		st = lineRemoved
	}
	x := 1
	if v.diff && v.from() >= 0 {
		a.Rune(1, y, st, rune(l.Op))
		x = 3
		if l.Op == object.Same {
			st = dim
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
func (v *viewer) from() int {
	if v.stack && v.base >= 0 && v.base != v.at {
		return v.base
	}
	return v.at - 1
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
