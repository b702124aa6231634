package ui

import (
	"informerscope/ui/compare"
	"informerscope/ui/fifo"
	"informerscope/ui/problems"
	"informerscope/ui/screen"
	"informerscope/ui/source"
	"informerscope/ui/theme"
	"informerscope/ui/view"
)

// drawHints draws as many hints as fit; help and quit always do.
func (m *model) drawHints(a screen.Area) {
	top := m.views.top()
	in := top.Scope()
	pen := a.Pen(1, 0)
	draw := func(b *view.Binding, room int) {
		name, w := m.hint(top, b), len(b.HintKey())
		if name == "" || pen.X+w+1+len(name)+2 > a.W-room {
			return
		}
		pen.Str(theme.Hotkey, b.HintKey()).Str(theme.Plain, " ").Str(theme.Dim, name).Str(theme.Plain, "  ")
	}
	if f := top.Filter(); f != nil && f.On() {
		pen.Str(theme.Hotkey, "esc").Str(theme.Plain, " ").Str(theme.Dim, "clear filter").Str(theme.Plain, "  ")
	}
	last := [2]*view.Binding{}
	for i := range bindings {
		b := &bindings[i]
		if b.Hint == "" || b.Scope&in == 0 {
			continue
		}
		switch b.Act {
		case view.ActHelp:
			last[0] = b
		case view.ActQuit:
			last[1] = b
		default:
			draw(b, 17)
		}
	}
	for _, b := range last {
		if b != nil {
			draw(b, 0)
		}
	}
}

// hint says what a key would do now in a view, "" when it can do nothing.
func (m *model) hint(v view.View, b *view.Binding) string {
	text := v.Hint(&m.c, b)
	if f := hints[b.Act]; f != nil && text != "" {
		return f(m, v, text)
	}
	return text
}

// hints are for keys that mean the same in all views.
var hints = map[view.Action]func(m *model, v view.View, text string) string{
	view.ActPause: func(m *model, _ view.View, text string) string {
		switch {
		case m.travel.Playing():
			return "stop"
		case m.c.Recording():
			return "play"
		case m.c.Paused:
			return "resume"
		}
		return text
	},
	view.ActNow: func(m *model, _ view.View, text string) string {
		switch {
		case m.c.Past == nil:
			return ""
		case m.c.Recording():
			return "end"
		}
		return text
	},
	view.ActEventOn:   hintIf(func(m *model) bool { return m.c.Past != nil }),
	view.ActMark:      hintIf(func(m *model) bool { return m.c.Past != nil }),
	view.ActJump:      hintIf(func(m *model) bool { return m.c.Past != nil }),
	view.ActEventBack: hintIf(func(m *model) bool { return m.travel.CanGoBack() }),
	view.ActStep:      hintIf(func(m *model) bool { return m.c.Past == nil && m.c.Paused }),
	view.ActLesson: func(m *model, _ view.View, _ string) string {
		if m.dock == nil {
			return ""
		}
		return m.dock.Hint(&m.c, nil)
	},
	view.ActCommand:       hintIf(func(m *model) bool { return m.c.CanCommand() }),
	view.ActFaults:        hintIf(func(m *model) bool { return m.c.CanCommand() }),
	view.ActClearFaults:   hintIf(func(m *model) bool { return len(m.c.State.Faults(m.c.Now)) > 0 }),
	view.ActBreaks:        hintIf(func(m *model) bool { return len(m.c.State.Breakpoints()) > 0 }),
	view.ActCompare:       hintIf(func(m *model) bool { return compare.HasLanes(&m.c) }),
	view.ActStores:        hintIf(func(m *model) bool { return m.c.Resource.Stores.Len() > 0 }),
	view.ActProblems:      hintIf(func(m *model) bool { return problems.LooksWrong(&m.c) && !m.Shows(problems.Name) }),
	view.ActOrder:         hintIf(func(m *model) bool { return fifo.Arrives(&m.c.Resource.FIFO) }),
	view.ActAddHandler:    hintIf(canHandle),
	view.ActRemoveHandler: hintIf(canHandle),
	view.ActResources:     hintIf(func(m *model) bool { return len(m.c.State.Resources) > 1 }),
	view.ActBack: func(_ *model, v view.View, text string) string {
		if f := v.Filter(); f != nil && f.On() {
			return "" // drawHints says so first
		}
		return text
	},
	view.ActQuit: func(m *model, _ view.View, text string) string {
		if !m.views.atHome() {
			return "close"
		}
		return text
	},
}

func canHandle(m *model) bool {
	_, ok := m.c.Source.(source.Handlers)
	return ok
}

// hintIf leaves a hint out unless something is so.
func hintIf(so func(m *model) bool) func(*model, view.View, string) string {
	return func(m *model, _ view.View, text string) string {
		if so(m) {
			return text
		}
		return ""
	}
}
