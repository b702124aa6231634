package workqueue

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"
	cgo "k8s.io/client-go/util/workqueue"
	"pgregory.net/rapid"

	"informerscope/internal/testing/soak"
	"informerscope/journal"
)

// op is one step of a random sequence.
type op struct {
	What     string
	Key      string
	Delay    time.Duration
	Priority *int // of a priority queue; nil for none
}

var keys = []string{"a", "b", "c"}

// verbs is what a sequence is made of; a verb comes as often as it stands here.
var verbs = slices.Concat(
	slices.Repeat([]string{"Add", "Get", "Done", "DoneHeld", "AddAfter", "AddRateLimited", "Advance"}, 8),
	slices.Repeat([]string{"Forget"}, 3),
	[]string{"ShutDown", "ShutDownWithDrain"},
)

func drawOp(t *rapid.T) op {
	return op{
		What: rapid.SampledFrom(verbs).Draw(t, "what"),
		Key:  rapid.SampledFrom(keys).Draw(t, "key"),
		Delay: rapid.SampledFrom([]time.Duration{
			-time.Second, 0, 1, time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond, 40 * time.Millisecond,
			time.Second, 11 * time.Second,
		}).Draw(t, "delay"),
	}
}

// subject is a queue under test with what can be told of it from outside.
type subject struct {
	cgo.TypedRateLimitingInterface[string]
	log    []string // what Get returned
	drains atomic.Int32
	over   atomic.Int32 // drains that returned
}

func (s *subject) run(o op, held string) {
	switch o.What {
	case "Add":
		s.Add(o.Key)
	case "AddAfter":
		s.AddAfter(o.Key, o.Delay)
	case "AddRateLimited":
		s.AddRateLimited(o.Key)
	case "Forget":
		s.Forget(o.Key)
	case "Get":
		if s.Len() > 0 || s.ShuttingDown() {
			key, shutdown := s.Get()
			s.log = append(s.log, fmt.Sprint(key, shutdown))
		}
	case "Done":
		s.Done(o.Key)
	case "DoneHeld":
		if held != "" {
			s.Done(held)
		}
	case "Advance":
		time.Sleep(max(0, o.Delay))
	case "ShutDown":
		s.ShutDown()
	case "ShutDownWithDrain":
		s.drains.Add(1)
		go func() {
			s.ShutDownWithDrain()
			s.over.Add(1)
		}()
	}
}

// seen is what anyone can ask a queue.
func (s *subject) seen() string {
	out := fmt.Sprintf("len %d, shutting down %t, %d of %d drains over, Get %q", s.Len(), s.ShuttingDown(), s.over.Load(), s.drains.Load(), s.log)
	for _, k := range keys {
		out += fmt.Sprintf(", %s %d requeues", k, s.NumRequeues(k))
	}
	return out
}

// failure lets rig.sound report without a testing.T: a failed rapid check must
// end outside the synctest bubble.
type failure struct{ text string }

func (f *failure) Helper()                        {}
func (f *failure) Fatalf(format string, a ...any) { f.text = fmt.Sprintf(format, a...) }

// Whatever is done to it, the glass does what a bare client-go queue does, and
// after every step the fold of its journal is what it holds.
func TestGlassEqualsBareQueue(t *testing.T) {
	limiters := map[string]func() cgo.TypedRateLimiter[string]{
		"bucket": func() cgo.TypedRateLimiter[string] { // counts nothing for a key
			return &cgo.TypedBucketRateLimiter[string]{Limiter: rate.NewLimiter(200, 2)}
		},
		"default": cgo.DefaultTypedControllerRateLimiter[string],
		"fastSlow": func() cgo.TypedRateLimiter[string] {
			return cgo.NewTypedItemFastSlowRateLimiter[string](0, 2*time.Millisecond, 2)
		},
	}
	count := soak.Start(t)
	least, most := soak.Length(1, 60)
	rapid.Check(t, func(rt *rapid.T) {
		limiter := limiters[rapid.SampledFrom([]string{"bucket", "default", "fastSlow"}).Draw(rt, "limiter")]
		ops := rapid.SliceOfN(rapid.Custom(drawOp), least, most).Draw(rt, "ops")
		var failed string
		synctest.Test(t, func(*testing.T) { failed = runBoth(ops, limiter, count) })
		if failed != "" {
			rt.Fatal(failed)
		}
	})
}

// runBoth runs ops on glass and bare queue and says how they differ. The first
// of counts, if any, counts them.
func runBoth(ops []op, limiter func() cgo.TypedRateLimiter[string], counts ...*soak.Counter) string {
	count := append(counts, &soak.Counter{})[0]
	r := newRig(Options{Limiter: limiter()})
	glass := &subject{TypedRateLimitingInterface: r}
	bare := &subject{TypedRateLimitingInterface: cgo.NewTypedRateLimitingQueue(limiter())}
	both := []*subject{glass, bare}
	defer func() { count.Sequence(r.state().Divergences) }()
	defer func() {
		for _, s := range both {
			s.ShutDown()
			// Each Done lets one drain go once processing is empty.
			for s.over.Load() < s.drains.Load() {
				for _, k := range keys {
					s.Done(k)
				}
				synctest.Wait()
			}
		}
	}()
	for i, o := range ops {
		held := ""
		if p := r.Snapshot().Processing; len(p) > 0 {
			held = p[0].Key
		}
		glass.run(o, held)
		if o.What != "Advance" {
			bare.run(o, held)
		}
		synctest.Wait()
		if g, b := glass.seen(), bare.seen(); g != b {
			return fmt.Sprintf("step %d, %+v:\nglass %s\nbare  %s", i, o, g, b)
		}
		var f failure
		if count.Check() {
			r.sound(&f)
		}
		if f.text != "" {
			return fmt.Sprintf("step %d, %+v: %s", i, o, f.text)
		}
		count.Operation()
	}
	return ordered(r.journal.View())
}

// ordered says where an event stands in the wrong place: what the delaying
// queue let go has waited, and its Add follows at once; what the limiter
// answered is followed by the delay, the Add, or nothing when shutting down.
func ordered(v journal.View) string {
	waiting := map[string]bool{}
	for i := range v.Len() {
		e := v.At(i)
		next := &journal.Event{}
		if i+1 < v.Len() {
			next = v.At(i + 1)
		}
		switch e.Kind {
		case journal.KindQueueAddAfter:
			waiting[e.Key] = true
		case journal.KindQueueWaitingReady:
			if !waiting[e.Key] {
				return fmt.Sprintf("event %d: %s is ready and did not wait", e.Seq, e.Key)
			}
			delete(waiting, e.Key)
			if next.Kind != journal.KindQueueAdded || next.Key != e.Key {
				return fmt.Sprintf("event %d: %s is ready, and %s %s follows", e.Seq, e.Key, next.Kind, next.Key)
			}
		case journal.KindQueueAddLimited:
			if next.Kind == journal.KindQueueAddAfter && (next.Key != e.Key || next.Dur != e.Dur) {
				return fmt.Sprintf("event %d: the limiter said %s %s, the queue delays %s %s", e.Seq, e.Key, e.Dur, next.Key, next.Dur)
			}
		}
	}
	return ""
}
