package scenario

import (
	"fmt"

	"informerscope/engine"
)

var workerVerbs = []Verb{
	{Name: "worker add", Group: GroupWorkers, Help: "one more worker", do: withControl(func(h engine.ManualControl, _ string) (string, error) {
		name, err := h.AddWorker()
		return name + " starts", err
	})},
	{
		Name: "worker remove", Group: GroupWorkers, Help: "one worker less: it ends after the key that it has",
		Args: []Arg{{Name: "WORKER", Help: "the newest when left out", Optional: true, values: workerNames}},
		do: withControl(func(h engine.ManualControl, name string) (string, error) {
			name, err := h.RemoveWorker(name)
			return name + " leaves", err
		}),
	},
	workerBlock("worker block", "reconciles of a worker do not end until unblock", true),
	workerBlock("worker unblock", "reconciles of a worker end again", false),
	{
		Name: "worker fail", Group: GroupWorkers, Help: "so many reconciles fail from now on",
		Args: []Arg{{Name: "SHARE", Help: "0 to 1, or a percentage", values: fixed("0", "0.5", "1")}},
		do: withControl(func(h engine.ManualControl, text string) (string, error) {
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
		do: withControl(func(h engine.ManualControl, text string) (string, error) {
			d, err := duration(text)
			if err != nil {
				return "", err
			}
			return fmt.Sprintf("a reconcile takes %v", d), h.SlowWorkers(d)
		}),
	},
	{
		Name: "worker write", Group: GroupWorkers, Help: "each reconcile writes an annotation: always the time, or only if it is not there (with --sandbox)",
		Args: []Arg{{Name: "WHEN", Help: "always, changed or off", values: fixed("always", "changed", "off")}},
		do:   workerWrite,
	},
	{
		Name: "reconcile", Group: GroupWorkers, Help: "how the reconcile of a key ends: of the one under way, of a key in your hand, or the next time",
		Args: []Arg{
			{Name: "KEY", Help: "namespace/name, or a name", values: anyOf(heldKeys, storedKeys)},
			{Name: "OUTCOME", Help: "ok, error, panic, no-forget or no-done", values: outcomes},
			{Name: "after", Help: "with ok: Forget, and AddAfter, as a RequeueAfter of controller-runtime; 0s makes an Add of it", Optional: true, word: true, values: fixed("after")},
			{Name: "DURATION", Help: "such as 30s", Optional: true, values: fixed("5s", "30s", "5m")},
		},
		do: func(c *call) (string, error) {
			h, err := c.manual()
			if err != nil {
				return "", err
			}
			e, err := ending(c.args)
			if err != nil {
				return "", err
			}
			return h.Reconcile(c.arg(0), e)
		},
	},
}

func workerBlock(name, help string, block bool) Verb {
	return Verb{
		Name: name, Group: GroupWorkers, Help: help,
		Args: []Arg{{Name: "WORKER", Help: "all when left out", Optional: true, values: workerNames}},
		do: withControl(func(h engine.ManualControl, worker string) (string, error) {
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

// ending reads how a reconcile ends: KEY OUTCOME [after DURATION].
func ending(args []string) (e engine.Ending, err error) {
	e.Outcome = engine.Outcome(args[1])
	if len(args) > 3 {
		e.Again = true
		if e.After, err = duration(args[3]); err != nil {
			return e, err
		}
	}
	return e, e.Validate()
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
