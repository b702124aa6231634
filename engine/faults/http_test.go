package faults_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"informerscope/engine/faults"
	. "informerscope/internal/testing/apiscript"
)

// What client-go does with each kind that strikes a request: the first one of a
// Reflector, the WATCH after a cut, and the WATCHLIST of a relist.

func TestFirstRequestStruck(t *testing.T) {
	fallBack := []string{"at once LIST rv=0", "at once WATCH rv=20"}
	for words, want := range map[string][]string{
		"http 401":                  fallBack,
		"http 403":                  fallBack,
		"http 404":                  fallBack,
		"http 405":                  fallBack,
		"http 422":                  fallBack,
		"http 500":                  fallBack,
		"http 503":                  fallBack,
		"http 410":                  {"at once WATCHLIST rv="},
		"http 504":                  {"at once WATCHLIST rv="},
		"http 429":                  {"backoff WATCHLIST rv="},
		"http 429 retry-after=1s":   {"1s WATCHLIST rv="},
		"http 500 retry-after=1s":   {"1s WATCHLIST rv="},
		"http 504 retry-after=1s":   {"1s WATCHLIST rv="},
		"refused":                   {"backoff WATCHLIST rv="},
		"goaway":                    {"1s WATCHLIST rv="},
		"http 403 times=2":          {"backoff WATCHLIST rv="}, // the LIST too
		"http 404 times=2":          {"backoff WATCHLIST rv="},
		"refused on=list":           {"at once WATCHLIST rv="}, // no LIST is sent
		"http 403 deployments.apps": {"at once WATCHLIST rv="},
	} {
		t.Run(words, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				r := idle(t)
				r.arm(words)
				r.run()
				r.timed(r.start, want...)
				r.stored("Replace [a@20] rv=20")
			})
		})
	}
}

// A REST client takes a Retry-After ten times, then it gives up.
func TestRetryAfterIsTakenTenTimes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := idle(t)
		r.arm("http 429 retry-after=2s times=0 on=watchlist")
		r.run()
		r.pass(18 * time.Second)
		if n := len(r.hits.take()); n != 11 {
			t.Errorf("%d requests in 20 s, want 11", n)
		}
		disarmAll(r.set)
		r.pass(2 * time.Second)
		r.requests("WATCHLIST rv=") // after the Reflector's own backoff
	})
}

func TestWatchStruckAfterCut(t *testing.T) {
	const relisted = "backoff WATCHLIST rv=7"
	for words, want := range map[string]string{
		"http 401":                relisted,
		"http 403":                relisted,
		"http 404":                relisted,
		"http 405":                relisted,
		"http 410":                relisted,
		"http 422":                relisted,
		"http 500":                relisted,
		"http 503":                relisted,
		"http 504":                relisted,
		"http 429":                "backoff WATCH rv=7",
		"http 429 retry-after=1s": "1s WATCH rv=7",
		"http 500 retry-after=1s": "1s WATCH rv=7",
		"refused":                 "backoff WATCH rv=7",
		"goaway":                  "1s WATCH rv=7",
	} {
		t.Run(words, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				r := newRig(t)
				r.arm(words + " on=watch")
				r.hit()
				cut := time.Now()
				r.arm("cut on=watchlist")
				r.pass(2 * time.Second)
				r.timed(cut, want)
				kind, _, _ := strings.Cut(words, " ")
				r.hit("cut watchlist  ", kind+" watch  ")
			})
		})
	}
}

func TestRelistStruck(t *testing.T) {
	for words, want := range map[string][]string{
		"http 403 on=watchlist":                  {"backoff LIST rv=7", "at once WATCH rv=20"},
		"http 410 on=watchlist":                  {"backoff WATCHLIST rv="},
		"http 504 on=watchlist":                  {"backoff WATCHLIST rv="},
		"http 504 on=list,watchlist times=3":     {"backoff WATCHLIST rv="},
		"http 403 on=list,watchlist times=2":     nil, // the second backoff is longer
		"http 422 on=watchlist times=0":          {"backoff LIST rv=7", "at once WATCH rv=20"},
		"expired-continue":                       {"backoff WATCHLIST rv=7"},
		"http 504 on=list retry-after=1s for=1s": {"backoff WATCHLIST rv=7"},
	} {
		t.Run(words, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				r := newRig(t)
				r.arm(words)
				broken := time.Now()
				r.arm("error-500")
				r.pass(2 * time.Second)
				r.timed(broken, want...)
			})
		})
	}
}

// E11: a LIST at a resourceVersion that the server does not have yet.
func TestTooLargeResourceVersionListsFromScratch(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.arm("http 403 on=watchlist")
		r.arm("http 504 on=list")
		broken := time.Now()
		r.arm("error-500")
		r.pass(2 * time.Second)
		r.timed(broken, "backoff LIST rv=", "at once WATCH rv=20")
		r.hit("error-500 watchlist  ", "http watchlist  ", "http list  ")
	})
}

// E12: a resource that can be listed and not watched.
func TestUnwatchableIsListedAgainAndAgain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := idle(t)
		r.arm("http 405 on=watch,watchlist times=0")
		r.run()
		r.timed(r.start, "at once LIST rv=0", "backoff LIST rv=20")
		r.stored("Replace [a@20] rv=20", "Replace [a@20] rv=20")
	})
}

func TestGoAwayEndsOpenWatch(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.arm("goaway")
		r.requests("WATCH rv=7")
		r.hit("goaway watchlist  ")
		r.pass(time.Minute)
		r.requests()
	})
}

func TestWithheldInitialEndNeverSyncs(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := idle(t)
		r.arm("withhold-initial-end")
		r.run(Stream(Added(a), Bookmark("6"), InitialEventsEnd("7"), Bookmark("9"), Hold()))
		r.pass(time.Minute)
		r.requests("WATCHLIST rv=")
		r.stored()
		r.hit("withhold-initial-end watchlist BOOKMARK ")
	})
}

func TestSlowList(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := idle(t)
		first := r.arm("slow-list 5s")
		r.arm("http 403 on=watchlist")
		second := r.arm("slow-list 1h")
		r.run()
		r.requests("LIST rv=0")
		r.stored()
		if armed := r.set.Armed(); len(armed) != 2 || armed[0].ID != first || armed[0].Left != 0 || armed[1].ID != second || armed[1].Left != 1 {
			t.Errorf("while a list is held back, armed are %+v", armed)
		}
		r.pass(3 * time.Second)
		r.requests("WATCH rv=20")
		r.stored("Replace [a@20] rv=20")

		r.arm("error-500")
		r.pass(2 * time.Second)
		r.requests("WATCHLIST rv=20")
		r.stored()
		if !r.set.Disarm(second) {
			t.Error("what is used up and still holds a list back cannot be disarmed")
		}
		r.pass(0)
		r.stored("Replace [a@20] rv=20")
		if armed := r.set.Armed(); len(armed) != 0 {
			t.Errorf("armed are %+v", armed)
		}
	})
}

// The pager throws its pages away when the second one is Expired.
func TestExpiredContinueListsInOnePiece(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := idle(t)
		r.arm("http 403 on=watchlist")
		id := r.arm("expired-continue times=0")
		r.run(
			Body(200, `{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"10","continue":"more"},"items":[`+a.JSON()+`]}`),
		)
		r.requests("LIST rv=0", "LIST rv=0", "WATCH rv=20")
		limits := []string{}
		for _, q := range r.server.Requests()[:2] {
			limits = append(limits, q.Query.Get("limit"))
		}
		if !slices.Equal(limits, []string{"500", ""}) {
			t.Errorf("limits %q: the second list should have none", limits)
		}
		r.stored("Replace [a@20] rv=20")
		r.hit("http watchlist  ", "expired-continue list  ")
		if armed := r.set.Armed(); len(armed) != 1 || armed[0].ID != id || armed[0].Hits != 1 || armed[0].Left != -1 {
			t.Errorf("armed: %+v", armed)
		}
	})
}

func TestProbabilityIsReproducible(t *testing.T) {
	draw := func(seed int64) (struck string) {
		bubble(t, func(t *testing.T) {
			r := idle(t)
			r.set = faults.NewSet(faults.Options{Seed: seed, Observe: func(h faults.Hit) { struck += " " + h.RV }})
			var steps []Step
			for rv := range 9 {
				steps = append(steps, Modified(a.At(string(rune('1'+rv)))))
			}
			r.arm("drop p=0.5 times=0")
			r.run(Stream(append(append([]Step{InitialEventsEnd("0")}, steps...), Hold())...))
		})
		return struck
	}
	first := draw(1)
	if again := draw(1); again != first {
		t.Errorf("with one seed %q and %q", first, again)
	}
	if other := draw(2); other == first || len(first) == 0 || len(first) == 2*9 {
		t.Errorf("seed 1 struck %q, seed 2 %q", first, other)
	}
}

// A request that a fault might have struck and did not is not tried again when
// its stream opens.
func TestGoAwayDrawsOncePerRequest(t *testing.T) {
	set := faults.NewSet(faults.Options{Seed: 1})
	arm(t, set, "goaway p=0.5 times=0")
	refused := 0
	for range 50 {
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://server/api/v1/pods?watch=1", nil)
		resp, err := set.Wrap(roundTripper(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: &chunked{data: []byte("x")}}, nil
		})).RoundTrip(req)
		if err != nil {
			refused++
			continue
		}
		if _, err := io.ReadAll(resp.Body); err != nil {
			t.Errorf("an accepted watch ended: %v", err)
		}
		_ = resp.Body.Close()
	}
	if refused == 0 || refused == 50 {
		t.Errorf("%d of 50 refused", refused)
	}
}

// A list that is a Table is refused by the Reflector, which begins anew.
func TestATableIsNoList(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := idle(t)
		r.arm("http 403 on=watchlist times=0")
		r.arm("table")
		r.run()
		r.pass(3 * time.Second)
		r.requests("LIST rv=0", "WATCH rv=20")
		r.stored("Replace [a@20] rv=20")
		r.hit("http watchlist  ", "table list  ", "http watchlist  ")
	})
}
