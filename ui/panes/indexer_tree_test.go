package panes

import (
	"fmt"
	"testing"

	"k8s.io/utils/clock"
	"pgregory.net/rapid"

	"informerscope/internal/testing/scripted"
	"informerscope/journal"
	"informerscope/ui/filter"
	"informerscope/ui/view"
)

// naiveRows lists the rows of the Indexer pane by going through everything.
func naiveRows(c *view.Context, index string, flt *filter.Filter, isOpen func(string) bool) []place {
	var rows []place
	if index == allKeys {
		for i := range c.Resource.Indexer.Len() {
			if key, _ := c.Resource.Indexer.At(i); flt.Match(key) {
				rows = append(rows, place{key: key})
			}
		}
		return rows
	}
	ix, _ := c.Resource.Indexer.Index(index)
	for i := range ix.Len() {
		value, keys := ix.At(i)
		var below []place
		for k := range keys.Len() {
			if key := keys.At(k); flt.Match(key) {
				below = append(below, place{value, key})
			}
		}
		if flt.On() && len(below) == 0 {
			continue
		}
		rows = append(rows, place{value: value})
		if isOpen(value) {
			rows = append(rows, below...)
		}
	}
	return rows
}

// Rows and filters follow the journal; after any operations they are what one
// gets by looking at everything.
func TestRowsAreThoseOfTheState(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := scripted.NewEngine(clock.RealClock{}, rapid.SampledFrom([]int{0, 1024}).Draw(t, "ring"))
		r := e.Resource("pods")
		r.Synced(1)
		c := &view.Context{Name: "pods"}
		stored := map[string]bool{}
		open := map[string]bool{}
		var tr tree
		rv := 1
		key := func(t *rapid.T) string {
			return fmt.Sprintf("%s/%s", rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "ns"), rapid.SampledFrom([]string{"x1", "x2", "y1", "y2", "z"}).Draw(t, "name"))
		}
		text := rapid.SampledFrom([]string{"", "x", "!x", "^a/", "y[12]$", "none"}).Draw(t, "filter")
		flt, err := filter.New(text)
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
					r.Event(journal.StoreDeleted{}.Event("", k).Indexed([]journal.IndexChange{{Index: "namespace", Value: scripted.Namespace(k)}}))
				}
			},
			"noise": func(t *rapid.T) {
				for range rapid.SampledFrom([]int{1, 600, 5000}).Draw(t, "n") {
					r.Event(journal.WatchBookmark{RV: "1"}.Event("", ""))
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
				c.State = e.Snapshot()
				c.Resource = c.State.Resource("pods")
				tr.update(c, index, &flt, open)
				want := naiveRows(c, index, &flt, tr.isOpen)
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
			},
		})
	})
}
