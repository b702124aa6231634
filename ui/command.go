package ui

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"informerscope/ui/faults"
	"informerscope/ui/source"
	"informerscope/ui/view"
)

func (m *model) commands() source.Commands {
	s, ok := m.c.Source.(source.Commands)
	if !ok {
		m.Refuse("this engine takes no commands")
		return nil
	}
	return s
}

// TypeCommand asks for a line, which begins with what is given.
func (m *model) TypeCommand(line string) {
	s, resource := m.commands(), m.c.Name
	if s == nil {
		return
	}
	run := func(line string) tea.Cmd { return m.run(s, resource, line) }
	m.foot.ask(m.line.prompt(s, resource, line, run), line)
}

// Command runs a line as if it was typed.
func (m *model) Command(line string) tea.Cmd {
	s := m.commands()
	if s == nil {
		return nil
	}
	return m.run(s, m.c.Name, line)
}

// run does what a line says, beside the screen. One that failed can be mended.
func (m *model) run(s source.Commands, resource, line string) tea.Cmd {
	return func() tea.Msg {
		answer, err := s.Command(resource, line)
		return view.Answer(func() {
			m.Pull()
			m.foot.noteUntil = m.c.Clock()
			if err != nil && !m.foot.asks() {
				m.TypeCommand(line)
			}
			m.answer(answer, err)
		})
	}
}

// clearFaults disarms every fault.
func (m *model) clearFaults() tea.Cmd {
	if len(m.c.State.Faults(m.c.Now)) == 0 {
		m.Refuse("no fault is armed; F lists what can be")
		return nil
	}
	return m.Command("clear")
}

func (m *model) openFaults() {
	if s := m.commands(); s != nil {
		faults.Open(&m.c, s.Faults())
	}
}

// save asks for the file that takes what was done.
func (m *model) save() {
	s := m.commands()
	if s == nil {
		return
	}
	m.Ask(view.Prompt{
		Label: "write what was done to: ", Help: "a new scenario file  enter writes  esc leaves",
		Enter: namedFile(s.Save),
	}, "scenario.yaml")
}

// namedFile takes the name of a file for what is done with it.
func namedFile(do func(path string) (answer string, err error)) func(string) (tea.Cmd, error) {
	return func(path string) (tea.Cmd, error) {
		path = strings.TrimSpace(path)
		if path == "" {
			return nil, errors.New("name a file")
		}
		return func() tea.Msg {
			answer, err := do(path)
			return view.Done{What: answer, Err: err}
		}, nil
	}
}
