package ui

import (
	"errors"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Handlers is an Engine that lets handlers come and go while it runs. Its
// methods may be called from another goroutine than the Engine's.
type Handlers interface {
	// AddHandler registers a handler: name[,delay=DURATION][,resync=DURATION].
	// With one lane of a comparison, it and RemoveHandler mean all lanes.
	AddHandler(resource, spec string) error
	RemoveHandler(resource, name string) error
}

// handlerMsg is the answer of a Handlers.
type handlerMsg struct {
	what string
	err  error
}

func (m *model) handlers() Handlers {
	h, ok := m.e.(Handlers)
	if !ok {
		m.refuse("this engine cannot add or remove handlers while it runs")
		return nil
	}
	return h
}

// handlersOf says whose handlers come and go together: those of a resource, or
// of all its lanes.
func (m *model) handlersOf() string {
	base, _, ok := m.r.Lane()
	if !ok {
		return m.resource
	}
	return "all " + strconv.Itoa(len(m.st.Lanes(base))) + " lanes of " + base
}

// addHandler asks for a handler's name and options.
func (m *model) addHandler() {
	h, resource, of := m.handlers(), m.resource, m.handlersOf()
	if h == nil {
		return
	}
	m.ask(prompt{
		label: "add handler: ", help: "name[,delay=200ms][,resync=2s]  enter adds  esc leaves",
		enter: func(spec string) (tea.Cmd, error) {
			spec = strings.TrimSpace(spec)
			name, _, _ := strings.Cut(spec, ",")
			if name == "" {
				return nil, errors.New("a handler needs a name")
			}
			return func() tea.Msg {
				return handlerMsg{"added the handler " + name + " of " + of + ": it is told what is stored", h.AddHandler(resource, spec)}
			}, nil
		},
	}, "")
}

// removeHandler asks whether to remove a handler.
func (m *model) removeHandler(name string) {
	h, resource, of := m.handlers(), m.resource, m.handlersOf()
	if h == nil {
		return
	}
	m.question = &question{
		text: "remove the handler " + name + " of " + of + "?",
		yes: func() tea.Cmd {
			return func() tea.Msg {
				return handlerMsg{"removed the handler " + name + " of " + of, h.RemoveHandler(resource, name)}
			}
		},
	}
}

func (m *model) handled(h handlerMsg) {
	if h.err != nil {
		m.refuse(h.err.Error())
		return
	}
	m.say(h.what)
}
