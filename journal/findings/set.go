package findings

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"sync"
	"time"

	"informerscope/journal"
)

// Set is the fold: what looks wrong after the events applied so far. Apply is
// for one goroutine, or under a lock; a Set to which nothing is applied any more
// is safe for concurrent readers and Clone.
type Set struct {
	mu sync.Mutex // for Clone: to copy a map writes to it

	thresholds Thresholds
	on         uint32 // a bit for each kind that is looked for

	time   int64 // wall time of the newest event
	paused int64 // since when; 0 is not
	rested int64 // how long the pauses took that are over
	fake   bool  // only steps move the clock
	next   int64 // running time at which ripen is due

	found  []found // by kind, as the table kinds has them
	raised []raisedID
}

// found is what there is of one kind. In JSON it is all that a recording needs to
// go on.
type found struct {
	Detector   detector      `json:"state"`
	Records    byKey[record] `json:"found"`
	Raised     int           `json:"raised,omitempty"`     // how often one began
	Missed     int           `json:"missed,omitempty"`     // evidence for which there was no room
	MissedLast int64         `json:"missedLast,omitempty"` // the newest of these
	Swept      int64         `json:"swept,omitempty"`      // when room was made last
}

type raisedID struct {
	kind int
	id   string
}

// New returns an empty Set. The zero Thresholds are the defaults.
func New(t Thresholds) *Set {
	if t == (Thresholds{}) {
		t = Default()
	}
	s := &Set{thresholds: t, on: onOf(t), next: never, found: make([]found, len(kinds))}
	for i := range kinds {
		if kinds[i].detector != nil {
			s.found[i].Detector = kinds[i].detector()
		}
	}
	return s
}

// onOf has a bit for each kind that is looked for by t.
func onOf(t Thresholds) (on uint32) {
	for i := range kinds {
		if kinds[i].detector != nil && !t.Off(kinds[i].Kind) {
			on |= 1 << i
		}
	}
	return on
}

// Thresholds are those that the Set judges by.
func (s *Set) Thresholds() Thresholds {
	if s == nil { // of a state that is not one of a fold
		return Default()
	}
	return s.thresholds
}

// Clone returns a Set that goes on from here; neither sees what is applied to the
// other. It costs nothing for each key.
func (s *Set) Clone() *Set {
	if s == nil {
		return New(Thresholds{})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &Set{thresholds: s.thresholds, on: s.on, time: s.time, paused: s.paused, rested: s.rested, fake: s.fake, next: s.next}
	c.found, c.raised = slices.Clone(s.found), slices.Clone(s.raised)
	for i := range c.found {
		if f := &c.found[i]; f.Detector != nil {
			f.Detector, f.Records = f.Detector.clone(), s.found[i].Records.clone()
		}
	}
	return c
}

// Apply folds one event.
func (s *Set) Apply(e *journal.Event) {
	now := e.Time.UnixNano()
	if len(s.raised) > 0 {
		s.raised = s.raised[:0]
	}
	s.time = now
	if e.Kind == journal.KindClockFake {
		s.fake = true
	}
	if e.Kind == journal.KindPaused || e.Kind == journal.KindResumed {
		s.pause(e.Kind == journal.KindPaused, now)
	}
	if s.next != never && s.runAt(now) >= s.next {
		s.ripen(now)
	}
	todo := wanted[e.Kind] & s.on
	if todo == 0 || e.Resource == "" {
		return
	}
	f := s.at(now)
	for ; todo != 0; todo &= todo - 1 {
		f.kind = bits.TrailingZeros32(todo)
		s.found[f.kind].Detector.apply(&f, e)
	}
}

// at is what detectors are called with at a wall time.
func (s *Set) at(now int64) fold {
	f := fold{Set: s, now: now, run: s.runAt(now)}
	if !s.fake {
		f.wire = f.run
	}
	return f
}

// pause stops the running time, or lets it go on.
func (s *Set) pause(on bool, now int64) {
	switch {
	case on && s.paused == 0:
		s.paused = now
	case !on && s.paused != 0:
		s.rested += now - s.paused
		s.paused = 0
	}
}

// runAt is the running time at a wall time.
func (s *Set) runAt(now int64) int64 {
	if s.paused != 0 {
		now = s.paused
	}
	return now - s.rested
}

func (s *Set) ripen(now int64) {
	s.next = never
	f := s.at(now)
	for todo := s.on; todo != 0; todo &= todo - 1 {
		f.kind = bits.TrailingZeros32(todo)
		s.next = min(s.next, s.found[f.kind].Detector.ripen(&f))
	}
}

// Raised are the findings that began with the last Apply. Those that only time
// brings about begin with the first event after it.
func (s *Set) Raised() []Finding {
	if len(s.raised) == 0 {
		return nil
	}
	var fs []Finding
	f := s.at(s.time)
	for _, r := range s.raised {
		if x, ok := s.found[r.kind].Records.get(r.id); ok {
			f.kind = r.kind
			fs = append(fs, f.finding(&x))
		}
	}
	return fs
}

func (f *fold) finding(r *record) Finding {
	d := f.found[f.kind].Detector
	x := r.finding(kinds[f.kind].Kind, d.text(f, r), d.active(f, r))
	if c, ok := d.(causer); ok {
		x.Causes = c.causes(f, r)
	}
	if x.Causes == nil {
		x.Causes = kinds[f.kind].Causes
	}
	return x
}

// few findings about one resource stay apart, though they have one cause.
const few = 3

// list has the findings of one kind, those of one cause as one.
func (f *fold) list() (fs []Finding) {
	k := &f.found[f.kind]
	j, joins := k.Detector.(joiner)
	together := map[string][]*record{}
	k.Records.scan(func(_ string, r *record) {
		cause := ""
		if joins && k.Detector.active(f, r) {
			cause = j.cause(f, r)
		}
		if cause == "" {
			fs = append(fs, f.finding(r))
			return
		}
		together[cause] = append(together[cause], r)
	})
	for _, cause := range slices.Sorted(maps.Keys(together)) {
		rs := together[cause]
		if len(rs) <= few && rs[0].Resource == rs[len(rs)-1].Resource {
			for _, r := range rs {
				fs = append(fs, f.finding(r))
			}
			continue
		}
		fs = append(fs, f.joined(j, rs))
	}
	return fs
}

// joined is the finding of records with one cause.
func (f *fold) joined(j joiner, rs []*record) Finding {
	x := f.finding(rs[0])
	if len(rs) == 1 {
		return x
	}
	x.Text = j.joint(f, rs)
	x.Count = 0
	for _, r := range rs {
		x.Count += r.Count
		if !slices.Contains(x.Resources, r.Resource) {
			x.Resources = append(x.Resources, r.Resource)
		}
		if r.Key != x.Key {
			x.Key = ""
		}
		if r.Name != x.Name {
			x.Name = ""
		}
		if since := time.Unix(0, r.Since); since.Before(x.Since) {
			x.First, x.Since = r.First, since
		}
		if last := time.Unix(0, r.Last); last.After(x.Last) {
			x.Seq, x.Last = r.Seq, last
		}
	}
	if len(x.Resources) == 1 {
		x.Resources = nil
	} else {
		x.Resource = ""
	}
	return x
}

// List is what was found until now: first what is active, in each part the
// youngest first. Of each kind there is a bounded number; one more then says how
// much is not listed.
func (s *Set) List(now time.Time) []Finding {
	if s == nil { // of a state that is not one of a fold
		return nil
	}
	at := max(now.UnixNano(), s.time)
	if s.next != never && s.runAt(at) >= s.next {
		s = s.Clone() // what time has brought about is not of the fold before the next event
		s.ripen(at)
	}
	var fs []Finding
	f := s.at(at)
	for i := range s.found {
		k := &s.found[i]
		if s.on&(1<<i) == 0 {
			continue
		}
		f.kind = i
		fs = append(fs, f.list()...)
		if k.Missed > 0 {
			last := time.Unix(0, k.MissedLast)
			fs = append(fs, Finding{
				Kind: kinds[i].Kind, Since: last, Last: last, Count: k.Missed, Active: at-k.MissedLast < recent,
				Text: fmt.Sprintf("seen %s more, beside the %d that are listed", times(k.Missed), kept),
			})
		}
	}
	slices.SortStableFunc(fs, func(a, b Finding) int {
		if a.Active != b.Active {
			if a.Active {
				return -1
			}
			return 1
		}
		return cmp.Or(b.Since.Compare(a.Since), cmp.Compare(b.First, a.First))
	})
	return fs
}

// Due is when time alone may bring about a finding that there is not at now, after
// the events so far; zero is never.
func (s *Set) Due(now time.Time) (at time.Time) {
	if s == nil || s.next == never || s.paused != 0 {
		return at
	}
	if ns := max(now.UnixNano(), s.time); s.runAt(ns) >= s.next {
		s = s.Clone()
		if s.ripen(ns); s.next == never {
			return at
		}
	}
	return time.Unix(0, s.next+s.rested)
}

// Count is how many findings List has that are active.
func (s *Set) Count(now time.Time) (active int) {
	for _, f := range s.List(now) {
		if f.Active {
			active++
		}
	}
	return active
}

// setJSON is a Set as JSON.
type setJSON struct {
	Thresholds Thresholds               `json:"thresholds"`
	Time       int64                    `json:"time"`
	Paused     int64                    `json:"paused,omitempty"`
	Rested     int64                    `json:"rested,omitempty"`
	Fake       bool                     `json:"fake,omitempty"`
	Next       int64                    `json:"next"`
	Kinds      map[Kind]json.RawMessage `json:"kinds"`
}

// MarshalJSON is all that UnmarshalJSON needs to go on from here. Equal Sets give
// equal bytes.
func (s *Set) MarshalJSON() ([]byte, error) {
	out := setJSON{s.thresholds, s.time, s.paused, s.rested, s.fake, s.next, map[Kind]json.RawMessage{}}
	for i := range s.found {
		if s.found[i].Detector == nil {
			continue
		}
		b, err := json.Marshal(&s.found[i])
		if err != nil {
			return nil, fmt.Errorf("findings of kind %s: %w", kinds[i].Kind, err)
		}
		out.Kinds[kinds[i].Kind] = b
	}
	return json.Marshal(out)
}

// UnmarshalJSON makes s the Set that was marshalled. Kinds that this program does
// not know are left out, and those that the other did not know start anew.
func (s *Set) UnmarshalJSON(data []byte) error {
	var in setJSON
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	n := New(in.Thresholds)
	n.time, n.paused, n.rested, n.fake, n.next = in.Time, in.Paused, in.Rested, in.Fake, in.Next
	for i := range kinds {
		if b := in.Kinds[kinds[i].Kind]; b != nil && n.found[i].Detector != nil {
			if err := json.Unmarshal(b, &n.found[i]); err != nil {
				return fmt.Errorf("findings of kind %s: %w", kinds[i].Kind, err)
			}
			if n.found[i].Detector == nil { // "state":null
				n.found[i].Detector = kinds[i].detector()
			}
		}
	}
	s.thresholds, s.on, s.time, s.paused, s.rested, s.fake, s.next, s.found, s.raised = n.thresholds, n.on, n.time, n.paused, n.rested, n.fake, n.next, n.found, nil
	return nil
}

// times says n in words.
func times(n int) string {
	if n == 1 {
		return "once"
	}
	return strconv.Itoa(n) + " times"
}
