package ui

import (
	"slices"
)

const (
	groupMove     = "Move"
	groupLook     = "Look"
	groupTime     = "Hold time"
	groupPast     = "Go back in time"
	groupBreaks   = "Breakpoints"
	groupCommand  = "Command"
	groupLesson   = "In a lesson"
	groupHandlers = "Handlers"
	groupObject   = "In an opened object"
	groupProgram  = "Program"
)

// bindings are in the order in which the help screen and the footer show them.
var bindings = []Binding{
	{actPause, inTime | inViewer | inListing, []string{"space"}, "space", "pause and resume the engine", groupTime, "pause", 0},
	{actStep, inPanes | inCompare | inStores, []string{"n"}, "n", "while paused, one step of the focused pane: a watch event, a Pop, a notification (in Listeners to the selected handler), a Get or its Done; in the Timeline of the selected event's stage, in the comparison in each lane; in the comparison and the stores a watch event when nothing is queued", groupTime, "step", 0},
	{actSlower, inPanes | inCompare | inStores, []string{"<"}, "< >", "slower and faster: real time, 100 ... 0.5 items a second", groupTime, "", 0},
	{actFaster, inPanes | inCompare | inStores, []string{">"}, "", "", groupTime, "", 0},
	{actFreeze, running, []string{"z"}, "z", "freeze the screen; the engine runs on", groupTime, "", 0},

	{actNow, inTime, []string{"G"}, "G", "back to now; of a recording to its end", groupPast, "now", 0},
	{actEventBack, inTime, []string{","}, ", .", "one event back and forward along the journal; the engine goes on", groupPast, "back", 0},
	{actEventOn, inTime, []string{"."}, "", "", groupPast, "forward", 0},
	{actSecondBack, inTime, []string{"{"}, "{ }", "one second back and forward; also the mouse on the bar above the last line", groupPast, "", 0},
	{actSecondOn, inTime, []string{"}"}, "", "", groupPast, "", 0},
	{actJump, inTime, []string{"T"}, "T", "jump to 12:04:31, to +12.5s since the start, -3s before now, or to event #1234", groupPast, "jump", 0},
	{actGoThere, inPanes | inLife | opened | inWrong, []string{"x"}, "x", "to the moment of the event that is selected in the Timeline, or open, or the evidence of what is wrong", groupPast, "go there", 0},
	{actPrevHit, inTime, []string{"ctrl+p"}, "ctrl+p ctrl+n", "to the previous and the next event that a breakpoint matches", groupPast, "", 0},
	{actNextHit, inTime, []string{"ctrl+n"}, "", "", groupPast, "", 0},
	{actMark, inTime, []string{"m"}, "m a", "mark this moment by a letter", groupPast, "mark", 0},
	{actToMark, inTime, []string{"'"}, "' a", "to the mark of that letter; '' to where the last jump left", groupPast, "", 0},
	{actMarks, inTime | inMarks, []string{"M"}, "M", "list of marks; two of them can be compared: what changed in each structure", groupPast, "", 0},
	{actPick, inMarks, []string{"space"}, "space", "in the list of marks: choose two to compare (c: one and the present)", groupPast, "choose", 0},
	{actCompare, inMarks, []string{"c"}, "", "", groupPast, "compare", 0},

	{actBreaks, inTime | inBreaks, []string{"b"}, "b", "list of breakpoints: the engine stops at events that match them, and what stopped it is open with enter", groupBreaks, "breakpoints", 0},
	{actAddBreak, inBreaks, []string{"a"}, "a", "in the list: add one", groupBreaks, "add", 0},
	{actToggleBreak, inBreaks, []string{"space"}, "space", "in the list: on and off", groupBreaks, "on or off", 0},
	{actRemoveBreak, inBreaks, []string{"x"}, "x", "in the list: remove it", groupBreaks, "remove", 0},
	{actRunToBreak, inBreaks, []string{"c"}, "c", "in the list: continue, to the next hit", groupBreaks, "continue", 0},

	{actNextPane, inPanes | inCompare | inStores, []string{"tab"}, "tab shift+tab", "next and previous pane, store, or half of a lane", groupMove, "pane", 0},
	{actPrevPane, inPanes | inCompare | inStores, []string{"shift+tab"}, "", "", groupMove, "", 0},
	{actPane1, inPanes, []string{"1"}, "1 ... 6", "DeltaFIFO, Indexer, Workqueue, Reflector, Timeline, Listeners", groupMove, "", 0},
	{actPane2, inPanes, []string{"2"}, "", "", groupMove, "", 0},
	{actPane3, inPanes, []string{"3"}, "", "", groupMove, "", 0},
	{actPane4, inPanes, []string{"4"}, "", "", groupMove, "", 0},
	{actPane5, inPanes, []string{"5"}, "", "", groupMove, "", 0},
	{actPane6, inPanes, []string{"6"}, "", "", groupMove, "", 0},
	{actUp, everywhere, []string{"up", "k"}, "up down j k", "move the cursor", groupMove, "", 0},
	{actDown, everywhere, []string{"down", "j"}, "", "", groupMove, "", 0},
	{actLeft, everywhere, []string{"left", "h"}, "left right h l", "close and open an index value; in an object: scroll sideways; in the comparison and the stores: the column beside", groupMove, "", 0},
	{actRight, everywhere, []string{"right", "l"}, "", "", groupMove, "", 0},
	{actPageUp, everywhere, []string{"pgup", "ctrl+b"}, "PgUp PgDn", "a page (also ctrl+b, ctrl+f)", groupMove, "", 0},
	{actPageDown, everywhere, []string{"pgdown", "ctrl+f"}, "", "", groupMove, "", 0},
	{actHalfUp, everywhere, []string{"ctrl+u"}, "ctrl+u ctrl+d", "half a page", groupMove, "", 0},
	{actHalfDown, everywhere, []string{"ctrl+d"}, "", "", groupMove, "", 0},
	{actHome, everywhere, []string{"g", "home"}, "g G Home End", "to the first and the last row; G in the Timeline follows the newest event again", groupMove, "", 0},
	{actEnd, everywhere, []string{"G", "end"}, "", "", groupMove, "", 0},

	{actOpen, inPanes | inResources | inFaults | inListing | inCompare | inStores | inMarks | inLife | inWrong | inBreaks, []string{"enter"}, "enter", "open: an index value, an object with its difference to the version before, an event, a ReplacedAll, a handler, a resource", groupLook, "open", 0},
	{actFilter, inPanes | opened | inListing | inCompare | inStores | inWrong, []string{"/"}, "/", "filter the focused pane, all lanes or all stores by a regular expression; ! in front inverts it; esc clears it", groupLook, "filter", 0},
	{actFollow, inTime, []string{"f"}, "f", "follow the selected key: its life from the watch event to the end of its reconcile, with the time in each stage; again: back to the panes, where it is lit", groupLook, "follow", 0},
	{actVersions, inLife, []string{"v"}, "v", "in the life of a key: the versions of the object, one upon the other", groupLook, "versions", 0},
	{actAll, inLife, []string{"a"}, "a", "in the life of a key: with all events, or the times only; h and l close and open one", groupLook, "events", 0},
	{actOrder, inPanes | inCompare, []string{"o"}, "o", "DeltaFIFO: arrival order, or grouped by key (RealFIFO)", groupLook, "order", int(paneFIFO)},
	{actIndex, inPanes, []string{"i"}, "i", "Indexer: the next index", groupLook, "index", int(paneIndexer)},
	{actStage, inPanes, []string{"s"}, "s", "Timeline: one stage only, the next each time", groupLook, "stage", int(paneTimeline)},
	{actAll, inPanes | inWrong, []string{"a"}, "a", "Timeline, and what is wrong: all resources, or this one", groupLook, "all", int(paneTimeline)},
	{actCompare, inPanes | inCompare | inStores, []string{"c"}, "c", "lanes of --compare side by side: their queues, and what their handlers saw", groupLook, "compare", 0},
	{actDiffer, inCompare, []string{"d"}, "d", "comparison: only what differs, or everything that the handlers saw", groupLook, "differences", 0},
	{actStores, inPanes | inCompare | inStores, []string{"t"}, "t", "client-go's storage types side by side (--stores)", groupLook, "stores", 0},
	{actProblems, inPanes | inCompare | inStores | inWrong, []string{"w"}, "w", "what looks wrong, with its evidence, an explanation and a remedy: hot loops, stuck workers, relist storms, objects changed in place and more (! 2 in the first line: two of them go on; a click on it does the same)", groupLook, "what is wrong", 0},
	{actMaximise, inPanes, []string{"\\"}, "\\", "one pane large, and back", groupLook, "large", 0},
	{actPrevResource, inPanes | inCompare | inStores | inWrong, []string{"["}, "[ ]", "previous and next resource", groupLook, "", 0},
	{actNextResource, inPanes | inCompare | inStores | inWrong, []string{"]"}, "", "", groupLook, "", 0},
	{actResources, inPanes, []string{"r"}, "r", "list of resources", groupLook, "resources", 0},
	{actCopy, running, []string{"y"}, "y", "copy the selected key, or the object", groupLook, "", 0},
	{actCopyText, running | inBreaks, []string{"Y"}, "Y", "copy what the focused pane or the opened view shows, as text: with the rows that are out of sight, as many as a terminal takes", groupLook, "", 0},
	{actExport, running | inBreaks, []string{"e"}, "e", "write what is shown to a new file, by its ending: .svg the screen as a picture, .txt as text, .ans with colours, .json or .yaml what all structures hold, as -o prints it", groupLook, "", 0},

	{actLesson, running, []string{"N"}, "N", "answer the question, or go on to the next step", groupLesson, "lesson", 0},
	{actLessonUp, running, []string{"("}, "( )", "scroll the text of the lesson", groupLesson, "", 0},
	{actLessonDown, running, []string{")"}, "", "", groupLesson, "", 0},

	{actCommand, running | inBreaks, []string{":"}, ":", "type a command: the workqueue by hand, workers, handlers, faults, and with --sandbox the server (docs/verbs.md)", groupCommand, "command", 0},
	{actSave, running, []string{"S"}, "S", "write what was done since the last S (verbs, keys, changes on the server) as a scenario file", groupCommand, "", 0},
	{actRecord, running, []string{"R"}, "R", "start or stop a recording: everything that happens goes to a file that informerscope replay opens", groupCommand, "", 0},
	{actFaults, running | inFaults, []string{"F"}, "F", "faults on the wire: what is armed, and what can be", groupCommand, "faults", 0},
	{actClearFaults, running | inFaults, []string{"C"}, "C", "clear all faults", groupCommand, "clear", 0},

	{actAddHandler, inPanes | inCompare, []string{"A"}, "A", "add a handler: name[,delay=200ms][,resync=2s]; it gets an OnAdd for each stored object; in a comparison in all lanes", groupHandlers, "add", int(paneListeners)},
	{actRemoveHandler, inPanes, []string{"X"}, "X", "Listeners: remove the selected handler, after a question; in a comparison from all lanes", groupHandlers, "remove", int(paneListeners)},

	{actDiff, opened, []string{"d"}, "d", "only what changed, or the whole object", groupObject, "diff", 0},
	{actNextVersion, opened, []string{"n", "]"}, "n p", "next and previous version (also ], [)", groupObject, "next", 0},
	{actPrevVersion, opened, []string{"p", "["}, "", "", groupObject, "previous", 0},
	{actPick, inVersions, []string{"space"}, "space", "in the versions of a followed key: compare with this one from now on; again: with the one before", groupObject, "compare", 0},
	{actManaged, opened, []string{"m"}, "m", "show metadata.managedFields, or hide them", groupObject, "", 0},

	{actBack, everywhere, []string{"esc", "backspace"}, "esc", "back: close, or clear the filter", groupProgram, "back", 0},
	{actHelp, everywhere, []string{"?"}, "?", "this help", groupProgram, "help", 0},
	{actSuspend, everywhere, []string{"ctrl+z"}, "ctrl+z", "suspend to the shell; fg comes back", groupProgram, "", 0},
	{actQuit, everywhere, []string{"q"}, "q", "close what is open, or quit", groupProgram, "quit", 0},
	{actInterrupt, everywhere, []string{"ctrl+c"}, "ctrl+c", "quit", groupProgram, "", 0},
}

// bindingOf finds what a key does in a scope.
func bindingOf(key string, in Scope) *Binding {
	for i := range bindings {
		b := &bindings[i]
		if b.Scope&in == 0 {
			continue
		}
		for _, k := range b.Keys {
			if k == key {
				return b
			}
		}
	}
	return nil
}

// bound reports whether a key does something in a scope.
func bound(a Action, in Scope) bool {
	return slices.ContainsFunc(bindings, func(b Binding) bool { return b.Act == a && b.Scope&in != 0 })
}

// Keys lists every key, grouped, in the order of the help screen.
func Keys() []KeyHelp {
	var out []KeyHelp
	for _, b := range bindings {
		if b.Label != "" {
			out = append(out, KeyHelp{Group: b.Group, Keys: b.Label, Help: b.Help})
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
		{"Signs", "• ", "the key that is selected in another pane; ● the one that is followed"},
		{"Signs", "┃ a ◆ !", "on the bar of the past: the cursor, a mark, a hit of a breakpoint, the first evidence of a finding"},
		{"Signs", "Updated@905", "a delta: its type @ its resourceVersion"},
		{"Signs", "(+3)", "three older deltas had no room; enter opens"},
		{"Signs", "≠ % ~ …", "comparison: another lane did not see it, saw it in another order of this key, in another order across keys, has not come so far"},
		{"Signs", "T", "tombstone (DeletedFinalStateUnknown): the deletion itself was missed"},
		{"Signs", "a u d", "Listeners: calls of OnAdd, OnUpdate and OnDelete so far"},
		{"Signs", "syncing", "Listeners: resyncs reach it; asked 2s, granted 3s (2s/3s) is its resync period"},
		{"Signs", "held", "Listeners: one notification is out of the ring and waits for the handler to return"},
		{"Signs", "dirty again", "changed while a worker has it: its Done queues it once more"},
		{"Signs", "q d p w", "Workqueue: keys in queue, dirty, processing, waiting (AddAfter)"},
	}
}
