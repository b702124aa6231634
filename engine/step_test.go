package engine_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"informerscope/engine"
	"informerscope/internal/testing/apiscript"
	"informerscope/journal"
)

func TestStepHandlerStepsTheHandlerThatIsNamed(t *testing.T) {
	first, second := &calls{}, &calls{}
	o := engine.Options{Handlers: []engine.HandlerSpec{{Name: "first", Handler: first}, {Name: "second", Handler: second}, {Name: "slow", Delay: time.Hour}}}
	inBubble(t, o, []apiscript.Answer{
		apiscript.Stream(apiscript.InitialEventsEnd("4"), apiscript.Wait(2*time.Second),
			apiscript.Added(a5), apiscript.Added(apiscript.ConfigMap("x/b", "6")), apiscript.Hold()),
	}, func(b *bubble) {
		refused := func(handler, why string) {
			t.Helper()
			if _, err := b.StepHandler("configmaps", handler); err == nil || !strings.Contains(err.Error(), why) {
				t.Errorf("StepHandler(%s) says %v, want %q", handler, err, why)
			}
		}
		b.at(time.Second)
		refused("first", "pause it before stepping")
		b.Pause()
		b.at(3 * time.Second)
		refused("second", "no notification waits for second: step the FIFO")
		for range 2 {
			for _, stage := range []journal.Stage{journal.StageReflector, journal.StageFIFO} {
				if _, err := b.Step("configmaps", stage); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
			}
		}
		for _, want := range []string{"add a@5", "add b@6"} {
			what, err := b.StepHandler("configmaps", "second")
			if err != nil || what != "one notification to second" {
				t.Fatalf("%q, %v", what, err)
			}
			synctest.Wait()
			if got := second.take(); got != want {
				t.Errorf("second got %q, want %q", got, want)
			}
		}
		if got := first.take(); got != "" {
			t.Errorf("first got %q: it was not stepped", got)
		}
		if c := b.listener("controller"); c.Adds != 0 || c.Backlog != 2 {
			t.Errorf("controller was told %d, waiting %d", c.Adds, c.Backlog)
		}
		refused("second", "no notification waits for second")
		refused("third", "configmaps has no handler third")
		if _, err := b.StepHandler("configmaps", "slow"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		refused("slow", "slow is in a call")
	})
}
