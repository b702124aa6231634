package world

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"k8s.io/utils/clock"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/rest"
	"informerscope/sandbox/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// testWorld is a world in real time, and its store.
func testWorld(o Options) (*store.Store, *World) {
	o.Clock = clock.RealClock{}
	o.MaxObjects = 10_000
	s := store.New(o.Clock, store.Limits{Events: 10_000})
	return s, New(s, rest.New(s, o.Clock), o)
}

func TestPopulationHasTheAskedSizeAndIsSettled(t *testing.T) {
	for _, n := range []int{0, 1, 2, 5, 8, 13, 20, 21, 22, 25, 40, 59, 60, 61, 100, 777, 3000} {
		s, w := testWorld(Options{Objects: n, Seed: int64(n)})
		if err := w.Populate(t.Context()); err != nil {
			t.Fatalf("%d objects: %v", n, err)
		}
		if got := w.population(); got != n {
			t.Errorf("%d objects, want %d", got, n)
		}
		var written *store.Event
		s.OnCommit(func(e *store.Event) {
			if written == nil {
				written = e
			}
		})
		for _, k := range kinds.Builtin.Kinds() {
			reconcile := w.controllers[k]
			if reconcile == nil {
				continue
			}
			for _, o := range s.Snapshot(k).Objects("", "") {
				reconcile(o)
			}
		}
		if e := written; e != nil {
			t.Errorf("%d objects: a controller found something to do: %s %s\n%s\n%s", n, e.Type, e.Object.Key(), e.Object.JSON(), e.Prev.JSON())
		}
	}
}

// live runs a workload in a bubble where time jumps, until see has had n writes. It tells how long they took.
func live(t *testing.T, o Options, n int, see func(*store.Event)) (took time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s, w := testWorld(o)
		if err := w.Populate(t.Context()); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		s.OnCommit(func(e *store.Event) {
			if n > 0 {
				see(e)
			}
			if n--; n == 0 {
				took = time.Since(began)
				cancel()
			}
			w.heard(e)
		})
		w.Run(ctx)
	})
	return took
}

// sequence is the first n writes of a workload.
func sequence(t *testing.T, seed int64, n int, rate float64) (writes []string, took time.Duration) {
	t.Helper()
	took = live(t, Options{Objects: 60, Churn: rate, Seed: seed}, n, func(e *store.Event) {
		writes = append(writes, fmt.Sprintf("%s %s %s %s", e.Type, e.Object.Kind().GR().Resource, e.Object.Key(), e.Object.UID()))
	})
	return writes, took
}

func TestSeedDecidesTheSequenceOfWrites(t *testing.T) {
	a, _ := sequence(t, 1, 400, 20)
	b, _ := sequence(t, 1, 400, 20)
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("the same seed, other writes:\n%s", diff)
	}
	c, _ := sequence(t, 2, 400, 20)
	if cmp.Equal(a, c) {
		t.Error("another seed, the same writes")
	}
}

func TestSlowMachineMakesTheSameWrites(t *testing.T) {
	fast, _ := sequence(t, 1, 300, 20)
	var slow []string
	live(t, Options{Objects: 60, Churn: 20, Seed: 1}, len(fast), func(e *store.Event) {
		slow = append(slow, fmt.Sprintf("%s %s %s %s", e.Type, e.Object.Kind().GR().Resource, e.Object.Key(), e.Object.UID()))
		time.Sleep(time.Duration(len(slow)%7) * 40 * time.Millisecond)
	})
	if diff := cmp.Diff(fast, slow); diff != "" {
		t.Errorf("(-fast +slow):\n%s", diff)
	}
}

func TestChurnKeepsItsMeanRateInBursts(t *testing.T) {
	const rate = 10
	writes, took := sequence(t, 3, 1000, rate)
	if got := float64(len(writes)) / took.Seconds(); got < rate*0.85 || got > rate*1.15 {
		t.Errorf("%.1f writes a second, want about %d", got, rate)
	}
	bursts, kinds := 0, map[string]int{}
	for i := range writes {
		if i > 1 && writes[i] == writes[i-1] && writes[i] == writes[i-2] {
			bursts++
		}
		var typ, resource string
		fmt.Sscan(writes[i], &typ, &resource)
		kinds[resource]++
	}
	if bursts < 200 {
		t.Errorf("only %d of 1000 writes were the third to one object in a row", bursts)
	}
	if top := kinds["pods"] + kinds["configmaps"] + kinds["leases"]; top < 750 {
		t.Errorf("%d of 1000 writes were to pods, configmaps and leases: %v", top, kinds)
	}
	for _, k := range []string{"pods", "configmaps", "leases", "jobs", "deployments", "replicasets"} {
		if kinds[k] == 0 {
			t.Errorf("no write to %s", k)
		}
	}
}

func TestChurnKeepsThePopulationStable(t *testing.T) {
	lowest, highest, size := 100, 100, 100
	live(t, Options{Objects: 100, Churn: 50, Seed: 5}, 4000, func(e *store.Event) {
		switch e.Type {
		case "ADDED":
			size++
		case "DELETED":
			size--
		}
		lowest, highest = min(lowest, size), max(highest, size)
	})
	if lowest < 75 || highest > 125 {
		t.Errorf("the population went from %d to %d", lowest, highest)
	}
}
