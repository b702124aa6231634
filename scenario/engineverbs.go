package scenario

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"informerscope/journal"
)

// Verbs is the registry: the command line, scenario files, completion and the
// docs all read it. It is in the order of help.
var Verbs = func() (all []Verb) {
	for _, vs := range [][]Verb{engineVerbs, breakVerbs, indexVerbs, queueVerbs, workerVerbs, handlerVerbs, wireVerbs(), serverVerbs} {
		all = append(all, vs...)
	}
	return all
}()

var engineVerbs = []Verb{
	{Name: "pause", Group: GroupEngine, Help: "close all gates: nothing moves but what is in a handler or a worker", do: func(c *call) (string, error) {
		c.s.Session.Pause()
		return "paused", nil
	}},
	{Name: "resume", Group: GroupEngine, Help: "open all gates", do: func(c *call) (string, error) {
		c.s.Session.Resume()
		return "resumed", nil
	}},
	{
		Name: "step", Group: GroupEngine, Help: "while paused: let one item through a stage, a notification also to one handler",
		Args: []Arg{
			{Name: "STAGE", Help: "reflector, deltafifo, listener or workqueue", values: stages},
			{Name: "HANDLER", Help: "of stage listener", Optional: true, values: handlerNames},
		},
		do: step,
	},
	{Name: "pop", Group: GroupEngine, Help: "while paused: Pop one key; short for step deltafifo", do: func(c *call) (string, error) {
		return c.s.Session.Step(c.resource, journal.StageFIFO)
	}},
	{
		Name: "pace", Group: GroupEngine, Help: "let so many items a second through Pop and Get; 0 is real time",
		Args: []Arg{{Name: "RATE", Help: "items a second, such as 4 or 0.5", values: fixed("0", "0.5", "1", "2", "4", "10", "100")}},
		do: func(c *call) (string, error) {
			perSecond, err := rate(c.arg(0))
			if err != nil {
				return "", err
			}
			c.s.Session.SetPace(perSecond)
			if perSecond == 0 {
				return "real time", nil
			}
			return strconv.FormatFloat(perSecond, 'g', 4, 64) + " items a second", nil
		},
	},
	{Name: "resync", Group: GroupEngine, Help: "replay the Indexer to every handler, without asking the server", do: func(c *call) (string, error) {
		h, err := c.manual()
		if err != nil {
			return "", err
		}
		if err := h.Resync(); err != nil {
			return "", err
		}
		return "Sync deltas are queued for what is stored", nil
	}},
	{Name: "relist", Group: GroupEngine, Help: "ask the server for everything again: the watch gets ERROR 410, as after a compaction", do: func(c *call) (string, error) {
		if _, err := c.arm("error-410", journal.BaseOf(c.resource)); err != nil {
			return "", err
		}
		return "the next event of the watch is ERROR 410; client-go backs off for a second or two and lists again", nil
	}},
	{
		Name: "check", Group: GroupEngine, Help: "compare the cache with a LIST of the server, past all faults: does it have every object, at the server's resourceVersion",
		Args: []Arg{{Name: "DURATION", Help: "how long the watch may take to catch up; 5s when left out", Optional: true, values: fixed("5s", "90s")}},
		do:   checkCache,
	},
}

func step(c *call) (string, error) {
	stage, handler := journal.Stage(c.arg(0)), c.arg(1)
	known := false
	var names []string
	for _, s := range stages(c) {
		names = append(names, s.Word)
		known = known || s.Word == string(stage)
	}
	switch {
	case !known:
		return "", fmt.Errorf("there is no stage %q: use one of %s", stage, strings.Join(names, ", "))
	case handler == "":
		return c.s.Session.Step(c.resource, stage)
	case stage != journal.StageListener:
		return "", errors.New("only notifications are stepped by handler: step listener " + handler)
	}
	return c.s.Session.StepHandler(c.resource, handler)
}
