package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"informerscope/journal"
	"informerscope/journal/state"
)

// scripted is a session whose journal the test writes.
type scripted struct {
	journal *journal.Journal
	folder  *state.Folder
}

var _ session = (*scripted)(nil)

func newScripted(capacity int) *scripted {
	s := &scripted{folder: state.New()}
	s.journal = journal.New(journal.Options{Capacity: capacity, Fold: s.folder.Apply})
	return s
}

func (s *scripted) Run(ctx context.Context) error { <-ctx.Done(); return nil }

func (s *scripted) Journal() *journal.Journal { return s.journal }

func (s *scripted) Snapshot() *state.State {
	var st *state.State
	s.journal.Locked(func(v journal.View) { st = s.folder.Snapshot(v) })
	return st
}

func (s *scripted) write(events ...journal.Event) {
	for _, e := range events {
		s.journal.Append(e)
	}
}

// waiting is a wait that runs in the background of a bubble.
type waiting struct {
	out, err lockedBuffer
	done     chan error
}

func startWait(ctx context.Context, s session, c *condition, timeout time.Duration, events bool) *waiting {
	w := &waiting{done: make(chan error, 1)}
	o := NewOptions(streamsOf(&w.err), "informerscope")
	o.Timeout = durationValue(timeout)
	var p *eventPrinter
	if events {
		p = newEventPrinter(&w.out)
	}
	cancel := context.CancelFunc(func() {})
	o.Output.word, o.Until = "json", c.untilValue
	if o.expires() {
		ctx, cancel = o.expiring(ctx)
	}
	go func() { defer cancel(); w.done <- o.wait(ctx, s, c, p) }()
	synctest.Wait()
	return w
}

// ended reports whether the wait is over; it lets every goroutine settle first.
func (w *waiting) ended() (bool, error) {
	synctest.Wait()
	select {
	case err := <-w.done:
		return true, err
	default:
		return false, nil
	}
}

func TestUntilSyncedWaitsForEveryResource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScripted(0)
		w := startWait(t.Context(), s, &condition{untilValue: untilValue{what: untilSynced}, resources: []string{"pods", "leases"}}, time.Minute, false)
		s.write(journal.Synced{}.Event("pods", ""))
		if over, err := w.ended(); over {
			t.Fatalf("ended before leases synced: %v", err)
		}
		s.write(journal.Synced{}.Event("leases", ""))
		if over, err := w.ended(); !over || err != nil {
			t.Fatalf("over %v, %v", over, err)
		}
	})
}

func TestUntilDrainedDoesNotMissAPoppedKeyOnItsWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScripted(0)
		s.write(
			journal.ListenerAdded{Listener: "l"}.Event("pods", ""),
			journal.FIFOEnqueued{Type: "Added", Deltas: 1, Depth: 1}.Event("pods", "a"),
			journal.FIFOPopped{Deltas: 1}.Event("pods", "a"),
			journal.Synced{}.Event("pods", ""),
		)
		c := &condition{untilValue: untilValue{what: untilDrained}, resources: []string{"pods"}}
		w := startWait(t.Context(), s, c, 0, false)
		if over, _ := w.ended(); over {
			t.Fatal("ended while the popped key was neither in the store nor with the listener")
		}
		s.write(
			journal.StoreAdded{}.Event("pods", "a"),
			journal.Notified{Listener: "l", Type: journal.OnAdd, Backlog: 1}.Event("pods", "a"),
			journal.FIFOProcessed{}.Event("pods", "a"),
			journal.HandlerStarted{Listener: "l", Type: journal.OnAdd}.Event("pods", "a"),
			journal.QueueAdded{Result: journal.AddQueued, Len: 1}.Event("pods", "a"),
			journal.HandlerDone{Listener: "l", Type: journal.OnAdd}.Event("pods", "a"),
		)
		if over, _ := w.ended(); over {
			t.Fatal("ended while the key was in the workqueue")
		}
		s.write(
			journal.QueueGot{Worker: "worker 1"}.Event("pods", "a"),
			journal.QueueDone{Worker: "worker 1"}.Event("pods", "a"),
		)
		if over, err := w.ended(); !over || err != nil {
			t.Fatalf("over %v, %v: %q", over, err, c.reasons(s.Snapshot()))
		}
	})
}

func TestAWaitThatTakesLongSaysForWhatAndThenFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScripted(0)
		s.write(
			journal.ListStarted{}.Event("pods", ""),
			journal.ListFailed{Error: "pods is forbidden"}.Event("pods", ""),
		)
		w := startWait(t.Context(), s, &condition{untilValue: untilValue{what: untilSynced}, resources: []string{"pods", "leases"}}, 25*time.Second, false)
		time.Sleep(9 * time.Second)
		if text := w.err.String(); text != "" {
			t.Errorf("after 9 s: %q", text)
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if want := "pods: still backing off: pods is forbidden\nleases: not started yet\n"; w.err.String() != want {
			t.Errorf("after 11 s: %q, want %q", w.err.String(), want)
		}
		time.Sleep(15 * time.Second)
		over, err := w.ended()
		var f *failure
		if !over || !errors.As(err, &f) || f.code != exitFailure {
			t.Fatalf("over %v, %v", over, err)
		}
		for _, want := range []string{"not synced after 25s", "pods is forbidden", "leases: not started yet"} {
			if !strings.Contains(f.text, want) {
				t.Errorf("no %q in %q", want, f.text)
			}
		}
	})
}

func TestUntilEndsAtOnceWhenAPipelineItWaitsForHasFailed(t *testing.T) {
	failed := journal.PipelineFailed{Error: "stopped: index function \"owner\" on a: no such field"}.Event("pods", "a")
	synced := journal.Synced{}.Event("pods", "")
	queued := journal.FIFOEnqueued{Type: "Added", Deltas: 1, Depth: 1}.Event("pods", "b")
	for name, c := range map[string]struct {
		until  string
		events []journal.Event
		want   string // "" waits on
	}{
		"before it has synced":       {untilSynced, []journal.Event{failed}, "not synced, and it never will be: pods has stopped: index function \"owner\" on a: no such field"},
		"after it has synced":        {untilSynced, []journal.Event{synced, failed}, ""},
		"with something in the FIFO": {untilDrained, []journal.Event{synced, queued, failed}, "not drained, and it never will be: pods has stopped: "},
		"with nothing in the FIFO":   {untilDrained, []journal.Event{synced, failed}, "not drained, and it never will be: pods has stopped: "},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				s := newScripted(0)
				w := startWait(ctx, s, &condition{untilValue: untilValue{what: c.until}, resources: []string{"pods", "leases"}}, time.Hour, true)
				s.write(c.events...)
				over, err := w.ended()
				if c.want == "" {
					if over {
						t.Errorf("it waits no more for leases: %v", err)
					}
					s.write(journal.Synced{}.Event("leases", ""))
					if over, err := w.ended(); !over || err != nil {
						t.Errorf("over %v, %v", over, err)
					}
					cancel()
					return
				}
				cancel()
				var f *failure
				if !over || !errors.As(err, &f) || f.code != exitFailure || !strings.Contains(f.text, c.want) {
					t.Errorf("over %v, %v; want %s", over, err, c.want)
				}
				if !strings.Contains(w.out.String(), `"control.failed"`) {
					t.Errorf("the events up to the failure are not printed: %q", w.out.String())
				}
			})
		})
	}
}

func TestTimeoutZeroWaitsForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w := startWait(ctx, newScripted(0), &condition{untilValue: untilValue{what: untilSynced}, resources: []string{"pods"}}, 0, false)
		time.Sleep(time.Hour)
		if over, err := w.ended(); over {
			t.Fatalf("gave up: %v", err)
		}
		cancel()
		if over, err := w.ended(); !over || !errors.Is(err, context.Canceled) {
			t.Fatalf("over %v, %v", over, err)
		}
	})
}

func TestUntilADurationEndsThenAlsoWhenBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScripted(0)
		w := startWait(t.Context(), s, &condition{untilValue: untilValue{untilDuration, 5 * time.Second}, resources: []string{"pods"}}, time.Second, true)
		for range 60 {
			time.Sleep(100 * time.Millisecond)
			s.write(journal.LogLine{Message: "tick"}.Event("", ""))
		}
		if over, err := w.ended(); !over || err != nil {
			t.Fatalf("over %v, %v", over, err)
		}
		if n := strings.Count(w.out.String(), "\n"); n < 49 || n > 50 {
			t.Errorf("%d events in 5 s, want those of 5 s", n)
		}
	})
}

func TestEventsThatFellOffAreCountedInTheirPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScripted(1024) // two chunks of 512
		for i := range 1025 {
			s.write(journal.LogLine{Message: fmt.Sprint(i)}.Event("", ""))
		}
		ctx, cancel := context.WithCancel(t.Context())
		w := startWait(ctx, s, &condition{}, 0, true)
		lines := strings.Split(w.out.String(), "\n")
		if lines[0] != `{"kind":"journal.lost","events":512}` || !strings.HasPrefix(lines[1], `{"seq":513,`) {
			t.Errorf("got %s\n%s", lines[0], lines[1])
		}
		if len(lines) != 1+513+1 {
			t.Errorf("%d lines", len(lines))
		}
		cancel()
		if over, _ := w.ended(); !over {
			t.Error("did not end")
		}
	})
}

func TestAnEngineThatFailsEndsTheRun(t *testing.T) {
	boom := errors.New("worker 1 panicked")
	err := running(t.Context(), failing{newScripted(0), boom}, func(ctx context.Context) error {
		<-ctx.Done()
		if !errors.Is(context.Cause(ctx), boom) {
			t.Errorf("the body is told %v", context.Cause(ctx))
		}
		return context.Cause(ctx)
	})
	if !errors.Is(err, boom) || !strings.Contains(err.Error(), "the engine stopped: worker 1 panicked") {
		t.Errorf("got %v", err)
	}
}

// failing is a session that ends with an error at once.
type failing struct {
	*scripted
	err error
}

func (f failing) Run(context.Context) error { return f.err }
