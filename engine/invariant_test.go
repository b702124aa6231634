package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"

	"informerscope/engine/workqueue"
	"informerscope/journal"
	"informerscope/journal/state/document"
	"informerscope/sandbox"
)

// TestFoldAgreesWithTheGlassesAndTheServer makes random writes while the
// engine is paused, stepped, paced and resumed, and then compares the fold of
// the journal with what each glass holds, and the Indexer with a LIST.
func TestFoldAgreesWithTheGlassesAndTheServer(t *testing.T) {
	for seed := range 3 {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { testFold(t, uint64(seed)) })
	}
}

func testFold(t *testing.T, seed uint64) {
	server, err := sandbox.Start(t.Context(), sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	client, err := kubernetes.NewForConfig(server.RESTConfig())
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{
		Config: server.RESTConfig(), Upstream: server.Delivered, Workers: 2, Fail: 0.2, Seed: int64(seed), Resync: time.Second, History: 1024,
		Indexes: []string{"label:app"},
		Targets: []Target{{Name: "configmaps", GVR: schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}, Kind: "ConfigMap"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := s.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	dice := rand.New(rand.NewPCG(seed, 1))
	for range 400 {
		switch dice.IntN(12) {
		case 0:
			s.Pause()
		case 1:
			s.Resume()
		case 2:
			s.SetPace([]float64{0, 500, 50}[dice.IntN(3)])
		case 3:
			_, _ = s.Step("configmaps", []journal.Stage{journal.StageReflector, journal.StageFIFO, journal.StageListener, journal.StageQueue}[dice.IntN(4)])
		default:
			write(t, client, dice)
		}
	}
	s.SetPace(0)
	s.Resume()
	list := settle(t, s, client)
	compare(t, s)

	got := map[string]string{}
	x := s.Snapshot().Resource("configmaps").Indexer
	for i := range x.Len() {
		key, e := x.At(i)
		got[key] = e.RV
	}
	if d := cmp.Diff(list, got); d != "" {
		t.Errorf("server and Indexer differ: %s", d)
	}
	cancel()
	wg.Wait()
	compare(t, s) // after the end, too
	if n := s.Snapshot().Divergences; n != 0 {
		t.Errorf("%d divergences: %s", n, s.Snapshot().LastDivergence)
	}
}

// write creates, updates or deletes one of a few objects.
func write(t *testing.T, client kubernetes.Interface, dice *rand.Rand) {
	t.Helper()
	name := string(rune('a' + dice.IntN(6)))
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": string(rune('x' + dice.IntN(3)))}},
		Data: map[string]string{"n": fmt.Sprint(dice.IntN(1000))}}
	c := client.CoreV1().ConfigMaps("default")
	var err error
	switch dice.IntN(4) {
	case 0:
		err = c.Delete(t.Context(), name, metav1.DeleteOptions{})
	default:
		if _, err = c.Update(t.Context(), cm, metav1.UpdateOptions{}); apierrors.IsNotFound(err) {
			_, err = c.Create(t.Context(), cm, metav1.CreateOptions{})
		}
	}
	if err != nil && !apierrors.IsNotFound(err) {
		t.Fatal(err)
	}
}

// settle waits until the Indexer holds what the server lists and nothing is
// under way, and returns the list.
func settle(t *testing.T, s *Session, client kubernetes.Interface) map[string]string {
	t.Helper()
	items, err := client.CoreV1().ConfigMaps("").List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, cm := range items.Items {
		want[cm.Namespace+"/"+cm.Name] = cm.ResourceVersion
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	err = s.Until(ctx, func(f InFlight) bool {
		if !f.Settled() {
			return false
		}
		res := s.Snapshot().Resource("configmaps")
		if res.Indexer.Len() != len(want) {
			t.Fatalf("settled with %d objects of %d", res.Indexer.Len(), len(want))
		}
		for key, rv := range want {
			if e, ok := res.Indexer.Get(key); !ok || e.RV != rv {
				t.Fatalf("settled with %s at rv %q of %q", key, e.RV, rv)
			}
		}
		return res.Drained() // retries wait for timers
	})
	if err != nil {
		t.Fatalf("not drained: %v", s.InFlight())
	}
	return want
}

// compare checks fold(journal) == every glass's own snapshot.
func compare(t *testing.T, s *Session) {
	t.Helper()
	p := s.pipelines[0]
	// A resync may be under way: compare only when nothing happened between.
	for start := time.Now(); time.Since(start) < time.Minute; {
		before := s.Snapshot()
		fifo, store, queue := p.fifo.Snapshot(), p.indexer.Snapshot(), snapshotOf(p.queue)
		if s.Snapshot().Seq != before.Seq {
			continue
		}
		d := document.Of(before, time.Now()).Resources[0]
		var keys []document.Key
		for _, k := range fifo {
			doc := document.Key{Key: k.Key}
			for _, x := range k.Deltas {
				doc.Deltas = append(doc.Deltas, document.Delta{Type: x.Type, ResourceVersion: x.RV, Tombstone: x.Tombstone})
			}
			keys = append(keys, doc)
		}
		if diff := cmp.Diff(append([]document.Key{}, keys...), d.DeltaFIFO.Keys); diff != "" {
			t.Errorf("DeltaFIFO (-glass +fold): %s", diff)
		}
		if diff := cmp.Diff(store.Indices, d.Indexer.Indices); diff != "" {
			t.Errorf("indices (-glass +fold): %s", diff)
		}
		if len(store.Items) != d.Indexer.Count {
			t.Errorf("the glass holds %d objects, the fold %d", len(store.Items), d.Indexer.Count)
		}
		if diff := cmp.Diff(append([]string{}, queue.Queue...), d.Workqueue.Queue); diff != "" {
			t.Errorf("queue (-glass +fold): %s", diff)
		}
		if diff := cmp.Diff(append([]string{}, queue.Dirty...), d.Workqueue.Dirty); diff != "" {
			t.Errorf("dirty (-glass +fold): %s", diff)
		}
		if len(queue.Processing) != len(d.Workqueue.Processing) || len(queue.Waiting) != len(d.Workqueue.Waiting) {
			t.Errorf("processing %d and %d, waiting %d and %d", len(queue.Processing), len(d.Workqueue.Processing), len(queue.Waiting), len(d.Workqueue.Waiting))
		}
		if n := p.indexer.Verify(); n != 0 {
			t.Errorf("%d index entries differ from the real store", n)
		}
		return
	}
	t.Error("the engine never stood still")
}

// snapshotOf says of either kind of queue what the fold does, in the same words.
func snapshotOf(q queue) workqueue.Snapshot {
	if f, ok := q.(fifoQueue); ok {
		return f.Snapshot()
	}
	p := q.(priorityQueue).Priority.Snapshot()
	s := workqueue.Snapshot{Processing: p.Locked, Waiting: p.Waiting, ShuttingDown: p.ShuttingDown}
	for _, r := range p.Ready {
		s.Queue = append(s.Queue, r.Key)
	}
	s.Dirty = slices.Sorted(slices.Values(s.Queue))
	return s
}
