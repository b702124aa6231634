package ui

import (
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"github.com/charmbracelet/x/ansi"
)

// prompt is a line in the footer in which something is typed.
type prompt struct {
	text  textinput.Model
	label string
	help  string // beside what is typed
	x, y  int    // where the text begins on the screen

	// typed sees each change; its error is shown while it holds.
	typed func(text string) error
	// enter takes the text. An error is shown and the prompt stays.
	enter func(text string) (tea.Cmd, error)
	// cancel undoes what typed did.
	cancel func()

	// Of a command only. completion is drawn above the footer, usage in place
	// of help; key gets keys first, and says whether it took one.
	completion *completion
	usage      func(text string) string
	key        func(p *prompt, name string) bool
}

func (m *model) ask(p prompt, was string) {
	t := textinput.New()
	t.Prompt = ""
	t.SetVirtualCursor(false)
	t.SetValue(was)
	t.CursorEnd()
	t.Focus()
	p.text = t
	m.input = &p
}

// startFilter lets the user type a filter; set applies it as it is typed.
func (m *model) startFilter(was filter, set func(filter)) {
	apply := func(text string) error {
		flt, err := newFilter(text)
		if err != nil {
			return &filterError{"not a regular expression: " + err.Error() + " (esc clears it)"}
		}
		set(flt)
		return nil
	}
	m.ask(prompt{
		label: "/", help: "enter keeps it  esc clears it",
		typed:  apply,
		enter:  func(text string) (tea.Cmd, error) { return nil, apply(text) },
		cancel: func() { set(filter{}) },
	}, was.text)
}

func (p *prompt) update(m *model, msg tea.Msg) tea.Cmd {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		if p.key != nil && p.key(p, k.String()) {
			m.message = ""
			return nil
		}
		switch k.String() {
		case "esc":
			if p.cancel != nil {
				p.cancel()
			}
			m.message, m.input = "", nil
			return nil
		case "ctrl+c":
			return tea.Quit
		case "enter":
			cmd, err := p.enter(p.text.Value())
			if err != nil {
				m.refuse(err.Error())
				return nil
			}
			m.input = nil
			return cmd
		}
	}
	var cmd tea.Cmd
	p.text, cmd = p.text.Update(msg)
	m.message = ""
	if p.typed != nil {
		if err := p.typed(p.text.Value()); err != nil {
			m.refuse(err.Error())
		}
	}
	return cmd
}

func (p *prompt) cursor() *tea.Cursor {
	v := []rune(p.text.Value())
	n := min(p.text.Position(), len(v))
	return tea.NewCursor(p.x+ansi.StringWidth(string(v[:n])), p.y)
}

// question is asked before something that cannot be undone: y does it, any
// other key does not.
type question struct {
	text string
	yes  func() tea.Cmd
}

func (q *question) answer(m *model, k tea.KeyPressMsg) tea.Cmd {
	m.question, m.message = nil, ""
	switch k.String() {
	case "y", "Y":
		return q.yes()
	case "ctrl+c":
		return tea.Quit
	}
	m.say("nothing was done")
	return nil
}
