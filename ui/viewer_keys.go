package ui

import (
	tea "charm.land/bubbletea/v2"

	"informerscope/journal/object"
	"informerscope/ui/vlist"
)

func (v *viewer) act(m *model, a action) tea.Cmd {
	if a != actLeft && a != actRight && moveViewer(&v.list, a) {
		return nil
	}
	switch a {
	case actBack, actQuit:
		if v.flt.on() {
			v.flt = filter{}
		} else {
			m.viewer = nil
		}
	case actLeft:
		v.left = max(0, v.left-8)
	case actRight:
		v.left += 8
	case actManaged:
		if v.managers == 0 {
			m.refuse("this object has no managedFields")
			return nil
		}
		v.managed = !v.managed
		v.list.Reset()
	case actPick:
		v.diff = true
		if v.base == v.at {
			v.base = -1
			m.say("compared with the version before")
		} else {
			v.base = v.at
			m.say("compared with this version: n and p choose the other")
		}
		v.list.Reset()
	case actDiff:
		switch {
		case len(v.versions) == 0:
			m.refuse("there is no object to compare")
		case v.from() < 0 && !v.diff && v.gone != "":
			m.refuse(v.gone)
		case v.from() < 0 && !v.diff:
			m.refuse("nothing to compare with: this is the first version")
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
			m.refuse("this is the newest version")
		case to < 0:
			m.refuse("this is the oldest version")
			if v.gone != "" {
				m.refuse("this is the oldest version: " + v.gone)
			}
		default:
			v.at = to
			v.list.Reset()
		}
	case actFilter:
		if len(v.versions) == 0 {
			m.refuse("there is no object to filter")
			return nil
		}
		m.startFilter(v.flt, func(f filter) { v.flt = f })
	case actCopy:
		if len(v.versions) == 0 {
			m.refuse("there is no object to copy")
			return nil
		}
		text := ""
		for _, l := range object.YAML(v.versions[v.at].object, m.o.Object) {
			text += l + "\n"
		}
		return m.clip(text, "the object as YAML")
	}
	return nil
}

// moveViewer scrolls a text: there is no cursor in it.
func moveViewer(l *vlist.List, a action) bool {
	switch a {
	case actUp:
		l.Scroll(-1)
	case actDown:
		l.Scroll(+1)
	case actPageUp:
		l.Scroll(-max(1, l.Height()-1))
	case actPageDown:
		l.Scroll(+max(1, l.Height()-1))
	case actHalfUp:
		l.Scroll(-max(1, l.Height()/2))
	case actHalfDown:
		l.Scroll(+max(1, l.Height()/2))
	case actHome:
		l.Scroll(-l.Len())
	case actEnd:
		l.Scroll(+l.Len())
	default:
		return false
	}
	return true
}
