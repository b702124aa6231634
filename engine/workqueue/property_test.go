package workqueue

import (
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"
	cgo "k8s.io/client-go/util/workqueue"
	"pgregory.net/rapid"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"

	"informerscope/internal/testing/soak"
	"informerscope/journal"
)

// op is one step of a random sequence.
type op struct {
	What     string // one of verbs, or AddBoth: a priority queue delays two keys by limiter and delay
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
	priority priorityqueue.PriorityQueue[string] // the same queue; nil when it has no priorities
	log      []string                            // what Get returned
	drains   atomic.Int32
	over     atomic.Int32 // drains that returned
}

// run does o. held is a key that is processed, "" for none; free is whether Get
// has a key to return.
func (s *subject) run(o op, held string, free bool) {
	switch o.What {
	case "Add", "AddAfter", "AddRateLimited", "AddBoth":
		s.add(o)
	case "Forget":
		s.Forget(o.Key)
	case "Get":
		if free || s.ShuttingDown() {
			s.log = append(s.log, s.get())
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

func (s *subject) add(o op) {
	if s.priority != nil {
		opts := priorityqueue.AddOpts{Priority: o.Priority, RateLimited: o.What == "AddRateLimited" || o.What == "AddBoth"}
		added := []string{o.Key}
		if o.What == "AddAfter" || o.What == "AddBoth" {
			opts.After = o.Delay
		}
		if o.What == "AddBoth" {
			added = append(added, keys[0])
		}
		s.priority.AddWithOpts(opts, added...)
		return
	}
	switch o.What {
	case "Add":
		s.Add(o.Key)
	case "AddAfter":
		s.AddAfter(o.Key, o.Delay)
	case "AddRateLimited":
		s.AddRateLimited(o.Key)
	}
}

func (s *subject) get() string {
	if s.priority != nil {
		return fmt.Sprint(s.priority.GetWithPriority())
	}
	return fmt.Sprint(s.Get())
}

// seen is what anyone can ask a queue.
func (s *subject) seen() string {
	out := fmt.Sprintf("len %d, shutting down %t, %d of %d drains over, Get %q", s.Len(), s.ShuttingDown(), s.over.Load(), s.drains.Load(), s.log)
	for _, k := range keys {
		out += fmt.Sprintf(", %s %d requeues", k, s.NumRequeues(k))
	}
	return out
}

// end shuts the queue down and lets every drain return: each Done lets one go
// once processing is empty.
func (s *subject) end() {
	s.ShutDown()
	for s.over.Load() < s.drains.Load() {
		for _, k := range keys {
			s.Done(k)
		}
		synctest.Wait()
	}
}

// downOnce is a bare priority queue, which panics at a second ShutDown.
type downOnce struct {
	priorityqueue.PriorityQueue[string]
}

func (q downOnce) ShutDown() {
	if !q.ShuttingDown() {
		q.PriorityQueue.ShutDown()
	}
}

// twins are a glass and the bare queue that gets the same operations.
type twins struct {
	recorded
	glass, bare *subject
	sound       func(failer)
	// Of the glass: a key that is processed, and whether Get has one to return.
	held func() (key string, free bool)
	// wrong says in what else the glass is not as it should be, "" for nothing.
	wrong func() string
}

func newTwins(limiter func() cgo.TypedRateLimiter[string]) *twins {
	r := newRig(Options{Limiter: limiter()})
	return &twins{
		recorded: r.recorded,
		glass:    &subject{TypedRateLimitingInterface: r},
		bare:     &subject{TypedRateLimitingInterface: cgo.NewTypedRateLimitingQueue(limiter())},
		sound:    r.sound,
		held: func() (key string, free bool) {
			s := r.Snapshot()
			if len(s.Processing) > 0 {
				key = s.Processing[0].Key
			}
			return key, len(s.Queue) > 0
		},
		wrong: func() string { return ordered(r.written.View()) },
	}
}

func newPriorityTwins(limiter func() cgo.TypedRateLimiter[string]) *twins {
	r := newPriorityRig(Options{Limiter: limiter()})
	bare := downOnce{priorityqueue.New("bare", func(o *priorityqueue.Opts[string]) { o.RateLimiter = limiter().(*Limiter).TypedRateLimiter })}
	return &twins{
		recorded: r.recorded,
		glass:    &subject{TypedRateLimitingInterface: r, priority: r},
		bare:     &subject{TypedRateLimitingInterface: bare, priority: bare},
		sound:    r.sound,
		held: func() (key string, free bool) {
			s := r.Snapshot()
			if len(s.Locked) > 0 {
				key = s.Locked[0].Key
			}
			return key, slices.ContainsFunc(s.Ready, func(x Ready) bool {
				return !slices.ContainsFunc(s.Locked, func(l Processing) bool { return l.Key == x.Key })
			})
		},
		wrong: func() string {
			if r.followed != 0 {
				return "the order had to be found out"
			}
			return ""
		},
	}
}

// failure lets sound report without a testing.T: a failed rapid check must end
// outside the synctest bubble.
type failure struct{ text string }

func (f *failure) Helper()                        {}
func (f *failure) Fatalf(format string, a ...any) { f.text = fmt.Sprintf(format, a...) }

// run does ops to glass and bare queue in a synctest bubble, and says how they
// differ.
func run(t *testing.T, ops []op, count *soak.Counter, open func() *twins) (failed string) {
	synctest.Test(t, func(*testing.T) { failed = open().run(ops, count) })
	return failed
}

func (w *twins) run(ops []op, count *soak.Counter) string {
	defer func() { count.Sequence(w.state().Divergences) }()
	defer w.bare.end()
	defer w.glass.end()
	for i, o := range ops {
		held, free := w.held()
		w.glass.run(o, held, free)
		if o.What != "Advance" {
			w.bare.run(o, held, free)
		}
		synctest.Wait()
		if g, b := w.glass.seen(), w.bare.seen(); g != b {
			return fmt.Sprintf("step %d, %+v:\nglass %s\nbare  %s", i, o, g, b)
		}
		var f failure
		if count.Check() {
			w.sound(&f)
		}
		if f.text != "" {
			return fmt.Sprintf("step %d, %+v: %s", i, o, f.text)
		}
		count.Operation()
	}
	return w.wrong()
}

// check runs random sequences of ops over a queue that open opens with one of the
// limiters.
func check(t *testing.T, draw func(*rapid.T) op, limiters map[string]func() cgo.TypedRateLimiter[string], open func(func() cgo.TypedRateLimiter[string]) *twins) {
	count := soak.Start(t)
	least, most := soak.Length(1, 60)
	names := slices.Sorted(maps.Keys(limiters))
	rapid.Check(t, func(rt *rapid.T) {
		limiter := limiters[rapid.SampledFrom(names).Draw(rt, "limiter")]
		ops := rapid.SliceOfN(rapid.Custom(draw), least, most).Draw(rt, "ops")
		if failed := run(t, ops, count, func() *twins { return open(limiter) }); failed != "" {
			rt.Fatal(failed)
		}
	})
}

// Whatever is done to it, the glass does what a bare client-go queue does, and
// after every step the fold of its journal is what it holds.
func TestGlassEqualsBareQueue(t *testing.T) {
	check(t, drawOp, map[string]func() cgo.TypedRateLimiter[string]{
		"bucket": func() cgo.TypedRateLimiter[string] { // counts nothing for a key
			return &cgo.TypedBucketRateLimiter[string]{Limiter: rate.NewLimiter(200, 2)}
		},
		"default": cgo.DefaultTypedControllerRateLimiter[string],
		"fastSlow": func() cgo.TypedRateLimiter[string] {
			return cgo.NewTypedItemFastSlowRateLimiter[string](0, 2*time.Millisecond, 2)
		},
	}, newTwins)
}

// The same of the priority queue; and of all orders none had to be found out at a
// Get.
func TestGlassEqualsBarePriorityQueue(t *testing.T) {
	limiters := map[string]func() cgo.TypedRateLimiter[string]{}
	for _, name := range []string{"exponential", "default", "bucket:qps=200,burst=2", "fast-slow:fast=0,slow=2ms"} {
		limiters[name] = parsed(t, name)
	}
	check(t, drawPriorityOp, limiters, newPriorityTwins)
}

// parsed opens limiters of a name.
func parsed(t *testing.T, name string) func() cgo.TypedRateLimiter[string] {
	return func() cgo.TypedRateLimiter[string] {
		l, err := Parse(name)
		if err != nil {
			t.Error(err)
		}
		return l
	}
}

func drawPriorityOp(t *rapid.T) op {
	o := drawOp(t)
	if o.What == "ShutDownWithDrain" || o.What == "Forget" {
		o.What = "AddBoth"
	}
	if i := rapid.IntRange(-1, len(priorities)-1).Draw(t, "priority"); i >= 0 {
		o.Priority = &priorities[i]
	}
	return o
}

var priorities = []int{LowPriority, 0, 1, 1 << 40}

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
