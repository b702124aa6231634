package viewer

import (
	tea "charm.land/bubbletea/v2"

	"informerscope/journal/object"
	"informerscope/ui/filter"
	"informerscope/ui/view"
)

// Act scrolls, goes through versions, and clears the filter before it closes.
func (v *Viewer) Act(c *view.Context, a view.Action) (cmd tea.Cmd, done bool) {
	if a != view.ActLeft && a != view.ActRight && view.MoveText(&v.list, a) {
		return nil, true
	}
	switch a {
	case view.ActBack:
		if !v.flt.On() {
			return nil, false
		}
		v.flt = filter.Filter{}
	case view.ActGoThere:
		c.GoToEvent(v.seq)
	case view.ActLeft:
		v.left = max(0, v.left-8)
	case view.ActRight:
		v.left += 8
	case view.ActManaged:
		if v.managers == 0 {
			c.Refuse("this object has no managedFields")
			return nil, true
		}
		v.managed = !v.managed
		v.list.Reset()
	case view.ActPick:
		v.Diff = true
		if v.Against == v.At {
			v.Against = -1
			c.Say("compared with the version before")
		} else {
			v.Against = v.At
			c.Say("compared with this version: n and p choose the other")
		}
		v.list.Reset()
	case view.ActDiff:
		switch {
		case len(v.Versions) == 0:
			c.Refuse("there is no object to compare")
		case v.from() < 0 && !v.Diff && v.Gone != "":
			c.Refuse(v.Gone)
		case v.from() < 0 && !v.Diff:
			c.Refuse("nothing to compare with: this is the first version")
		default:
			v.Diff = !v.Diff
			v.list.Reset()
		}
	case view.ActNextVersion:
		v.turn(c, +1)
	case view.ActPrevVersion:
		v.turn(c, -1)
	case view.ActFilter:
		if len(v.Versions) == 0 {
			c.Refuse("there is no object to filter")
			return nil, true
		}
		view.AskFilter(c, &v.flt)
	case view.ActCopy:
		if len(v.Versions) == 0 {
			c.Refuse("there is no object to copy")
			return nil, true
		}
		text := ""
		for _, l := range object.YAML(v.Versions[v.At].Object, c.Object) {
			text += l + "\n"
		}
		return view.Copy(c, text, "the object as YAML"), true
	default:
		return nil, false
	}
	return nil, true
}

// turn shows another version.
func (v *Viewer) turn(c *view.Context, d int) {
	switch to := v.At + d; {
	case to >= len(v.Versions):
		c.Refuse("this is the newest version")
	case to < 0:
		c.Refuse("this is the oldest version")
		if v.Gone != "" {
			c.Refuse("this is the oldest version: " + v.Gone)
		}
	default:
		v.At = to
		v.list.Reset()
	}
}

// Hint leaves out versions that are not there.
func (v *Viewer) Hint(_ *view.Context, b *view.Binding) string {
	off := false
	switch b.Act {
	case view.ActGoThere:
		off = true
	case view.ActFilter:
		off = len(v.Versions) == 0
	case view.ActNextVersion:
		off = v.At >= len(v.Versions)-1
	case view.ActPrevVersion:
		off = v.At == 0
	case view.ActDiff:
		if v.Diff && len(v.Versions) > 0 {
			return "whole object"
		}
		off = v.from() < 0 || len(v.Versions) == 0
	}
	if off {
		return ""
	}
	return b.Hint
}
