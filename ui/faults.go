package ui

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"informerscope/journal/state"
	"informerscope/ui/screen"
	"informerscope/ui/vlist"
)

// faultMenu lists the faults that are armed, and below them those that can be.
type faultMenu struct {
	kinds []Candidate
	list  vlist.List
	area  screen.Area // of the rows, for the mouse
}

func (m *model) openFaults() {
	c := m.commands()
	if c == nil {
		return
	}
	m.faults = &faultMenu{kinds: c.Faults()}
}

func (f *faultMenu) armed(m *model) []state.Fault { return m.st.Faults(m.now) }

func (f *faultMenu) draw(m *model, body screen.Area) {
	armed := f.armed(m)
	n := len(armed) + len(f.kinds)
	w := min(body.W-4, 110)
	h := min(body.H, n+3)
	box := body.Sub((body.W-w)/2, (body.H-h)/3, w, h)
	body.Sub((body.W-w)/2-1, (body.H-h)/3-1, w+2, h+2).Fill(plain)
	in := box.Box(borderFocus)
	pen := box.Pen(2, 0)
	pen.Str(borderFocus, "▸").Str(titleFocus, "Faults on the wire").Str(plain, " ")
	screen.Fit(in, 1, 0, in.W-2, dim, "between client-go and the server; they touch only this program's own connection")
	f.area = in.Sub(0, 1, in.W, in.H-1)
	f.list.Resize(n, f.area.H)
	nameW := 0
	for _, k := range f.kinds {
		nameW = max(nameW, len(k.Word))
	}
	for i := f.list.Top(); i < f.list.End(); i++ {
		y := i - f.list.Top()
		pen := f.area.Pen(1, y)
		if i < len(armed) {
			a := armed[i]
			pen.Str(chipAlert, " armed ").Str(plain, " ").Fit(strong, a.Text, max(0, pen.Left()-26))
			pen.Str(dim, "  "+faultCount(&a)+"  enter clears it")
		} else {
			k := f.kinds[i-len(armed)]
			pen.Str(plain, k.Word)
			pen.To(nameW + 3)
			pen.Fit(dim, k.Help, pen.Left()-1)
		}
		if i == f.list.Cursor() {
			selectRow(f.area, y)
		}
	}
}

// faultCount says how often a fault has struck and may still.
func faultCount(f *state.Fault) string {
	s := strconv.FormatUint(f.Hits, 10) + " hits"
	if f.Hits == 1 {
		s = "1 hit"
	}
	if f.Left > 0 {
		s += ", " + strconv.FormatInt(f.Left, 10) + " left"
	}
	return s
}

func (f *faultMenu) act(m *model, a action) tea.Cmd {
	if moveList(&f.list, a) {
		return nil
	}
	switch a {
	case actBack, actQuit, actFaults:
		m.faults = nil
	case actOpen:
		armed := f.armed(m)
		i := f.list.Cursor()
		switch {
		case i < len(armed):
			return m.command("clear " + strconv.FormatInt(armed[i].ID, 10))
		case i < len(armed)+len(f.kinds):
			m.faults = nil
			m.openCommand(f.kinds[i-len(armed)].Word + " ")
		}
	}
	return nil
}

// command runs a line as if it was typed.
func (m *model) command(line string) tea.Cmd {
	c, resource := m.commands(), m.resource
	if c == nil {
		return nil
	}
	return func() tea.Msg {
		answer, err := c.Command(resource, line)
		return commandMsg{line, answer, err}
	}
}

// clearFaults disarms every fault.
func (m *model) clearFaults() tea.Cmd {
	if len(m.st.Faults(m.now)) == 0 {
		m.refuse("no fault is armed; F lists what can be")
		return nil
	}
	return m.command("clear")
}
