package state_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"informerscope/journal"
	. "informerscope/journal/state"
)

// saw feeds notifications "OnAdd key@rv" to the handler of a lane.
func (f *feeder) saw(lane string, calls ...string) {
	for _, c := range calls {
		typ, rest, _ := strings.Cut(c, " ")
		key, rv, _ := strings.Cut(rest, "@")
		f.feed(
			journal.Notified{Listener: "h", Type: typ, RV: rv}.Event(lane, key),
			journal.HandlerStarted{Listener: "h", Type: typ, RV: rv}.Event(lane, key),
			journal.HandlerDone{Listener: "h", Type: typ}.Event(lane, key),
		)
		f.now = f.now.Add(1)
	}
}

func marksOf(v LaneView) []string {
	var s []string
	for i, n := range v.Notices {
		s = append(s, fmt.Sprintf("%s@%s %d", n.Key, n.RV, v.Marks[i]))
	}
	return s
}

func TestCompareMarksWhatLanesSawDifferently(t *testing.T) {
	const u = "OnUpdate "
	tests := []struct {
		name   string
		a, b   []string
		queued bool // the second lane has a delta queued
		wantA  []string
		wantB  []string
	}{
		{"the same", []string{u + "a@1", u + "b@2"}, []string{u + "a@1", u + "b@2"}, false,
			[]string{"a@1 0", "b@2 0"}, []string{"a@1 0", "b@2 0"}},
		{"E5: the order across keys", []string{u + "a@10", u + "a@12", u + "b@11"}, []string{u + "a@10", u + "b@11", u + "a@12"}, false,
			[]string{"a@10 0", "a@12 2", "b@11 0"}, []string{"a@10 0", "b@11 0", "a@12 2"}},
		{"one sees a DELETED that the other drops", []string{u + "a@1"}, []string{u + "a@1", "OnDelete x@2"}, false,
			[]string{"a@1 0"}, []string{"a@1 0", "x@2 4"}},
		{"another order of one key", []string{u + "a@1", u + "a@2"}, []string{u + "a@2", u + "a@1"}, false,
			[]string{"a@1 3", "a@2 0"}, []string{"a@2 0", "a@1 3"}},
		{"the second lane is behind", []string{u + "a@1", u + "a@2"}, []string{u + "a@1"}, true,
			[]string{"a@1 0", "a@2 1"}, []string{"a@1 0"}},
		{"the second lane is behind, and skipped one", []string{u + "a@1", u + "a@2", u + "a@3"}, []string{u + "a@1", u + "a@3"}, true,
			[]string{"a@1 0", "a@2 4", "a@3 0"}, []string{"a@1 0", "a@3 0"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFeeder()
			f.saw("pods@delta", tt.a...)
			f.saw("pods@atomic", tt.b...)
			if tt.queued {
				f.feed(journal.FIFOEnqueued{Type: "Updated"}.Event("pods@atomic", "a"))
			}
			views := f.Snapshot(journal.View{}).Compare("pods", 10)
			if len(views) != 2 || views[0].Lane != "delta" || views[1].Lane != "atomic" {
				t.Fatalf("lanes %+v", views)
			}
			if d := cmp.Diff(tt.wantA, marksOf(views[0])); d != "" {
				t.Error("delta:", d)
			}
			if d := cmp.Diff(tt.wantB, marksOf(views[1])); d != "" {
				t.Error("atomic:", d)
			}
		})
	}
}

// What a lane no longer keeps is not called missing in it.
func TestCompareForgivesWhatIsNoLongerKept(t *testing.T) {
	f := newFeeder()
	for i := range 3*SeenKept + 7 {
		call := fmt.Sprintf("OnUpdate k%d@%d", i%5, i)
		f.saw("pods@delta", call)
		if i > 2*SeenKept {
			f.saw("pods@inorder", call)
			continue
		}
		f.saw("pods@inorder", call, "OnUpdate extra@"+fmt.Sprint(i))
	}
	before := f.Snapshot(journal.View{})
	views := before.Compare("pods", 50)
	if len(views[0].Notices) != 50 || views[0].Differ != 0 {
		t.Errorf("%d notices, %d differ; want 50 and 0", len(views[0].Notices), views[0].Differ)
	}
	if n := before.Resource("pods@delta").Seen; n.Len() != SeenKept || n.Total != 3*SeenKept+7 {
		t.Errorf("keeps %d of %d", n.Len(), n.Total)
	}
	last := before.Resource("pods@delta").Seen.At(SeenKept - 1)
	for range 3 * SeenKept {
		f.saw("pods@delta", "OnUpdate new@1")
	}
	if got := before.Resource("pods@delta").Seen.At(SeenKept - 1); got != last {
		t.Errorf("an old snapshot changed: %v, was %v", got, last)
	}
}

func TestCompareIsSymmetricAndFindsNothingInEqualLanes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		call := rapid.Custom(func(t *rapid.T) string {
			return fmt.Sprintf("OnUpdate %s@%d", rapid.SampledFrom([]string{"a", "b"}).Draw(t, "key"), rapid.IntRange(0, 3).Draw(t, "rv"))
		})
		a := rapid.SliceOfN(call, 0, 12).Draw(t, "a")
		b := rapid.SliceOfN(call, 0, 12).Draw(t, "b")
		f := newFeeder()
		for _, lane := range []string{"x@delta", "x@inorder"} {
			f.feed(journal.ListenerAdded{Listener: "h"}.Event(lane, ""))
		}
		f.saw("x@delta", a...)
		f.saw("x@inorder", b...)
		v := f.Snapshot(journal.View{}).Compare("x", 100)
		differ := 0
		for _, l := range v {
			differ += l.Differ
		}
		if (differ == 0) != slices.Equal(a, b) {
			t.Fatalf("%v and %v: %d differ", a, b, differ)
		}
	})
}

func TestLanesShareTheReflectorOfTheirBase(t *testing.T) {
	f := newFeeder()
	f.feed(
		journal.FIFODiscipline{Type: journal.DisciplineDelta}.Event("pods@delta", ""),
		journal.WireRequest{Verb: journal.VerbWatchList}.Event("pods", ""),
		journal.FIFODiscipline{Type: journal.DisciplineAtomic}.Event("pods@atomic", ""),
		journal.FIFOResync{}.Event("pods@atomic", ""),
		journal.WireRequest{Verb: journal.VerbList}.Event("nodes", ""),
	)
	s := f.Snapshot(journal.View{})
	var names []string
	for _, r := range s.Resources {
		names = append(names, fmt.Sprint(r.Name, r.Reflector.WatchLists, r.Reflector.Resyncs))
	}
	if d := cmp.Diff([]string{"pods@delta1 0", "pods@atomic1 1", "nodes0 0"}, names); d != "" {
		t.Error(d)
	}
}

func TestRealFIFOFoldKeepsArrivalOrderAndGroups(t *testing.T) {
	f := newFeeder()
	f.feed(
		journal.FIFODiscipline{Type: journal.DisciplineAtomic, Since: "since"}.Event("", ""),
		enqueued("a", "Updated", "1", 0),
		enqueued("b", "Updated", "2", 0),
		enqueued("a", "Deleted", "3", 0),
		enqueued("a", "Deleted", "3", 0),
		journal.FIFOEnqueued{Type: "ReplacedAll", RV: "4", Deltas: 2}.Event("", "").With([]any{1, 2}, nil),
		journal.FIFOEnqueued{Type: "Bookmark", RV: "5", Deltas: 1}.Event("", ""),
	)
	r := f.pods()
	text := func(q *FIFO) string {
		var s []string
		for i := range q.Items() {
			x := q.ItemAt(i)
			s = append(s, fmt.Sprintf("%s:%s@%s", x.Key, x.Delta.Type, x.Delta.RV))
		}
		s = append(s, "|")
		for i := range q.Depth() {
			k := q.At(i)
			s = append(s, fmt.Sprintf("%s%d", k.Key, len(k.Deltas)))
		}
		return strings.Join(s, " ")
	}
	if got, want := text(&r.FIFO), "a:Updated@1 b:Updated@2 a:Deleted@3 a:Deleted@3 :ReplacedAll@4 :Bookmark@5 | a3 b1 1 1"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if r.FIFO.Len() != 6 || r.FIFO.ItemAt(4).Delta.Items != 2 || r.FIFO.Deltas() != 6 || shown(r, epoch).DeltaFIFO.Depth != 6 {
		t.Errorf("length %d, objects %d, deltas %d", r.FIFO.Len(), r.FIFO.ItemAt(4).Delta.Items, r.FIFO.Deltas())
	}
	steps := []struct{ key, want, process string }{
		{"a", "b:Updated@2 a:Deleted@3 a:Deleted@3 :ReplacedAll@4 :Bookmark@5 | b1 a2 1 1", "a"},
		{"b", "a:Deleted@3 a:Deleted@3 :ReplacedAll@4 :Bookmark@5 | a2 1 1", "b"},
		{"a", "a:Deleted@3 :ReplacedAll@4 :Bookmark@5 | a1 1 1", "a"},
		{"a", ":ReplacedAll@4 :Bookmark@5 | 1 1", "a"},
		{"", ":Bookmark@5 | 1", "ReplacedAll"},
		{"", "|", "Bookmark"},
	}
	for _, s := range steps {
		f.feed(journal.FIFOPopped{Deltas: 1}.Event("", s.key))
		q := &f.pods().FIFO
		if got := text(q); got != s.want || q.InProcess != s.process {
			t.Errorf("pop %q: got  %s, in process %q\nwant %s, %q", s.key, got, q.InProcess, s.want, s.process)
		}
	}
	if got := text(&r.FIFO); !strings.HasPrefix(got, "a:Updated@1") {
		t.Errorf("an old snapshot changed: %s", got)
	}
	if got := f.pods().FIFO.Recent(); len(got) != RecentPops || got[0].Deltas[0].RV != "5" {
		t.Errorf("recent %+v", got)
	}
}

func BenchmarkCompareThreeLanes(b *testing.B) {
	for _, differ := range []bool{false, true} {
		b.Run(fmt.Sprintf("differ=%v", differ), func(b *testing.B) {
			f := newFeeder()
			for i := range SeenKept {
				for l, lane := range []string{"x@delta", "x@inorder", "x@atomic"} {
					if differ && i%20 == 0 {
						f.saw(lane, fmt.Sprintf("OnUpdate k%d@%d", l, i))
					}
					f.saw(lane, fmt.Sprintf("OnUpdate k%d@%d", i%20, i))
				}
			}
			s := f.Snapshot(journal.View{})
			for b.Loop() {
				s.Compare("x", 50)
			}
		})
	}
}
