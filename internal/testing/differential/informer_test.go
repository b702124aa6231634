package differential

import (
	"context"
	"fmt"
	"math/rand"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	randv2 "math/rand/v2"

	"informerscope/internal/testing/apiscript"
)

// period is a handler's resync period as a script asks for it.
const informersOwn time.Duration = -1

// handlerPlan is one handler of a script.
type handlerPlan struct {
	name   string
	resync time.Duration // or informersOwn
	slow   time.Duration // how long each call takes
	join   time.Duration // 0 is before the start
	leave  time.Duration // 0 is never
	panics int           // which of its calls panics, and each that many later; 0 is none
	*recorder
}

// takes is how long a handler may be kept from its next call.
func (h *handlerPlan) takes() time.Duration {
	if h.panics > 0 {
		return time.Second // client-go's pause
	}
	return h.slow
}

// plan is how an informer is set up and used in a script.
type plan struct {
	resync   time.Duration
	handlers []*handlerPlan
	after    time.Duration // how long it runs after the last event
}

func newPlan(seed uint64) *plan {
	dice := randv2.New(randv2.NewPCG(seed, 2))
	pick := func(ds ...time.Duration) time.Duration { return ds[dice.IntN(len(ds))] }
	upTo := func(d time.Duration) time.Duration { return time.Duration(1 + dice.Int64N(int64(d))) }
	p := &plan{resync: pick(0, 0, 2*time.Second, 5*time.Second, 3*time.Second+time.Millisecond), after: upTo(15 * time.Second)}
	add := func(join time.Duration) {
		h := &handlerPlan{name: fmt.Sprintf("h%d", len(p.handlers)), join: join, resync: pick(0, informersOwn, 300*time.Millisecond, time.Second, 2*time.Second, 4*time.Second, 7*time.Second)}
		switch dice.IntN(8) {
		case 0:
			h.slow = upTo(20 * time.Millisecond) // it keeps up with resyncs
		case 1:
			h.slow, h.resync = upTo(4*time.Second), 0 // it does not
		case 2:
			h.panics, h.resync = 1+dice.IntN(8), 0
		}
		if dice.IntN(4) == 0 && h.panics == 0 { // client-go hands over what it has in hand

			h.leave = h.join + upTo(20*time.Second)
		}
		p.handlers = append(p.handlers, h)
	}
	for range 1 + dice.IntN(4) {
		if dice.IntN(3) == 0 {
			add(upTo(20 * time.Second))
		} else {
			add(0)
		}
	}
	if dice.IntN(4) == 0 { // several late ones, at once or one soon after the other
		join := upTo(20 * time.Second)
		for range 2 + dice.IntN(2) {
			add(join)
			join += pick(0, 0, upTo(10*time.Millisecond))
		}
	}
	return p
}

// informer is one of the two that are compared.
type informer interface {
	add(h *handlerPlan) error
	remove(h *handlerPlan) error
	run(ctx context.Context)
	// result is called while it runs and stands still.
	result() result
}

// result is what an informer is asked for at the end.
type result struct {
	store   map[string]string              // key: resourceVersion
	indices map[string]map[string][]string // index: value: keys
	rv      string                         // LastSyncResourceVersion
	synced  bool                           // HasSynced
	// handlersSynced is HasSynced of each handler that is registered.
	handlersSynced map[string]bool
	// storeRV is LastStoreSyncResourceVersion.
	storeRV string
}

// outcome is all that is compared.
type outcome struct {
	result
	calls    map[string][]call
	began    map[string][]time.Duration // the calls of slow handlers
	requests []string
	panics   int // calls that panicked
}

// play runs one informer through the script of a seed, in a bubble of its own.
func play(t *testing.T, seed uint64, bursts bool, build func(testing.TB, *apiscript.Server, *plan) informer) (out outcome) {
	synctest.Test(t, func(t *testing.T) {
		// client-go's backoff is jittered: both get the same jitter.
		//lint:ignore SA1019 the global source is what client-go uses; see go:debug randseednop
		rand.Seed(int64(seed))
		w := newWorld(seed, bursts)
		server := apiscript.StartInMemory(t)
		server.Otherwise(w.answer)
		p := newPlan(seed)
		inf := build(t, server, p)
		for _, h := range p.handlers {
			h.recorder = &recorder{start: w.start, busy: h.slow, panics: h.panics}
			if h.join == 0 {
				if err := inf.add(h); err != nil {
					t.Fatal(err)
				}
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			inf.run(ctx)
		}()
		for _, e := range p.events() {
			time.Sleep(e.at - time.Since(w.start))
			if err := e.do(inf); err != nil {
				t.Fatal(err)
			}
		}
		select {
		case <-w.settled:
		case <-time.After(time.Hour):
			t.Fatalf("seed %d: the script never came to its end: %v", seed, server.Seen())
		}
		time.Sleep(p.after)
		p.catchUp(w.start)
		out.result = inf.result()
		cancel()
		<-ended
		out.calls, out.began = map[string][]call{}, map[string][]time.Duration{}
		for _, h := range p.handlers {
			if h.panics > 0 {
				out.panics += len(h.calls) / h.panics
			}
			if h.takes() == 0 {
				out.calls[h.name] = h.ordered(w.relists)
				continue
			}
			var calls []call
			calls, out.began[h.name] = h.late()
			if h.leave == 0 { // which calls of a resync it left without is chance
				out.calls[h.name] = calls
			}
		}
		for _, r := range server.Requests() {
			q := r.Query
			out.requests = append(out.requests, fmt.Sprintf("%v %s %s match=%s bookmarks=%s limit=%s timeout=%s continue=%s", r.At.Sub(w.start), r.Path, r,
				q.Get("resourceVersionMatch"), q.Get("allowWatchBookmarks"), q.Get("limit"), q.Get("timeoutSeconds"), q.Get("continue")))
		}
	})
	return out
}

// catchUp waits until no handler that stays has a call under way or to come.
func (p *plan) catchUp(start time.Time) {
	if slices.ContainsFunc(p.handlers, func(h *handlerPlan) bool { return h.panics > 0 }) {
		time.Sleep(time.Second + 1) // what comes after the pause
	}
	for busy := true; busy; {
		synctest.Wait()
		busy = false
		for _, h := range p.handlers {
			if h.leave > 0 || h.takes() == 0 {
				continue
			}
			if d := h.last() + h.takes() - time.Since(start); h.last() > 0 && d >= 0 {
				busy = true
				time.Sleep(d + 1)
				break
			}
		}
	}
}

// planned is a handler that comes or goes while the informer runs.
type planned struct {
	at time.Duration
	do func(informer) error
}

func (p *plan) events() (es []planned) {
	for _, h := range p.handlers {
		if h.join > 0 {
			es = append(es, planned{h.join, func(i informer) error { return i.add(h) }})
		}
		if h.leave > 0 {
			es = append(es, planned{h.leave, func(i informer) error { return i.remove(h) }})
		}
	}
	slices.SortStableFunc(es, func(a, b planned) int { return int(a.at - b.at) })
	return es
}
