package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/utils/clock"
	"pgregory.net/rapid"

	"informerscope/internal/testing/scripted"
	"informerscope/journal"
)

// naiveRows lists the rows of the Indexer pane by going through everything.
func naiveRows(m *model, index string, flt *filter, isOpen func(string) bool) []place {
	var rows []place
	if index == allKeys {
		for i := range m.r.Indexer.Len() {
			if key, _ := m.r.Indexer.At(i); flt.match(key) {
				rows = append(rows, place{key: key})
			}
		}
		return rows
	}
	ix, _ := m.r.Indexer.Index(index)
	for i := range ix.Len() {
		value, keys := ix.At(i)
		var below []place
		for k := range keys.Len() {
			if key := keys.At(k); flt.match(key) {
				below = append(below, place{value, key})
			}
		}
		if flt.on() && len(below) == 0 {
			continue
		}
		rows = append(rows, place{value: value})
		if isOpen(value) {
			rows = append(rows, below...)
		}
	}
	return rows
}

func naiveFIFO(m *model, flt *filter) []string {
	var keys []string
	for i := range m.r.FIFO.Depth() {
		if k := m.r.FIFO.At(i).Key; flt.match(k) {
			keys = append(keys, k)
		}
	}
	return keys
}

// Rows and filters follow the journal; after any operations they are what one
// gets by looking at everything.
func TestRowsAreThoseOfTheState(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := scripted.NewEngine(clock.RealClock{}, rapid.SampledFrom([]int{0, 1024}).Draw(t, "ring"))
		r := e.Resource("pods")
		r.Synced(1)
		m := newModel(e, Options{Environ: []string{}})
		stored, deltas := map[string]bool{}, map[string]int{}
		var queue []string
		open := map[string]bool{}
		var tr tree
		var ff fifoFilter
		rv := 1
		key := func(t *rapid.T) string {
			return fmt.Sprintf("%s/%s", rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "ns"), rapid.SampledFrom([]string{"x1", "x2", "y1", "y2", "z"}).Draw(t, "name"))
		}
		text := rapid.SampledFrom([]string{"", "x", "!x", "^a/", "y[12]$", "none"}).Draw(t, "filter")
		flt, err := newFilter(text)
		if err != nil {
			t.Fatal(err)
		}
		index := rapid.SampledFrom([]string{"namespace", allKeys}).Draw(t, "index")
		t.Repeat(map[string]func(*rapid.T){
			"store": func(t *rapid.T) {
				k := key(t)
				if rv++; stored[k] {
					r.Updated(k, rv, nil, nil)
				} else {
					r.Stored(k, rv)
					stored[k] = true
				}
			},
			"delete": func(t *rapid.T) {
				k := key(t)
				if stored[k] {
					delete(stored, k)
					r.Event(journal.KindStoreDeleted, journal.Event{Key: k, Changes: []journal.IndexChange{{Index: "namespace", Value: scripted.Namespace(k)}}})
				}
			},
			"queue": func(t *rapid.T) {
				k := key(t)
				if rv++; deltas[k] == 0 {
					queue = append(queue, k)
				}
				deltas[k]++
				r.Queued(k, "Updated", rv, deltas[k])
			},
			"pop": func(t *rapid.T) {
				if len(queue) > 0 {
					r.Popped(queue[0])
					delete(deltas, queue[0])
					queue = queue[1:]
				}
			},
			"noise": func(t *rapid.T) {
				for range rapid.SampledFrom([]int{1, 600, 5000}).Draw(t, "n") {
					r.Event(journal.KindWatchBookmark, journal.Event{RV: "1"})
				}
			},
			"toggle": func(t *rapid.T) {
				ns := rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "ns")
				if open[ns] {
					delete(open, ns)
				} else {
					open[ns] = true
				}
			},
			"look": func(t *rapid.T) {
				m.pull()
				tr.update(m, index, &flt, open)
				want := naiveRows(m, index, &flt, tr.isOpen)
				if tr.rows() != len(want) {
					t.Fatalf("%d rows, want %d", tr.rows(), len(want))
				}
				for i, p := range want {
					if got := tr.row(i); got != p {
						t.Fatalf("row %d is %v, want %v", i, got, p)
					}
					if got := tr.find(p); got != i {
						t.Fatalf("%v is found in row %d, want %d", p, got, i)
					}
				}
				if flt.on() {
					ff.update(m.st, m.r, &flt)
					if want := naiveFIFO(m, &flt); !slices.Equal(ff.keys, want) {
						t.Fatalf("DeltaFIFO shows %v, want %v", ff.keys, want)
					}
				}
			},
		})
	})
}

func TestHeaderAlwaysSaysHowTimeRunsAndWhatIsShown(t *testing.T) {
	for _, name := range []string{"pods", "leases.coordination.k8s.io"} {
		e := scripted.NewEngine(clock.RealClock{}, 0)
		e.Resource(name).Synced(1234567890)
		e.SetPace(0.5)
		e.Pause()
		m := newModel(e, Options{Source: "a-long-context-name", Scope: "namespace kube-system", Environ: []string{"NO_COLOR=1"}})
		for m.w = minWidth; m.w < 210; m.w++ {
			m.h = 24
			header, _, _ := strings.Cut(m.compose(), "\n")
			for _, want := range []string{"PAUSED", "[" + name + "]"} {
				if m.w >= 48 && !strings.Contains(header, want) || m.w < 48 && name == "pods" && !strings.Contains(header, want) {
					t.Errorf("%d columns: %q lacks %q", m.w, header, want)
				}
			}
		}
	}
}

// The idle screen composes nothing: it looks at the state and goes to sleep.
func TestTickComposesOnlyWhatChanged(t *testing.T) {
	m, e, c := largeModel(t)
	tick := func() string {
		m.Update(tickMsg(time.Time{}))
		before := m.view.Content
		dirty := m.dirty
		m.View()
		if !dirty && m.view.Content != before {
			t.Fatal("a clean frame changed")
		}
		if dirty {
			return "drawn"
		}
		return "skipped"
	}
	tick()
	if got := tick(); got != "skipped" {
		t.Errorf("nothing happened: %s", got)
	}
	c.SetTime(c.Now().Add(110 * time.Millisecond))
	if got := tick(); got != "drawn" {
		t.Errorf("a key is being processed and 0.1 s passed: %s", got)
	}
	e.Resource("pods").Done("ns-000/web-000000", "1", false)
	e.Resource("pods").Event(journal.KindQueueWaitingReady, journal.Event{Key: "ns-001/web-000001"})
	if got := tick(); got != "drawn" {
		t.Errorf("an event was folded: %s", got)
	}
	c.SetTime(c.Now().Truncate(time.Second).Add(1100 * time.Millisecond))
	tick()
	c.SetTime(c.Now().Add(110 * time.Millisecond))
	if got := tick(); got != "skipped" {
		t.Errorf("nothing on the screen changes each 0.1 s: %s", got)
	}
	c.SetTime(c.Now().Add(time.Second))
	if got := tick(); got != "drawn" {
		t.Errorf("a second passed: %s", got)
	}
}
