package findings

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"informerscope/journal"
)

// start is when the tests' time begins.
var start = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// run is a Set with a clock: events are applied at times since start.
type run struct {
	*Set
	t   testing.TB
	seq uint64
}

// newRun takes thresholds as a person types them.
func newRun(t testing.TB, thresholds ...string) *run {
	t.Helper()
	th := Default()
	for _, s := range thresholds {
		if err := th.Parse(s); err != nil {
			t.Fatal(err)
		}
	}
	return &run{Set: New(th), t: t}
}

// at applies an event so long after start, and returns its Seq. Resource is pods
// when it is left out.
func (r *run) at(d time.Duration, e journal.Event) uint64 {
	r.seq++
	e.Seq, e.Time = r.seq, start.Add(d)
	if e.Resource == "" {
		e.Resource = "pods"
	}
	r.Apply(&e)
	return r.seq
}

// list is what is found so long after start, without the times.
func (r *run) list(d time.Duration) []Finding {
	fs := r.List(start.Add(d))
	for i := range fs {
		fs[i].Since, fs[i].Last = time.Time{}, time.Time{}
		if slices.Equal(fs[i].Causes, infoOf[fs[i].Kind].Causes) {
			fs[i].Causes = nil // that go without saying
		}
	}
	return fs
}

// wants compares what is found so long after start.
func (r *run) wants(d time.Duration, what string, want ...Finding) {
	r.t.Helper()
	if diff := cmp.Diff(want, r.list(d)); diff != "" {
		r.t.Errorf("%s, at %s (-want +got):\n%s", what, d, diff)
	}
}

// anyEvent draws an event that some detector takes, of few resources, keys and
// names, so that they meet.
func anyEvent(t *rapid.T) journal.Event {
	kinds := []journal.Kind{journal.KindPaused, journal.KindResumed, journal.KindWatchEvent}
	for k, w := range wanted {
		if w != 0 {
			kinds = append(kinds, journal.Kind(k))
		}
	}
	e := journal.Event{
		Kind:     rapid.SampledFrom(kinds).Draw(t, "kind"),
		Resource: rapid.SampledFrom([]string{"pods", "leases@atomic"}).Draw(t, "resource"),
		Key:      rapid.SampledFrom([]string{"a", "b", "shop/c"}).Draw(t, "key"),
		RV:       rapid.SampledFrom([]string{"", "7", "12"}).Draw(t, "rv"),
		Dur:      time.Duration(rapid.SampledFrom([]int{0, 400, 3000}).Draw(t, "ms")) * time.Millisecond,
	}.WithRaw(journal.Raw{Name: rapid.SampledFrom([]string{"controller", "worker-1", "hand"}).Draw(t, "name"), Type: rapid.SampledFrom([]string{"", "ADDED", journal.CacheStale, journal.VerbWatchList}).Draw(t, "type"), M: rapid.Int64Range(0, 2).Draw(t, "m"), N: rapid.Int64Range(0, 2).Draw(t, "n")})
	e.Flags = journal.Flag(rapid.IntRange(0, 255).Draw(t, "flags"))
	return e
}

// low are thresholds that random events reach.
func low() Thresholds {
	t := Default()
	for _, s := range []string{"hot-loop=2/m", "stuck-worker=3s", "requeues-growing=2", "backlog-growing=9s", "backlog-size=2", "relist-storm=1/m",
		"short-watches=1/m", "silent-watch=10s", "never-synced=5s", "resync-flood=2/m", "useless-index=2", "tombstones=2",
		"blind=5s", "watch-cuts=2", "queue-grows=9s", "queue-size=2", "key-waits=3s", "key-overtaken=2", "failing-reconciles=2", "failing-share=1", "hot-loop-writes=2", "panics=2", "early-read=2", "stale-read=2", "costly-list=1", "costly-list-time=3s"} {
		if err := t.Parse(s); err != nil {
			panic(err)
		}
	}
	return t
}

// What is found after some events does not depend on who looked in between, on
// copies that went another way, or on a recording that was begun in the middle.
func TestFoldIsTheSameHoweverItIsLookedAt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		live, replay, read := New(low()), New(low()), New(low())
		at := start
		n := rapid.IntRange(1, 80).Draw(t, "events")
		for i := range n {
			at = at.Add(time.Duration(rapid.IntRange(0, 4000).Draw(t, "ms")) * time.Millisecond)
			e := anyEvent(t)
			e.Seq, e.Time = uint64(i+1), at
			for _, s := range []*Set{live, replay, read} {
				s.Apply(&e)
			}
			switch rapid.IntRange(0, 5).Draw(t, "look") {
			case 0:
				live.List(at.Add(time.Hour))
			case 1:
				other := live.Clone()
				for range 5 {
					e := anyEvent(t)
					e.Seq, e.Time = uint64(i+2), at.Add(time.Minute)
					other.Apply(&e)
				}
			case 2:
				live = live.Clone()
			case 3:
				b, err := json.Marshal(read)
				if err != nil {
					t.Fatal(err)
				}
				read = &Set{}
				if err := json.Unmarshal(b, read); err != nil {
					t.Fatal(err)
				}
			}
		}
		want, _ := json.Marshal(replay)
		for name, s := range map[string]*Set{"live": live, "read": read} {
			got, _ := json.Marshal(s)
			if string(want) != string(got) {
				t.Fatalf("%s differs:\n%s\n%s", name, want, got)
			}
			for _, later := range []time.Duration{0, 20 * time.Second, time.Hour} {
				if diff := cmp.Diff(replay.List(at.Add(later)), s.List(at.Add(later))); diff != "" {
					t.Fatalf("%s lists others:\n%s", name, diff)
				}
			}
		}
	})
}

// A clone keeps what was, whatever is applied to the original.
func TestCloneStays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := New(low())
		at, seq := start, uint64(0)
		step := func(n int) {
			for range n {
				seq++
				at = at.Add(time.Duration(rapid.IntRange(0, 4000).Draw(t, "ms")) * time.Millisecond)
				e := anyEvent(t)
				e.Seq, e.Time = seq, at
				s.Apply(&e)
			}
		}
		step(rapid.IntRange(0, 40).Draw(t, "before"))
		c := s.Clone()
		want, _ := json.Marshal(c)
		step(rapid.IntRange(1, 40).Draw(t, "after"))
		if got, _ := json.Marshal(c); string(got) != string(want) {
			t.Fatalf("the clone changed:\n%s\n%s", want, got)
		}
	})
}

// Raised tells once of each that began.
func TestRaisedTellsOnce(t *testing.T) {
	r := newRun(t, "tombstones=2")
	tombstone := journal.Notified{Listener: "controller", Tombstone: true}.Event("", "shop/a")
	for i, want := range []int{0, 1, 0, 0} {
		r.at(time.Duration(i)*time.Second, tombstone)
		if got := r.Raised(); len(got) != want {
			t.Errorf("tombstone %d raised %v, want %d", i+1, got, want)
		}
	}
	r.at(5*time.Second, journal.WatchEvent{}.Event("", ""))
	if got := r.Raised(); got != nil {
		t.Errorf("another event raised %v", got)
	}
	r.at(2*time.Minute, tombstone)
	if got := r.Raised(); len(got) != 1 || got[0].Count != 4 || got[0].Kind != Tombstones || got[0].Seq != 6 || !got[0].Active {
		t.Errorf("a tombstone after a while raised %v", got)
	}
}

// Pauses do not make anything last longer.
func TestPausesDoNotCount(t *testing.T) {
	r := newRun(t, "stuck-worker=10s")
	r.at(0, journal.QueueGot{Worker: "worker-1"}.Event("", "shop/a"))
	r.at(2*time.Second, journal.Paused{}.Event("", ""))
	r.at(time.Hour, journal.Paused{}.Event("", ""))
	r.wants(2*time.Hour, "while paused")
	r.at(3*time.Hour, journal.Resumed{}.Event("", ""))
	r.wants(3*time.Hour+8*time.Second-1, "before its time")
	r.wants(3*time.Hour+9*time.Second, "after it", Finding{
		Kind: StuckWorker, Resource: "pods", Key: "shop/a", Name: "worker-1", First: 1, Seq: 1, Count: 1, Active: true,
		Text: "shop/a has been in processing of worker-1 for 11s",
	})
}

// Of each kind a bounded number is kept; the rest is counted, and what is over
// makes room.
func TestKindsAreBounded(t *testing.T) {
	r := newRun(t, "requeues-growing=1")
	for i := range kept + 50 {
		r.at(time.Duration(i)*time.Millisecond, journal.QueueAddLimited{}.Event("", strconv.Itoa(i)))
	}
	fs := r.list(time.Second)
	last := fs[0]
	if len(fs) != kept+1 || last.Text != fmt.Sprintf("seen 50 times more, beside the %d that are listed", kept) || last.Count != 50 {
		t.Fatalf("%d findings, the first %v", len(fs), last)
	}
	for i := range kept {
		r.at(2*time.Second, journal.QueueForgotten{}.Event("", strconv.Itoa(i)))
	}
	r.at(4*time.Second, journal.QueueAddLimited{}.Event("", "new"))
	if got := r.Raised(); len(got) != 1 || got[0].Key != "new" {
		t.Errorf("raised %v", got)
	}
}

// What goes on comes first, then the youngest.
func TestListHasAnOrder(t *testing.T) {
	r := newRun(t, "requeues-growing=1")
	for i, key := range []string{"a", "b", "c"} {
		r.at(time.Duration(i)*time.Second, journal.QueueAddLimited{}.Event("", key))
	}
	r.at(4*time.Second, journal.QueueForgotten{}.Event("", "c"))
	var got []string
	for _, f := range r.list(5 * time.Second) {
		got = append(got, fmt.Sprint(f.Key, f.Active))
	}
	if diff := cmp.Diff([]string{"btrue", "atrue", "cfalse"}, got); diff != "" {
		t.Error(diff)
	}
}

// A kind that is off is not looked for.
func TestOff(t *testing.T) {
	r := newRun(t, "tombstones=off", "stuck-worker=off")
	r.at(0, journal.Notified{Listener: "controller", Tombstone: true}.Event("", "shop/a"))
	r.at(0, journal.QueueGot{Worker: "worker-1"}.Event("", "shop/a"))
	r.wants(time.Hour, "off")
}

// Every kind has its texts, and its thresholds exist.
func TestKindsAreExplained(t *testing.T) {
	of := map[string]bool{}
	for _, k := range Kinds() {
		if k.Title == "" || k.Explain == "" || k.Remedy == "" || len(k.Thresholds) == 0 || k.Thresholds[0] != string(k.Kind) {
			t.Errorf("%+v: a title, an explanation, a remedy and thresholds are needed, of which the first has its name", k)
		}
		for _, name := range k.Thresholds {
			of[name] = true
			if thresholdOf(name) == nil {
				t.Errorf("%s: there is no threshold %s", k.Kind, name)
			}
		}
	}
	for _, x := range AllThresholds() {
		if !of[x.Name] {
			t.Errorf("threshold %s is of no kind", x.Name)
		}
	}
}

// A Set of a newer program with other kinds is read as far as it is known.
func TestUnknownKindsAreLeftOut(t *testing.T) {
	s := New(Default())
	in := `{"thresholds":"tombstones=3 newer=7","time":5,"next":9,"kinds":{"newer":{"state":{"x":1}},"tombstones":{"state":null,"found":{}}}}`
	if err := json.Unmarshal([]byte(in), s); err != nil {
		t.Fatal(err)
	}
	if s.Thresholds().Tombstones != 3 || s.Thresholds().StuckWorker != Default().StuckWorker {
		t.Errorf("thresholds %+v", s.Thresholds())
	}
	s.Apply(&journal.Event{Seq: 1, Time: start, Kind: journal.KindNotified, Flags: journal.Tombstone, Resource: "pods"})
	for _, bad := range []string{"", "null1", `{"kinds":{"tombstones":5}}`, `{"thresholds":"tombstones=x"}`} {
		if err := json.Unmarshal([]byte(bad), New(Default())); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}
