package engine_test

import (
	"fmt"
	"testing"
	"time"

	"informerscope/engine"
	. "informerscope/internal/testing/apiscript"
	"informerscope/journal"
)

// firstBackoff is what client-go's Reflector waits at least after a failure.
const firstBackoff = 800 * time.Millisecond

// noWatchList is how a server says that it has no streaming lists.
var noWatchList = Status(Failure{Code: 422, Reason: "Invalid", Message: "sendInitialEvents is forbidden for watch"})

// Of what one relist replaces and deletes, a DeltaFIFO hands out the deletes
// last; the queues in order of arrival, and the one ReplacedAll, have them first.
func TestE8AnErrorEvent410RelistsAtTheLastRVAndThenFromScratch(t *testing.T) {
	a := ConfigMap("a", "5")
	inEach(t,
		"OnAdd a@5, OnUpdate a@5->10, OnAdd b@20, OnDelete T{a@10}",
		"OnAdd a@5, OnUpdate a@5->10, OnDelete T{a@10}, OnAdd b@20",
		"OnAdd a@5, OnUpdate a@5->10, OnDelete T{a@10}, OnAdd b@20",
		func(t *testing.T, discipline, calls string) {
			scripted(t, engine.Options{FIFO: discipline}, func(r *run) {
				r.pass(3 * time.Second)
				r.expect("requests", r.Seen(), "WATCHLIST rv=, WATCHLIST rv=10, WATCHLIST rv=")
				r.backedOff(1, firstBackoff)
				r.atOnce(2)
				r.expect("calls", r.calls(), calls)
				r.expect("Indexer", r.stored(), "b@20")
				r.lastRV("25")
			},
				Stream(Added(a), InitialEventsEnd("9"), Modified(a.At("10")), Error(Expired)),
				Status(Expired),
				Stream(Added(ConfigMap("b", "20")), InitialEventsEnd("25"), Hold()))
		})
}

func TestE9HowAWatchEndsDecidesWhatFollows(t *testing.T) {
	a := ConfigMap("a", "5")
	for name, tt := range map[string]struct {
		end  []Step
		next string
		wait time.Duration // least
	}{
		"clean close":         {nil, "WATCH rv=8", 0},
		"truncated JSON":      {[]Step{Half(a.At("9"))}, "WATCH rv=8", 0},
		"abort":               {[]Step{Abort()}, "WATCH rv=8", 0},
		"abort in the middle": {[]Step{Half(a.At("9")), Abort()}, "WATCH rv=8", 0},
		"in-stream ERROR 429": {[]Step{Error(TooManyRequests)}, "WATCH rv=8", firstBackoff},
		"malformed JSON":      {[]Step{Malformed()}, "WATCHLIST rv=8", firstBackoff},
		"ERROR 500":           {[]Step{Error(Internal)}, "WATCHLIST rv=8", firstBackoff},
	} {
		t.Run(name, func(t *testing.T) {
			everywhere(t, engine.Options{}, func(r *run) {
				r.pass(5 * time.Second)
				r.expect("requests", r.Seen(), "WATCHLIST rv=, WATCH rv=7, "+tt.next)
				if tt.wait == 0 {
					r.atOnce(2)
				} else {
					r.backedOff(2, tt.wait)
				}
				r.expect("calls", r.calls(), "OnAdd a@5, OnUpdate a@5->8")
				r.expect("Indexer", r.stored(), "a@8")
				r.lastRV("8")
				r.synced(true)
			},
				Stream(Added(a), InitialEventsEnd("7"), Wait(2*time.Second)),
				Stream(append([]Step{Modified(a.At("8"))}, tt.end...)...))
		})
	}
}

func TestE9AVeryShortWatchRelists(t *testing.T) {
	everywhere(t, engine.Options{}, func(r *run) {
		r.pass(5 * time.Second)
		r.expect("requests", r.Seen(), "WATCHLIST rv=, WATCH rv=7, WATCHLIST rv=7")
		r.backedOff(2, firstBackoff)
		r.expect("calls", r.calls(), "OnAdd a@5")
		if !r.says(journal.KindRelistRequested, "very short watch") {
			t.Errorf("the relist does not say why:\n%s", r.text())
		}
	},
		Stream(Added(ConfigMap("a", "5")), InitialEventsEnd("7"), Wait(2*time.Second)),
		Stream())
}

func TestE11AServerBehindIsFlagged(t *testing.T) {
	a := ConfigMap("a", "900")
	flagged := func(r *run) {
		r.expect("calls", r.calls(), "OnAdd a@900, OnUpdate a@900->950")
		r.expect("Indexer", r.stored(), "a@950")
		r.lastRV("1001")
		f := r.resource().Reflector
		if f.RVBackwards != 1 || f.LastBackwards != "1200 -> 1001" {
			t.Errorf("a step backwards is not flagged: %d, %q", f.RVBackwards, f.LastBackwards)
		}
		if !r.says(journal.KindLogLine, "went backwards, from 1200 to 1001") {
			t.Errorf("the journal has no warning:\n%s", r.text())
		}
	}
	t.Run("list", func(t *testing.T) {
		everywhere(t, engine.Options{}, func(r *run) {
			r.pass(5 * time.Second)
			// client-go asks for a WatchList each time anew.
			r.expect("requests", r.Seen(), "WATCHLIST rv=, LIST rv=0, WATCH rv=1200, WATCHLIST rv=1200, LIST rv=1200, LIST rv=, WATCH rv=1001")
			r.atOnce(5)
			flagged(r)
		},
			noWatchList, Objects("1200", a), Stream(Error(Internal)),
			noWatchList, Status(TooLargeRV), Objects("1001", a.At("950")))
	})
	t.Run("WatchList", func(t *testing.T) {
		everywhere(t, engine.Options{}, func(r *run) {
			r.pass(5 * time.Second)
			r.expect("requests", r.Seen(), "WATCHLIST rv=, WATCHLIST rv=1200, WATCHLIST rv=")
			r.atOnce(2)
			flagged(r)
		},
			Stream(Added(a), InitialEventsEnd("1200"), Error(Internal)), Status(TooLargeRV),
			Stream(Added(a.At("950")), InitialEventsEnd("1001"), Hold()))
	})
}

func TestE12AResourceWithoutWatchIsListedForEver(t *testing.T) {
	rule := func(q Request) Answer {
		if q.Verb == List {
			return Objects("7", ConfigMap("a", "5"))
		}
		return Status(NotAllowed)
	}
	everywhereBy(t, engine.Options{}, rule, func(r *run) {
		r.pass(12 * time.Second)
		r.synced(true)
		lists := 0
		for i, q := range r.Requests() {
			if q.Verb != List {
				continue
			}
			lists++
			if next := r.Requests()[i+1]; next.Verb != Watch || next.RV != "7" {
				t.Errorf("after a LIST came %v", next)
			}
		}
		calls := r.calls()
		if lists < 3 || len(calls) != lists || calls[0] != "OnAdd a@5" {
			t.Errorf("%d lists made the calls %q, want one each, the first OnAdd", lists, calls)
		}
		for _, c := range calls[1:] {
			if c != "OnUpdate a@5->5" {
				t.Errorf("a list made %s, want OnUpdate with the same resourceVersion", c)
			}
		}
		r.expect("Indexer", r.stored(), "a@5")
	})
}

func TestE13AnIndexKeepsNothingOfWhatIsGone(t *testing.T) {
	const n = 1000
	steps := []Step{InitialEventsEnd("1"), Wait(time.Second)}
	send := func(event func(Object) Step, rv int) {
		for i := range n {
			steps = append(steps, event(ConfigMap(fmt.Sprintf("n%d/a", i), fmt.Sprint(rv+i))))
		}
		steps = append(steps, Wait(time.Second))
	}
	send(Added, 10)
	send(Deleted, 10+n)
	everywhere(t, engine.Options{}, func(r *run) {
		values := func() int {
			index, _ := r.resource().Indexer.Index("namespace")
			return index.Len()
		}
		r.pass(1500 * time.Millisecond)
		if got := values(); got != n {
			t.Errorf("%d index values after %d namespaces came, want as many", got, n)
		}
		r.pass(time.Second)
		if got := values(); got != 0 {
			t.Errorf("%d index values after all namespaces went, want 0", got)
		}
		r.expect("Indexer", r.stored(), "")
	}, Stream(append(steps, Hold())...))
}

func TestE15ChangesWhileDisconnectedAreOneUpdate(t *testing.T) {
	a := ConfigMap("a", "5")
	everywhere(t, engine.Options{}, func(r *run) {
		r.pass(3 * time.Second) // a@6, a@7, a@8, a@9 happen meanwhile
		r.expect("calls", r.calls(), "OnAdd a@5, OnUpdate a@5->9")
		r.expect("Indexer", r.stored(), "a@9")
	},
		Stream(Added(a), InitialEventsEnd("5"), Error(Expired)),
		Stream(Added(a.At("9")), InitialEventsEnd("9"), Hold()))
}
