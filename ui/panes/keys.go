package panes

import (
	tea "charm.land/bubbletea/v2"

	"informerscope/ui/control"
	"informerscope/ui/filter"
	"informerscope/ui/life"
	"informerscope/ui/view"
)

// Act does what a key asks for in the pane with the focus, or in the only one
// that it is for.
func (v *View) Act(c *view.Context, a view.Action) (cmd tea.Cmd, done bool) {
	defer v.settleFocus()
	p := v.panes[v.focus]
	switch a {
	case view.ActNextPane:
		v.focus = v.focus%(numPanes-1) + 1
	case view.ActPrevPane:
		v.focus = (v.focus+numPanes-3)%(numPanes-1) + 1
	case view.ActPane1, view.ActPane2, view.ActPane3, view.ActPane4, view.ActPane5, view.ActPane6:
		v.focus = FIFO + ID(a-view.ActPane1)
	case view.ActMaximise:
		if v.lay.single {
			c.Refuse("this terminal shows one pane at a time already; tab and 1 ... 6 switch")
		} else {
			v.maximised = !v.maximised
		}
	case view.ActStep:
		return v.step(c), true
	case view.ActCopy:
		return view.CopyKey(c, p.selected(c)), true
	case view.ActFilter:
		if f := p.filter(); f != nil {
			view.AskFilter(c, f)
		} else {
			c.Refuse("the " + paneNames[v.focus] + " pane has nothing to filter")
		}
	case view.ActBack:
		v.back(c, p)
	case view.ActFollow:
		return life.Follow(c, p.selected(c)), true
	case view.ActGoThere:
		v.goThere(c)
	case view.ActIndex:
		v.panes[Indexer].act(c, a)
	case view.ActOrder:
		v.panes[FIFO].act(c, a)
	case view.ActStage, view.ActAll:
		v.panes[Timeline].act(c, a)
	case view.ActAddHandler:
		control.AddHandler(c)
	case view.ActRemoveHandler:
		v.panes[Listeners].(*listenersPane).remove(c, v.focus == Listeners)
	case view.ActOpen, view.ActLeft, view.ActRight, view.ActUp, view.ActDown, view.ActPageUp, view.ActPageDown, view.ActHalfUp, view.ActHalfDown, view.ActHome, view.ActEnd:
		v.chose(c, p.act(c, a))
	default:
		return nil, false
	}
	return nil, true
}

// step steps in the stage of the focused pane; in Listeners it steps the
// selected handler.
func (v *View) step(c *view.Context) tea.Cmd {
	stage, handler, why := v.panes[v.focus].stage(c)
	if c.Name == "" {
		c.Refuse("nothing is watched yet")
		return nil
	}
	if stage == "" && c.Paused {
		c.Refuse(why)
		return nil
	}
	return control.Step(c, handler, stage)
}

func (v *View) back(c *view.Context, p pane) {
	switch f := p.filter(); {
	case f != nil && f.On():
		*f = filter.Filter{}
	case v.maximised:
		v.maximised = false
	case c.Followed.Key != "":
		life.Unfollow(c)
	case c.Key != "":
		c.Key = ""
	default:
		c.Refuse("nothing is open; q quits")
	}
}

// goThere goes to the time of the event that is selected in the Timeline.
func (v *View) goThere(c *view.Context) {
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
func (v *View) Filter() *filter.Filter { return v.panes[v.focus].filter() }

// Hint leaves out what the pane with the focus has nothing for.
func (v *View) Hint(c *view.Context, b *view.Binding) string {
	if b.Pane != 0 && b.Pane != int(v.focus) {
		return ""
	}
	off := false
	switch b.Act {
	case view.ActFollow:
		return life.FollowHint(c, b)
	case view.ActStep:
		stage, _, _ := v.panes[v.focus].stage(c)
		off = stage == ""
	case view.ActFilter:
		off = v.panes[v.focus].filter() == nil
	case view.ActOpen:
		off = v.focus == Reflector
	case view.ActGoThere:
		off = true
	case view.ActMaximise:
		off = v.lay.single
	case view.ActBack:
		off = !v.maximised
	}
	if off {
		return ""
	}
	return b.Hint
}
