package engine_test

import (
	"bytes"
	"fmt"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"informerscope/engine"
	"informerscope/journal"
	"informerscope/journal/state"
	"informerscope/journal/state/diff"
)

func dumped(s *state.State) []byte { return s.Dump(nil, func(any) uint64 { return 1 }) }

// What a screen saw of a running session is what one comes back to, and what a
// fold from the first event gives; also while the session goes on.
func TestPastIsWhatWasSeenLive(t *testing.T) {
	r := start(t, engine.Options{Past: true, Workers: 2, Fail: 0.3, Indexes: []string{"label:app"}, FIFO: "atomic"})
	var live []*state.State // what a screen looked at
	for i := range 60 {
		cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
			Name: fmt.Sprint("cm-", i%20), Namespace: "default", Labels: map[string]string{"app": fmt.Sprint("app-", i%3)},
		}}
		var err error
		if i < 20 {
			_, err = r.client.CoreV1().ConfigMaps("default").Create(t.Context(), cm, metav1.CreateOptions{})
		} else {
			_, err = r.client.CoreV1().ConfigMaps("default").Update(t.Context(), cm, metav1.UpdateOptions{})
		}
		if err != nil {
			t.Fatal(err)
		}
		live = append(live, r.Snapshot())
	}
	r.until("the last is stored", func(res *state.Resource) bool { return res.Indexer.Len() >= 20 && res.Drained() })
	live = append(live, r.Snapshot())

	past := r.Past()
	first, last := past.Range()
	if first.Seq != 1 || last.Seq < live[len(live)-1].Seq {
		t.Fatalf("one can go to %d ... %d", first.Seq, last.Seq)
	}
	fresh, folded := state.New(), uint64(0)
	for _, seen := range live {
		if seen.Seq == folded {
			continue
		}
		back, err := past.At(seen.Seq)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(dumped(back), dumped(seen)) {
			t.Fatalf("back to %d: another state than was seen", seen.Seq)
		}
		if err := past.Scan(t.Context(), folded+1, seen.Seq, func(e *journal.Event) bool {
			fresh.Apply(e)
			folded = e.Seq
			return true
		}); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(dumped(fresh.Snapshot(journal.View{})), dumped(seen)) {
			changes, more := diff.Of(seen, fresh.Snapshot(journal.View{}), 20)
			t.Fatalf("folded anew to %d: another state than was seen: %v and %d more", seen.Seq, changes, more)
		}
	}
}

// With a small ring one still goes back to its keyframes, and Past may be asked
// for at any moment.
func TestPastOfASmallRing(t *testing.T) {
	r := start(t, engine.Options{Past: true, History: 1024, Workers: 2})
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range 300 {
			cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("cm-", i), Namespace: "default"}}
			if _, err := r.client.CoreV1().ConfigMaps("default").Create(t.Context(), cm, metav1.CreateOptions{}); err != nil {
				t.Error(err)
				return
			}
		}
	})
	r.until("the ring is full twice", func(*state.Resource) bool {
		p := r.Past()
		first, last := p.Range()
		for _, seq := range []uint64{first.Seq, last.Seq} {
			if s, err := p.At(seq); seq > 0 && (err != nil || s.Seq != seq) {
				t.Errorf("event %d: %v", seq, err)
			}
		}
		return last.Seq > 2100
	})
	wg.Wait()
	if first, last := r.Past().Range(); last.Seq-first.Seq > 1024 || first.Seq < 2 {
		t.Errorf("one can go to %d ... %d", first.Seq, last.Seq)
	}
}

func TestNoPastUnlessAskedFor(t *testing.T) {
	r := start(t, engine.Options{})
	if p := r.Past(); p != nil {
		t.Errorf("%v", p)
	}
}
