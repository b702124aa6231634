package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	testingclock "k8s.io/utils/clock/testing"

	"informerscope/engine"
	"informerscope/engine/deltafifo"
	"informerscope/engine/faults"
	. "informerscope/internal/testing/apiscript"
	"informerscope/journal"
	"informerscope/journal/state"
)

// checked runs a check and compares what it says.
func (r *run) checked(want string) engine.CheckResult {
	r.t.Helper()
	res, err := r.CheckCache(r.t.Context(), r.Resources()[0], engine.CheckWait)
	if err != nil {
		r.t.Fatal(err)
	}
	if got := res.String(); got != want {
		r.t.Errorf("got  %s\nwant %s\n%s", got, want, r.text())
	}
	return res
}

// checkingEverywhere is everywhereBy with a rule of its own for each discipline.
func checkingEverywhere(t *testing.T, o engine.Options, rule func() func(Request) Answer, body func(r *run), answers ...Answer) {
	t.Helper()
	for _, discipline := range deltafifo.Disciplines {
		t.Run(discipline, func(t *testing.T) {
			o := o
			o.FIFO = discipline
			scriptedBy(t, o, rule(), body, answers...)
		})
	}
}

// lists answers each LIST in turn, and holds all else.
func lists(all ...Answer) func() func(Request) Answer {
	return func() func(Request) Answer {
		answers := all
		return func(r Request) Answer {
			if r.Verb != List || len(answers) == 0 {
				return Stream(Hold())
			}
			a := answers[0]
			answers = answers[1:]
			return a
		}
	}
}

func TestACacheThatHasEverythingIsToldAtOnce(t *testing.T) {
	a, b := ConfigMap("x/a", "5"), ConfigMap("x/b", "6")
	checkingEverywhere(t, engine.Options{}, lists(Objects("900", a, b)), func(r *run) {
		r.pass(time.Second)
		start := time.Now()
		r.checked("2 objects, the cache has all of them") // the server's RV is far ahead, for what others wrote
		if d := time.Since(start); d != 0 {
			t.Errorf("it took %v", d)
		}
		r.expect("requests", r.Seen(), "WATCHLIST rv=, LIST rv=")
		if n := r.resource().Reflector.Requests; n != 1 {
			t.Errorf("the Reflector is said to have made %d requests", n)
		}
	}, Stream(Added(a), Added(b), InitialEventsEnd("7"), Hold()))
}

func TestWhatTheWatchNeverBroughtIsMissing(t *testing.T) {
	a, lost := ConfigMap("x/a", "5"), ConfigMap("x/lost", "8")
	checkingEverywhere(t, engine.Options{}, lists(Objects("9", a.At("9"), lost)), func(r *run) {
		r.pass(time.Second)
		r.checked("2 objects, the cache differs in 1: x/lost is missing, the server has it at rv 8")
		if es := r.of(journal.KindCacheChecked); len(es) != 1 || es[0].Raw().N != 2 || es[0].Raw().M != 1 || es[0].RV != "9" || es[0].Raw().Name != "" {
			t.Errorf("%+v", es)
		}
		if es := r.of(journal.KindCacheDiffers); len(es) != 1 || es[0].Key != "x/lost" || es[0].Raw().Type != journal.CacheMissing || es[0].RV != "8" {
			t.Errorf("%+v", es)
		}
		if c := r.resource().Indexer.Check; c == nil || c.Differ != 1 || len(c.Differences) != 1 {
			t.Errorf("the state has %+v", c)
		}
	}, Stream(Added(a), InitialEventsEnd("7"), Modified(a.At("9")), Hold()))
}

func TestStaleAndExtraAreTold(t *testing.T) {
	a, b := ConfigMap("x/a", "5"), ConfigMap("x/b", "6")
	checkingEverywhere(t, engine.Options{}, lists(Objects("9", a.At("8"))), func(r *run) {
		r.pass(time.Second)
		r.checked("1 object, the cache differs in 2: x/a is stale at rv 5, the server has rv 8; x/b is extra at rv 6, the server has none at rv 9")
	}, Stream(Added(a), Added(b), InitialEventsEnd("7"), Bookmark("9"), Hold()))
}

func TestACheckWaitsForAWatchThatLags(t *testing.T) {
	a, late := ConfigMap("x/a", "5"), ConfigMap("x/late", "8")
	checkingEverywhere(t, engine.Options{}, lists(Objects("8", a, late)), func(r *run) {
		r.pass(time.Second)
		r.checked("2 objects, the cache has all of them")
	}, Stream(Added(a), InitialEventsEnd("7"), Wait(3*time.Second), Added(late), Hold()))
}

func TestABookmarkMakesADifferenceCertain(t *testing.T) {
	a, lost := ConfigMap("x/a", "5"), ConfigMap("x/lost", "8")
	checkingEverywhere(t, engine.Options{}, lists(Objects("8", a, lost)), func(r *run) {
		r.pass(time.Second)
		r.checked("2 objects, the cache differs in 1: x/lost is missing, the server has it at rv 8")
	}, Stream(Added(a), InitialEventsEnd("7"), Wait(3*time.Second), Bookmark("8"), Hold()))
}

func TestAWatchThatStaysBehindLeavesItOpen(t *testing.T) {
	a, lost := ConfigMap("x/a", "5"), ConfigMap("x/lost", "8")
	checkingEverywhere(t, engine.Options{}, lists(Objects("8", a, lost)), func(r *run) {
		r.pass(time.Second)
		start := time.Now()
		r.checked("2 objects, the cache may only lag in 1, which is not certain: x/lost is missing, the server has it at rv 8" +
			" (the watch is at rv 7, and neither an event nor a bookmark has come past rv 8; check again, or give it longer)")
		if d := time.Since(start); d != engine.CheckWait {
			t.Errorf("it took %v", d)
		}
		if n := len(r.of(journal.KindCacheDiffers)); n != 0 {
			t.Errorf("%d differences are told", n)
		}
		if c := r.resource().Indexer.Check; c.Differ != 0 || !strings.Contains(c.Uncertain, "x/lost is missing") {
			t.Errorf("the state has %+v", c)
		}
	}, Stream(Added(a), InitialEventsEnd("7"), Hold()))
}

// A second goes by in the deadline of the session's clock, and none in real time.
func TestACheckWaitsOnTheSessionsClock(t *testing.T) {
	clock := testingclock.NewFakeClock(time.Now())
	a, lost := ConfigMap("x/a", "5"), ConfigMap("x/lost", "8")
	scriptedBy(t, engine.Options{Clock: clock}, lists(Objects("8", a, lost))(), func(r *run) {
		r.pass(time.Second)
		start := time.Now()
		go func() {
			time.Sleep(time.Second)
			clock.Step(engine.CheckWait)
		}()
		res, err := r.CheckCache(r.t.Context(), "configmaps", engine.CheckWait)
		if err != nil || len(res.Caches[0].Open) != 1 {
			t.Errorf("%v, %v", res, err)
		}
		if d := time.Since(start); d > 2*time.Second {
			t.Errorf("it waited %v of real time", d)
		}
	}, Stream(Added(a), InitialEventsEnd("7"), Hold()))
}

func TestWhatWaitsInTheFIFOIsNotMissing(t *testing.T) {
	a, b := ConfigMap("x/a", "5"), ConfigMap("x/b", "8")
	checkingEverywhere(t, engine.Options{}, lists(Objects("8", a, b), Objects("8", a, b)), func(r *run) {
		r.pass(500 * time.Millisecond)
		r.Pause()
		r.pass(time.Second)
		r.letIn(1)
		r.checked("2 objects, the cache may only lag in 1, which is not certain: x/b is missing, the server has it at rv 8" +
			" (something of it waits in the FIFO; check again, or give it longer)")
		r.Resume()
		r.checked("2 objects, the cache has all of them")
	}, Stream(Added(a), InitialEventsEnd("7"), Wait(time.Second), Added(b), Hold()))
}

func TestBeforeItHasSyncedNothingIsCertain(t *testing.T) {
	scriptedBy(t, engine.Options{}, lists(Objects("8", ConfigMap("x/a", "5")))(), func(r *run) {
		r.checked("1 object, the cache may only lag in 1, which is not certain: x/a is missing, the server has it at rv 5" +
			" (the informer has not synced; check again, or give it longer)")
	}, Stream(Hold()))
}

// The informer's own list brings no DELETED for what is gone since the check's.
func TestARelistDuringACheckTakesItsPlace(t *testing.T) {
	a, b := ConfigMap("x/a", "5"), ConfigMap("x/b", "8")
	checkingEverywhere(t, engine.Options{}, lists(Objects("20", b)), func(r *run) {
		r.pass(time.Second)
		r.checked("1 object, the cache has all of them")
		r.expect("requests", r.Seen(), "WATCHLIST rv=, LIST rv=, WATCHLIST rv=7, WATCHLIST rv=, LIST rv=")
	},
		Stream(Added(a), InitialEventsEnd("7"), Wait(2*time.Second), Error(Expired)),
		Objects("8", a, b, ConfigMap("x/c", "8")), // the check's
		Status(Expired),
		Stream(Added(b), InitialEventsEnd("19"), Hold()))
}

func TestACheckThatIsRefusedSaysSo(t *testing.T) {
	scriptedBy(t, engine.Options{}, lists(Status(Forbidden))(), func(r *run) {
		r.pass(time.Second)
		_, err := r.CheckCache(r.t.Context(), "configmaps", engine.CheckWait)
		if !apierrors.IsForbidden(err) || !strings.Contains(fmt.Sprint(err), "the right to list") {
			t.Errorf("got %v", err)
		}
		if c := r.resource().Indexer.Check; c == nil || c.Error != err.Error() {
			t.Errorf("the state has %+v", c)
		}
	}, Stream(InitialEventsEnd("7"), Hold()))
}

func TestACheckOfWhatIsNotWatched(t *testing.T) {
	scripted(t, engine.Options{}, func(r *run) {
		if _, err := r.CheckCache(r.t.Context(), "pods", engine.CheckWait); err == nil {
			t.Error("no error")
		}
	}, Stream(InitialEventsEnd("7"), Hold()))
}

func TestACheckEndsWithItsContext(t *testing.T) {
	scriptedBy(t, engine.Options{}, lists(Objects("8", ConfigMap("x/a", "8")))(), func(r *run) {
		r.pass(time.Second)
		ctx, cancel := context.WithTimeout(r.t.Context(), time.Second)
		defer cancel()
		if _, err := r.CheckCache(ctx, "configmaps", engine.CheckWait); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if n := len(r.of(journal.KindCacheChecked)); n != 0 {
			t.Errorf("%d checks are told", n)
		}
	}, Stream(InitialEventsEnd("7"), Hold()))
}

func TestOneListChecksAllLanes(t *testing.T) {
	a, lost := ConfigMap("x/a", "5"), ConfigMap("x/lost", "8")
	scriptedBy(t, engine.Options{Compare: []string{"delta", "inorder", "atomic"}}, lists(Objects("9", a, lost))(), func(r *run) {
		r.pass(time.Second)
		const differs = " differs in 1: x/lost is missing, the server has it at rv 8"
		r.checked("2 objects; configmaps@delta" + differs + "; configmaps@inorder" + differs + "; configmaps@atomic" + differs)
		if n := len(r.of(journal.KindCacheDiffers)); n != 3 {
			t.Errorf("%d differences are told, want one a lane", n)
		}
		r.expect("requests", r.Seen(), "WATCHLIST rv=, LIST rv=")
	}, Stream(Added(a), InitialEventsEnd("7"), Bookmark("9"), Hold()))
}

func TestManyDifferencesDoNotFillTheJournal(t *testing.T) {
	var many []Object
	for i := range 250 {
		many = append(many, ConfigMap(fmt.Sprintf("x/%03d", i), "5"))
	}
	scriptedBy(t, engine.Options{}, lists(Objects("7", many...))(), func(r *run) {
		r.pass(time.Second)
		res, err := r.CheckCache(r.t.Context(), "configmaps", engine.CheckWait)
		if err != nil || len(res.Caches[0].Differ) != 250 {
			t.Errorf("%v, %v", res, err)
		}
		if n := len(r.of(journal.KindCacheDiffers)); n != 100 {
			t.Errorf("%d events", n)
		}
		if c := r.resource().Indexer.Check; c.Differ != 250 || len(c.Differences) != 100 {
			t.Errorf("the state has %d, %d", c.Differ, len(c.Differences))
		}
	}, Stream(InitialEventsEnd("7"), Hold()))
}

// The fault that loses an event is between the informer and the server.
func TestACheckOnTheSandboxFindsWhatADropLost(t *testing.T) {
	for _, client := range engine.Clients {
		t.Run(client, func(t *testing.T) {
			r := start(t, engine.Options{Client: client, Indexes: []string{"label:app"}})
			r.create("a")
			r.until("synced", func(res *state.Resource) bool { return res.Synced && res.Indexer.Len() == 1 })
			arm(t, r, "drop", "type=ADDED")
			arm(t, r, "http", "500", "times=0")
			r.create("lost")
			r.create("b")
			r.until("b is stored", func(res *state.Resource) bool { return res.Indexer.Len() == 2 })
			res, err := r.CheckCache(r.T.Context(), "configmaps", engine.CheckWait)
			if err != nil {
				t.Fatal(err)
			}
			if c := res.Caches[0]; len(c.Open) != 0 || len(c.Differ) != 1 || c.Differ[0].Key != "default/lost" || c.Differ[0].How != journal.CacheMissing {
				t.Errorf("%v\n%s", res, r.JournalText())
			}
		})
	}
}

func arm(t *testing.T, r *rig, words ...string) {
	t.Helper()
	f, err := faults.Parse(words)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Arm(f); err != nil {
		t.Fatal(err)
	}
}
