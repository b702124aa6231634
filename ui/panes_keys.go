package ui

import (
	tea "charm.land/bubbletea/v2"
)

// Act does what a key asks for in the pane with the focus, or in the only one
// that it is for.
func (v *panesView) Act(c *Context, a Action) (cmd tea.Cmd, done bool) {
	defer v.settleFocus()
	p := v.panes[v.focus]
	switch a {
	case actNextPane:
		v.focus = v.focus%(numPanes-1) + 1
	case actPrevPane:
		v.focus = (v.focus+numPanes-3)%(numPanes-1) + 1
	case actPane1, actPane2, actPane3, actPane4, actPane5, actPane6:
		v.focus = paneFIFO + paneID(a-actPane1)
	case actMaximise:
		if v.lay.single {
			c.Refuse("this terminal shows one pane at a time already; tab and 1 ... 6 switch")
		} else {
			v.maximised = !v.maximised
		}
	case actStep:
		return v.step(c), true
	case actCopy:
		return copyKey(c, p.selected(c)), true
	case actFilter:
		if f := p.filter(); f != nil {
			startFilter(c, f)
		} else {
			c.Refuse("the " + paneNames[v.focus] + " pane has nothing to filter")
		}
	case actBack:
		v.back(c, p)
	case actFollow:
		return follow(c, p.selected(c)), true
	case actGoThere:
		v.goThere(c)
	case actIndex:
		v.panes[paneIndexer].act(c, a)
	case actOrder:
		v.panes[paneFIFO].act(c, a)
	case actStage, actAll:
		v.panes[paneTimeline].act(c, a)
	case actAddHandler:
		addHandler(c)
	case actRemoveHandler:
		v.panes[paneListeners].(*listenersPane).remove(c, v.focus == paneListeners)
	case actOpen, actLeft, actRight, actUp, actDown, actPageUp, actPageDown, actHalfUp, actHalfDown, actHome, actEnd:
		v.chose(c, p.act(c, a))
	default:
		return nil, false
	}
	return nil, true
}

// step steps in the stage of the focused pane; in Listeners it steps the
// selected handler.
func (v *panesView) step(c *Context) tea.Cmd {
	stage, handler, why := v.panes[v.focus].stage(c)
	if c.Name == "" {
		c.Refuse("nothing is watched yet")
		return nil
	}
	if stage == "" && c.Paused {
		c.Refuse(why)
		return nil
	}
	return stepFirst(c, handler, stage)
}

func (v *panesView) back(c *Context, p pane) {
	switch f := p.filter(); {
	case f != nil && f.on():
		*f = filter{}
	case v.maximised:
		v.maximised = false
	case c.Followed.Key != "":
		unfollow(c)
	case c.Key != "":
		c.Key = ""
	default:
		c.Refuse("nothing is open; q quits")
	}
}

// goThere goes to the time of the event that is selected in the Timeline.
func (v *panesView) goThere(c *Context) {
	t, ok := v.panes[v.focus].(*timelinePane)
	switch {
	case !ok:
		c.Refuse("x goes to the time of the event that is selected in the Timeline; 5 goes there")
	case len(t.seqs) > 0:
		c.GoToEvent(t.at)
	default:
		c.GoToEvent(0)
	}
}

// Filter is that of the pane with the focus.
func (v *panesView) Filter() *filter { return v.panes[v.focus].filter() }

// Hint leaves out what the pane with the focus has nothing for.
func (v *panesView) Hint(c *Context, b *Binding) string {
	if b.Pane != 0 && b.Pane != int(v.focus) {
		return ""
	}
	off := false
	switch b.Act {
	case actFollow:
		return followHint(c, b)
	case actStep:
		stage, _, _ := v.panes[v.focus].stage(c)
		off = stage == ""
	case actFilter:
		off = v.panes[v.focus].filter() == nil
	case actOpen:
		off = v.focus == paneReflector
	case actGoThere:
		off = true
	case actMaximise:
		off = v.lay.single
	case actBack:
		off = !v.maximised
	}
	if off {
		return ""
	}
	return b.Hint
}
