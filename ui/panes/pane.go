package panes

import (
	"informerscope/journal"
	"informerscope/journal/state"
	"informerscope/ui/fifo"
	"informerscope/ui/filter"
	"informerscope/ui/screen"
	"informerscope/ui/view"
	"informerscope/ui/vlist"
)

// ID numbers the panes as the user does.
type ID int

const (
	FIFO ID = iota + 1
	Indexer
	Queue
	Reflector
	Timeline
	Listeners
	numPanes = Listeners + 1
)

var paneNames = [numPanes]string{"", "DeltaFIFO", "Indexer", "Workqueue", "Reflector", "Timeline", "Listeners"}

// title is the name of a pane; that of the first one is the type of the queue.
func (p ID) title(r *state.Resource) string {
	if p == FIFO {
		return fifo.Name(&r.FIFO)
	}
	return paneNames[p]
}

// pane is one of the six. Each owns its cursor, its filter and what it caches.
type pane interface {
	// title is what stands in the border after the name, in w columns.
	title(c *view.Context, b []byte, w int) []byte
	// foot is what stands in the lower border, beside the position.
	foot(c *view.Context, b []byte, w int) []byte
	// draw fills the inside of the pane.
	draw(c *view.Context, a screen.Area, focused bool)
	// act does what a key asks for and returns the key of the row that the user
	// moved to, "" for none.
	act(c *view.Context, a view.Action) (chose string)
	// click selects the row y of what draw drew and reports whether it was
	// selected before.
	click(c *view.Context, y int) (chose string, again bool)
	// scroll moves the window by rows; y is the row under the pointer.
	scroll(c *view.Context, y, rows int)
	// position is the window in the list, for the lower border.
	position() *vlist.List
	// selected is the key on the selected row, "" for none.
	selected(c *view.Context) string
	// reveal moves the cursor to key, if the pane has it.
	reveal(c *view.Context, key string)
	// filter is nil when the pane has nothing to filter.
	filter() *filter.Filter
	// stage is what n steps, in one handler if that is named, or why it cannot.
	stage(c *view.Context) (s journal.Stage, handler, why string)
	// clone is a pane that can be drawn elsewhere: this one stays where the user
	// is.
	clone() pane
	// reset forgets everything about the resource.
	reset()
}
