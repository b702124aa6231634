package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"informerscope/engine"
	"informerscope/journal"
	"informerscope/journal/state"
)

func create(t *testing.T, c kubernetes.Interface, names ...string) {
	t.Helper()
	for _, name := range names {
		cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}}
		if _, err := c.CoreV1().ConfigMaps("default").Create(t.Context(), cm, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

// E4: the limiter of the flag decides when a failed key comes again, and the
// state says which it is.
func TestE4LimiterOfTheFlag(t *testing.T) {
	for _, c := range []struct{ queue, limiter, name, want string }{
		{"fifo", "exponential:base=1ms,max=4ms", "exponential base=1ms,max=4ms", "1ms 2ms 4ms 4ms"},
		{"fifo", "fast-slow:fast=1ms,slow=3ms,attempts=2", "fast-slow fast=1ms,slow=3ms,attempts=2", "1ms 1ms 3ms 3ms"},
		{"fifo", "with-max-wait:max=2ms", "with-max-wait max=2ms,limiter=default", "2ms 2ms 2ms 2ms"},
		{"fifo", "max-of:exponential(base=1ms)+fast-slow(fast=2ms,slow=3ms,attempts=9)", "max-of exponential(base=1ms,max=1000s)+fast-slow(fast=2ms,slow=3ms,attempts=9)", "2ms 2ms 4ms 8ms"},
		{"fifo", "", "default exponential(base=5ms,max=1000s)+bucket(qps=10,burst=100)", "5ms 10ms 20ms 40ms"},
		{"priority", "", "exponential base=5ms,max=1000s", "5ms 10ms 20ms 40ms"},
		{"priority", "exponential:base=1ms,max=4ms", "exponential base=1ms,max=4ms", "1ms 2ms 4ms 4ms"},
	} {
		t.Run(c.queue+" "+c.limiter, func(t *testing.T) {
			var mu sync.Mutex
			calls := 0
			r := start(t, engine.Options{
				Queue: c.queue, Limiter: c.limiter, Workers: 1,
				Reconcile: func(_ context.Context, key string, _ any) error {
					mu.Lock()
					defer mu.Unlock()
					if calls++; key == "default/a" && calls <= 4 {
						return errors.New("not yet")
					}
					return nil
				},
			})
			create(t, r.client, "a")
			res := r.until("a forgotten after four failures", func(res *state.Resource) bool {
				return res.Queue.Retries == 4 && res.Drained() && res.Queue.FailuresLen() == 0
			})
			if got := res.Queue.Limiter + " " + res.Queue.Parameters; got != c.name || res.Queue.Kind != c.queue {
				t.Errorf("a %s queue with %s, want %s", res.Queue.Kind, got, c.name)
			}
			var delays []string
			for v, i := r.Journal().View(), 0; i < v.Len(); i++ {
				if e := v.At(i); e.Kind == journal.KindQueueAddLimited {
					delays = append(delays, e.Dur.String())
				}
			}
			if got := strings.Join(delays, " "); got != c.want {
				t.Errorf("delays %s, want %s", got, c.want)
			}
		})
	}
}

// Keys of the initial list and of resyncs have a low priority, news come first,
// and a retry keeps the priority of its Get, as in controller-runtime.
func TestPriorityOfUnchangedObjects(t *testing.T) {
	var fail sync.Map
	release := make(chan struct{})
	r := start(t, engine.Options{
		Queue: "priority", Limiter: "exponential:base=1h,max=2h", Workers: 1, Resync: time.Second,
		Reconcile: func(_ context.Context, key string, _ any) error {
			<-release
			if _, ok := fail.Load(key); ok {
				return errors.New("no")
			}
			return nil
		},
	}, func(c *rest.Config) {
		client, err := kubernetes.NewForConfig(c)
		if err != nil {
			t.Fatal(err)
		}
		create(t, client, "a", "b", "c")
	})
	free := sync.OnceFunc(func() { close(release) })
	t.Cleanup(free) // before the session is ended
	fail.Store("default/b", true)
	show := func(q *state.Queue) string {
		var ks []string
		for i := range q.ReadyLen() {
			key, p := q.ReadyAt(i)
			ks = append(ks, fmt.Sprintf("%s@%d", strings.TrimPrefix(key, "default/"), p))
		}
		return strings.Join(ks, " ")
	}
	// The initial list comes in map order: whichever key is first is locked, the
	// two others are ready.
	// A resync, which may come at any moment, makes ready what is locked as well.
	low := func(keys string) int { return strings.Count(keys, "@-100") }
	r.until("one locked, the others ready", func(res *state.Resource) bool {
		n := res.Queue.ReadyLen()
		return res.Queue.LockedLen() == 1 && n >= 2 && low(show(&res.Queue)) == n
	})
	create(t, r.client, "d")
	r.until("news before the old", func(res *state.Resource) bool {
		keys := show(&res.Queue)
		return strings.HasPrefix(keys, "d@0 ") && low(keys) >= 2
	})
	r.until("a resync of what is locked", func(res *state.Resource) bool {
		keys := show(&res.Queue)
		return strings.HasPrefix(keys, "d@0 ") && low(keys) == 3
	})
	free()
	r.until("b waits at its own priority", func(res *state.Resource) bool {
		w, ok := res.Queue.Waiting("default/b")
		return ok && w.Priority == -100 && w.Requeues >= 1
	})
}
