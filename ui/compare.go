package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"informerscope/engine/journal"
	"informerscope/engine/state"
	"informerscope/ui/screen"
	"informerscope/ui/vlist"
)

// compareView shows the lanes of one resource side by side, each with its
// queue on top and what its handlers saw below, the newest at the bottom. It
// takes the place of the panes. The current resource of the model is the lane
// with the focus.
type compareView struct {
	base  string
	lists []laneList
	lanes []state.LaneView // cached for seq and base
	of    string
	seq   uint64
	tabs  []int // columns of the tabs; empty when the lanes are side by side
	tabsY int
}

// laneList is the cursor in what one lane saw.
type laneList struct {
	list    vlist.List
	scrolls bool // the user moved up: no following
	area    screen.Area
	top     int    // line of the screen with the first notice
	at      uint64 // Seq of the selected notice
}

// laneWidth is the least width of a column; with less there are tabs. noticeKept
// is how many notices of each lane can be looked at.
const laneWidth, noticeKept = 38, 200

// hasLanes reports whether anything is compared.
func (m *model) hasLanes() bool {
	for _, r := range m.st.Resources {
		if _, _, ok := r.Lane(); ok {
			return true
		}
	}
	return false
}

// bases are the names of the compared resources.
func (m *model) bases() []string {
	var out []string
	for _, r := range m.st.Resources {
		if base, _, ok := r.Lane(); ok && (len(out) == 0 || out[len(out)-1] != base) {
			out = append(out, base)
		}
	}
	return out
}

func (m *model) openCompare() {
	if m.compare != nil {
		m.compare = nil
		return
	}
	if !m.hasLanes() {
		m.refuse("nothing is compared: start with --compare=delta,atomic")
		return
	}
	base, _, ok := m.r.Lane()
	if !ok {
		base = m.bases()[0]
		m.show(m.st.Lanes(base)[0].Name)
	}
	m.compare, m.stores = &compareView{base: base}, nil
}

// greetLanes opens the comparison when the first lanes are there.
func (m *model) greetLanes() {
	if m.lanesSeen || !m.hasLanes() {
		return
	}
	m.lanesSeen = true
	m.resource = ""
	m.resolve()
	m.openCompare()
}

// update compares anew when something happened.
func (v *compareView) update(m *model) {
	if v.of == v.base && v.seq == m.st.Seq {
		return
	}
	v.of, v.seq = v.base, m.st.Seq
	v.lanes = m.st.Compare(v.base, noticeKept)
	for len(v.lists) < len(v.lanes) {
		v.lists = append(v.lists, laneList{})
	}
}

// focus is the lane that is the current resource.
func (v *compareView) focus(m *model) int {
	for i := range v.lanes {
		if v.lanes[i].Resource.Name == m.resource {
			return i
		}
	}
	return 0
}

func (v *compareView) draw(m *model, a screen.Area) {
	v.update(m)
	n := len(v.lanes)
	if n == 0 {
		hint(a.Box(borderFocus), "Nothing of "+v.base+" is compared any more. esc goes back.")
		return
	}
	at := v.focus(m)
	for i := range v.lists {
		v.lists[i].area = screen.Area{}
	}
	legend := a.Sub(0, a.H-1, a.W, 1)
	a.H--
	v.tabs = v.tabs[:0]
	if a.W/n < laneWidth {
		v.drawTabs(m, a.Sub(0, 0, a.W, 1), at)
		v.drawLane(m, a.Sub(0, 1, a.W, a.H-1), at, true)
	} else {
		for i := range v.lanes {
			x := a.W * i / n
			v.drawLane(m, a.Sub(x, 0, a.W*(i+1)/n-x, a.H), i, i == at)
		}
	}
	drawLegend(legend)
}

func (v *compareView) drawTabs(m *model, a screen.Area, at int) {
	pen := a.Pen(0, 0)
	v.tabsY = a.Y
	for i := range v.lanes {
		v.tabs = append(v.tabs, pen.X)
		text := v.lanes[i].Lane
		if i == at {
			pen.Str(chipOn, "["+text+"]")
		} else {
			pen.Str(dim, " "+text+" ")
		}
		if d := v.lanes[i].Differ; d > 0 {
			pen.Int(warn, int64(d)).Str(warn, "≠")
		}
		pen.Str(plain, " ")
	}
}

// markSign is how a mark is drawn in front of a notice.
func markSign(mk state.Mark) (rune, screen.Style) {
	switch mk {
	case state.MarkPending:
		return '…', dim
	case state.MarkAcross:
		return '~', accent
	case state.MarkReordered:
		return '%', warn
	case state.MarkMissing:
		return '≠', alert
	}
	return ' ', plain
}

// drawLegend says what the marks mean, in as many words as fit.
func drawLegend(a screen.Area) {
	texts := [...][]string{
		{"not in another lane", "another order of this key", "another order across keys", "not yet in another lane"},
		{"not elsewhere", "key's order", "order across keys", "not yet elsewhere"},
		{"missing", "key order", "order", "pending"},
	}
	marks := [...]state.Mark{state.MarkMissing, state.MarkReordered, state.MarkAcross, state.MarkPending}
	for f, words := range texts {
		w := 1
		for _, t := range words {
			w += len(t) + 4
		}
		if w > a.W && f < len(texts)-1 {
			continue
		}
		pen := a.Pen(1, 0)
		for i, mk := range marks {
			sign, st := markSign(mk)
			a.Rune(pen.X, 0, st, sign)
			pen.X += 2
			pen.Str(dim, words[i]).Str(plain, "  ")
		}
		return
	}
}

func (v *compareView) drawLane(m *model, a screen.Area, i int, focused bool) {
	lane := &v.lanes[i]
	q := &lane.Resource.FIFO
	line, head, mark := border, strong, " "
	if focused {
		line, head, mark = borderFocus, titleFocus, "▸"
	}
	in := a.Box(line)
	pen := a.Pen(2, 0)
	pen.End = a.W - 2
	name, since := disciplineText(lane.Lane)
	pen.Str(line, mark)
	if name == "" {
		pen.Str(head, "DeltaFIFO")
	} else {
		pen.Str(head, "RealFIFO ").Str(head, name)
	}
	pen.Str(plain, "  ").Int(plain, int64(q.Len())).Str(dim, " queued")
	if pen.Left() > len(since)+4 {
		pen.Str(dim, "  ").Str(dim, since)
	}
	pen.Str(line, " ")

	queue := max(2, in.H/3)
	v.drawQueue(m, in.Sub(0, 0, in.W, queue), q)
	in.HLine(queue, border, '╶', '─', '╴')
	pen = in.Pen(1, queue)
	pen.End = in.W - 1
	pen.Str(dim, " its handler saw ").Int(plain, int64(lane.Resource.Seen.Total))
	if lane.Differ > 0 {
		pen.Str(dim, ", ").Int(warn, int64(lane.Differ)).Str(warn, " differ")
	}
	pen.Str(dim, " ")
	v.drawSeen(m, in.Sub(0, queue+1, in.W, in.H-queue-1), i, focused)
	v.lists[i].area = a
	if l := &v.lists[i].list; l.Len() > l.Height() && l.Height() > 0 {
		drawPosition(a, a.W-2, l)
	}
}

// drawQueue draws the head of a lane's queue.
func (v *compareView) drawQueue(m *model, a screen.Area, q *state.FIFO) {
	n := q.Len()
	if n == 0 {
		screen.Text(a, 1, 0, dim, "empty")
	}
	keyW := max(12, (a.W-3)*9/20)
	for y := 0; y < min(n, a.H); y++ {
		if y == a.H-1 && n > a.H {
			pen := a.Pen(1, y)
			pen.Str(dim, "and ").Int(dim, int64(n-y)).Str(dim, " more")
			return
		}
		var k state.FIFOKey
		if q.Arrival() {
			it := q.ItemAt(y)
			k = state.FIFOKey{Key: it.Key, Deltas: []state.Delta{it.Delta}}
		} else {
			k = q.At(y)
		}
		if k.Key == "" && len(k.Deltas) > 0 {
			drawKeyless(a, 2, y, &k.Deltas[0], false)
			continue
		}
		sign, st := m.marker(k.Key)
		a.Rune(0, y, st, sign)
		fitKey(a, 2, y, keyW, st, k.Key)
		drawDeltas(a, 3+keyW, y, k.Deltas, false)
	}
}

// drawSeen draws what a lane's first handler saw.
func (v *compareView) drawSeen(m *model, a screen.Area, i int, focused bool) {
	lane, l := &v.lanes[i], &v.lists[i]
	n := len(lane.Notices)
	l.list.Resize(n, a.H)
	if l.scrolls {
		for at := range lane.Notices {
			if lane.Notices[at].Seq == l.at {
				l.list.Anchor(at)
			}
		}
	} else {
		l.list.Set(n - 1)
	}
	if n == 0 {
		screen.Text(a, 1, 0, dim, "nothing yet")
		return
	}
	l.at = lane.Notices[l.list.Cursor()].Seq
	// The newest stands on the last line, also while there are few.
	first := a.H - (l.list.End() - l.list.Top())
	l.top = a.Y + first
	for at := l.list.Top(); at < l.list.End(); at++ {
		y := first + at - l.list.Top()
		v.drawNotice(m, a, y, &lane.Notices[at], lane.Marks[at])
		if focused && l.scrolls && at == l.list.Cursor() {
			selectRow(a, y)
		}
	}
}

func (v *compareView) drawNotice(m *model, a screen.Area, y int, n *state.Notice, mk state.Mark) {
	sign, st := m.marker(n.Key)
	a.Rune(0, y, st, sign)
	r, mst := markSign(mk)
	a.Rune(1, y, mst, r)
	typ := typeStyle(n.Type)
	if mk > state.MarkAcross {
		typ = mst
		if st == plain {
			st = mst
		}
	}
	screen.Text(a, 3, y, typ, n.Type)
	var buf [48]byte
	b := append(append(buf[:0], '@'), n.RV...)
	if n.Tombstone {
		b = append(b, " T"...)
	}
	end := screen.Right(a, a.W-1, y, dim, b)
	fitKey(a, 12, y, end-13, st, n.Key)
}

func (v *compareView) act(m *model, a action) tea.Cmd {
	v.update(m)
	n := len(v.lanes)
	if n == 0 {
		if a == actBack || a == actCompare {
			m.compare = nil
			return nil
		}
		return m.common(a)
	}
	at := v.focus(m)
	l := &v.lists[at]
	switch a {
	case actBack:
		if l.scrolls {
			l.scrolls = false
			m.key = ""
			return nil
		}
		m.compare = nil
		m.say("the panes of " + m.resource + "; c compares again")
		return nil
	case actCompare:
		m.compare = nil
		return nil
	case actNextPane, actRight:
		v.show(m, (at+1)%n)
		return nil
	case actPrevPane, actLeft:
		v.show(m, (at+n-1)%n)
		return nil
	case actPrevResource, actNextResource:
		v.switchBase(m, a)
		return nil
	case actOpen:
		if e := m.st.Journal.Find(l.at); e != nil && l.list.Len() > 0 {
			m.openEvent(e)
		} else {
			m.refuse("no notification to open")
		}
		return nil
	case actCopy:
		if l.list.Len() == 0 {
			m.refuse("no key is selected to copy")
			return nil
		}
		key := v.lanes[at].Notices[l.list.Cursor()].Key
		m.say("copied " + key)
		return tea.SetClipboard(key)
	case actStep:
		return v.step(m)
	}
	if moveList(&l.list, a) {
		v.moved(m, at, a == actEnd)
		return nil
	}
	return m.common(a)
}

// moved follows the cursor of a lane; its key is marked in all of them.
func (v *compareView) moved(m *model, at int, end bool) {
	l := &v.lists[at]
	if l.list.Len() == 0 {
		return
	}
	n := &v.lanes[at].Notices[l.list.Cursor()]
	l.scrolls, l.at = !end, n.Seq
	if m.key = n.Key; end {
		m.key = ""
	}
	if l.scrolls {
		m.sayMark(v.lanes[at].Marks[l.list.Cursor()])
	}
}

// sayMark explains the mark of the selected notice.
func (m *model) sayMark(mk state.Mark) {
	if mk != state.MarkSame {
		m.say(mk.String())
	}
}

func (v *compareView) show(m *model, i int) {
	key := m.key
	m.show(v.lanes[i].Resource.Name)
	m.key = key
}

func (v *compareView) switchBase(m *model, a action) {
	bases := m.bases()
	if len(bases) < 2 {
		m.refuse("only " + v.base + " is compared")
		return
	}
	for i, b := range bases {
		if b == v.base {
			d := 1
			if a == actPrevResource {
				d = len(bases) - 1
			}
			*v = compareView{base: bases[(i+d)%len(bases)]}
			m.show(m.st.Lanes(v.base)[0].Name)
			return
		}
	}
}

// step lets one Pop happen in each lane that has something to pop.
func (v *compareView) step(m *model) tea.Cmd {
	if !m.paused {
		m.refuse("n steps only while paused: space pauses")
		return nil
	}
	e := m.e
	var names []string
	for i := range v.lanes {
		names = append(names, v.lanes[i].Resource.Name)
	}
	return func() tea.Msg {
		var stepped, idle []string
		var last error
		for _, name := range names {
			_, lane, _ := strings.Cut(name, "@")
			if _, err := e.Step(name, journal.StageFIFO); err != nil {
				last = err
				idle = append(idle, lane)
				continue
			}
			stepped = append(stepped, lane)
		}
		if len(stepped) == 0 {
			return handlerMsg{err: last}
		}
		what := "one Pop in " + strings.Join(stepped, ", ")
		if len(idle) > 0 {
			what += "; nothing to pop in " + strings.Join(idle, ", ")
		}
		return handlerMsg{what: what}
	}
}

func (v *compareView) click(m *model, x, y int) {
	if len(v.tabs) > 0 && y == v.tabsY {
		for i := len(v.tabs) - 1; i >= 0; i-- {
			if x >= v.tabs[i] {
				v.show(m, i)
				return
			}
		}
	}
	for i := range v.lists {
		l := &v.lists[i]
		if !l.area.Contains(x, y) || i >= len(v.lanes) {
			continue
		}
		v.show(m, i)
		row := l.list.Top() + y - l.top
		if row < l.list.Top() || row >= l.list.End() {
			return
		}
		again := l.scrolls && row == l.list.Cursor()
		l.list.Set(row)
		v.moved(m, i, false)
		if again {
			v.act(m, actOpen)
		}
		return
	}
}

func (v *compareView) scroll(x, y, rows int) {
	for i := range v.lists {
		l := &v.lists[i]
		if l.area.Contains(x, y) && l.list.Len() > 0 && i < len(v.lanes) {
			l.list.Scroll(rows)
			l.scrolls = rows < 0 || l.list.End() < l.list.Len()
			l.at = v.lanes[i].Notices[l.list.Cursor()].Seq
		}
	}
}
