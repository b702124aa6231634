package ui

import (
	"slices"

	"informerscope/ui/help"
	"informerscope/ui/panes"
	"informerscope/ui/view"
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
var bindings = []view.Binding{
	bind(view.ActPause, view.InTime|view.InViewer|view.InListing, []string{"space"}, "space", "pause and resume the engine", groupTime, "pause", 0),
	bind(view.ActStep, view.InPanes|view.InCompare|view.InStores, []string{"n"}, "n", "while paused, one step of the focused pane: a watch event, a Pop, a notification (in Listeners to the selected handler), a Get or its Done; in the Timeline of the selected event's stage, in the comparison in each lane; in the comparison and the stores a watch event when nothing is queued", groupTime, "step", 0),
	bind(view.ActSlower, view.InPanes|view.InCompare|view.InStores, []string{"<"}, "< >", "slower and faster: real time, 100 ... 0.5 items a second", groupTime, "", 0),
	bind(view.ActFaster, view.InPanes|view.InCompare|view.InStores, []string{">"}, "", "", groupTime, "", 0),
	bind(view.ActFreeze, view.Running, []string{"z"}, "z", "freeze the screen; the engine runs on", groupTime, "", 0),

	bind(view.ActNow, view.InTime, []string{"G"}, "G", "back to now; of a recording to its end", groupPast, "now", 0),
	bind(view.ActEventBack, view.InTime, []string{","}, ", .", "one event back and forward along the journal; the engine goes on", groupPast, "back", 0),
	bind(view.ActEventOn, view.InTime, []string{"."}, "", "", groupPast, "forward", 0),
	bind(view.ActSecondBack, view.InTime, []string{"{"}, "{ }", "one second back and forward; also the mouse on the bar above the last line", groupPast, "", 0),
	bind(view.ActSecondOn, view.InTime, []string{"}"}, "", "", groupPast, "", 0),
	bind(view.ActJump, view.InTime, []string{"T"}, "T", "jump to 12:04:31, to +12.5s since the start, -3s before now, or to event #1234", groupPast, "jump", 0),
	bind(view.ActGoThere, view.InPanes|view.InLife|view.Opened|view.InWrong, []string{"x"}, "x", "to the moment of the event that is selected in the Timeline, or open, or the evidence of what is wrong", groupPast, "go there", 0),
	bind(view.ActPrevHit, view.InTime, []string{"ctrl+p"}, "ctrl+p ctrl+n", "to the previous and the next event that a breakpoint matches", groupPast, "", 0),
	bind(view.ActNextHit, view.InTime, []string{"ctrl+n"}, "", "", groupPast, "", 0),
	bind(view.ActMark, view.InTime, []string{"m"}, "m a", "mark this moment by a letter", groupPast, "mark", 0),
	bind(view.ActToMark, view.InTime, []string{"'"}, "' a", "to the mark of that letter; '' to where the last jump left", groupPast, "", 0),
	bind(view.ActMarks, view.InTime|view.InMarks, []string{"M"}, "M", "list of marks; two of them can be compared: what changed in each structure", groupPast, "", 0),
	bind(view.ActPick, view.InMarks, []string{"space"}, "space", "in the list of marks: choose two to compare (c: one and the present)", groupPast, "choose", 0),
	bind(view.ActCompare, view.InMarks, []string{"c"}, "", "", groupPast, "compare", 0),

	bind(view.ActBreaks, view.InTime|view.InBreaks, []string{"b"}, "b", "list of breakpoints: the engine stops at events that match them, and what stopped it is open with enter", groupBreaks, "breakpoints", 0),
	bind(view.ActAddBreak, view.InBreaks, []string{"a"}, "a", "in the list: add one", groupBreaks, "add", 0),
	bind(view.ActToggleBreak, view.InBreaks, []string{"space"}, "space", "in the list: on and off", groupBreaks, "on or off", 0),
	bind(view.ActRemoveBreak, view.InBreaks, []string{"x"}, "x", "in the list: remove it", groupBreaks, "remove", 0),
	bind(view.ActRunToBreak, view.InBreaks, []string{"c"}, "c", "in the list: continue, to the next hit", groupBreaks, "continue", 0),

	bind(view.ActNextPane, view.InPanes|view.InCompare|view.InStores, []string{"tab"}, "tab shift+tab", "next and previous pane, store, or half of a lane", groupMove, "pane", 0),
	bind(view.ActPrevPane, view.InPanes|view.InCompare|view.InStores, []string{"shift+tab"}, "", "", groupMove, "", 0),
	bind(view.ActPane1, view.InPanes, []string{"1"}, "1 ... 6", "DeltaFIFO, Indexer, Workqueue, Reflector, Timeline, Listeners", groupMove, "", 0),
	bind(view.ActPane2, view.InPanes, []string{"2"}, "", "", groupMove, "", 0),
	bind(view.ActPane3, view.InPanes, []string{"3"}, "", "", groupMove, "", 0),
	bind(view.ActPane4, view.InPanes, []string{"4"}, "", "", groupMove, "", 0),
	bind(view.ActPane5, view.InPanes, []string{"5"}, "", "", groupMove, "", 0),
	bind(view.ActPane6, view.InPanes, []string{"6"}, "", "", groupMove, "", 0),
	bind(view.ActUp, view.Everywhere, []string{"up", "k"}, "up down j k", "move the cursor", groupMove, "", 0),
	bind(view.ActDown, view.Everywhere, []string{"down", "j"}, "", "", groupMove, "", 0),
	bind(view.ActLeft, view.Everywhere, []string{"left", "h"}, "left right h l", "close and open an index value; in an object: scroll sideways; in the comparison and the stores: the column beside", groupMove, "", 0),
	bind(view.ActRight, view.Everywhere, []string{"right", "l"}, "", "", groupMove, "", 0),
	bind(view.ActPageUp, view.Everywhere, []string{"pgup", "ctrl+b"}, "PgUp PgDn", "a page (also ctrl+b, ctrl+f)", groupMove, "", 0),
	bind(view.ActPageDown, view.Everywhere, []string{"pgdown", "ctrl+f"}, "", "", groupMove, "", 0),
	bind(view.ActHalfUp, view.Everywhere, []string{"ctrl+u"}, "ctrl+u ctrl+d", "half a page", groupMove, "", 0),
	bind(view.ActHalfDown, view.Everywhere, []string{"ctrl+d"}, "", "", groupMove, "", 0),
	bind(view.ActHome, view.Everywhere, []string{"g", "home"}, "g G Home End", "to the first and the last row; G in the Timeline follows the newest event again", groupMove, "", 0),
	bind(view.ActEnd, view.Everywhere, []string{"G", "end"}, "", "", groupMove, "", 0),

	bind(view.ActOpen, view.InPanes|view.InResources|view.InFaults|view.InListing|view.InCompare|view.InStores|view.InMarks|view.InLife|view.InWrong|view.InBreaks, []string{"enter"}, "enter", "open: an index value, an object with its difference to the version before, an event, a ReplacedAll, a handler, a resource", groupLook, "open", 0),
	bind(view.ActFilter, view.InPanes|view.Opened|view.InListing|view.InCompare|view.InStores|view.InWrong, []string{"/"}, "/", "filter the focused pane, all lanes or all stores by a regular expression; ! in front inverts it; esc clears it", groupLook, "filter", 0),
	bind(view.ActFollow, view.InTime, []string{"f"}, "f", "follow the selected key: its life from the watch event to the end of its reconcile, with the time in each stage; again: back to the panes, where it is lit", groupLook, "follow", 0),
	bind(view.ActVersions, view.InLife, []string{"v"}, "v", "in the life of a key: the versions of the object, one upon the other", groupLook, "versions", 0),
	bind(view.ActAll, view.InLife, []string{"a"}, "a", "in the life of a key: with all events, or the times only; h and l close and open one", groupLook, "events", 0),
	bind(view.ActOrder, view.InPanes|view.InCompare, []string{"o"}, "o", "DeltaFIFO: arrival order, or grouped by key (RealFIFO)", groupLook, "order", int(panes.FIFO)),
	bind(view.ActIndex, view.InPanes, []string{"i"}, "i", "Indexer: the next index", groupLook, "index", int(panes.Indexer)),
	bind(view.ActStage, view.InPanes, []string{"s"}, "s", "Timeline: one stage only, the next each time", groupLook, "stage", int(panes.Timeline)),
	bind(view.ActAll, view.InPanes|view.InWrong, []string{"a"}, "a", "Timeline, and what is wrong: all resources, or this one", groupLook, "all", int(panes.Timeline)),
	bind(view.ActCompare, view.InPanes|view.InCompare|view.InStores, []string{"c"}, "c", "lanes of --compare side by side: their queues, and what their handlers saw", groupLook, "compare", 0),
	bind(view.ActDiffer, view.InCompare, []string{"d"}, "d", "comparison: only what differs, or everything that the handlers saw", groupLook, "differences", 0),
	bind(view.ActStores, view.InPanes|view.InCompare|view.InStores, []string{"t"}, "t", "client-go's storage types side by side (--stores)", groupLook, "stores", 0),
	bind(view.ActProblems, view.InPanes|view.InCompare|view.InStores|view.InWrong, []string{"w"}, "w", "what looks wrong, with its evidence, an explanation and a remedy: hot loops, stuck workers, relist storms, objects changed in place and more (! 2 in the first line: two of them go on; a click on it does the same)", groupLook, "what is wrong", 0),
	bind(view.ActMaximise, view.InPanes, []string{"\\"}, "\\", "one pane large, and back", groupLook, "large", 0),
	bind(view.ActPrevResource, view.InPanes|view.InCompare|view.InStores|view.InWrong, []string{"["}, "[ ]", "previous and next resource", groupLook, "", 0),
	bind(view.ActNextResource, view.InPanes|view.InCompare|view.InStores|view.InWrong, []string{"]"}, "", "", groupLook, "", 0),
	bind(view.ActResources, view.InPanes, []string{"r"}, "r", "list of resources", groupLook, "resources", 0),
	bind(view.ActCopy, view.Running, []string{"y"}, "y", "copy the selected key, or the object", groupLook, "", 0),
	bind(view.ActCopyText, view.Running|view.InBreaks, []string{"Y"}, "Y", "copy what the focused pane or the opened view shows, as text: with the rows that are out of sight, as many as a terminal takes", groupLook, "", 0),
	bind(view.ActExport, view.Running|view.InBreaks, []string{"e"}, "e", "write what is shown to a new file, by its ending: .svg the screen as a picture, .txt as text, .ans with colours, .json or .yaml what all structures hold, as -o prints it", groupLook, "", 0),

	bind(view.ActLesson, view.Running, []string{"N"}, "N", "answer the question, or go on to the next step", groupLesson, "lesson", 0),
	bind(view.ActLessonUp, view.Running, []string{"("}, "( )", "scroll the text of the lesson", groupLesson, "", 0),
	bind(view.ActLessonDown, view.Running, []string{")"}, "", "", groupLesson, "", 0),

	bind(view.ActCommand, view.Running|view.InBreaks, []string{":"}, ":", "type a command: the workqueue by hand, workers, handlers, faults, and with --sandbox the server (docs/verbs.md)", groupCommand, "command", 0),
	bind(view.ActSave, view.Running, []string{"S"}, "S", "write what was done since the last S (verbs, keys, changes on the server) as a scenario file", groupCommand, "", 0),
	bind(view.ActRecord, view.Running, []string{"R"}, "R", "start or stop a recording: everything that happens goes to a file that informerscope replay opens", groupCommand, "", 0),
	bind(view.ActFaults, view.Running|view.InFaults, []string{"F"}, "F", "faults on the wire: what is armed, and what can be", groupCommand, "faults", 0),
	bind(view.ActClearFaults, view.Running|view.InFaults, []string{"C"}, "C", "clear all faults", groupCommand, "clear", 0),

	bind(view.ActAddHandler, view.InPanes|view.InCompare, []string{"A"}, "A", "add a handler: name[,delay=200ms][,resync=2s]; it gets an OnAdd for each stored object; in a comparison in all lanes", groupHandlers, "add", int(panes.Listeners)),
	bind(view.ActRemoveHandler, view.InPanes, []string{"X"}, "X", "Listeners: remove the selected handler, after a question; in a comparison from all lanes", groupHandlers, "remove", int(panes.Listeners)),

	bind(view.ActDiff, view.Opened, []string{"d"}, "d", "only what changed, or the whole object", groupObject, "diff", 0),
	bind(view.ActNextVersion, view.Opened, []string{"n", "]"}, "n p", "next and previous version (also ], [)", groupObject, "next", 0),
	bind(view.ActPrevVersion, view.Opened, []string{"p", "["}, "", "", groupObject, "previous", 0),
	bind(view.ActPick, view.InVersions, []string{"space"}, "space", "in the versions of a followed key: compare with this one from now on; again: with the one before", groupObject, "compare", 0),
	bind(view.ActManaged, view.Opened, []string{"m"}, "m", "show metadata.managedFields, or hide them", groupObject, "", 0),

	bind(view.ActBack, view.Everywhere, []string{"esc", "backspace"}, "esc", "back: close, or clear the filter", groupProgram, "back", 0),
	bind(view.ActHelp, view.Everywhere, []string{"?"}, "?", "this help", groupProgram, "help", 0),
	bind(view.ActSuspend, view.Everywhere, []string{"ctrl+z"}, "ctrl+z", "suspend to the shell; fg comes back", groupProgram, "", 0),
	bind(view.ActQuit, view.Everywhere, []string{"q"}, "q", "close what is open, or quit", groupProgram, "quit", 0),
	bind(view.ActInterrupt, view.Everywhere, []string{"ctrl+c"}, "ctrl+c", "quit", groupProgram, "", 0),
}

// bind is one row of the keymap.
func bind(act view.Action, scope view.Scope, keys []string, label, help, group, hint string, pane int) view.Binding {
	return view.Binding{Act: act, Scope: scope, Keys: keys, Label: label, Help: help, Group: group, Hint: hint, Pane: pane}
}

// bindingOf finds what a key does in a scope.
func bindingOf(key string, in view.Scope) *view.Binding {
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
func bound(a view.Action, in view.Scope) bool {
	return slices.ContainsFunc(bindings, func(b view.Binding) bool { return b.Act == a && b.Scope&in != 0 })
}

// Keys lists every key, grouped, in the order of the help screen.
func Keys() []help.Key {
	var out []help.Key
	for _, b := range bindings {
		if b.Label != "" {
			out = append(out, help.Key{Group: b.Group, Keys: b.Label, Help: b.Help})
		}
	}
	return append(out,
		help.Key{Group: "Mouse", Keys: "click", Help: "focus a pane, select a row; again: open it"},
		help.Key{Group: "Mouse", Keys: "wheel", Help: "scroll the pane under the pointer"})
}

// Legend lists the signs that panes use, for the help screen.
func Legend() []help.Key {
	return []help.Key{
		{Group: "Signs", Keys: "› ", Help: "the selected row"},
		{Group: "Signs", Keys: "• ", Help: "the key that is selected in another pane; ● the one that is followed"},
		{Group: "Signs", Keys: "┃ a ◆ !", Help: "on the bar of the past: the cursor, a mark, a hit of a breakpoint, the first evidence of a finding"},
		{Group: "Signs", Keys: "Updated@905", Help: "a delta: its type @ its resourceVersion"},
		{Group: "Signs", Keys: "(+3)", Help: "three older deltas had no room; enter opens"},
		{Group: "Signs", Keys: "≠ % ~ …", Help: "comparison: another lane did not see it, saw it in another order of this key, in another order across keys, has not come so far"},
		{Group: "Signs", Keys: "T", Help: "tombstone (DeletedFinalStateUnknown): the deletion itself was missed"},
		{Group: "Signs", Keys: "a u d", Help: "Listeners: calls of OnAdd, OnUpdate and OnDelete so far"},
		{Group: "Signs", Keys: "syncing", Help: "Listeners: resyncs reach it; asked 2s, granted 3s (2s/3s) is its resync period"},
		{Group: "Signs", Keys: "held", Help: "Listeners: one notification is out of the ring and waits for the handler to return"},
		{Group: "Signs", Keys: "dirty again", Help: "changed while a worker has it: its Done queues it once more"},
		{Group: "Signs", Keys: "q d p w", Help: "Workqueue: keys in queue, dirty, processing, waiting (AddAfter)"},
	}
}
