package scenario

import (
	"fmt"

	"informerscope/engine"
)

var handlerVerbs = []Verb{
	{
		Name: "handler add", Group: GroupHandlers, Help: "register a handler: it gets a synthetic OnAdd for what is stored",
		Args: []Arg{{Name: "SPEC", Help: "NAME[,delay=DURATION][,resync=DURATION]"}},
		do: func(c *call) (string, error) {
			spec, err := engine.ParseHandler(c.arg(0))
			if err != nil {
				return "", err
			}
			return spec.Name + " is registered", c.s.Session.AddHandler(c.resource, spec)
		},
	},
	{
		Name: "handler remove", Group: GroupHandlers, Help: "take a handler off; what waits in its ring is dropped, and a call that it is in goes on",
		Args: []Arg{{Name: "HANDLER", values: handlerNames}},
		do: func(c *call) (string, error) {
			return c.arg(0) + " is removed", c.s.Session.RemoveHandler(c.resource, c.arg(0))
		},
	},
	handlerBlock("handler block", "calls of a handler do not return until unblock", true),
	handlerBlock("handler unblock", "calls of a handler return again", false),
	handlerFault("handler slow", "how much longer each call takes from now on", &Arg{Name: "DURATION", Help: "such as 200ms; 0s is no longer", values: fixed("0s", "200ms", "1s", "5s")}, func(t *engine.HandlerFault, text string) (string, error) {
		d, err := duration(text)
		t.Slow = d
		return fmt.Sprintf("each call takes %v longer", d), err
	}),
	handlerFault("handler panic", "the next call panics: recovered, as in client-go with ReallyCrash off (else the process ends); the notification is lost, and the next call waits for 1s", nil, func(t *engine.HandlerFault, _ string) (string, error) {
		t.Panic = true
		return "the next call panics", nil
	}),
	handlerFault("handler mutate", "the next call changes a label of the cached object in place, which no handler may", &Arg{Name: "LABEL=VALUE", Help: "such as app=changed"}, func(t *engine.HandlerFault, text string) (string, error) {
		t.Mutate = text
		return "the next call writes " + text + " into the cached object; --detect-mutations finds it", nil
	}),
}

func handlerBlock(name, help string, block bool) Verb {
	return Verb{
		Name: name, Group: GroupHandlers, Help: help,
		Args: []Arg{{Name: "HANDLER", values: handlerNames}},
		do: withControl(func(h engine.ManualControl, handler string) (string, error) {
			said := handler + ": its calls do not return"
			if !block {
				said = handler + ": its calls return again"
			}
			return said, h.BlockHandler(handler, block)
		}),
	}
}

func handlerFault(name, help string, arg *Arg, change func(*engine.HandlerFault, string) (string, error)) Verb {
	args := []Arg{{Name: "HANDLER", values: handlerNames}}
	if arg != nil {
		args = append(args, *arg)
	}
	return Verb{Name: name, Group: GroupHandlers, Args: args, Help: help, do: func(c *call) (string, error) {
		h, err := c.manual()
		if err != nil {
			return "", err
		}
		var said string
		var bad error
		if err := h.SetHandlerFault(c.arg(0), func(t *engine.HandlerFault) {
			before := *t
			if said, bad = change(t, c.arg(1)); bad != nil {
				*t = before
			}
		}); err != nil {
			return "", err
		}
		return c.arg(0) + ": " + said, bad
	}}
}
