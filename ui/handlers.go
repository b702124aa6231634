package ui

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Handlers is an Engine that lets handlers come and go while it runs. Its
// methods may be called from another goroutine than the Engine's.
type Handlers interface {
	// AddHandler registers a handler: name[,delay=DURATION][,resync=DURATION].
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

// addHandler asks for a handler's name and options.
func (m *model) addHandler() {
	h, resource := m.handlers(), m.resource
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
				return handlerMsg{"added the handler " + name + ": it is told what is stored", h.AddHandler(resource, spec)}
			}, nil
		},
	}, "")
}

// removeHandler asks whether to remove a handler.
func (m *model) removeHandler(name string) {
	h, resource := m.handlers(), m.resource
	if h == nil {
		return
	}
	m.question = &question{
		text: "remove the handler " + name + " of " + resource + "?",
		yes: func() tea.Cmd {
			return func() tea.Msg {
				return handlerMsg{"removed the handler " + name, h.RemoveHandler(resource, name)}
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
