package scenario

import (
	"fmt"
	"strings"

	"informerscope/engine"
	"informerscope/engine/journal"
)

// keyArg is a key to put into the workqueue: what is stored is offered, but any
// will do, as in client-go.
var keyArg = Arg{Name: "KEY", Help: "namespace/name, or a name", values: storedKeys}

// onHand makes a verb's function of one that needs the hand and the first
// argument.
func onHand(f func(h engine.Hand, key string) (string, error)) func(*call) (string, error) {
	return func(c *call) (string, error) {
		h, err := c.hand()
		if err != nil {
			return "", err
		}
		return f(h, c.arg(0))
	}
}

var queueVerbs = []Verb{
	{Name: "add", Group: GroupQueue, Args: []Arg{keyArg}, Help: "Add, as a handler does", do: func(c *call) (string, error) {
		h, err := c.hand()
		if err != nil {
			return "", err
		}
		h.Add(c.arg(0))
		return "Add(" + c.arg(0) + "): " + c.result(), nil
	}},
	{
		Name: "add-after", Group: GroupQueue, Help: "AddAfter: the key waits in the delaying queue's heap",
		Args: []Arg{keyArg, {Name: "DURATION", Help: "such as 5s", values: fixed("1s", "5s", "30s")}},
		do: func(c *call) (string, error) {
			d, err := duration(c.arg(1))
			if err != nil {
				return "", err
			}
			h, err := c.hand()
			if err != nil {
				return "", err
			}
			h.AddAfter(c.arg(0), d)
			return fmt.Sprintf("AddAfter(%s, %v)", c.arg(0), d), nil
		},
	},
	{Name: "add-rate-limited", Group: GroupQueue, Args: []Arg{keyArg}, Help: "AddRateLimited: the rate limiter says for how long the key waits", do: onHand(func(h engine.Hand, key string) (string, error) {
		h.AddRateLimited(key)
		return "AddRateLimited(" + key + ")", nil
	})},
	{Name: "get", Group: GroupQueue, Help: "Get the next key into your hand: it is in processing until done", do: onHand(func(h engine.Hand, _ string) (string, error) {
		key, err := h.Get()
		return "Get: " + key, err
	})},
	{
		Name: "done", Group: GroupQueue, Help: "Done: the key leaves processing, and is queued again when it is dirty",
		Args: []Arg{{Name: "KEY", Help: "of processing; without one the key in your hand", Optional: true, values: anyOf(heldKeys, storedKeys)}},
		do: onHand(func(h engine.Hand, key string) (string, error) {
			key, err := inHand(h, key)
			if err != nil {
				return "", err
			}
			h.Done(key)
			return "Done(" + key + ")", nil
		}),
	},
	{
		Name: "forget", Group: GroupQueue, Help: "Forget: the rate limiter drops the key's failures",
		Args: []Arg{{Name: "KEY", Help: "with failures; without one the key in your hand", Optional: true, values: anyOf(failedKeys, heldKeys)}},
		do: onHand(func(h engine.Hand, key string) (string, error) {
			key, err := inHand(h, key)
			if err != nil {
				return "", err
			}
			h.Forget(key)
			return "Forget(" + key + ")", nil
		}),
	},
	{Name: "shutdown", Group: GroupQueue, Help: "ShutDown: nothing is added any more; workers empty the queue and end", do: onHand(func(h engine.Hand, _ string) (string, error) {
		return "ShutDown", h.ShutDown()
	})},
	{Name: "drain", Group: GroupQueue, Help: "ShutDownWithDrain: as shutdown, and it goes on until processing is empty", do: onHand(func(h engine.Hand, _ string) (string, error) {
		return "ShutDownWithDrain", h.Drain()
	})},
}

// inHand is key, or the only one in the hand.
func inHand(h engine.Hand, key string) (string, error) {
	if key != "" {
		return key, nil
	}
	switch keys := h.Holds(); len(keys) {
	case 1:
		return keys[0], nil
	case 0:
		return "", fmt.Errorf("no key is in your hand: get one, or name a KEY")
	default:
		return "", fmt.Errorf("name one of the keys in your hand: %s", strings.Join(keys, ", "))
	}
}

// result is what the last Add of the resource came to, from the journal.
func (c *call) result() string {
	v := c.s.Session.Journal().View()
	for i := v.Len() - 1; i >= 0; i-- {
		e := v.At(i)
		if e.Kind != journal.QueueAdded || e.Resource != c.resource || e.Key != c.arg(0) {
			continue
		}
		switch e.Type {
		case journal.AddQueued:
			return "queued, and dirty"
		case journal.AddCoalesced:
			return "dirty already, nothing changes"
		case journal.AddDirty:
			return "it is being processed: dirty only, and queued at its Done"
		case journal.AddShutDown:
			return "ignored, the queue is shutting down"
		case journal.AddRaised:
			return "ready already, at a higher priority now"
		}
		return e.Type
	}
	return "waiting"
}

var workerVerbs = []Verb{
	{Name: "worker add", Group: GroupWorkers, Help: "one more worker", do: onHand(func(h engine.Hand, _ string) (string, error) {
		name, err := h.AddWorker()
		return name + " starts", err
	})},
	{
		Name: "worker remove", Group: GroupWorkers, Help: "one worker less: it ends after the key that it has",
		Args: []Arg{{Name: "WORKER", Help: "the newest when left out", Optional: true, values: workerNames}},
		do: onHand(func(h engine.Hand, name string) (string, error) {
			name, err := h.RemoveWorker(name)
			return name + " leaves", err
		}),
	},
	workerBlock("worker block", "reconciles of a worker do not end until unblock", true),
	workerBlock("worker unblock", "reconciles of a worker end again", false),
	{
		Name: "worker fail", Group: GroupWorkers, Help: "so many reconciles fail from now on",
		Args: []Arg{{Name: "SHARE", Help: "0 to 1, or a percentage", values: fixed("0", "0.5", "1")}},
		do: onHand(func(h engine.Hand, text string) (string, error) {
			f, err := share(text)
			if err != nil {
				return "", err
			}
			return fmt.Sprintf("%v%% of reconciles fail", 100*f), h.FailWorkers(f)
		}),
	},
	{
		Name: "worker slow", Group: GroupWorkers, Help: "how long a reconcile takes from now on",
		Args: []Arg{{Name: "DURATION", Help: "such as 200ms; 0s is none", values: fixed("0s", "200ms", "1s", "5s")}},
		do: onHand(func(h engine.Hand, text string) (string, error) {
			d, err := duration(text)
			if err != nil {
				return "", err
			}
			return fmt.Sprintf("a reconcile takes %v", d), h.SlowWorkers(d)
		}),
	},
	{
		Name: "reconcile", Group: GroupWorkers, Help: "how the reconcile of a key ends: of the one under way, of a key in your hand, or the next time",
		Args: []Arg{
			{Name: "KEY", Help: "namespace/name, or a name", values: anyOf(heldKeys, storedKeys)},
			{Name: "OUTCOME", Help: "ok, error, panic, no-forget or no-done", values: outcomes},
		},
		do: func(c *call) (string, error) {
			h, err := c.hand()
			if err != nil {
				return "", err
			}
			return h.Reconcile(c.arg(0), engine.Outcome(c.arg(1)))
		},
	},
}

func workerBlock(name, help string, block bool) Verb {
	return Verb{
		Name: name, Group: GroupWorkers, Help: help,
		Args: []Arg{{Name: "WORKER", Help: "all when left out", Optional: true, values: workerNames}},
		do: onHand(func(h engine.Hand, worker string) (string, error) {
			said := "blocked"
			if !block {
				said = "free again"
			}
			who := worker
			if who == "" {
				who = "all workers"
			}
			return who + ": " + said, h.BlockWorker(worker, block)
		}),
	}
}

func outcomes(*call) []Candidate {
	return []Candidate{
		{string(engine.OutcomeOK), "Forget and Done"},
		{string(engine.OutcomeError), "AddRateLimited and Done"},
		{string(engine.OutcomePanic), "recovered, then as an error"},
		{string(engine.OutcomeNoForget), "Done without Forget: the failures stay counted"},
		{string(engine.OutcomeNoDone), "Forget without Done: the key stays in processing"},
	}
}

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
		Name: "handler remove", Group: GroupHandlers, Help: "take a handler off; what waits in its ring is dropped",
		Args: []Arg{{Name: "HANDLER", values: handlerNames}},
		do: func(c *call) (string, error) {
			return c.arg(0) + " is removed", c.s.Session.RemoveHandler(c.resource, c.arg(0))
		},
	},
	handlerBlock("handler block", "calls of a handler do not return until unblock", true),
	handlerBlock("handler unblock", "calls of a handler return again", false),
	handlerTrouble("handler slow", "how much longer each call takes from now on", &Arg{Name: "DURATION", Help: "such as 200ms; 0s is no longer", values: fixed("0s", "200ms", "1s", "5s")}, func(t *engine.Trouble, text string) (string, error) {
		d, err := duration(text)
		t.Slow = d
		return fmt.Sprintf("each call takes %v longer", d), err
	}),
	handlerTrouble("handler panic", "the next call panics (and is recovered; in client-go the process would end)", nil, func(t *engine.Trouble, _ string) (string, error) {
		t.Panic = true
		return "the next call panics", nil
	}),
	handlerTrouble("handler mutate", "the next call changes a label of the cached object in place, which no handler may", &Arg{Name: "LABEL=VALUE", Help: "such as app=changed"}, func(t *engine.Trouble, text string) (string, error) {
		t.Mutate = text
		return "the next call writes " + text + " into the cached object; --detect-mutations finds it", nil
	}),
}

func handlerBlock(name, help string, block bool) Verb {
	return Verb{
		Name: name, Group: GroupHandlers, Help: help,
		Args: []Arg{{Name: "HANDLER", values: handlerNames}},
		do: onHand(func(h engine.Hand, handler string) (string, error) {
			said := handler + ": its calls do not return"
			if !block {
				said = handler + ": its calls return again"
			}
			return said, h.BlockHandler(handler, block)
		}),
	}
}

func handlerTrouble(name, help string, arg *Arg, change func(*engine.Trouble, string) (string, error)) Verb {
	args := []Arg{{Name: "HANDLER", values: handlerNames}}
	if arg != nil {
		args = append(args, *arg)
	}
	return Verb{Name: name, Group: GroupHandlers, Args: args, Help: help, do: func(c *call) (string, error) {
		h, err := c.hand()
		if err != nil {
			return "", err
		}
		var said string
		var bad error
		if err := h.Trouble(c.arg(0), func(t *engine.Trouble) {
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
