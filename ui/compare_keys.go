package ui

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"informerscope/journal"
	"informerscope/journal/state"
)

// Act does what a key asks for in the lane and the half with the focus.
func (v *compareView) Act(c *Context, a Action) (cmd tea.Cmd, done bool) {
	v.update(c)
	n := len(v.lanes)
	if n == 0 {
		if a == actBack || a == actCompare {
			c.Remove(v)
			return nil, true
		}
		return nil, false
	}
	at := v.focus(c)
	switch a {
	case actBack:
		v.back(c)
	case actCompare:
		c.Remove(v)
	case actNextPane:
		v.showPart(c, at*int(numParts)+int(v.part)+1)
	case actPrevPane:
		v.showPart(c, (at+n)*int(numParts)+int(v.part)-1)
	case actRight:
		v.showLane(c, (at+1)%n)
	case actLeft:
		v.showLane(c, (at+n-1)%n)
	case actPrevResource, actNextResource:
		v.switchBase(c, a)
	case actAddHandler:
		addHandler(c)
	case actFollow:
		return follow(c, ""), true
	case actDiffer:
		v.toggleOnly(c)
	case actOrder:
		v.part = partQueue
		v.cols[at].queue.toggleOrder(c, &c.Resource.FIFO)
	case actOpen:
		v.open(c, at)
	case actCopy:
		key := v.selected(at)
		if key == "" {
			c.Refuse("no key is selected to copy")
		}
		c.Say("copied " + key)
		return tea.SetClipboard(key), true
	case actStep:
		return v.step(c), true
	default:
		return nil, v.move(c, at, a)
	}
	return nil, true
}

// back undoes the last thing that narrows the view, and then closes it.
func (v *compareView) back(c *Context) {
	scrolled := false
	for i := range v.cols {
		scrolled = scrolled || v.cols[i].seen.scrolls
	}
	switch {
	case v.flt.on():
		v.flt = filter{}
	case v.only:
		v.toggleOnly(c)
	case scrolled || c.Key != "":
		v.follow(c)
	default:
		c.Remove(v)
		c.Say("the panes of " + c.Name + "; c compares again")
	}
}

// follow goes back to the newest notices of all lanes, with nothing selected.
func (v *compareView) follow(c *Context) {
	for i := range v.cols {
		v.cols[i].seen.follow()
	}
	c.Key = ""
}

func (v *compareView) toggleOnly(c *Context) {
	if v.only = !v.only; v.only {
		c.Say("only what differs; d shows everything again")
	} else {
		c.Say("everything that the handlers saw")
	}
	v.follow(c)
}

// showPart moves the focus to the i-th part of all lanes, from left to right.
func (v *compareView) showPart(c *Context, i int) {
	v.part = lanePart(i % int(numParts))
	v.showLane(c, i/int(numParts)%len(v.lanes))
}

// show moves the focus to lane i; the selected key stays.
func (v *compareView) showLane(c *Context, i int) {
	key := c.Key
	c.Show(v.lanes[i].Resource.Name)
	c.Key = key
}

func (v *compareView) switchBase(c *Context, a Action) {
	bases := bases(c)
	if len(bases) < 2 {
		c.Refuse("only " + v.base + " is compared")
		return
	}
	for i, b := range bases {
		if b == v.base {
			d := 1
			if a == actPrevResource {
				d = len(bases) - 1
			}
			*v = compareView{base: bases[(i+d)%len(bases)], part: v.part}
			c.Show(c.State.Lanes(v.base)[0].Name)
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

func (v *compareView) open(c *Context, at int) {
	if v.part == partQueue {
		v.cols[at].queue.open(c)
		return
	}
	i, ok := v.cols[at].seen.selected()
	if !ok {
		c.Refuse("no notification to open")
		return
	}
	e := c.State.Journal.Find(v.lanes[at].Notices[i].Seq)
	if e == nil {
		c.Refuse("the event of this notification is not in memory any more")
		return
	}
	openEvent(c, e)
}

// move does what a key of movement asks for and reports whether a was one.
func (v *compareView) move(c *Context, at int, a Action) bool {
	col := &v.cols[at]
	if v.part == partQueue {
		if !moveList(&col.queue.list, a) {
			return false
		}
		v.movedQueue(c, at)
		return true
	}
	if !moveList(&col.seen.list, a) {
		return false
	}
	if a == actEnd {
		v.follow(c)
	} else {
		v.movedSeen(c, at)
	}
	return true
}

// movedQueue marks the key under the cursor of a lane's queue in all lanes.
func (v *compareView) movedQueue(c *Context, at int) {
	rows := &v.cols[at].queue
	if rows.list.Len() == 0 {
		return
	}
	rows.settle(&v.lanes[at].Resource.FIFO)
	c.Key = rows.key
	for i := range v.lanes {
		if i != at {
			v.cols[i].queue.reveal(&v.lanes[i].Resource.FIFO, c.Key)
		}
	}
}

// movedSeen follows the cursor in what a lane saw: the other lanes move to
// where they saw the same.
func (v *compareView) movedSeen(c *Context, at int) {
	l := &v.cols[at].seen
	place, ok := l.selected()
	if !ok {
		return
	}
	n := &v.lanes[at].Notices[place]
	l.scrolls, l.at, c.Key = true, n.Seq, n.Key
	for i := range v.lanes {
		if i != at {
			v.cols[i].seen.seek(&v.lanes[i], n)
			v.cols[i].queue.reveal(&v.lanes[i].Resource.FIFO, c.Key)
		}
	}
	if mk := v.lanes[at].Marks[place]; mk != state.MarkSame {
		c.Say(mk.String())
	}
}

// step lets one item happen in each lane that has one: a call of its handler
// when that part has the focus, else a Pop. When nothing is queued in any lane, a
// watch event comes in.
func (v *compareView) step(c *Context) tea.Cmd {
	if !c.Paused {
		c.Refuse(whyNoStep)
		return nil
	}
	e, ok := c.Source.(Controls)
	if !ok {
		c.Refuse(c.InPast())
		return nil
	}
	stage, what := journal.StageFIFO, "one Pop"
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
			return Done{Err: errors.New("no notification waits in any lane: with the focus on a queue, n lets each lane Pop")}
		default:
			// One Reflector feeds all lanes.
			what, err := e.Step(lanes[0].resource, journal.StageReflector)
			return Done{what + " for all lanes: nothing was queued", err}
		}
		text := what + " in " + strings.Join(stepped, ", ")
		if len(idle) > 0 {
			text += "; nothing waits in " + strings.Join(idle, ", ")
		}
		return Done{What: text}
	}
}

// Hint says what is other than in the panes.
func (v *compareView) Hint(c *Context, b *Binding) string {
	switch b.Act {
	case actFollow:
		return followHint(c, b)
	case actNextPane:
		return "queue, handler"
	case actCompare, actStores, actAddHandler:
		return ""
	case actDiffer:
		if v.only {
			return "everything"
		}
	case actOrder:
		if v.part != partQueue {
			return ""
		}
	}
	return b.Hint
}
