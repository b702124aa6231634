package ui

import (
	"strconv"

	"informerscope/ui/screen"
)

// drawTabs replaces the pipeline line where one pane is shown at a time.
func (m *model) drawTabs(a screen.Area) {
	pen := a.Pen(0, 0)
	for id := paneFIFO; id < numPanes; id++ {
		m.tabs[id] = pen.X
		name := tabNames[id]
		switch {
		case a.W >= 76:
			name = m.paneName(id)
		case a.W < 54 && id != m.focus:
			pen.Str(dim, " "+strconv.Itoa(int(id))+" ")
			continue
		}
		if id == m.focus {
			pen.Str(chipOn, "["+strconv.Itoa(int(id))+" "+name+"]")
		} else {
			pen.Str(dim, " "+strconv.Itoa(int(id))+" "+name+" ")
		}
	}
}

var tabNames = [numPanes]string{"", "FIFO", "Index", "Queue", "Refl", "Time", "Listen"}

// tabAt is the pane whose tab is at column x.
func (m *model) tabAt(x int) paneID {
	for id := numPanes - 1; id >= paneFIFO; id-- {
		if x >= m.tabs[id] {
			return id
		}
	}
	return 0
}
