package workqueue

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"

	"informerscope/internal/testing/soak"
)

// prioritySubject is a priority queue under test with what can be told of it
// from outside.
type prioritySubject struct {
	priorityqueue.PriorityQueue[string]
	log []string // what Get returned
}

func (s *prioritySubject) run(o op, held string, free bool) {
	opts := priorityqueue.AddOpts{Priority: o.Priority}
	switch o.What {
	case "Add":
		s.AddWithOpts(opts, o.Key)
	case "AddAfter":
		opts.After = o.Delay
		s.AddWithOpts(opts, o.Key)
	case "AddRateLimited":
		opts.RateLimited = true
		s.AddWithOpts(opts, o.Key)
	case "AddBoth":
		opts.RateLimited, opts.After = true, o.Delay
		s.AddWithOpts(opts, o.Key, keys[0])
	case "Forget":
		s.Forget(o.Key)
	case "Get":
		if free || s.ShuttingDown() {
			key, priority, shutdown := s.GetWithPriority()
			s.log = append(s.log, fmt.Sprint(key, priority, shutdown))
		}
	case "Done":
		s.Done(o.Key)
	case "DoneHeld":
		if held != "" {
			s.Done(held)
		}
	case "Advance":
		time.Sleep(max(0, o.Delay))
	}
}

func (s *prioritySubject) seen() string {
	out := fmt.Sprintf("len %d, shutting down %t, Get %q", s.Len(), s.ShuttingDown(), s.log)
	for _, k := range keys {
		out += fmt.Sprintf(", %s %d requeues", k, s.NumRequeues(k))
	}
	return out
}

// Whatever is done to it, the glass does what a bare priority queue does; after
// every step the fold of its journal is what it holds, and of all orders none
// had to be found out at a Get.
func TestGlassEqualsBarePriorityQueue(t *testing.T) {
	count := soak.Start(t)
	least, most := soak.Length(1, 60)
	rapid.Check(t, func(rt *rapid.T) {
		limiter := rapid.SampledFrom([]string{"exponential", "default", "bucket:qps=200,burst=2", "fast-slow:fast=0,slow=2ms"}).Draw(rt, "limiter")
		ops := rapid.SliceOfN(rapid.Custom(drawPriorityOp), least, most).Draw(rt, "ops")
		var failed string
		synctest.Test(t, func(*testing.T) { failed = runBothPriority(ops, limiter, count) })
		if failed != "" {
			rt.Fatal(failed)
		}
	})
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

// runBothPriority runs ops on glass and bare queue and says how they differ.
func runBothPriority(ops []op, limiter string, counts ...*soak.Counter) string {
	count := append(counts, &soak.Counter{})[0]
	var both [2]*prioritySubject
	mine, err := Parse(limiter)
	if err != nil {
		return err.Error()
	}
	theirs, _ := Parse(limiter)
	r := newPriorityRig(Options{Limiter: mine})
	both[0] = &prioritySubject{PriorityQueue: r}
	both[1] = &prioritySubject{PriorityQueue: priorityqueue.New("bare", func(o *priorityqueue.Opts[string]) { o.RateLimiter = theirs.TypedRateLimiter })}
	down := false
	shutDown := func() {
		r.ShutDown()
		if !down {
			both[1].ShutDown() // a second one panics
			down = true
		}
	}
	defer shutDown()
	defer func() {
		_, st := r.queue()
		count.Sequence(st.Divergences)
	}()
	for i, o := range ops {
		s := r.Snapshot()
		held, free := "", false
		if len(s.Locked) > 0 {
			held = s.Locked[0].Key
		}
		for _, x := range s.Ready {
			locked := false
			for _, l := range s.Locked {
				locked = locked || l.Key == x.Key
			}
			free = free || !locked
		}
		if o.What == "ShutDown" {
			shutDown()
		} else {
			both[0].run(o, held, free)
			if o.What != "Advance" {
				both[1].run(o, held, free)
			}
		}
		synctest.Wait()
		if g, b := both[0].seen(), both[1].seen(); g != b {
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
		if r.followed != 0 {
			return fmt.Sprintf("step %d, %+v: the order had to be found out", i, o)
		}
	}
	return ""
}
