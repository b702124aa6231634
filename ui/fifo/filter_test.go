package fifo

import (
	"fmt"
	"slices"
	"testing"

	"k8s.io/utils/clock"
	"pgregory.net/rapid"

	"informerscope/internal/testing/scripted"
	"informerscope/journal"
	"informerscope/journal/state"
	"informerscope/ui/filter"
)

func naiveKeys(r *state.Resource, flt *filter.Filter) []string {
	var keys []string
	for i := range r.FIFO.Depth() {
		if k := r.FIFO.At(i).Key; flt.Match(k) {
			keys = append(keys, k)
		}
	}
	return keys
}

// Filtered rows follow the journal; after any operations they are what one gets
// by looking at everything.
func TestFilteredKeysAreThoseOfTheState(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := scripted.NewEngine(clock.RealClock{}, rapid.SampledFrom([]int{0, 1024}).Draw(t, "ring"))
		r := e.Resource("pods")
		r.Synced(1)
		deltas := map[string]int{}
		var queue []string
		var rows keyedRows
		rv := 1
		flt, err := filter.New(rapid.SampledFrom([]string{"x", "!x", "^a/", "y[12]$", "none"}).Draw(t, "filter"))
		if err != nil {
			t.Fatal(err)
		}
		t.Repeat(map[string]func(*rapid.T){
			"queue": func(t *rapid.T) {
				k := fmt.Sprintf("%s/%s", rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "ns"), rapid.SampledFrom([]string{"x1", "x2", "y1", "y2", "z"}).Draw(t, "name"))
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
					r.Event(journal.WatchBookmark{RV: "1"}.Event("", ""))
				}
			},
			"look": func(t *rapid.T) {
				st := e.Snapshot()
				pods := st.Resource("pods")
				rows.update(st, pods, &flt)
				if want := naiveKeys(pods, &flt); !slices.Equal(rows.Rows, want) {
					t.Fatalf("DeltaFIFO shows %v, want %v", rows.Rows, want)
				}
			},
		})
	})
}
