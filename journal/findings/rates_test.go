package findings

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"informerscope/journal"
)

// A rate counts no more than the last minute saw, and no less than 55 seconds.
func TestRateIsOfAMinute(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r rate
		var at []int64
		now := start.UnixNano()
		for range rapid.IntRange(0, 60).Draw(t, "adds") {
			now += int64(rapid.IntRange(0, 20_000).Draw(t, "ms")) * int64(time.Millisecond)
			r.add(now, 1)
			at = append(at, now)
			if rapid.IntRange(0, 3).Draw(t, "ask") > 0 {
				continue
			}
			ask := now + int64(rapid.IntRange(0, 70_000).Draw(t, "later"))*int64(time.Millisecond)
			most, least := 0, 0
			for _, x := range at {
				if ask-x < 60e9 {
					most++
				}
				if ask-x < 55e9 {
					least++
				}
			}
			if n := r.count(ask); n < least || n > most {
				t.Fatalf("%d, want %d to %d", n, least, most)
			}
		}
	})
}

func TestRelistStorm(t *testing.T) {
	r := newRun(t, "relist-storm=2/m", "blind=off")
	relist := func(at time.Duration, resource string) {
		r.at(at, journal.RelistRequested{Reason: fmt.Sprintf("reason %d", r.seq+1)}.Event(resource, ""))
		r.at(at, journal.ListDone{Items: 3, More: true}.Event(resource, ""))
		r.at(at, journal.ListDone{Items: 5}.Event(resource, ""))
	}
	relist(0, "pods")
	relist(time.Second, "leases")
	relist(20*time.Second, "pods")
	r.wants(20*time.Second, "two of pods")
	for range 5 { // that bring nothing
		r.at(30*time.Second, journal.RelistRequested{Reason: "refused"}.Event("pods", ""))
		r.at(30*time.Second, journal.ListFailed{Error: "401"}.Event("pods", ""))
	}
	r.wants(30*time.Second, "lists that fail")
	relist(50*time.Second, "pods")
	storm := Finding{Kind: RelistStorm, Resource: "pods", First: 20, Seq: 20, Count: 1, Active: true,
		Text: "pods were listed again 3 times within a minute, last for: reason 20"}
	r.wants(50*time.Second, "three", storm)
	storm.Active = false
	r.wants(70*time.Second, "when the first is a minute old", storm)
	relist(3*time.Minute, "pods")
	r.wants(3*time.Minute, "one more, much later", storm)
}

// What client-go's backoff leaves of relists, one or two a minute, is found by the
// default, and a rolling upgrade of three servers is not.
func TestRelistStormByDefault(t *testing.T) {
	for every, want := range map[time.Duration]int{50 * time.Second: 1, 3 * time.Minute: 0} {
		r := newRun(t, "blind=off")
		for i := range 12 {
			at := time.Duration(i) * every
			r.at(at, journal.RelistRequested{Reason: "410 Expired"}.Event("pods", ""))
			r.at(at, journal.ListDone{Items: 5}.Event("pods", ""))
		}
		if got := r.list(11 * every); len(got) != want {
			t.Errorf("every %v: %v", every, got)
		} else if want == 1 && (got[0].Text != "pods were listed again 12 times within 10m, last for: 410 Expired" || got[0].Causes[0].Sign != "the server answers 410 Expired") {
			t.Errorf("%+v", got[0])
		}
	}
}

func TestShortWatches(t *testing.T) {
	r := newRun(t, "short-watches=1/m", "short-watch-length=500ms")
	ended := func(at, open time.Duration) {
		r.at(at, journal.WatchEnded{Events: 5, Took: open}.Event("", ""))
	}
	ended(0, 499*time.Millisecond)
	ended(time.Second, 500*time.Millisecond)
	ended(2*time.Second, time.Minute)
	r.wants(2*time.Second, "one short one")
	ended(3*time.Second, 0)
	short := Finding{Kind: ShortWatches, Resource: "pods", First: 4, Seq: 4, Count: 1, Active: true,
		Text: "2 watches of pods closed at once within a minute, the last one after 0s"}
	r.wants(3*time.Second, "two", short)
	short.Active = false
	r.wants(2*time.Minute, "later", short)
}

func TestTombstones(t *testing.T) {
	r := newRun(t, "tombstones=2")
	notified := func(at time.Duration, listener, key string, f journal.Flag) {
		r.at(at, journal.Event{Kind: journal.KindNotified, Key: key, Flags: f}.WithRaw(journal.Raw{Name: listener, Type: journal.OnDelete}))
	}
	notified(0, "controller", "a", journal.Tombstone)
	notified(0, "audit", "a", journal.Tombstone) // the same one
	notified(0, "controller", "b", 0)
	r.wants(0, "one tombstone, and one delete")
	notified(time.Second, "controller", "c", journal.Tombstone)
	two := Finding{Kind: Tombstones, Resource: "pods", First: 4, Seq: 4, Count: 1, Active: true,
		Text: "OnDelete got a tombstone (DeletedFinalStateUnknown) 2 times, last for c"}
	r.wants(time.Second, "two", two)
	r.at(2*time.Second, journal.ListenerRemoved{Listener: "controller"}.Event("", ""))
	notified(3*time.Second, "audit", "d", journal.Tombstone)
	two.Seq, two.Count, two.Text = 6, 2, "OnDelete got a tombstone (DeletedFinalStateUnknown) 3 times, last for d"
	r.wants(3*time.Second, "the other listener goes on", two)
	two.Active = false
	r.wants(63*time.Second, "a minute later", two)
}
