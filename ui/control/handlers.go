package control

import (
	"errors"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"informerscope/ui/source"
	"informerscope/ui/view"
)

func handlers(c *view.Context) source.Handlers {
	h, ok := c.Source.(source.Handlers)
	if !ok {
		c.Refuse("this engine cannot add or remove handlers while it runs")
		return nil
	}
	return h
}

// handlersOf says whose handlers come and go together: those of a resource, or
// of all its lanes.
func handlersOf(c *view.Context) string {
	base, _, ok := c.Resource.Lane()
	if !ok {
		return c.Name
	}
	return "all " + strconv.Itoa(len(c.State.Lanes(base))) + " lanes of " + base
}

// AddHandler asks for a handler's name and options.
func AddHandler(c *view.Context) {
	h, resource, of := handlers(c), c.Name, handlersOf(c)
	if h == nil {
		return
	}
	c.Ask(view.Prompt{
		Label: "add handler: ", Help: "name[,delay=200ms][,resync=2s]  enter adds  esc leaves",
		Enter: func(spec string) (tea.Cmd, error) {
			spec = strings.TrimSpace(spec)
			name, _, _ := strings.Cut(spec, ",")
			if name == "" {
				return nil, errors.New("a handler needs a name")
			}
			return func() tea.Msg {
				return view.Done{What: "added the handler " + name + " of " + of + ": it is told what is stored", Err: h.AddHandler(resource, spec)}
			}, nil
		},
	}, "")
}

// RemoveHandler asks whether to remove a handler.
func RemoveHandler(c *view.Context, name string) {
	h, resource, of := handlers(c), c.Name, handlersOf(c)
	if h == nil {
		return
	}
	c.Confirm("remove the handler "+name+" of "+of+"?", func() tea.Cmd {
		return func() tea.Msg {
			return view.Done{What: "removed the handler " + name + " of " + of, Err: h.RemoveHandler(resource, name)}
		}
	})
}
