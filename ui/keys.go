package ui

// action is what a key does. One table, bindings, serves the dispatch, the
// footer, the help screen and the README.
type action uint8

const (
	actNone action = iota
	actUp
	actDown
	actLeft
	actRight
	actPageUp
	actPageDown
	actHalfUp
	actHalfDown
	actHome
	actEnd
	actNextPane
	actPrevPane
	actPane1
	actPane2
	actPane3
	actPane4
	actPane5
	actMaximise
	actOpen
	actBack
	actFilter
	actCopy
	actPrevResource
	actNextResource
	actResources
	actPause
	actStep
	actSlower
	actFaster
	actFreeze
	actIndex
	actAll
	actStage
	actDiff
	actNextVersion
	actPrevVersion
	actHelp
	actSuspend
	actQuit
	actInterrupt
)

// scope says where a key acts.
type scope uint8

const (
	inPanes     scope = 1 << iota // the five panes
	inViewer                      // an opened object or event
	inResources                   // the list of resources
	inHelp                        // the help screen
	everywhere  = inPanes | inViewer | inResources | inHelp
)

// binding is one row of the keymap.
type binding struct {
	act   action
	scope scope
	keys  []string // as Bubble Tea names them
	label string   // as people read them; empty: the row belongs to the one above
	help  string
	group string
	hint  string // for the footer; empty: not shown there
	pane  paneID // hint only when this pane has the focus; 0: any
}

const (
	groupMove    = "Move"
	groupLook    = "Look"
	groupTime    = "Hold time"
	groupObject  = "In an opened object"
	groupProgram = "Program"
)

// bindings are in the order in which the help screen and the footer show them.
var bindings = []binding{
	{actPause, inPanes | inViewer, []string{"space"}, "space", "pause and resume the engine", groupTime, "pause", 0},
	{actStep, inPanes, []string{"n"}, "n", "while paused, one step: in DeltaFIFO a Pop, in Indexer a notification to the handler, in Workqueue a Get or its Done, in Reflector a watch event, in Timeline in the selected event's stage", groupTime, "step", 0},
	{actSlower, inPanes, []string{"<"}, "< >", "slower and faster: real time, 100 ... 0.5 items a second", groupTime, "", 0},
	{actFaster, inPanes, []string{">"}, "", "", groupTime, "", 0},
	{actFreeze, inPanes | inViewer, []string{"z"}, "z", "freeze the screen; the engine runs on", groupTime, "", 0},

	{actNextPane, inPanes, []string{"tab"}, "tab shift+tab", "next and previous pane", groupMove, "pane", 0},
	{actPrevPane, inPanes, []string{"shift+tab"}, "", "", groupMove, "", 0},
	{actPane1, inPanes, []string{"1"}, "1 ... 5", "DeltaFIFO, Indexer, Workqueue, Reflector, Timeline", groupMove, "", 0},
	{actPane2, inPanes, []string{"2"}, "", "", groupMove, "", 0},
	{actPane3, inPanes, []string{"3"}, "", "", groupMove, "", 0},
	{actPane4, inPanes, []string{"4"}, "", "", groupMove, "", 0},
	{actPane5, inPanes, []string{"5"}, "", "", groupMove, "", 0},
	{actUp, everywhere, []string{"up", "k"}, "up down j k", "move the cursor", groupMove, "", 0},
	{actDown, everywhere, []string{"down", "j"}, "", "", groupMove, "", 0},
	{actLeft, everywhere, []string{"left", "h"}, "left right h l", "close and open an index value; in an object: scroll sideways", groupMove, "", 0},
	{actRight, everywhere, []string{"right", "l"}, "", "", groupMove, "", 0},
	{actPageUp, everywhere, []string{"pgup", "ctrl+b"}, "PgUp PgDn", "a page (also ctrl+b, ctrl+f)", groupMove, "", 0},
	{actPageDown, everywhere, []string{"pgdown", "ctrl+f"}, "", "", groupMove, "", 0},
	{actHalfUp, everywhere, []string{"ctrl+u"}, "ctrl+u ctrl+d", "half a page", groupMove, "", 0},
	{actHalfDown, everywhere, []string{"ctrl+d"}, "", "", groupMove, "", 0},
	{actHome, everywhere, []string{"g", "home"}, "g G Home End", "to the first and the last row; G in the Timeline follows the newest event again", groupMove, "", 0},
	{actEnd, everywhere, []string{"G", "end"}, "", "", groupMove, "", 0},

	{actOpen, inPanes | inResources, []string{"enter"}, "enter", "open: an index value, an object with its difference to the version before, an event, a resource", groupLook, "open", 0},
	{actFilter, inPanes | inViewer, []string{"/"}, "/", "filter the focused pane by a regular expression; ! in front inverts it; esc clears it", groupLook, "filter", 0},
	{actIndex, inPanes, []string{"i"}, "i", "Indexer: the next index", groupLook, "index", paneIndexer},
	{actStage, inPanes, []string{"s"}, "s", "Timeline: one stage only, the next each time", groupLook, "stage", paneTimeline},
	{actAll, inPanes, []string{"a"}, "a", "Timeline: all resources, or this one", groupLook, "all", paneTimeline},
	{actMaximise, inPanes, []string{"\\"}, "\\", "one pane large, and back", groupLook, "large", 0},
	{actPrevResource, inPanes, []string{"["}, "[ ]", "previous and next resource", groupLook, "", 0},
	{actNextResource, inPanes, []string{"]"}, "", "", groupLook, "", 0},
	{actResources, inPanes, []string{"r"}, "r", "list of resources", groupLook, "resources", 0},
	{actCopy, inPanes | inViewer, []string{"y"}, "y", "copy the selected key, or the object", groupLook, "", 0},

	{actDiff, inViewer, []string{"d"}, "d", "only what changed, or the whole object", groupObject, "diff", 0},
	{actNextVersion, inViewer, []string{"n", "]"}, "n p", "next and previous version (also ], [)", groupObject, "next", 0},
	{actPrevVersion, inViewer, []string{"p", "["}, "", "", groupObject, "previous", 0},

	{actBack, everywhere, []string{"esc", "backspace"}, "esc", "back: close, or clear the filter", groupProgram, "back", 0},
	{actHelp, inPanes | inViewer | inResources | inHelp, []string{"?"}, "?", "this help", groupProgram, "help", 0},
	{actSuspend, everywhere, []string{"ctrl+z"}, "ctrl+z", "suspend to the shell; fg comes back", groupProgram, "", 0},
	{actQuit, everywhere, []string{"q"}, "q", "close what is open, or quit", groupProgram, "quit", 0},
	{actInterrupt, everywhere, []string{"ctrl+c"}, "ctrl+c", "quit", groupProgram, "", 0},
}

// bindingOf finds what a key does in a scope.
func bindingOf(key string, in scope) *binding {
	for i := range bindings {
		b := &bindings[i]
		if b.scope&in == 0 {
			continue
		}
		for _, k := range b.keys {
			if k == key {
				return b
			}
		}
	}
	return nil
}

// KeyHelp is one key as help and documentation show it.
type KeyHelp struct {
	Group string
	Keys  string // separated by spaces
	Help  string
}

// Keys lists every key, grouped, in the order of the help screen.
func Keys() []KeyHelp {
	var out []KeyHelp
	for _, b := range bindings {
		if b.label != "" {
			out = append(out, KeyHelp{Group: b.group, Keys: b.label, Help: b.help})
		}
	}
	return append(out,
		KeyHelp{"Mouse", "click", "focus a pane, select a row; again: open it"},
		KeyHelp{"Mouse", "wheel", "scroll the pane under the pointer"})
}

// Legend lists the signs that panes use, for the help screen.
func Legend() []KeyHelp {
	return []KeyHelp{
		{"Signs", "› ", "the selected row"},
		{"Signs", "• ", "the key that is selected in another pane"},
		{"Signs", "Updated@905", "a delta: its type @ its resourceVersion"},
		{"Signs", "(+3)", "three older deltas had no room; enter opens"},
		{"Signs", "T", "tombstone (DeletedFinalStateUnknown): the deletion itself was missed"},
		{"Signs", "dirty again", "changed while a worker has it: its Done queues it once more"},
		{"Signs", "q d p w", "Workqueue: keys in queue, dirty, processing, waiting (AddAfter)"},
	}
}

// hintKey is the key as the footer shows it.
func (b *binding) hintKey() string { return b.keys[0] }
