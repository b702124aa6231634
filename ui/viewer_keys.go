package ui

import (
	tea "charm.land/bubbletea/v2"

	"informerscope/journal/object"
)

// Act scrolls, goes through versions, and clears the filter before it closes.
func (v *viewer) Act(c *Context, a Action) (cmd tea.Cmd, done bool) {
	if a != actLeft && a != actRight && moveText(&v.list, a) {
		return nil, true
	}
	switch a {
	case actBack:
		if !v.flt.on() {
			return nil, false
		}
		v.flt = filter{}
	case actGoThere:
		c.GoToEvent(v.seq)
	case actLeft:
		v.left = max(0, v.left-8)
	case actRight:
		v.left += 8
	case actManaged:
		if v.managers == 0 {
			c.Refuse("this object has no managedFields")
			return nil, true
		}
		v.managed = !v.managed
		v.list.Reset()
	case actPick:
		v.diff = true
		if v.base == v.at {
			v.base = -1
			c.Say("compared with the version before")
		} else {
			v.base = v.at
			c.Say("compared with this version: n and p choose the other")
		}
		v.list.Reset()
	case actDiff:
		switch {
		case len(v.versions) == 0:
			c.Refuse("there is no object to compare")
		case v.from() < 0 && !v.diff && v.gone != "":
			c.Refuse(v.gone)
		case v.from() < 0 && !v.diff:
			c.Refuse("nothing to compare with: this is the first version")
		default:
			v.diff = !v.diff
			v.list.Reset()
		}
	case actNextVersion, actPrevVersion:
		d := 1
		if a == actPrevVersion {
			d = -1
		}
		switch to := v.at + d; {
		case to >= len(v.versions):
			c.Refuse("this is the newest version")
		case to < 0:
			c.Refuse("this is the oldest version")
			if v.gone != "" {
				c.Refuse("this is the oldest version: " + v.gone)
			}
		default:
			v.at = to
			v.list.Reset()
		}
	case actFilter:
		if len(v.versions) == 0 {
			c.Refuse("there is no object to filter")
			return nil, true
		}
		startFilter(c, &v.flt)
	case actCopy:
		if len(v.versions) == 0 {
			c.Refuse("there is no object to copy")
			return nil, true
		}
		text := ""
		for _, l := range object.YAML(v.versions[v.at].object, c.Object) {
			text += l + "\n"
		}
		return clip(c, text, "the object as YAML"), true
	default:
		return nil, false
	}
	return nil, true
}

// Hint leaves out versions that are not there.
func (v *viewer) Hint(_ *Context, b *Binding) string {
	off := false
	switch b.Act {
	case actGoThere:
		off = true
	case actFilter:
		off = len(v.versions) == 0
	case actNextVersion:
		off = v.at >= len(v.versions)-1
	case actPrevVersion:
		off = v.at == 0
	case actDiff:
		if v.diff && len(v.versions) > 0 {
			return "whole object"
		}
		off = v.from() < 0 || len(v.versions) == 0
	}
	if off {
		return ""
	}
	return b.Hint
}
