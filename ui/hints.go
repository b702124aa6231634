package ui

import (
	"informerscope/ui/screen"
)

// drawHints draws as many hints as fit; help and quit always do.
func (m *model) drawHints(a screen.Area) {
	top := m.views.top()
	in := top.Scope()
	pen := a.Pen(1, 0)
	draw := func(b *Binding, room int) {
		name, w := m.hint(top, b), len(b.HintKey())
		if name == "" || pen.X+w+1+len(name)+2 > a.W-room {
			return
		}
		pen.Str(hotkey, b.HintKey()).Str(plain, " ").Str(dim, name).Str(plain, "  ")
	}
	if f := top.Filter(); f != nil && f.on() {
		pen.Str(hotkey, "esc").Str(plain, " ").Str(dim, "clear filter").Str(plain, "  ")
	}
	last := [2]*Binding{}
	for i := range bindings {
		b := &bindings[i]
		if b.Hint == "" || b.Scope&in == 0 {
			continue
		}
		switch b.Act {
		case actHelp:
			last[0] = b
		case actQuit:
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
func (m *model) hint(v View, b *Binding) string {
	text := v.Hint(&m.c, b)
	if f := hints[b.Act]; f != nil && text != "" {
		return f(m, v, text)
	}
	return text
}

// hints are for keys that mean the same in all views.
var hints = map[Action]func(m *model, v View, text string) string{
	actPause: func(m *model, _ View, text string) string {
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
	actNow: func(m *model, _ View, text string) string {
		switch {
		case m.c.Past == nil:
			return ""
		case m.c.Recording():
			return "end"
		}
		return text
	},
	actEventOn:   hintIf(func(m *model) bool { return m.c.Past != nil }),
	actMark:      hintIf(func(m *model) bool { return m.c.Past != nil }),
	actJump:      hintIf(func(m *model) bool { return m.c.Past != nil }),
	actEventBack: hintIf(func(m *model) bool { return m.travel.CanGoBack() }),
	actStep:      hintIf(func(m *model) bool { return m.c.Past == nil && m.c.Paused }),
	actLesson: func(m *model, _ View, _ string) string {
		if m.dock == nil {
			return ""
		}
		return m.dock.Hint(&m.c, nil)
	},
	actCommand:       hintIf(func(m *model) bool { return m.c.CanCommand() }),
	actFaults:        hintIf(func(m *model) bool { return m.c.CanCommand() }),
	actClearFaults:   hintIf(func(m *model) bool { return len(m.c.State.Faults(m.c.Now)) > 0 }),
	actBreaks:        hintIf(func(m *model) bool { return len(m.c.State.Breakpoints()) > 0 }),
	actCompare:       hintIf(func(m *model) bool { return hasLanes(&m.c) }),
	actStores:        hintIf(func(m *model) bool { return m.c.Resource.Stores.Len() > 0 }),
	actProblems:      hintIf(func(m *model) bool { return looksWrong(&m.c) && !m.Shows(problemsName) }),
	actOrder:         hintIf(func(m *model) bool { return arrives(&m.c.Resource.FIFO) }),
	actAddHandler:    hintIf(canHandle),
	actRemoveHandler: hintIf(canHandle),
	actResources:     hintIf(func(m *model) bool { return len(m.c.State.Resources) > 1 }),
	actBack: func(_ *model, v View, text string) string {
		if f := v.Filter(); f != nil && f.on() {
			return "" // drawHints says so first
		}
		return text
	},
	actQuit: func(m *model, _ View, text string) string {
		if !m.views.atHome() {
			return "close"
		}
		return text
	},
}

func canHandle(m *model) bool {
	_, ok := m.c.Source.(Handlers)
	return ok
}

// hintIf leaves a hint out unless something is so.
func hintIf(so func(m *model) bool) func(*model, View, string) string {
	return func(m *model, _ View, text string) string {
		if so(m) {
			return text
		}
		return ""
	}
}
