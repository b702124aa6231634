package life

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"informerscope/journal"
)

// script writes a journal: "+5ms kind key type/flags rv" are its lines.
type script struct {
	seq    uint64
	now    time.Time
	events []journal.Event
}

var start = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func newScript() *script { return &script{now: start} }

func (s *script) after(d time.Duration) *script { s.now = s.now.Add(d); return s }

func (s *script) on(e journal.Event) *script {
	s.seq++
	e.Seq, e.Time, e.Resource = s.seq, s.now, "pods"
	if e.Key == "" {
		e.Key = "shop/web"
	} else if e.Key == "-" {
		e.Key = ""
	}
	s.events = append(s.events, e)
	return s
}

const ms = time.Millisecond

// arrives is a watch event and all up to the notification, 1 ms each.
func (s *script) arrives(watch, delta, rv string) *script {
	return s.on(journal.WatchEvent{Type: watch, RV: rv}.Event("", "")).after(ms).
		on(journal.FIFOEnqueued{Type: delta, RV: rv, Deltas: 1}.Event("", "")).after(ms).
		on(journal.FIFOPopped{Deltas: 1}.Event("", "")).after(ms).
		on(journal.StoreUpdated{RV: rv}.Event("", "")).
		on(journal.Notified{Listener: "controller", Type: journal.OnUpdate, RV: rv}.Event("", "")).
		on(journal.FIFOProcessed{}.Event("", ""))
}

// handles is the handler that adds the key, 1 ms in the ring and 1 ms to the Add.
func (s *script) handles(rv, result string) *script {
	return s.after(ms).on(journal.HandlerStarted{Listener: "controller", Type: journal.OnUpdate, RV: rv}.Event("", "")).after(ms).
		on(journal.QueueAdded{Result: result}.Event("", "")).
		on(journal.HandlerDone{Listener: "controller", Type: journal.OnUpdate}.Event("", ""))
}

func (s *script) gets() *script {
	return s.on(journal.QueueGot{Worker: "worker-1"}.Event("", "")).on(journal.ReconcileStarted{Worker: "worker-1"}.Event("", ""))
}

func (s *script) succeeds() *script {
	return s.on(journal.ReconcileDone{}.Event("", "")).on(journal.QueueForgotten{}.Event("", ""))
}

func (s *script) fails(d time.Duration) *script {
	return s.on(journal.ReconcileFailed{Error: "no"}.Event("", "")).
		on(journal.QueueAddLimited{Delay: d, Requeues: 1}.Event("", "")).on(journal.QueueAddAfter{Delay: d}.Event("", ""))
}

func (s *script) done(flags journal.Flag) *script {
	return s.on(journal.Event{Kind: journal.KindQueueDone, Flags: flags}.WithRaw(journal.Raw{Name: "worker-1"}))
}

func (s *script) fired(result string) *script {
	return s.on(journal.QueueWaitingReady{}.Event("", "")).on(journal.QueueAdded{Result: result}.Event("", ""))
}

// tale says a Life in lines: "1 MODIFIED@5 to FIFO 1ms, ... = 12ms reconciled".
func tale(l *Life) string {
	var b strings.Builder
	for _, p := range l.Passages {
		fmt.Fprintf(&b, "%d %s@%s", p.Number, p.Cause, p.RV)
		var sum time.Duration
		for _, s := range p.Spent {
			sum += s.For
			if s.For > 0 {
				fmt.Fprintf(&b, " %s %s,", s.Stage, journal.Short(s.For))
			}
		}
		if sum != p.Total() {
			fmt.Fprintf(&b, " BUT %v IN ALL", p.Total())
		}
		if p.Together > 1 {
			fmt.Fprintf(&b, " together %d", p.Together)
		}
		if p.Coalesced {
			b.WriteString(" coalesced")
		}
		if p.Shared > 1 {
			fmt.Fprintf(&b, " shared %d", p.Shared)
		}
		if p.Over() {
			fmt.Fprintf(&b, " %s\n", p.Outcome)
		} else {
			fmt.Fprintf(&b, " %s ...\n", p.Stage)
		}
	}
	return b.String()
}

func build(t *testing.T, s *script) *Life {
	t.Helper()
	l := New("pods", "shop/web")
	for i := range s.events {
		l.Apply(&s.events[i])
	}
	return l
}

func TestALifeIsTold(t *testing.T) {
	for name, c := range map[string]struct {
		script *script
		want   string
	}{
		"one change": {
			newScript().arrives("MODIFIED", "Updated", "5").handles("5", journal.AddQueued).after(10 * ms).gets().after(100 * ms).succeeds().done(0),
			"1 MODIFIED@5 to FIFO 1ms, in FIFO 1ms, process 1ms, in ring 1ms, handler 1ms, in queue 10ms, reconcile 100ms, reconciled\n",
		},
		"an Add that meets an earlier one is served with it": {
			newScript().arrives("MODIFIED", "Updated", "5").handles("5", journal.AddQueued).
				arrives("MODIFIED", "Updated", "6").handles("6", journal.AddCoalesced).after(10 * ms).gets().after(100 * ms).succeeds().done(0),
			"1 MODIFIED@5 to FIFO 1ms, in FIFO 1ms, process 1ms, in ring 1ms, handler 1ms, in queue 15ms, reconcile 100ms, shared 2 reconciled\n" +
				"2 MODIFIED@6 to FIFO 1ms, in FIFO 1ms, process 1ms, in ring 1ms, handler 1ms, in queue 10ms, reconcile 100ms, coalesced shared 2 reconciled\n",
		},
		"an Add while a worker has the key waits for its Done": {
			newScript().arrives("MODIFIED", "Updated", "5").handles("5", journal.AddQueued).gets().
				arrives("MODIFIED", "Updated", "6").handles("6", journal.AddDirty).
				arrives("MODIFIED", "Updated", "7").handles("7", journal.AddCoalesced).
				after(10 * ms).succeeds().done(journal.Requeued).after(20 * ms).gets().after(30 * ms).succeeds().done(0),
			"1 MODIFIED@5 to FIFO 1ms, in FIFO 1ms, process 1ms, in ring 1ms, handler 1ms, reconcile 20ms, reconciled\n" +
				"2 MODIFIED@6 to FIFO 1ms, in FIFO 1ms, process 1ms, in ring 1ms, handler 1ms, behind 15ms, in queue 20ms, reconcile 30ms, shared 2 reconciled\n" +
				"3 MODIFIED@7 to FIFO 1ms, in FIFO 1ms, process 1ms, in ring 1ms, handler 1ms, behind 10ms, in queue 20ms, reconcile 30ms, coalesced shared 2 reconciled\n",
		},
		"a failure waits and is tried again": {
			newScript().arrives("ADDED", "Added", "5").handles("5", journal.AddQueued).gets().after(10 * ms).fails(40 * ms).done(0).
				after(40 * ms).fired(journal.AddQueued).after(5 * ms).gets().after(10 * ms).succeeds().done(0),
			"1 ADDED@5 to FIFO 1ms, in FIFO 1ms, process 1ms, in ring 1ms, handler 1ms, reconcile 10ms, backoff 40ms, in queue 5ms, reconcile 10ms, reconciled\n",
		},
		"a backoff that ends before Done is behind that Done": {
			newScript().arrives("ADDED", "Added", "5").handles("5", journal.AddQueued).gets().after(10 * ms).fails(ms).
				after(ms).fired(journal.AddDirty).after(4 * ms).done(journal.Requeued).after(5 * ms).gets().after(10 * ms).succeeds().done(0),
			"1 ADDED@5 to FIFO 1ms, in FIFO 1ms, process 1ms, in ring 1ms, handler 1ms, reconcile 15ms, in queue 5ms, reconcile 10ms, reconciled\n",
		},
		"news during a backoff are served first, and with them what failed": {
			newScript().arrives("ADDED", "Added", "5").handles("5", journal.AddQueued).gets().after(10*ms).fails(400*ms).done(0).
				after(40*ms).arrives("MODIFIED", "Updated", "6").handles("6", journal.AddQueued).gets().after(10 * ms).succeeds().done(0).
				after(345 * ms).fired(journal.AddQueued).after(ms).gets().after(10 * ms).succeeds().done(0),
			"1 ADDED@5 to FIFO 1ms, in FIFO 1ms, process 1ms, in ring 1ms, handler 1ms, reconcile 10ms, backoff 45ms, reconcile 10ms, shared 2 reconciled\n" +
				"2 MODIFIED@6 to FIFO 1ms, in FIFO 1ms, process 1ms, in ring 1ms, handler 1ms, reconcile 10ms, shared 2 reconciled\n" +
				"3 retry@ in queue 1ms, reconcile 10ms, reconciled\n",
		},
		"a failure that nobody queues again": {
			newScript().arrives("ADDED", "Added", "5").handles("5", journal.AddQueued).gets().after(10 * ms).on(journal.ReconcileFailed{}.Event("", "")).done(0),
			"1 ADDED@5 to FIFO 1ms, in FIFO 1ms, process 1ms, in ring 1ms, handler 1ms, reconcile 10ms, failed, not queued again\n",
		},
		"added by hand": {
			newScript().on(journal.QueueAdded{Result: journal.AddQueued}.Event("", "")).after(ms).gets().after(ms).succeeds().done(0),
			"1 Add@ in queue 1ms, reconcile 1ms, reconciled\n",
		},
		"a resync has no watch event": {
			newScript().on(journal.FIFOEnqueued{Type: "Sync", RV: "5", Deltas: 1}.Event("", "")).after(ms).on(journal.FIFOPopped{Deltas: 1}.Event("", "")).after(ms).
				on(journal.StoreUpdated{RV: "5"}.Event("", "")).on(journal.Notified{Listener: "controller", Type: journal.OnUpdate, RV: "5", Resync: true}.Event("", "")).
				on(journal.FIFOProcessed{}.Event("", "")).handles("5", journal.AddQueued),
			"1 Sync@5 in FIFO 1ms, process 1ms, in ring 1ms, handler 1ms, in queue ...\n",
		},
		"a deleted key that nobody knows": {
			newScript().on(journal.WatchEvent{Type: "DELETED", RV: "5"}.Event("", "")).after(ms).on(journal.FIFODropped{Type: "Deleted", RV: "5"}.Event("", "")),
			"1 DELETED@5 to FIFO 1ms, not queued: nobody knew the key\n",
		},
		"a list that is gathered keeps the newest version only": {
			newScript().on(journal.WatchEvent{Type: "ADDED", RV: "5"}.Event("", "")).after(ms).on(journal.WatchEvent{Type: "MODIFIED", RV: "6"}.Event("", "")).
				after(ms).on(journal.FIFOEnqueued{Type: "Replaced", RV: "6"}.Event("", "")),
			"1 ADDED@5 superseded\n2 MODIFIED@6 to FIFO 1ms, in FIFO ...\n",
		},
		"what began before the journal does": {
			newScript().on(journal.HandlerDone{Listener: "controller"}.Event("", "")).gets().after(5 * ms).succeeds().done(0),
			"1 Get@ reconcile 5ms, reconciled\n",
		},
		"the queue is shut down": {
			newScript().arrives("MODIFIED", "Updated", "5").handles("5", journal.AddShutDown),
			"1 MODIFIED@5 to FIFO 1ms, in FIFO 1ms, process 1ms, in ring 1ms, handler 1ms, the queue is shut down\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := tale(build(t, c.script)); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

// A DeltaFIFO hands out all deltas of the key at once, a RealFIFO one.
func TestWhatIsPoppedTogether(t *testing.T) {
	both := func(n int64) *script {
		s := newScript()
		for _, rv := range []string{"5", "6"} {
			s.on(journal.WatchEvent{Type: "MODIFIED", RV: rv}.Event("", "")).on(journal.FIFOEnqueued{Type: "Updated", RV: rv}.Event("", "")).after(ms)
		}
		return s.on(journal.FIFOPopped{Type: "Updated", Deltas: n}.Event("", "")).after(ms)
	}
	tell := func(s *script, rv string) *script {
		return s.on(journal.StoreUpdated{RV: rv}.Event("", "")).
			on(journal.Notified{Listener: "controller", Type: journal.OnUpdate, RV: rv}.Event("", "")).
			on(journal.Notified{Listener: "audit", Type: journal.OnUpdate, RV: rv}.Event("", "")).after(ms)
	}
	s := tell(tell(both(2), "5"), "6").on(journal.FIFOProcessed{}.Event("", ""))
	want := "1 MODIFIED@5 in FIFO 2ms, process 1ms, together 2 in ring ...\n2 MODIFIED@6 in FIFO 1ms, process 2ms, together 2 in ring ...\n"
	if got := tale(build(t, s)); got != want {
		t.Errorf("DeltaFIFO: got\n%swant\n%s", got, want)
	}
	s = tell(both(1), "5").on(journal.FIFOProcessed{}.Event("", ""))
	want = "1 MODIFIED@5 in FIFO 2ms, process 1ms, in ring ...\n2 MODIFIED@6 in FIFO ...\n"
	if got := tale(build(t, s)); got != want {
		t.Errorf("RealFIFO: got\n%swant\n%s", got, want)
	}
}

// Two Deleted are one delta in a DeltaFIFO, and two changes that it brings.
func TestTwoChangesThatAreOneDelta(t *testing.T) {
	s := newScript().on(journal.FIFOEnqueued{Type: "Deleted", RV: "5"}.Event("", "")).after(ms).
		on(journal.FIFOEnqueued{Type: "Deleted", RV: "6", Coalesced: true}.Event("", "")).after(ms).
		on(journal.FIFOPopped{Deltas: 1}.Event("", ""))
	want := "1 Deleted@5 in FIFO 2ms, together 2 process ...\n2 Deleted@6 in FIFO 1ms, together 2 process ...\n"
	if got := tale(build(t, s)); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// ReplacedAll and SyncAll carry no key: that they were the key's is known when
// it is stored or told.
func TestDeltasForAllKeys(t *testing.T) {
	all := func(s *script, typ string) *script {
		return s.on(journal.FIFOEnqueued{Type: typ, RV: "9"}.Event("", "-")).after(ms).on(journal.FIFOPopped{Type: typ}.Event("", "-")).after(ms)
	}
	s := newScript().on(journal.WatchEvent{Type: "ADDED", RV: "5", Initial: true}.Event("", "")).after(ms)
	all(s, "ReplacedAll").on(journal.StoreAdded{RV: "5"}.Event("", "")).
		on(journal.Notified{Listener: "controller", Type: journal.OnAdd, RV: "5"}.Event("", "")).after(ms).on(journal.FIFOProcessed{}.Event("", "-"))
	all(s, "SyncAll").on(journal.Notified{Listener: "controller", Type: journal.OnUpdate, RV: "5", Resync: true}.Event("", "")).on(journal.FIFOProcessed{}.Event("", "-"))
	all(s, "SyncAll").on(journal.FIFOProcessed{}.Event("", "-")) // not this key
	want := "1 ADDED@5 to FIFO 1ms, in FIFO 1ms, process 1ms, in ring ...\n2 SyncAll@5 in FIFO 1ms, process 1ms, in ring ...\n"
	if got := tale(build(t, s)); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// A handler that feeds no queue ends the way of what only it was told.
func TestAHandlerThatDoesNotAdd(t *testing.T) {
	s := newScript().arrives("MODIFIED", "Updated", "5").handles("5", journal.AddQueued)
	s.on(journal.FIFOEnqueued{Type: "Sync", RV: "5"}.Event("", "")).on(journal.FIFOPopped{}.Event("", "")).
		on(journal.Notified{Listener: "audit", Type: journal.OnUpdate, RV: "5"}.Event("", "")).after(3 * ms).
		on(journal.HandlerStarted{Listener: "audit"}.Event("", "")).after(ms).
		on(journal.QueueAdded{Result: journal.AddCoalesced}.Event("", "")). // by hand, meanwhile
		on(journal.HandlerDone{Listener: "audit"}.Event("", ""))
	want := "1 MODIFIED@5 to FIFO 1ms, in FIFO 1ms, process 1ms, in ring 1ms, handler 1ms, in queue ...\n" +
		"2 Sync@5 in ring 3ms, handler 1ms, handled\n3 Add@ coalesced in queue ...\n"
	if got := tale(build(t, s)); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestTheSummarySaysWhereItWaitedLongest(t *testing.T) {
	s := newScript().arrives("MODIFIED", "Updated", "5").handles("5", journal.AddQueued).after(10*ms).gets().after(100*ms).succeeds().done(0).
		arrives("MODIFIED", "Updated", "6").handles("6", journal.AddQueued)
	l := build(t, s)
	sum := l.Summary(s.now)
	if sum.Wait != InQueue || sum.WaitFor != 10*ms || sum.WaitIn != 1 || sum.Slowest.Number != 1 || sum.Mean != 115*ms || sum.Open.Number != 2 {
		t.Errorf("got %+v", sum)
	}
	if sum = l.Summary(s.now.Add(time.Second)); sum.WaitFor != time.Second || sum.WaitIn != 2 {
		t.Errorf("what still waits: got %+v", sum)
	}
	if l.Versions != 2 || l.Reconciles != 1 {
		t.Errorf("versions %d, reconciles %d", l.Versions, l.Reconciles)
	}
}
