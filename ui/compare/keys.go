package compare

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"informerscope/journal"
	"informerscope/journal/state"
	"informerscope/ui/control"
	"informerscope/ui/filter"
	"informerscope/ui/life"
	"informerscope/ui/source"
	"informerscope/ui/view"
	"informerscope/ui/viewer"
)

// Act does what a key asks for in the lane and the half with the focus.
func (v *compareView) Act(c *view.Context, a view.Action) (cmd tea.Cmd, done bool) {
	v.update(c)
	n := len(v.lanes)
	if n == 0 {
		if a == view.ActBack || a == view.ActCompare {
			c.Remove(v)
			return nil, true
		}
		return nil, false
	}
	at := v.focus(c)
	switch a {
	case view.ActBack:
		v.back(c)
	case view.ActCompare:
		c.Remove(v)
	case view.ActNextPane:
		v.showPart(c, at*int(numParts)+int(v.part)+1)
	case view.ActPrevPane:
		v.showPart(c, (at+n)*int(numParts)+int(v.part)-1)
	case view.ActRight:
		v.showLane(c, (at+1)%n)
	case view.ActLeft:
		v.showLane(c, (at+n-1)%n)
	case view.ActPrevResource, view.ActNextResource:
		v.switchBase(c, a)
	case view.ActAddHandler:
		control.AddHandler(c)
	case view.ActFollow:
		return life.Follow(c, ""), true
	case view.ActDiffer:
		v.toggleOnly(c)
	case view.ActOrder:
		v.part = partQueue
		v.cols[at].queue.ToggleOrder(c, &c.Resource.FIFO)
	case view.ActOpen:
		v.open(c, at)
	case view.ActCopy:
		key := v.selected(at)
		if key == "" {
			c.Refuse("no key is selected to copy")
		}
		c.Say("copied " + key)
		return tea.SetClipboard(key), true
	case view.ActStep:
		return v.step(c), true
	default:
		return nil, v.move(c, at, a)
	}
	return nil, true
}

// back undoes the last thing that narrows the view, and then closes it.
func (v *compareView) back(c *view.Context) {
	scrolled := false
	for i := range v.cols {
		scrolled = scrolled || v.cols[i].seen.scrolls
	}
	switch {
	case v.flt.On():
		v.flt = filter.Filter{}
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
func (v *compareView) follow(c *view.Context) {
	for i := range v.cols {
		v.cols[i].seen.follow()
	}
	c.Key = ""
}

func (v *compareView) toggleOnly(c *view.Context) {
	if v.only = !v.only; v.only {
		c.Say("only what differs; d shows everything again")
	} else {
		c.Say("everything that the handlers saw")
	}
	v.follow(c)
}

// showPart moves the focus to the i-th part of all lanes, from left to right.
func (v *compareView) showPart(c *view.Context, i int) {
	v.part = lanePart(i % int(numParts))
	v.showLane(c, i/int(numParts)%len(v.lanes))
}

// show moves the focus to lane i; the selected key stays.
func (v *compareView) showLane(c *view.Context, i int) {
	key := c.Key
	c.Show(v.lanes[i].Resource.Name)
	c.Key = key
}

func (v *compareView) switchBase(c *view.Context, a view.Action) {
	bases := bases(c)
	if len(bases) < 2 {
		c.Refuse("only " + v.base + " is compared")
		return
	}
	for i, b := range bases {
		if b == v.base {
			d := 1
			if a == view.ActPrevResource {
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
		if q := &v.cols[at].queue; q.List.Len() > 0 {
			return q.Key
		}
		return ""
	}
	if i, ok := v.cols[at].seen.selected(); ok {
		return v.lanes[at].Notices[i].Key
	}
	return ""
}

func (v *compareView) open(c *view.Context, at int) {
	if v.part == partQueue {
		v.cols[at].queue.Open(c)
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
	viewer.OpenEvent(c, e)
}

// move does what a key of movement asks for and reports whether a was one.
func (v *compareView) move(c *view.Context, at int, a view.Action) bool {
	col := &v.cols[at]
	if v.part == partQueue {
		if !view.MoveList(&col.queue.List, a) {
			return false
		}
		v.movedQueue(c, at)
		return true
	}
	if !view.MoveList(&col.seen.list, a) {
		return false
	}
	if a == view.ActEnd {
		v.follow(c)
	} else {
		v.movedSeen(c, at)
	}
	return true
}

// movedQueue marks the key under the cursor of a lane's queue in all lanes.
func (v *compareView) movedQueue(c *view.Context, at int) {
	rows := &v.cols[at].queue
	if rows.List.Len() == 0 {
		return
	}
	rows.Settle(&v.lanes[at].Resource.FIFO)
	c.Key = rows.Key
	for i := range v.lanes {
		if i != at {
			v.cols[i].queue.Reveal(&v.lanes[i].Resource.FIFO, c.Key)
		}
	}
}

// movedSeen follows the cursor in what a lane saw: the other lanes move to
// where they saw the same.
func (v *compareView) movedSeen(c *view.Context, at int) {
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
			v.cols[i].queue.Reveal(&v.lanes[i].Resource.FIFO, c.Key)
		}
	}
	if mk := v.lanes[at].Marks[place]; mk != state.MarkSame {
		c.Say(mk.String())
	}
}

// step lets one item happen in each lane that has one: a call of its handler
// when that part has the focus, else a Pop. When nothing is queued in any lane, a
// watch event comes in.
func (v *compareView) step(c *view.Context) tea.Cmd {
	if !c.Paused {
		c.Refuse(control.WhyNoStep)
		return nil
	}
	e, ok := c.Source.(source.Controls)
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
			if _, err := control.StepIn(e, l.resource, stage, l.handler); err != nil {
				idle = append(idle, name)
				continue
			}
			stepped = append(stepped, name)
		}
		switch {
		case len(stepped) > 0:
		case stage == journal.StageListener:
			return view.Done{Err: errors.New("no notification waits in any lane: with the focus on a queue, n lets each lane Pop")}
		default:
			// One Reflector feeds all lanes.
			what, err := e.Step(lanes[0].resource, journal.StageReflector)
			return view.Done{What: what + " for all lanes: nothing was queued", Err: err}
		}
		text := what + " in " + strings.Join(stepped, ", ")
		if len(idle) > 0 {
			text += "; nothing waits in " + strings.Join(idle, ", ")
		}
		return view.Done{What: text}
	}
}

// Hint says what is other than in the panes.
func (v *compareView) Hint(c *view.Context, b *view.Binding) string {
	switch b.Act {
	case view.ActFollow:
		return life.FollowHint(c, b)
	case view.ActNextPane:
		return "queue, handler"
	case view.ActCompare, view.ActStores, view.ActAddHandler:
		return ""
	case view.ActDiffer:
		if v.only {
			return "everything"
		}
	case view.ActOrder:
		if v.part != partQueue {
			return ""
		}
	}
	return b.Hint
}
