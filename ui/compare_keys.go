package ui

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"informerscope/journal"
	"informerscope/journal/state"
)

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
	switch a {
	case actBack:
		v.back(m)
		return nil
	case actCompare:
		m.compare = nil
		return nil
	case actNextPane:
		v.showPart(m, at*int(numParts)+int(v.part)+1)
		return nil
	case actPrevPane:
		v.showPart(m, (at+n)*int(numParts)+int(v.part)-1)
		return nil
	case actRight:
		v.show(m, (at+1)%n)
		return nil
	case actLeft:
		v.show(m, (at+n-1)%n)
		return nil
	case actPrevResource, actNextResource:
		v.switchBase(m, a)
		return nil
	case actAddHandler:
		m.addHandler()
		return nil
	case actFilter:
		m.startFilter(v.flt, func(f filter) { v.flt = f })
		return nil
	case actDiffer:
		v.toggleOnly(m)
		return nil
	case actOrder:
		v.part = partQueue
		v.cols[at].queue.toggleOrder(m, &m.r.FIFO)
		return nil
	case actOpen:
		v.open(m, at)
		return nil
	case actCopy:
		key := v.selected(at)
		if key == "" {
			m.refuse("no key is selected to copy")
			return nil
		}
		m.say("copied " + key)
		return tea.SetClipboard(key)
	case actStep:
		return v.step(m)
	}
	if v.move(m, at, a) {
		return nil
	}
	return m.common(a)
}

// back undoes the last thing that narrows the view, and then closes it.
func (v *compareView) back(m *model) {
	scrolled := false
	for i := range v.cols {
		scrolled = scrolled || v.cols[i].seen.scrolls
	}
	switch {
	case v.flt.on():
		v.flt = filter{}
	case v.only:
		v.toggleOnly(m)
	case scrolled || m.key != "":
		v.follow(m)
	default:
		m.compare = nil
		m.say("the panes of " + m.resource + "; c compares again")
	}
}

// follow goes back to the newest notices of all lanes, with nothing selected.
func (v *compareView) follow(m *model) {
	for i := range v.cols {
		v.cols[i].seen.follow()
	}
	m.key = ""
}

func (v *compareView) toggleOnly(m *model) {
	if v.only = !v.only; v.only {
		m.say("only what differs; d shows everything again")
	} else {
		m.say("everything that the handlers saw")
	}
	v.follow(m)
}

// showPart moves the focus to the i-th part of all lanes, from left to right.
func (v *compareView) showPart(m *model, i int) {
	v.part = lanePart(i % int(numParts))
	v.show(m, i/int(numParts)%len(v.lanes))
}

// show moves the focus to lane i; the selected key stays.
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
			*v = compareView{base: bases[(i+d)%len(bases)], part: v.part}
			m.show(m.st.Lanes(v.base)[0].Name)
			return
		}
	}
}

// selected is the key under the cursor, "" for none.
func (v *compareView) selected(at int) string {
	if v.part == partQueue {
		if q := &v.cols[at].queue; q.list.Len() > 0 {
			return q.key
		}
		return ""
	}
	if i, ok := v.cols[at].seen.selected(); ok {
		return v.lanes[at].Notices[i].Key
	}
	return ""
}

func (v *compareView) open(m *model, at int) {
	if v.part == partQueue {
		v.cols[at].queue.open(m)
		return
	}
	i, ok := v.cols[at].seen.selected()
	if !ok {
		m.refuse("no notification to open")
		return
	}
	e := m.st.Journal.Find(v.lanes[at].Notices[i].Seq)
	if e == nil {
		m.refuse("the event of this notification is not in memory any more")
		return
	}
	m.openEvent(e)
}

// move does what a key of movement asks for and reports whether a was one.
func (v *compareView) move(m *model, at int, a action) bool {
	col := &v.cols[at]
	if v.part == partQueue {
		if !moveList(&col.queue.list, a) {
			return false
		}
		v.movedQueue(m, at)
		return true
	}
	if !moveList(&col.seen.list, a) {
		return false
	}
	if a == actEnd {
		v.follow(m)
	} else {
		v.movedSeen(m, at)
	}
	return true
}

// movedQueue marks the key under the cursor of a lane's queue in all lanes.
func (v *compareView) movedQueue(m *model, at int) {
	rows := &v.cols[at].queue
	if rows.list.Len() == 0 {
		return
	}
	rows.settle(&v.lanes[at].Resource.FIFO)
	m.key = rows.key
	for i := range v.lanes {
		if i != at {
			v.cols[i].queue.reveal(&v.lanes[i].Resource.FIFO, m.key)
		}
	}
}

// movedSeen follows the cursor in what a lane saw: the other lanes move to
// where they saw the same.
func (v *compareView) movedSeen(m *model, at int) {
	l := &v.cols[at].seen
	place, ok := l.selected()
	if !ok {
		return
	}
	n := &v.lanes[at].Notices[place]
	l.scrolls, l.at, m.key = true, n.Seq, n.Key
	for i := range v.lanes {
		if i != at {
			v.cols[i].seen.seek(&v.lanes[i], n)
			v.cols[i].queue.reveal(&v.lanes[i].Resource.FIFO, m.key)
		}
	}
	if mk := v.lanes[at].Marks[place]; mk != state.MarkSame {
		m.say(mk.String())
	}
}

// step lets one item happen in each lane that has one: a call of its handler
// when that part has the focus, else a Pop. When nothing is queued in any lane, a
// watch event comes in.
func (v *compareView) step(m *model) tea.Cmd {
	if !m.paused {
		m.refuse(whyNoStep)
		return nil
	}
	e, stage, what := m.e, journal.StageFIFO, "one Pop"
	if v.part == partSeen {
		stage, what = journal.StageListener, "one notification"
	}
	type lane struct{ resource, handler string }
	var lanes []lane
	for i := range v.lanes {
		l := lane{resource: v.lanes[i].Resource.Name}
		if ls := v.lanes[i].Resource.Listeners; v.part == partSeen && len(ls) > 0 {
			l.handler = ls[0].Name // the one whose calls are shown
		}
		lanes = append(lanes, l)
	}
	return func() tea.Msg {
		var stepped, idle []string
		for _, l := range lanes {
			_, name, _ := strings.Cut(l.resource, "@")
			if _, err := stepIn(e, l.resource, stage, l.handler); err != nil {
				idle = append(idle, name)
				continue
			}
			stepped = append(stepped, name)
		}
		switch {
		case len(stepped) > 0:
		case stage == journal.StageListener:
			return handlerMsg{err: errors.New("no notification waits in any lane: with the focus on a queue, n lets each lane Pop")}
		default:
			// One Reflector feeds all lanes.
			what, err := e.Step(lanes[0].resource, journal.StageReflector)
			return handlerMsg{what + " for all lanes: nothing was queued", err}
		}
		text := what + " in " + strings.Join(stepped, ", ")
		if len(idle) > 0 {
			text += "; nothing waits in " + strings.Join(idle, ", ")
		}
		return handlerMsg{what: text}
	}
}
