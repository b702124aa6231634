package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/cache"

	"informerscope/engine"
	"informerscope/engine/deltafifo"
	"informerscope/internal/testing/apiscript"
	"informerscope/internal/testing/session"
	"informerscope/journal"
	"informerscope/journal/state"
)

// bubble is a session on a scripted server, within a synctest bubble.
type bubble struct {
	t      *testing.T
	server *apiscript.Server
	start  time.Time
	end    func() // stops the session and waits for it
	*engine.Session
}

func inBubble(t *testing.T, o engine.Options, answers []apiscript.Answer, f func(*bubble)) {
	synctest.Test(t, func(t *testing.T) {
		b := &bubble{t: t, server: apiscript.StartInMemory(t, answers...), start: time.Now()}
		o.Config, o.Targets = b.server.Config(), []engine.Target{configMaps}
		rig := session.Start(t, o)
		b.Session, b.end = rig.Session, rig.Stop
		defer b.end()
		f(b)
	})
}

// inBubbles is inBubble under each discipline in turn: the case is the same in all.
func inBubbles(t *testing.T, o engine.Options, answers []apiscript.Answer, f func(*bubble)) {
	t.Helper()
	for _, discipline := range deltafifo.Disciplines {
		t.Run(discipline, func(t *testing.T) {
			o := o
			o.FIFO = discipline
			inBubble(t, o, answers, f)
		})
	}
}

// at lets the clock come to a time since the start and everything settle.
func (b *bubble) at(d time.Duration) {
	time.Sleep(d - time.Since(b.start))
	synctest.Wait()
}

// listener returns a handler's state, the zero value when there is none.
func (b *bubble) listener(name string) state.Listener {
	for _, l := range b.Snapshot().Resource("configmaps").Listeners {
		if l.Name == name {
			return l
		}
	}
	return state.Listener{}
}

// calls is a handler that writes its calls down.
type calls struct {
	mu   sync.Mutex
	made []string
}

func (c *calls) note(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made = append(c.made, fmt.Sprintf(format, args...))
}

// take returns the calls since the last take.
func (c *calls) take() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	made := strings.Join(c.made, ", ")
	c.made = nil
	return made
}

func name(obj any) string {
	if t, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		return "T{" + name(t.Obj) + "}"
	}
	u := obj.(*unstructured.Unstructured)
	return u.GetName() + "@" + u.GetResourceVersion()
}

func (c *calls) OnAdd(obj any, initial bool) {
	c.note("add %s%s", name(obj), map[bool]string{true: " initial"}[initial])
}
func (c *calls) OnUpdate(old, obj any) { c.note("update %s %s", name(old), name(obj)) }
func (c *calls) OnDelete(obj any)      { c.note("delete %s", name(obj)) }

var a5 = apiscript.ConfigMap("x/a", "5")

// CASES E7: with no resync anywhere, all handlers are flagged as syncing and a
// relist that brings nothing new is delivered.
func TestE7WithoutResyncsUnchangedObjectsOfARelistAreDelivered(t *testing.T) {
	h := &calls{}
	inBubbles(t, engine.Options{Handlers: []engine.HandlerSpec{{Name: "h", Handler: h}}}, []apiscript.Answer{
		apiscript.Stream(apiscript.Added(a5), apiscript.InitialEventsEnd("9"), apiscript.Wait(time.Second), apiscript.Error(apiscript.Expired)),
		apiscript.Stream(apiscript.Added(a5), apiscript.InitialEventsEnd("9"), apiscript.Hold()),
	}, func(b *bubble) {
		b.at(10 * time.Second)
		if got := h.take(); got != "add a@5 initial, update a@5 a@5" {
			t.Error(got)
		}
		if l := b.listener("h"); !l.Syncing || l.Effective != 0 {
			t.Errorf("syncing %v, period %v: nobody asked for resyncs", l.Syncing, l.Effective)
		}
	})
}

// CASES E7: informer resync 2 s, handlers 0, 2 and 4 s, relist at 3.6 s.
func TestE7OnlySyncingHandlersGetUnchangedObjectsOfARelist(t *testing.T) {
	never, two, four := &calls{}, &calls{}, &calls{}
	o := engine.Options{Resync: 2 * time.Second, Handlers: []engine.HandlerSpec{
		{Name: "never", Handler: never}, {Name: "two", Resync: 2 * time.Second, Handler: two}, {Name: "four", Resync: 4 * time.Second, Handler: four},
	}}
	start := time.Now() // of the bubble's clock, below
	inBubbles(t, o, []apiscript.Answer{
		apiscript.Stream(apiscript.Added(a5), apiscript.InitialEventsEnd("9"), apiscript.Wait(2*time.Second+1), apiscript.Error(apiscript.Expired)),
		// Asked for after a backoff of 0.8 to 1.6 s.
		apiscript.Stream(apiscript.Do(func() { time.Sleep(3600*time.Millisecond - time.Since(start)) }),
			apiscript.Added(a5), apiscript.InitialEventsEnd("9"), apiscript.Hold()),
	}, func(b *bubble) {
		start = b.start
		expect := func(at time.Duration, wantNever, wantTwo, wantFour string) {
			t.Helper()
			b.at(at)
			for _, c := range []struct {
				h    *calls
				want string
			}{{never, wantNever}, {two, wantTwo}, {four, wantFour}} {
				if got := c.h.take(); got != c.want {
					t.Errorf("at %v: %q, want %q", at, got, c.want)
				}
			}
		}
		const add, again = "add a@5 initial", "update a@5 a@5"
		expect(0, add, add, add)
		expect(1999*time.Millisecond, "", "", "")
		expect(2*time.Second, "", again, "")            // the first resync
		expect(3599*time.Millisecond, "", "", "")       //
		expect(3600*time.Millisecond, "", again, "")    // the relist
		expect(5599*time.Millisecond, "", "", "")       // none at 4 s: the relist began the period anew
		expect(5600*time.Millisecond, "", again, again) // the second resync
		if n, two := b.listener("never"), b.listener("two"); n.Syncing || !two.Syncing {
			t.Errorf("syncing: %v and %v, want only the one that asked for resyncs", n.Syncing, two.Syncing)
		}
	})
}

// CASES L8: two handlers, one blocked, N events.
func TestL8SlowHandlerHoldsUpNobodyElse(t *testing.T) {
	const n = 50
	steps := []apiscript.Step{apiscript.InitialEventsEnd("1")}
	for i := range n {
		steps = append(steps, apiscript.Added(apiscript.ConfigMap(fmt.Sprintf("x/o%02d", i), fmt.Sprint(i+2))))
	}
	o := engine.Options{Handlers: []engine.HandlerSpec{{Name: "slow", Delay: time.Hour}, {Name: "fast"}}}
	inBubbles(t, o, []apiscript.Answer{apiscript.Stream(append(steps, apiscript.Hold())...)}, func(b *bubble) {
		b.at(time.Second)
		s, f := b.listener("slow"), b.listener("fast")
		if !s.InHandler || !s.Held() || s.Ring() != n-2 {
			t.Errorf("slow: in the handler %v, held %v, ring %d; want true, true, %d", s.InHandler, s.Held(), s.Ring(), n-2)
		}
		if f.InHandler || f.Held() || f.Ring() != 0 || f.Adds != n {
			t.Errorf("fast: %+v", f)
		}
		if got := b.Snapshot().Resource("configmaps").Indexer.Len(); got != n {
			t.Errorf("the Indexer holds %d, want %d: it waits for no handler", got, n)
		}
		b.at((n + 1) * time.Hour)
		if s := b.listener("slow"); s.InHandler || s.Backlog != 0 || s.Adds != n {
			t.Errorf("when it is done: %+v", s)
		}
	})
}

func TestInformerAndHandlerSyncSeparately(t *testing.T) {
	o := engine.Options{Handlers: []engine.HandlerSpec{{Name: "slow", Delay: time.Second}}}
	inBubble(t, o, []apiscript.Answer{
		apiscript.Stream(apiscript.Added(a5), apiscript.Added(apiscript.ConfigMap("x/b", "6")), apiscript.InitialEventsEnd("9"), apiscript.Hold()),
	}, func(b *bubble) {
		facts := func() string {
			return fmt.Sprint(b.Snapshot().Resource("configmaps").Synced, b.listener("controller").Synced, b.listener("slow").Synced)
		}
		b.at(1500 * time.Millisecond)
		if got := facts(); got != "true true false" {
			t.Errorf("informer, quick and slow handler: %s; the slow one is in its second of two calls", got)
		}
		b.at(2 * time.Second)
		if got := facts(); got != "true true true" {
			t.Errorf("after both calls: %s", got)
		}
	})
}

func TestLateHandlerIsToldWhatIsStored(t *testing.T) {
	late := &calls{}
	inBubble(t, engine.Options{Resync: 5 * time.Second}, []apiscript.Answer{
		apiscript.Stream(apiscript.Added(a5), apiscript.InitialEventsEnd("9"), apiscript.Wait(time.Second),
			apiscript.Added(apiscript.ConfigMap("x/b", "10")), apiscript.Wait(time.Second+1), apiscript.Modified(a5.At("11")), apiscript.Hold()),
	}, func(b *bubble) {
		b.at(2 * time.Second)
		if err := b.AddHandler("configmaps", engine.HandlerSpec{Name: "late", Resync: time.Second, Handler: late}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if got := late.take(); got != "add a@5 initial, add b@10 initial" && got != "add b@10 initial, add a@5 initial" {
			t.Error(got)
		}
		l := b.listener("late")
		if !l.Synced || !l.Syncing {
			t.Errorf("synced %v, syncing %v: it has been told everything", l.Synced, l.Syncing)
		}
		if l.ResyncPeriod != time.Second || l.Effective != 5*time.Second {
			t.Errorf("asked for %v, got %v: the informer checks every 5 s and does not change that while it runs", l.ResyncPeriod, l.Effective)
		}
		b.at(3 * time.Second)
		if got := late.take(); got != "update a@5 a@11" {
			t.Error(got)
		}
	})
}

func TestEarlyHandlerShortensTheChecks(t *testing.T) {
	h := &calls{}
	o := engine.Options{Resync: 10 * time.Second, Handlers: []engine.HandlerSpec{{Name: "often", Resync: 300 * time.Millisecond, Handler: h}}}
	inBubble(t, o, []apiscript.Answer{apiscript.Stream(apiscript.Added(a5), apiscript.InitialEventsEnd("9"), apiscript.Hold())}, func(b *bubble) {
		b.at(3 * time.Second)
		if got := h.take(); got != "add a@5 initial, update a@5 a@5, update a@5 a@5, update a@5 a@5" {
			t.Errorf("in 3 s: %s, want a resync a second, client-go's minimum", got)
		}
		if l := b.listener("often"); l.ResyncPeriod != 300*time.Millisecond || l.Effective != time.Second {
			t.Errorf("asked for %v, got %v", l.ResyncPeriod, l.Effective)
		}
		if c := b.listener("controller"); c.Updates != 0 || c.Syncing {
			t.Errorf("the other handler asked for 10 s: %d updates, syncing %v", c.Updates, c.Syncing)
		}
	})
}

func TestResyncIsOffWhenTheInformerDoesNone(t *testing.T) {
	h := &calls{}
	o := engine.Options{Handlers: []engine.HandlerSpec{{Name: "h", Resync: 2 * time.Second, Handler: h}}}
	inBubble(t, o, []apiscript.Answer{apiscript.Stream(apiscript.Added(a5), apiscript.InitialEventsEnd("9"), apiscript.Hold())}, func(b *bubble) {
		b.at(10 * time.Second)
		if got := h.take(); got != "add a@5 initial" {
			t.Error(got)
		}
		if l := b.listener("h"); l.ResyncPeriod != 2*time.Second || l.Effective != 0 {
			t.Errorf("asked for %v, got %v", l.ResyncPeriod, l.Effective)
		}
	})
}

func TestRemovedHandlerGetsNothing(t *testing.T) {
	h := &calls{}
	o := engine.Options{Handlers: []engine.HandlerSpec{{Name: "h", Delay: time.Hour, Handler: h}}}
	inBubble(t, o, []apiscript.Answer{
		apiscript.Stream(apiscript.Added(a5), apiscript.Added(apiscript.ConfigMap("x/b", "6")), apiscript.InitialEventsEnd("9"),
			apiscript.Wait(2*time.Second), apiscript.Deleted(a5.At("10")), apiscript.Hold()),
	}, func(b *bubble) {
		b.at(time.Second)
		before := b.listener("h")
		if !before.InHandler || before.Backlog != 1 {
			t.Fatalf("not in its first call of an hour: %+v", before)
		}
		if err := b.RemoveHandler("configmaps", "h"); err != nil {
			t.Fatal(err)
		}
		if d := time.Since(b.start); d != time.Second {
			t.Errorf("the removal took until %v", d)
		}
		if l := b.listener("h"); !l.Removed || !l.InHandler || l.Backlog != 0 {
			t.Errorf("%+v", l)
		}
		h.take()
		b.at(3 * time.Second)
		if got := h.take(); got != "" {
			t.Errorf("called after its removal: %s", got)
		}
		if err := b.RemoveHandler("configmaps", "h"); err == nil {
			t.Error("removed twice")
		}
		if err := b.AddHandler("configmaps", engine.HandlerSpec{Name: "h", Handler: h}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if got := h.take(); got != "add b@6 initial" {
			t.Errorf("it came back and was told %q", got)
		}
		if l := b.listener("h"); l.Removed || l.Adds != 1 || l.InHandler {
			t.Errorf("%+v", l)
		}
		b.at(time.Hour + time.Second) // the end of the first one's call is not told of the second
		if l := b.listener("h"); l.Removed || l.Adds != 1 || l.InHandler {
			t.Errorf("%+v", l)
		}
	})
}

// As with client-go's RemoveEventHandler a call goes on, until it ends.
func TestTheCallOfARemovedHandlerGoesOn(t *testing.T) {
	inBubble(t, engine.Options{Handlers: []engine.HandlerSpec{{Name: "h"}}}, []apiscript.Answer{
		apiscript.Stream(apiscript.InitialEventsEnd("1"), apiscript.Wait(time.Second), apiscript.Added(a5), apiscript.Added(apiscript.ConfigMap("x/b", "6")), apiscript.Hold()),
	}, func(b *bubble) {
		m := b.manual()
		if err := m.BlockHandler("h", true); err != nil {
			t.Fatal(err)
		}
		b.at(2 * time.Second)
		if err := b.RemoveHandler("configmaps", "h"); err != nil {
			t.Fatal(err)
		}
		b.at(time.Hour)
		if l := b.listener("h"); !l.Removed || !l.InHandler || l.Backlog != 0 || l.Adds != 1 {
			t.Errorf("an hour later: %+v", l)
		}
		if err := m.BlockHandler("h", false); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if l := b.listener("h"); !l.Removed || l.InHandler || l.Adds != 1 {
			t.Errorf("unblocked: %+v", l)
		}
		if err := m.BlockHandler("h", false); err == nil || !strings.Contains(err.Error(), "has no handler h") {
			t.Error(err)
		}
		// One that is blocked and in no call leaves nothing behind.
		if err := b.AddHandler("configmaps", engine.HandlerSpec{Name: "idle"}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if err := m.BlockHandler("idle", true); err != nil {
			t.Fatal(err)
		}
		if err := b.RemoveHandler("configmaps", "idle"); err != nil {
			t.Fatal(err)
		}
		if err := m.BlockHandler("idle", false); err == nil || !strings.Contains(err.Error(), "has no handler idle") {
			t.Error(err)
		}
	})
}

// Without "controller" nothing reaches the workqueue; with it everything that
// is stored does.
func TestControllerCanLeaveAndComeBack(t *testing.T) {
	inBubble(t, engine.Options{Workers: 1}, []apiscript.Answer{
		apiscript.Stream(apiscript.InitialEventsEnd("1"), apiscript.Wait(time.Second), apiscript.Added(a5), apiscript.Hold()),
	}, func(b *bubble) {
		synctest.Wait()
		if err := b.RemoveHandler("configmaps", "controller"); err != nil {
			t.Fatal(err)
		}
		b.at(2 * time.Second)
		if n := b.Snapshot().Resource("configmaps").Queue.Adds; n != 0 {
			t.Errorf("%d keys reached the workqueue", n)
		}
		if err := b.AddHandler("configmaps", engine.HandlerSpec{Name: "controller"}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if r := b.Snapshot().Resource("configmaps"); r.Queue.Adds != 1 || r.Workers[0].Done != 1 {
			t.Errorf("%d keys reached the workqueue, %d were reconciled; want 1 and 1", r.Queue.Adds, r.Workers[0].Done)
		}
	})
}

// A session ends within a second whatever state its handlers are in.
func TestSlowHandlersDoNotHoldUpTheEnd(t *testing.T) {
	for name, o := range map[string]engine.Options{
		"running": {},
		"paused":  {Paused: true},
	} {
		t.Run(name, func(t *testing.T) {
			o.Handlers = []engine.HandlerSpec{{Name: "slow", Delay: time.Hour}, {Name: "slower", Delay: 2 * time.Hour}}
			inBubble(t, o, []apiscript.Answer{
				apiscript.Stream(apiscript.Added(a5), apiscript.Added(apiscript.ConfigMap("x/b", "6")), apiscript.InitialEventsEnd("9"), apiscript.Hold()),
			}, func(b *bubble) {
				b.at(time.Minute)
				if l := b.listener("slow"); l.InHandler == o.Paused {
					t.Fatalf("%+v", l)
				}
				b.end()
				if d := time.Since(b.start) - time.Minute; d > time.Second {
					t.Errorf("the end took %v", d)
				}
				if err := b.AddHandler("configmaps", engine.HandlerSpec{Name: "later"}); err == nil {
					t.Error("a handler was added to a session that has ended")
				}
				if err := b.RemoveHandler("configmaps", "slow"); err == nil {
					t.Error("a handler was removed from a session that has ended")
				}
			})
		})
	}
}

func TestHandlerEventsTellItsStory(t *testing.T) {
	o := engine.Options{Resync: 2 * time.Second}
	inBubble(t, o, []apiscript.Answer{apiscript.Stream(apiscript.InitialEventsEnd("9"), apiscript.Hold())}, func(b *bubble) {
		b.at(time.Second)
		if err := b.AddHandler("configmaps", engine.HandlerSpec{Name: "h", Resync: 3 * time.Second}); err != nil {
			t.Fatal(err)
		}
		b.at(7 * time.Second)
		if err := b.RemoveHandler("configmaps", "h"); err != nil {
			t.Fatal(err)
		}
		var got []string
		for v, i := b.Journal().View(), 0; i < v.Len(); i++ {
			if e := v.At(i); e.Raw().Name == "h" && e.Kind != journal.KindLogLine {
				got = append(got, strings.TrimSpace(fmt.Sprintf("%v %s%s", e.Kind, e.Raw().Type, map[bool]string{true: e.Dur.String()}[e.Dur > 0])))
			}
		}
		want := []string{"listener.registered 3s", "listener.period 3s", "listener.synced",
			"listener.syncing not syncing", // 2 s: due at 4 s
			"listener.syncing syncing",     // 4 s
			"listener.syncing not syncing", // 6 s: due at 7 s
			"listener.removed"}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

func TestHandlersAreChecked(t *testing.T) {
	for spec, want := range map[string]string{
		"":                    "a name is missing",
		",delay=1s":           "a name is missing",
		"two words":           "the name is not accepted",
		"a,delay":             `"delay" is not accepted: use delay=DURATION or resync=DURATION`,
		"a,speed=2s":          `"speed=2s" is not accepted`,
		"a,delay=5":           "delay=5 is not accepted: use a duration",
		"a,resync=-1s":        "resync=-1s is not accepted",
		"a,delay=1s,delay=2s": "delay is given twice",
	} {
		if _, err := engine.ParseHandler(spec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", spec, err, want)
		}
	}
	got, err := engine.ParseHandler("slow, delay=200ms,resync=2s")
	if err != nil || got != (engine.HandlerSpec{Name: "slow", Delay: 200 * time.Millisecond, Resync: 2 * time.Second}) {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := engine.ParseHandler("audit"); err != nil || got.Resync != engine.DefaultResync {
		t.Errorf("%+v, %v: without resync it is the informer's own", got, err)
	}
	inBubble(t, engine.Options{}, []apiscript.Answer{apiscript.Stream(apiscript.InitialEventsEnd("9"), apiscript.Hold())}, func(b *bubble) {
		for _, c := range []struct{ resource, name, want string }{
			{"pods", "h", `no resource "pods" is watched`},
			{"configmaps", "controller", "has a handler controller already"},
			{"configmaps", "", "a name is missing"},
		} {
			if err := b.AddHandler(c.resource, engine.HandlerSpec{Name: c.name}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("add %q to %s: %v, want %q", c.name, c.resource, err, c.want)
			}
		}
		if err := b.RemoveHandler("configmaps", "h"); err == nil || !strings.Contains(err.Error(), "has no handler h") {
			t.Error(err)
		}
	})
}
