package recording

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"informerscope/journal"
)

// What Warm keeps is what At gives without it, also while both are at it.
func TestWarmChangesNoState(t *testing.T) {
	s := newSource(journal.Options{Capacity: 64 * 1024})
	path := filepath.Join(t.TempDir(), "a.rec")
	r := begin(t, s, Options{Path: path})
	for i := range 1500 {
		s.life(fmt.Sprint("a", i%7), i)
	}
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	cold, warm := reopen(t, path), reopen(t, path)
	var at sync.WaitGroup
	at.Go(func() {
		for seq := uint64(1); seq < 3000; seq += 500 {
			if _, err := warm.At(seq); err != nil {
				t.Error(err)
			}
		}
	})
	if err := warm.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	at.Wait()
	if len(warm.warm) < 3 {
		t.Errorf("%d states were kept", len(warm.warm))
	}
	_, last := cold.Range()
	for _, seq := range []uint64{1, blockEvents - 1, blockEvents, blockEvents + 1, 3*blockEvents + 77, last.Seq} {
		a, err := cold.At(seq)
		if err != nil {
			t.Fatal(err)
		}
		b, err := warm.At(seq)
		if err != nil {
			t.Fatal(err)
		}
		if x, y := text(t, a), text(t, b); x != y {
			t.Errorf("after event %d: cold\n%s\nwarm\n%s", seq, x, y)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := cold.Warm(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is over: %v", err)
	}
}
