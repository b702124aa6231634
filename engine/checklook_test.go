package engine

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"informerscope/journal"
)

// viewOf has the events of "kind key" lines: w and i are watch events, i an
// initial one, q and d what the FIFO of the lane took and dropped, l a list, p a
// page of one, e the end of a WatchList, r a Replace; o is an event of another
// resource.
func viewOf(t *testing.T, text string) journal.View {
	t.Helper()
	j := journal.New(journal.Options{})
	for _, word := range strings.Fields(text) {
		kind, key, _ := strings.Cut(word, ":")
		e := journal.Event{Resource: "pods", Key: key, RV: "5"}
		switch kind {
		case "w":
			e.Kind = journal.KindWatchEvent
		case "x":
			e = journal.WatchEvent{Type: "DELETED", RV: "6"}.Event("pods", key)
		case "i":
			e.Kind, e.Flags = journal.KindWatchEvent, journal.Initial
		case "q":
			e.Kind, e.Resource = journal.KindFIFOEnqueued, "pods@delta"
		case "d":
			e.Kind, e.Resource = journal.KindFIFODropped, "pods@delta"
		case "l":
			e.Kind = journal.KindListDone
		case "p":
			e.Kind, e.Flags = journal.KindListDone, journal.Partial
		case "e":
			e.Kind, e.Flags = journal.KindWatchBookmark, journal.Initial
		case "b":
			e.Kind = journal.KindWatchBookmark
		case "r":
			e.Kind, e.Resource = journal.KindFIFOReplace, "pods@delta"
		case "o":
			e.Kind, e.Resource = journal.KindFIFOEnqueued, "pods@atomic"
		default:
			t.Fatalf("%q is no event", word)
		}
		j.Append(e)
	}
	return j.View()
}

func TestWhatTheFIFOHasNotTakenYetIsComing(t *testing.T) {
	c := &cacheCheck{base: "pods"}
	for _, tt := range []struct{ events, keys, all string }{
		{"", "", ""},
		{"r w:a", "a", ""},
		{"r w:a q:a", "", ""},
		{"r w:a d:a", "", ""},
		{"r w:a o:a", "a", ""},            // another lane took it
		{"r w:a w:b", "a b", ""},          // one in hand, one to be handed out
		{"r w:a w:b q:a", "b", ""},        //
		{"r w:a q:a w:a", "a", ""},        // the second of a key
		{"r w:a w:b q:b w:c q:c", "", ""}, // a was rejected: more than two back
		{"l", "", "all"},                  // listed, not replaced
		{"l r", "", ""},                   //
		{"i:a e", "", "all"},              // the same by a WatchList
		{"i:a e r", "", ""},               //
		{"r i:a i:b", "", ""},             // initial events are not queued one by one
		{"p", "", ""},                     // a page is not all
		{"l r w:a q:a e", "", "all"},      // a relist
		{"l r b", "", ""},                 // a bookmark brings nothing
	} {
		keys, all := c.coming("pods@delta", viewOf(t, tt.events))
		if got := strings.Join(slices.Sorted(maps.Keys(keys)), " "); got != tt.keys || all != (tt.all != "") {
			t.Errorf("%q: %q %v, want %q %q", tt.events, got, all, tt.keys, tt.all)
		}
	}
}

func TestNewsIsTheNewestWatchEventSinceTheList(t *testing.T) {
	c := &cacheCheck{base: "pods", since: 2}
	for _, tt := range []struct {
		events    string
		rv        string
		deleted   bool
		overtaken bool
	}{
		{"w:b x:a q:b", "", false, false}, // before it
		{"w:b w:b w:a", "5", false, false},
		{"w:b w:b w:a x:a", "6", true, false},
		{"w:b w:b x:a w:a", "5", false, false},
		{"w:b w:b i:a", "", false, false},
		{"w:b e w:a", "5", false, false},
		{"w:b w:b w:a e", "5", false, true},
		{"w:b w:b l", "", false, true},
		{"w:b w:b p", "", false, false},
	} {
		m, overtaken := c.news(viewOf(t, tt.events))
		if n := m["a"]; n.rv != tt.rv || n.deleted != tt.deleted || overtaken != tt.overtaken {
			t.Errorf("%q: %+v %v", tt.events, n, overtaken)
		}
	}
	full := journal.New(journal.Options{Capacity: 1})
	for range 3 * journal.ChunkSize {
		full.Append(journal.Event{})
	}
	if _, overtaken := c.news(full.View()); !overtaken {
		t.Error("what fell off the journal is taken for nothing")
	}
}
