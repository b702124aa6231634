package panes

import (
	"strconv"

	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/view"
)

var tabNames = [numPanes]string{"", "FIFO", "Index", "Queue", "Refl", "Time", "Listen"}

// DrawHead draws tabs where one pane is shown at a time.
func (v *View) DrawHead(c *view.Context, a, body screen.Area) bool {
	v.lay.single = single(body)
	if !v.lay.single {
		return false
	}
	v.tabsY = a.Y
	pen := a.Pen(0, 0)
	for id := FIFO; id < numPanes; id++ {
		v.tabs[id] = pen.X
		name := tabNames[id]
		switch {
		case a.W >= 76:
			name = id.title(c.Resource)
		case a.W < 54 && id != v.focus:
			pen.Str(theme.Dim, " "+strconv.Itoa(int(id))+" ")
			continue
		}
		if id == v.focus {
			pen.Str(theme.ChipOn, "["+strconv.Itoa(int(id))+" "+name+"]")
		} else {
			pen.Str(theme.Dim, " "+strconv.Itoa(int(id))+" "+name+" ")
		}
	}
	return true
}

// tabAt is the pane whose tab is at column x.
func (v *View) tabAt(x int) ID {
	for id := numPanes - 1; id >= FIFO; id-- {
		if x >= v.tabs[id] {
			return id
		}
	}
	return 0
}
