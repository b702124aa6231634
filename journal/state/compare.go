package state

import (
	"slices"
	"time"

	"informerscope/journal"
)

// seenKept is how many notifications Seen keeps.
const seenKept = 200

// Seen is what the first handler of a pipeline saw: its newest notifications,
// oldest first.
type Seen struct {
	// notices grows at its end only, and is replaced when it is twice as long as
	// what is kept: snapshots share it and see their own length.
	notices []Notice
	shared  uint64 // as in FIFO
	Total   uint64 // since the start
}

// Notice is one call of a handler.
type Notice struct {
	Type      string // journal.OnAdd, OnUpdate or OnDelete
	Key       string
	RV        string
	Tombstone bool
	Seq       uint64 // the event of the call
	Time      time.Time
}

func (s *Seen) add(e *journal.Event) {
	s.Total++
	n := len(s.notices)
	if n == 2*seenKept {
		s.notices = append(make([]Notice, 0, 2*seenKept), s.notices[seenKept:]...)
	} else if n > 0 && s.notices[n-1].Seq <= s.shared {
		s.notices = s.notices[:n:n]
	}
	s.notices = append(s.notices, Notice{e.HandlerStarted().Type, e.Key, e.RV, e.Has(journal.Tombstone), e.Seq, e.Time})
}

// kept are the notices that can be looked at.
func (s *Seen) kept() []Notice { return s.notices[max(0, len(s.notices)-seenKept):] }

// Len is the number of notices kept.
func (s *Seen) Len() int { return len(s.kept()) }

// At returns the i-th notice kept, 0 being the oldest.
func (s *Seen) At(i int) Notice { return s.kept()[i] }

// shareReflector gives the lanes of a compared resource the Reflector that feeds
// them all. Its events bear the name of the base ("pods"), which then is no
// pipeline of its own and is left out. It writes to the resources given, not to
// the slice.
func shareReflector(all []*Resource) []*Resource {
	bases := map[string]*Resource{}
	for _, r := range all {
		if base, _, ok := r.Lane(); ok {
			bases[base] = nil
		}
	}
	if len(bases) == 0 {
		return all
	}
	for _, r := range all {
		if _, ok := bases[r.Name]; ok {
			bases[r.Name] = r
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(r *Resource) bool {
		base, _, ok := r.Lane()
		if shared := bases[base]; ok && shared != nil {
			resyncs := r.Reflector.Resyncs // each lane counts its own
			r.Reflector, r.Flows.Watch = shared.Reflector, shared.Flows.Watch
			r.Reflector.Resyncs = resyncs
		}
		return bases[r.Name] == r
	})
}

// Mark says how a notice of one lane compares with what the other lanes saw.
// Higher marks are worse; a notice has the worst one of all pairs.
type Mark uint8

// The marks.
const (
	// MarkSame: every other lane saw it, after the same things.
	MarkSame Mark = iota
	// MarkPending: another lane has not come so far yet.
	MarkPending
	// MarkAcross: all saw the same of this key, but another lane saw it in
	// another order relative to other keys.
	MarkAcross
	// MarkReordered: another lane saw it in another order among the
	// notifications of this key.
	MarkReordered
	// MarkMissing: another lane did not see it.
	MarkMissing
)

// String says the mark as the screen and the JSON output do.
func (m Mark) String() string {
	return [...]string{"same", "not yet in another lane", "another order across keys", "another order of this key", "not in another lane"}[m]
}

// LaneView is one column of a comparison.
type LaneView struct {
	Lane     string // delta, inorder or atomic
	Resource *Resource
	Notices  []Notice // the newest ones, oldest first; shared, read only
	Marks    []Mark   // of each notice
	Differ   int      // marks above MarkPending among all that is kept
}

// Lanes returns the pipelines that run side by side for base ("pods"), none
// when it is not compared.
func (s *State) Lanes(base string) []*Resource {
	var lanes []*Resource
	for _, r := range s.Resources {
		if b, _, ok := r.Lane(); ok && b == base {
			lanes = append(lanes, r)
		}
	}
	return lanes
}

// Compare marks what the lanes of base saw, and returns the newest n notices of
// each. It looks at what is kept of each lane, and calls nothing missing that
// another lane may have seen before that. Where lanes saw the same it costs some
// microseconds, and up to half a millisecond where they differ from end to end.
func (s *State) Compare(base string, n int) []LaneView {
	lanes := s.Lanes(base)
	views := make([]LaneView, len(lanes))
	for i, r := range lanes {
		_, lane, _ := r.Lane()
		views[i] = LaneView{Lane: lane, Resource: r, Notices: r.Seen.kept()}
		views[i].Marks = make([]Mark, len(views[i].Notices))
	}
	for i := range views {
		for j := i + 1; j < len(views); j++ {
			comparePair(&views[i], &views[j])
		}
	}
	for i := range views {
		v := &views[i]
		for _, m := range v.Marks {
			if m > MarkPending {
				v.Differ++
			}
		}
		from := max(0, len(v.Notices)-n)
		v.Notices, v.Marks = v.Notices[from:], v.Marks[from:]
	}
	return views
}

func (v *LaneView) mark(i int, m Mark) { v.Marks[i] = max(v.Marks[i], m) }

// comparePair aligns the notices of two lanes key by key, marks those that
// found no partner, and then those whose partner has another place among the
// other keys.
func comparePair(a, b *LaneView) {
	partner := make([]int, len(a.Notices)) // of a's notices in b; -1 is none
	for i := range partner {
		partner[i] = -1
	}
	// Usually both end, and begin, in the same way.
	endA, endB := len(a.Notices), len(b.Notices)
	for endA > 0 && endB > 0 && a.Notices[endA-1].equals(&b.Notices[endB-1]) {
		endA, endB = endA-1, endB-1
		partner[endA] = endB
	}
	begin := 0
	for begin < min(endA, endB) && a.Notices[begin].equals(&b.Notices[begin]) {
		partner[begin] = begin
		begin++
	}
	if begin == endA && begin == endB {
		return
	}
	tail := placesByKey(b.Notices, endB, len(b.Notices))
	ofB := placesByKey(b.Notices, begin, endB)
	for key, inA := range placesByKey(a.Notices, begin, endA) {
		comparePlaces(a, b, inA, ofB[key], partner, len(tail[key]) > 0)
		delete(ofB, key)
	}
	for key, inB := range ofB {
		comparePlaces(a, b, nil, inB, partner, len(tail[key]) > 0)
	}
	// Those that keep their order: the longest run of partners that rises.
	var at, to []int
	for i, j := range partner {
		if j >= 0 {
			at, to = append(at, i), append(to, j)
		}
	}
	rises := longestRise(to)
	for x := range at {
		if !rises[x] {
			a.mark(at[x], MarkAcross)
			b.mark(to[x], MarkAcross)
		}
	}
}

// placesByKey are the places of each key in ns[from:to].
func placesByKey(ns []Notice, from, to int) map[string][]int {
	m := map[string][]int{}
	for i := from; i < to; i++ {
		m[ns[i].Key] = append(m[ns[i].Key], i)
	}
	return m
}

// comparePlaces aligns the notices of one key by their longest common
// subsequence. trimmed says that newer ones of this key have found partners.
func comparePlaces(a, b *LaneView, inA, inB, partner []int, trimmed bool) {
	same := func(i, j int) bool { return a.Notices[i].equals(&b.Notices[j]) }
	for len(inA) > 0 && len(inB) > 0 && same(inA[len(inA)-1], inB[len(inB)-1]) {
		partner[inA[len(inA)-1]] = inB[len(inB)-1]
		inA, inB = inA[:len(inA)-1], inB[:len(inB)-1]
		trimmed = true
	}
	for len(inA) > 0 && len(inB) > 0 && same(inA[0], inB[0]) {
		partner[inA[0]] = inB[0]
		inA, inB = inA[1:], inB[1:]
	}
	if len(inA) == 0 && len(inB) == 0 {
		return
	}
	common := commonTable(len(inA), len(inB), func(x, y int) bool { return same(inA[x], inB[y]) })
	var leftA, leftB []int
	tailA, tailB := len(a.Notices), len(b.Notices) // from here on the other has nothing of this key
	x, y := 0, 0
	for x < len(inA) || y < len(inB) {
		switch {
		case x < len(inA) && y < len(inB) && same(inA[x], inB[y]):
			partner[inA[x]] = inB[y]
			x, y = x+1, y+1
		case y == len(inB) || x < len(inA) && common[x+1][y] >= common[x][y+1]:
			leftA = append(leftA, inA[x])
			if y == len(inB) && !trimmed {
				tailA = min(tailA, inA[x])
			}
			x++
		default:
			leftB = append(leftB, inB[y])
			if x == len(inA) && !trimmed {
				tailB = min(tailB, inB[y])
			}
			y++
		}
	}
	for _, i := range leftA {
		a.mark(i, alone(a, b, i, leftB, i >= tailA))
	}
	for _, j := range leftB {
		b.mark(j, alone(b, a, j, leftA, j >= tailB))
	}
}

// commonTable[x][y] is the length of the longest common subsequence of the rest
// from x and the rest from y.
func commonTable(n, m int, same func(x, y int) bool) [][]int {
	t := make([][]int, n+1)
	for x := range t {
		t[x] = make([]int, m+1)
	}
	for x := n - 1; x >= 0; x-- {
		for y := m - 1; y >= 0; y-- {
			if same(x, y) {
				t[x][y] = t[x+1][y+1] + 1
			} else {
				t[x][y] = max(t[x+1][y], t[x][y+1])
			}
		}
	}
	return t
}

// alone is the mark of v's notice i, which has no partner in other. left are
// other's notices of this key without a partner; newer is that other has nothing
// of this key after it.
func alone(v, other *LaneView, i int, left []int, newer bool) Mark {
	n := &v.Notices[i]
	for _, j := range left {
		if n.equals(&other.Notices[j]) {
			return MarkReordered
		}
	}
	seen := other.Notices
	if other.Resource.Seen.Total > uint64(len(seen)) && !n.Time.After(seen[0].Time) {
		return MarkSame // it may have been among those that are no longer kept
	}
	if newer && !other.Resource.settled() {
		return MarkPending
	}
	return MarkMissing
}

func (n *Notice) equals(o *Notice) bool {
	return n.Type == o.Type && n.RV == o.RV && n.Tombstone == o.Tombstone && n.Key == o.Key
}

// settled reports whether no notification is on its way to the handler.
func (r *Resource) settled() bool {
	if r.FIFO.Len() > 0 || r.FIFO.InProcess != "" {
		return false
	}
	return len(r.Listeners) == 0 || r.Listeners[0].Backlog == 0
}

// longestRise marks a longest strictly rising subsequence of s.
func longestRise(s []int) []bool {
	in := make([]bool, len(s))
	var ends []int // ends[k]: place in s of the smallest end of a rise of length k+1
	before := make([]int, len(s))
	for i, v := range s {
		k, _ := slices.BinarySearchFunc(ends, v, func(at, v int) int { return s[at] - v })
		before[i] = -1
		if k > 0 {
			before[i] = ends[k-1]
		}
		if k == len(ends) {
			ends = append(ends, i)
		} else {
			ends[k] = i
		}
	}
	if len(ends) > 0 {
		for i := ends[len(ends)-1]; i >= 0; i = before[i] {
			in[i] = true
		}
	}
	return in
}
