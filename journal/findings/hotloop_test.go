package findings

import (
	"fmt"
	"testing"
	"time"

	"informerscope/journal"
)

// rewrites applies reconciles of a key without generation, each at a new version.
func (r *run) rewrites(n int, key string, content func(i int) int64) {
	for i := range n {
		r.at(time.Duration(i)*time.Second, journal.ReconcileStarted{Worker: "worker-1", ContentSum: content(i), RV: fmt.Sprint(100 + i)}.Event("", key))
	}
}

// reconciles applies so many of a key, evenly from ... to.
func (r *run) reconciles(n int, from, to time.Duration, key string, generation int64, rv string) {
	for i := range n {
		at := from + (to-from)*time.Duration(i)/time.Duration(n)
		r.at(at, journal.ReconcileStarted{Worker: "worker-1", Generation: generation, RV: rv}.Event("", key))
	}
}

func TestHotLoop(t *testing.T) {
	for _, c := range []struct {
		name      string
		threshold string
		do        func(*run)
		at        time.Duration
		found     int    // how many
		text      string // of the first
		active    bool
	}{
		{"as often as is allowed", "10/m", func(r *run) { r.reconciles(10, 0, 50*time.Second, "a", 3, "7") }, 50 * time.Second, 0, "", false},
		{"once too often", "10/m", func(r *run) { r.reconciles(11, 0, 50*time.Second, "a", 3, "7") }, 50 * time.Second, 1,
			"a was reconciled 11 times within a minute, and its generation stayed 3", true},
		{"often, over a longer time", "10/m", func(r *run) { r.reconciles(100, 0, 11*time.Minute, "a", 3, "7") }, 11 * time.Minute, 0, "", false},
		{"always at another version, by generation", "10/m", func(r *run) {
			for i := range 20 {
				r.reconciles(1, time.Duration(i)*time.Second, 0, "a", 3, fmt.Sprint(i))
			}
		}, 20 * time.Second, 1, "a was reconciled 20 times within a minute, and its generation stayed 3", true},
		{"always at another version, without generations", "10/m", func(r *run) {
			for i := range 20 {
				r.reconciles(1, time.Duration(i)*time.Second, 0, "a", 0, fmt.Sprint(i))
			}
		}, 20 * time.Second, 0, "", false},
		{"the same version without generations", "10/m", func(r *run) { r.reconciles(11, 0, 20*time.Second, "a", 0, "7") }, 20 * time.Second, 1,
			"a was reconciled 11 times within a minute, and its resourceVersion stayed 7", true},
		{"always at another version with the same content", "10/m", func(r *run) { r.rewrites(11, "a", func(int) int64 { return 7 }) }, 11 * time.Second, 1,
			"a was reconciled 11 times within a minute, and its content stayed the same from resourceVersion 100 to 110", true},
		{"as often as is allowed with the same content", "10/m", func(r *run) { r.rewrites(10, "a", func(int) int64 { return 7 }) }, 11 * time.Second, 0, "", false},
		{"always with another content", "10/m", func(r *run) { r.rewrites(20, "a", func(i int) int64 { return int64(i) + 1 }) }, 20 * time.Second, 0, "", false},
		{"contents that alternate", "10/m", func(r *run) { r.rewrites(20, "a", func(i int) int64 { return int64(i)%2 + 1 }) }, 20 * time.Second, 0, "", false},
		{"another content in between", "10/m", func(r *run) { r.rewrites(20, "a", func(i int) int64 { return int64(i)/10 + 1 }) }, 20 * time.Second, 0, "", false},
		{"the default, the same content, until it is new", "100/m", func(r *run) { r.rewrites(20, "a", func(i int) int64 { return int64(i)/19 + 1 }) }, 20 * time.Second, 0, "", false},
		{"the same version and content", "10/m", func(r *run) {
			for i := range 11 {
				r.at(time.Duration(i)*time.Second, journal.ReconcileStarted{Worker: "worker-1", ContentSum: 7, RV: "7"}.Event("", "a"))
			}
		}, 20 * time.Second, 1, "a was reconciled 11 times within a minute, and its resourceVersion stayed 7", true},
		{"a key that is gone", "10/m", func(r *run) { r.reconciles(11, 0, 20*time.Second, "a", 0, "") }, 20 * time.Second, 1,
			"a was reconciled 11 times within a minute, and it was not in the Indexer", true},
		{"a new spec in between", "10/m", func(r *run) {
			r.reconciles(10, 0, 20*time.Second, "a", 3, "7")
			r.reconciles(10, 20*time.Second, 40*time.Second, "a", 4, "8")
		}, 40 * time.Second, 0, "", false},
		{"many keys, each in its measure", "10/m", func(r *run) {
			for i := range 100 {
				r.reconciles(10, time.Duration(i)*time.Millisecond, 20*time.Second, fmt.Sprint(i), 3, "7")
			}
		}, 20 * time.Second, 0, "", false},
		{"that has ended", "10/m", func(r *run) { r.reconciles(30, 0, 30*time.Second, "a", 3, "7") }, 90 * time.Second, 1,
			"a was reconciled 30 times within a minute, and its generation stayed 3", false},
		{"the default: a resync each 6 seconds and retries", "100/m", func(r *run) {
			r.reconciles(10, 0, time.Minute, "a", 3, "7")
			r.reconciles(14, 0, time.Minute, "a", 3, "7")
		}, time.Minute, 0, "", false},
		{"the default: a lock that is renewed every 2 seconds", "100/m", func(r *run) {
			r.reconciles(90, 0, 3*time.Minute, "a", 3, "7")
		}, 3 * time.Minute, 1,
			"a was reconciled 27 times within a minute, and its generation stayed 3", true},
		{"the default: twice a second", "100/m", func(r *run) { r.reconciles(120, 0, time.Minute, "a", 3, "7") }, time.Minute, 1,
			"a was reconciled 110 times within a minute, and its generation stayed 3", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRun(t, "hot-loop="+c.threshold)
			c.do(r)
			got := r.list(c.at)
			if len(got) != c.found {
				t.Fatalf("found %v, want %d", got, c.found)
			}
			if c.found > 0 && (got[0].Text != c.text || got[0].Active != c.active || got[0].Key != "a" || got[0].Kind != HotLoop) {
				t.Errorf("found %+v", got[0])
			}
		})
	}
}

func hotLoopsOf(s *Set) *hotLoops {
	for i := range s.found {
		if d, ok := s.found[i].Detector.(*hotLoops); ok {
			return d
		}
	}
	return nil
}

// What is remembered is of the last two minutes.
func TestHotLoopForgets(t *testing.T) {
	r := newRun(t, "hot-loop=5/m")
	for i := range 1000 {
		r.reconciles(2, time.Duration(i)*time.Second, time.Duration(i)*time.Second, fmt.Sprint(i), 3, "7")
	}
	h := hotLoopsOf(r.Set).Resources.find("pods")
	if n := h.New.len() + h.Old.len() + h.Suspects.len(); n > 130 {
		t.Errorf("%d keys are remembered of the last 120", n)
	}
	r = newRun(t) // with the default nobody is suspect by two reconciles
	for i := range 1000 {
		r.reconciles(2, time.Duration(i)*time.Second, time.Duration(i)*time.Second, fmt.Sprint(i), 3, "7")
	}
	h = hotLoopsOf(r.Set).Resources.find("pods")
	if n := h.New.len() + h.Old.len() + h.Suspects.len(); n > 12 {
		t.Errorf("%d keys are remembered of the last 10", n)
	}
}
