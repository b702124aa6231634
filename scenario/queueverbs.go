package scenario

import (
	"fmt"
	"strings"

	"informerscope/engine"
	"informerscope/journal"
)

// keyArg is a key to put into the workqueue: what is stored is offered, but any
// will do, as in client-go.
var keyArg = Arg{Name: "KEY", Help: "namespace/name, or a name", values: storedKeys}

// withControl makes a verb's function of one that needs the manual control of the
// resource and the first argument.
func withControl(f func(h engine.ManualControl, key string) (string, error)) func(*call) (string, error) {
	return func(c *call) (string, error) {
		h, err := c.manual()
		if err != nil {
			return "", err
		}
		return f(h, c.arg(0))
	}
}

var queueVerbs = []Verb{
	{Name: "add", Group: GroupQueue, Args: []Arg{keyArg}, Help: "Add, as a handler does", do: func(c *call) (string, error) {
		h, err := c.manual()
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
			h, err := c.manual()
			if err != nil {
				return "", err
			}
			h.AddAfter(c.arg(0), d)
			return fmt.Sprintf("AddAfter(%s, %v)", c.arg(0), d), nil
		},
	},
	{Name: "add-rate-limited", Group: GroupQueue, Args: []Arg{keyArg}, Help: "AddRateLimited: the rate limiter says for how long the key waits", do: withControl(func(h engine.ManualControl, key string) (string, error) {
		h.AddRateLimited(key)
		return "AddRateLimited(" + key + ")", nil
	})},
	{Name: "get", Group: GroupQueue, Help: "Get the next key into your hand: it is in processing until done", do: withControl(func(h engine.ManualControl, _ string) (string, error) {
		key, err := h.Get()
		return "Get: " + key, err
	})},
	{
		Name: "done", Group: GroupQueue, Help: "Done: the key leaves processing, and is queued again when it is dirty",
		Args: []Arg{{Name: "KEY", Help: "of processing; without one the key in your hand", Optional: true, values: anyOf(heldKeys, storedKeys)}},
		do: withControl(func(h engine.ManualControl, key string) (string, error) {
			key, err := heldKey(h, key)
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
		do: withControl(func(h engine.ManualControl, key string) (string, error) {
			key, err := heldKey(h, key)
			if err != nil {
				return "", err
			}
			h.Forget(key)
			return "Forget(" + key + ")", nil
		}),
	},
	{Name: "shutdown", Group: GroupQueue, Help: "ShutDown: nothing is added any more; workers empty the queue and end", do: withControl(func(h engine.ManualControl, _ string) (string, error) {
		return "ShutDown", h.ShutDown()
	})},
	{Name: "drain", Group: GroupQueue, Help: "ShutDownWithDrain: as shutdown, and it goes on until processing is empty", do: withControl(func(h engine.ManualControl, _ string) (string, error) {
		return "ShutDownWithDrain", h.Drain()
	})},
}

// heldKey is key, or the only one got by hand.
func heldKey(h engine.ManualControl, key string) (string, error) {
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
		if e.Kind != journal.KindQueueAdded || e.Resource != c.resource || e.Key != c.arg(0) {
			continue
		}
		switch e.QueueAdded().Result {
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
		return e.QueueAdded().Result
	}
	return "waiting"
}
