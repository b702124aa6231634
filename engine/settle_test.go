package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"informerscope/engine"
	"informerscope/engine/deltafifo"
	"informerscope/journal"
)

// What was written is everywhere at once when the session is settled: nothing was
// on its way that a look has missed.
func TestWhatWasWrittenHasArrivedWhenSettled(t *testing.T) {
	for _, client := range engine.Clients {
		for _, fifo := range deltafifo.Disciplines {
			for _, queue := range engine.Queues {
				t.Run(strings.Join([]string{client, fifo, queue}, " "), func(t *testing.T) {
					t.Parallel()
					r := start(t, engine.Options{Workers: 2, Client: client, FIFO: fifo, Queue: queue})
					r.arrives(20)
				})
			}
		}
	}
	t.Run("lanes", func(t *testing.T) {
		t.Parallel()
		start(t, engine.Options{Workers: 2, Compare: deltafifo.Disciplines}).arrives(20)
	})
}

// arrives writes objects n times, and looks at each pipeline right after.
func (r *rig) arrives(n int) {
	r.T.Helper()
	c := r.client.CoreV1().ConfigMaps("default")
	for i := range n {
		name := fmt.Sprint("c", i%3)
		var rv string
		if i%4 == 3 {
			if err := c.Delete(r.T.Context(), name, metav1.DeleteOptions{}); err != nil {
				r.T.Fatal(err)
			}
		} else if _, err := c.Get(r.T.Context(), name, metav1.GetOptions{}); err != nil {
			r.create(name)
		} else {
			r.update(name, fmt.Sprint(i))
		}
		if cm, err := c.Get(r.T.Context(), name, metav1.GetOptions{}); err == nil {
			rv = cm.ResourceVersion
		}
		r.Settle()
		s := r.Snapshot()
		for _, resource := range r.Resources() {
			res := s.Resource(resource)
			got := ""
			if e, ok := res.Indexer.Get("default/" + name); ok {
				got = e.RV
			}
			if got != rv || !res.Drained() || !res.Synced {
				r.T.Fatalf("%s, write %d: %s is at rv %q, want %q; drained %v, synced %v\n%s", resource, i, name, got, rv, res.Drained(), res.Synced, r.JournalText())
			}
		}
	}
}

// What a gate, a fault or a person holds is not in flight, and what was held is
// once it is let go.
func TestWhatIsHeldIsSettled(t *testing.T) {
	r := start(t, engine.Options{Workers: 1, Handlers: []engine.HandlerSpec{{Name: "other", Resync: engine.DefaultResync}}})
	r.Settle()
	hand, err := r.ManualControl("configmaps")
	if err != nil {
		t.Fatal(err)
	}
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	holds := func(what string, ok bool) {
		t.Helper()
		if !ok {
			t.Errorf("%s: not so\n%s", what, r.JournalText())
		}
	}

	arm(t, r, "freeze")
	r.create("a")
	r.Settle()
	holds("a frozen watch holds the event", r.Snapshot().Resource("configmaps").Indexer.Len() == 0)
	for _, f := range r.Armed() {
		holds("disarmed", r.Disarm(f.ID))
	}
	r.Settle()
	holds("it comes once the watch is thawed", r.Snapshot().Resource("configmaps").Indexer.Len() == 1)

	do(hand.BlockHandler("other", true))
	do(hand.BlockWorker("", true))
	r.create("b")
	r.Settle()
	s := r.Snapshot().Resource("configmaps")
	holds("a blocked worker keeps its key", s.Queue.ProcessingLen() == 1)
	do(hand.BlockWorker("", false))
	do(hand.BlockHandler("other", false))
	r.Settle()
	holds("all is done once they are let go", r.Snapshot().Resource("configmaps").Drained())

	r.Pause()
	r.create("c")
	r.Settle()
	for _, stage := range []journal.Stage{journal.StageReflector, journal.StageFIFO, journal.StageListener, journal.StageListener, journal.StageQueue, journal.StageQueue} {
		if _, err := r.Step("configmaps", stage); err != nil {
			t.Fatalf("step %s: %v\n%s", stage, err, r.JournalText())
		}
	}
	r.Settle()
	holds("each step has let its item through", r.Snapshot().Resource("configmaps").Drained())
}

// A wait that ends before says what was on its way.
func TestAWaitThatIsOverSaysWhatIsInFlight(t *testing.T) {
	began, end := make(chan struct{}), make(chan struct{})
	r := start(t, engine.Options{Workers: 1, Reconcile: func(context.Context, string, any) error {
		close(began)
		<-end
		return nil
	}})
	r.create("a")
	<-began
	ctx, cancel := context.WithCancel(t.Context())
	var last engine.InFlight
	err := r.Until(ctx, func(f engine.InFlight) bool {
		if last = f; f.String() == "configmaps: a reconcile is under way" {
			cancel() // nothing else is
		}
		return false
	})
	if !errors.Is(err, context.Canceled) || last.Settled() {
		t.Errorf("%v, in flight %v", err, last)
	}
	if err := r.WaitSettled(ctx); err == nil || !strings.Contains(err.Error(), "on its way: ") || !strings.Contains(err.Error(), "configmaps: a reconcile is under way") {
		t.Errorf("got %v", err)
	}
	close(end)
	r.Settle()
}
