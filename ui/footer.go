package ui

import "informerscope/ui/screen"

// drawFooter draws what is typed, a question, the answer to the last key, the
// note of the first seconds, or the keys that matter and can act now.
func (m *model) drawFooter(a screen.Area) {
	if f := m.input; f != nil {
		pen := a.Pen(1, 0)
		pen.Str(hotkey, f.label)
		f.x, f.y = a.X+pen.X, a.Y
		pen.Str(plain, f.text.Value())
		text := f.help
		st := dim
		if f.usage != nil {
			if usage := f.usage(f.text.Value()); usage != "" {
				text = usage
			}
		}
		if m.message != "" {
			text, st = m.message, warn
		}
		pen.To(pen.X + 3)
		pen.Fit(st, text, pen.Left()-1)
		return
	}
	if w := m.letter; w != nil {
		screen.Fit(a, 1, 0, a.W-2, warn, w.text)
		return
	}
	if q := m.question; q != nil {
		pen := a.Pen(1, 0)
		pen.Fit(warn, q.text, a.W-26)
		pen.Str(plain, "  ").Str(hotkey, "y").Str(dim, " yes  any other key: no")
		return
	}
	switch now := m.o.Now(); {
	case m.message != "" && now.Before(m.messageUntil):
		st := plain
		if m.messageWarns {
			st = warn
		}
		screen.Fit(a, 1, 0, a.W-2, st, m.message)
	case now.Before(m.noteUntil):
		drawNote(a, m.o.Note)
	default:
		m.drawHints(a)
	}
}

// drawLongMessage draws an answer that the footer has no room for above it. What
// is being typed keeps the footer to itself, with the message beside it.
func (m *model) drawLongMessage(body screen.Area) {
	room := body.W - 2
	if m.input != nil {
		room = body.W - m.input.x - len(m.input.text.Value()) - 4
	}
	if m.message == "" || !m.o.Now().Before(m.messageUntil) || len(m.message) <= room {
		return
	}
	lines := wrapped(m.message, body.W-4)
	h := min(len(lines)+2, body.H)
	box := body.Sub(0, body.H-h, body.W, h)
	box.Fill(plain)
	in := box.Box(borderFocus)
	st := plain
	if m.messageWarns {
		st = warn
	}
	for y := range in.H {
		screen.Fit(in, 1, y, in.W-2, st, lines[y])
	}
}

// drawNote draws the note and, when there is room, the two keys that a person
// who starts needs.
func drawNote(a screen.Area, note string) {
	screen.Fit(a, 1, 0, a.W-2, plain, note)
	const room = len("? help  q quit")
	if screen.Width(a.Canvas(), note)+room+4 <= a.W {
		pen := a.Pen(a.W-1-room, 0)
		pen.Str(hotkey, "?").Str(dim, " help  ").Str(hotkey, "q").Str(dim, " quit")
	}
}

// drawHints draws as many hints as fit; help and quit always do.
func (m *model) drawHints(a screen.Area) {
	in := m.scope()
	pen := a.Pen(1, 0)
	draw := func(b *binding, room int) {
		name, w := m.hintText(b), len(b.hintKey())
		if name == "" || pen.X+w+1+len(name)+2 > a.W-room {
			return
		}
		pen.Str(hotkey, b.hintKey()).Str(plain, " ").Str(dim, name).Str(plain, "  ")
	}
	if f := m.shownFilter(); f != nil && f.on() {
		pen.Str(hotkey, "esc").Str(plain, " ").Str(dim, "clear filter").Str(plain, "  ")
	}
	last := [2]*binding{}
	for i := range bindings {
		b := &bindings[i]
		if b.hint == "" || b.scope&in == 0 || (b.pane != 0 && in == inPanes && b.pane != m.focus) {
			continue
		}
		switch b.act {
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

// shownFilter is the filter of what has the focus, nil when it has none.
func (m *model) shownFilter() *filter {
	switch m.scope() {
	case inPanes:
		return m.panes[m.focus].filter()
	case inCompare:
		return &m.compare.flt
	case inStores:
		return &m.stores.flt
	case inWrong:
		return &m.wrongs.flt
	}
	return nil
}

// hintText says what a key would do now, "" when it can do nothing.
func (m *model) hintText(b *binding) string {
	switch b.act {
	case actPause:
		switch {
		case m.replaying() && m.past.replay.playing:
			return "stop"
		case m.replaying():
			return "play"
		case m.paused:
			return "resume"
		}
	case actFollow:
		if m.scope() == inLife {
			return "panes"
		}
		if m.scope() == inWrong {
			if r := m.wrongs.selected(); r == nil || r.Key == "" {
				return ""
			}
			return b.hint
		}
		if m.key == "" && m.follow.key == "" {
			return ""
		}
	case actNow:
		switch {
		case m.past == nil:
			return ""
		case m.replaying():
			return "end"
		}
	case actEventOn, actMark, actJump:
		if m.past == nil {
			return ""
		}
	case actEventBack:
		if e, ok := m.e.(Past); m.past == nil && (!ok || e.Past() == nil) {
			return ""
		}
	case actStep:
		if m.past != nil {
			return ""
		}
		if stage, _ := m.panes[m.focus].stage(m); !m.paused || m.scope() == inPanes && stage == "" {
			return ""
		}
	case actLesson:
		if m.lesson == nil {
			return ""
		}
		return m.lesson.hint()
	case actCommand, actFaults:
		if _, ok := m.e.(Commands); !ok {
			return ""
		}
	case actClearFaults:
		if len(m.st.Faults(m.now)) == 0 {
			return ""
		}
	case actFilter:
		if m.scope() == inPanes && m.panes[m.focus].filter() == nil || m.viewer != nil && len(m.viewer.versions) == 0 {
			return ""
		}
	case actNextPane:
		switch m.scope() {
		case inCompare:
			return "queue, handler"
		case inStores:
			return "store"
		}
	case actOpen:
		if m.scope() == inPanes && m.focus == paneReflector || m.scope() == inWrong && m.wrongs.selected() == nil || m.scope() == inBreaks && !m.breaks.opens(m) {
			return ""
		}
	case actBreaks:
		if m.scope() == inBreaks || len(m.st.Breakpoints()) == 0 {
			return ""
		}
	case actToggleBreak, actRemoveBreak, actRunToBreak:
		if m.past != nil || m.breaks.selected() == nil {
			return ""
		}
		if _, ok := m.e.(Commands); !ok {
			return ""
		}
	case actAddBreak:
		if _, ok := m.e.(Commands); !ok || m.past != nil {
			return ""
		}
	case actGoThere:
		if m.scope() != inWrong || !m.hasPlace() {
			return ""
		}
	case actMaximise:
		if m.lay.single {
			return ""
		}
	case actCompare:
		if !m.hasLanes() || m.scope() != inPanes {
			return ""
		}
	case actStores:
		if m.r.Stores.Len() == 0 || m.scope() != inPanes {
			return ""
		}
	case actProblems:
		if !m.wrong() || m.wrongs != nil {
			return ""
		}
	case actDiffer:
		if m.compare != nil && m.compare.only {
			return "everything"
		}
	case actOrder:
		if !arrives(&m.r.FIFO) || m.scope() == inCompare && m.compare.part != partQueue {
			return ""
		}
	case actAddHandler, actRemoveHandler:
		if _, ok := m.e.(Handlers); !ok || m.scope() != inPanes {
			return ""
		}
	case actResources:
		if len(m.st.Resources) < 2 {
			return ""
		}
	case actBack:
		f := m.shownFilter()
		if f != nil && f.on() || m.scope() == inPanes && !m.maximised {
			return "" // with a filter, drawHints says so first
		}
	case actNextVersion:
		if v := m.viewer; v != nil && v.at >= len(v.versions)-1 {
			return ""
		}
	case actPrevVersion:
		if v := m.viewer; v != nil && v.at == 0 {
			return ""
		}
	case actDiff:
		switch v := m.viewer; {
		case v == nil:
		case v.diff && len(v.versions) > 0:
			return "whole object"
		case v.from() < 0 || len(v.versions) == 0:
			return ""
		}
	case actQuit:
		if m.scope() != inPanes {
			return "close"
		}
	}
	return b.hint
}
