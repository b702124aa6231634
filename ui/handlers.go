package ui

import (
	"errors"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
)

func handlers(c *Context) Handlers {
	h, ok := c.Source.(Handlers)
	if !ok {
		c.Refuse("this engine cannot add or remove handlers while it runs")
		return nil
	}
	return h
}

// handlersOf says whose handlers come and go together: those of a resource, or
// of all its lanes.
func handlersOf(c *Context) string {
	base, _, ok := c.Resource.Lane()
	if !ok {
		return c.Name
	}
	return "all " + strconv.Itoa(len(c.State.Lanes(base))) + " lanes of " + base
}

// addHandler asks for a handler's name and options.
func addHandler(c *Context) {
	h, resource, of := handlers(c), c.Name, handlersOf(c)
	if h == nil {
		return
	}
	c.Ask(Prompt{
		Label: "add handler: ", Help: "name[,delay=200ms][,resync=2s]  enter adds  esc leaves",
		Enter: func(spec string) (tea.Cmd, error) {
			spec = strings.TrimSpace(spec)
			name, _, _ := strings.Cut(spec, ",")
			if name == "" {
				return nil, errors.New("a handler needs a name")
			}
			return func() tea.Msg {
				return Done{"added the handler " + name + " of " + of + ": it is told what is stored", h.AddHandler(resource, spec)}
			}, nil
		},
	}, "")
}

// removeHandler asks whether to remove a handler.
func removeHandler(c *Context, name string) {
	h, resource, of := handlers(c), c.Name, handlersOf(c)
	if h == nil {
		return
	}
	c.Confirm("remove the handler "+name+" of "+of+"?", func() tea.Cmd {
		return func() tea.Msg {
			return Done{"removed the handler " + name + " of " + of, h.RemoveHandler(resource, name)}
		}
	})
}
