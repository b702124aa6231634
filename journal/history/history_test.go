package history

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	clocktesting "k8s.io/utils/clock/testing"

	"informerscope/internal/testing/soak"
	"informerscope/journal"
	"informerscope/journal/state"
	"informerscope/journal/state/document"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var epoch = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// run is a journal with a fold and keyframes, as a session has them.
type run struct {
	dice    *rand.Rand
	clock   *clocktesting.FakePassiveClock
	journal *journal.Journal
	folder  *state.Folder
	frames  *Keyframes
	events  []journal.Event // all of them
	dumps   [][]byte        // of the live state after each; dumps[0] is before the first
}

func newRun(seed uint64, capacity, every int) *run {
	r := &run{dice: rand.New(rand.NewPCG(seed, 1)), clock: clocktesting.NewFakePassiveClock(epoch), folder: state.New(), frames: NewKeyframes(every)}
	r.journal = journal.New(journal.Options{Capacity: capacity, Clock: r.clock, Fold: func(e *journal.Event) {
		r.folder.Apply(e)
		if r.frames.Due(e.Seq) {
			r.frames.Add(r.folder.Snapshot(journal.View{}), e.Seq-min(e.Seq, uint64(r.journal.Capacity())))
		}
	}})
	start := r.folder.Snapshot(journal.View{})
	r.frames.Add(start, 0)
	r.dumps = append(r.dumps, dump(start))
	return r
}

// live appends n events and notes what the live state is after each.
func (r *run) live(n int) {
	for range n {
		r.append(1)
		r.journal.Locked(func(v journal.View) { r.dumps = append(r.dumps, dump(r.folder.Snapshot(v))) })
	}
}

// append appends n events.
func (r *run) append(n int) {
	for range n {
		r.appendOne()
	}
}

// appendOne appends an event such as pipelines write, of any key at any time.
func (r *run) appendOne() {
	pick := func(words ...string) string { return words[r.dice.IntN(len(words))] }
	key := pick("x/a", "x/b", "y/c", "y/d", "y/e")
	e := journal.Event{Resource: pick("pods", "pods", "leases"), Key: key, RV: fmt.Sprint(r.dice.IntN(1000)), Object: key}
	var raw journal.Raw
	switch r.dice.IntN(12) {
	case 0, 1, 2:
		e.Kind, raw.Type = journal.KindFIFOEnqueued, pick("Added", "Updated", "Deleted")
	case 3:
		e.Kind = journal.KindFIFOPopped
	case 4:
		e.Kind, raw.Name = journal.KindStoreIndexer, "namespace"
	case 5:
		e.Kind, e.Changes = journal.KindStoreAdded, []journal.IndexChange{{Index: "namespace", Value: key[:1], Added: true}}
	case 6:
		e.Kind, e.Changes = journal.KindStoreDeleted, []journal.IndexChange{{Index: "namespace", Value: key[:1]}}
	case 7:
		e.Kind, raw.Type = journal.KindQueueAdded, pick(journal.AddQueued, journal.AddDirty)
	case 8:
		e.Kind, raw.Name = journal.KindQueueGot, "worker-1"
	case 9:
		e.Kind, e.Dur, raw.N = journal.KindQueueAddAfter, time.Second, 1
	case 10:
		e.Kind, raw.Name, raw.Type = journal.KindHandlerStarted, "controller", journal.OnUpdate
	case 11:
		e.Kind, raw.Name = journal.KindReconcileStarted, "worker-1"
	}
	r.clock.SetTime(r.clock.Now().Add(time.Duration(r.dice.IntN(3)) * 7 * time.Millisecond))
	r.journal.Append(e.WithRaw(raw))
	r.events = append(r.events, *r.journal.View().Find(uint64(len(r.events) + 1)))
}

func (r *run) past() (p *Past) {
	r.journal.Locked(func(v journal.View) { p = r.frames.Past(v) })
	return p
}

// dump is all of a state but its journal and the objects.
func dump(s *state.State) []byte { return s.Dump(nil, func(any) uint64 { return 1 }) }

func documentJSON(t *testing.T, s *state.State) string {
	t.Helper()
	b, err := json.Marshal(document.Of(s.WithJournal(journal.View{}), s.Time))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// The state after an event is the same live, gone back to, and folded anew from
// the first event.
func TestStateIsTheSameLiveGoneBackToAndFoldedAnew(t *testing.T) {
	for _, c := range []struct{ events, capacity, every int }{
		{300, 1024, 512}, {400, 1024, 1}, {1600, 1024, 512}, {1600, 1500, 600},
	} {
		t.Run(fmt.Sprintf("%d of %d every %d", c.events, c.capacity, c.every), func(t *testing.T) {
			r := newRun(uint64(c.events), c.capacity, c.every)
			r.live(c.events)
			p := r.past()
			first, last := p.Range()
			if last.Seq != uint64(c.events) || first.Seq == 0 {
				t.Fatalf("%d to %d of %d events", first.Seq, last.Seq, c.events)
			}
			fresh := state.New()
			for n := uint64(1); n <= last.Seq; n++ {
				fresh.Apply(&r.events[n-1])
				anew := fresh.Snapshot(journal.View{})
				if n%uint64(soak.Step(3)) != 0 {
					continue
				}
				if n%8 == 0 && !bytes.Equal(dump(anew), r.dumps[n]) {
					t.Fatalf("folded anew to %d: another state", n)
				}
				back, err := p.At(n)
				var gone *Gone
				if n < first.Seq {
					if !errors.As(err, &gone) || gone.Seq != n || gone.First != first.Seq || gone.Last != last.Seq {
						t.Fatalf("event %d, before the first, %d: %v, %v", n, first.Seq, back, err)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(dump(back), r.dumps[n]) {
					t.Fatalf("back to %d: another state: %s", n, cmp.Diff(documentJSON(t, anew), documentJSON(t, back)))
				}
				if n%16 == 0 && documentJSON(t, anew) != documentJSON(t, back) {
					t.Fatalf("back to %d: another document: %s", n, cmp.Diff(documentJSON(t, anew), documentJSON(t, back)))
				}
				if v := back.Journal; v.Last() != n || v.Dropped() != last.Seq-uint64(r.journal.View().Len()) || back.Seq != n {
					t.Fatalf("back to %d: the journal is %d to %d", n, v.Dropped()+1, v.Last())
				}
			}
			if _, err := p.At(last.Seq + 1); err == nil {
				t.Error("a state after the last event")
			}
			if _, err := p.At(0); err == nil {
				t.Error("a state before the first event")
			}
		})
	}
}

// However much happens, what is kept are the keyframes of the ring, and one can
// go back by most of the ring.
func TestKeyframesFallOffWithTheRing(t *testing.T) {
	for _, every := range []int{512, 600} { // with chunks, and across them
		r := newRun(1, 2048, every)
		for n := range 8_000 {
			r.append(1)
			p := r.past()
			first, last := p.Range()
			if got := len(r.frames.frames); got > 2048/every+2 {
				t.Fatalf("after %d events there are %d keyframes", n+1, got)
			}
			if last.Seq != uint64(n+1) || last.Seq-first.Seq+1 < min(last.Seq, 2048-512-uint64(every)+1) {
				t.Fatalf("after %d events one can go to %d ... %d", n+1, first.Seq, last.Seq)
			}
			if s, err := p.At(first.Seq); err != nil || s.Seq != first.Seq || !s.Time.Equal(first.Time) {
				t.Fatalf("to the first, %d: %v", first.Seq, err)
			}
		}
	}
}

// A Past is not changed by what happens after it, also when all of it has
// fallen off the ring.
func TestPastStaysAsItIs(t *testing.T) {
	r := newRun(2, 1024, 512)
	r.live(1300)
	p := r.past()
	first, last := p.Range()
	r.append(5000)
	if f, l := p.Range(); f != first || l != last {
		t.Errorf("it was %v to %v and is %v to %v", first, last, f, l)
	}
	for n := first.Seq; n <= last.Seq; n++ {
		if s, err := p.At(n); err != nil || !bytes.Equal(dump(s), r.dumps[n]) {
			t.Fatalf("event %d: another state, or %v", n, err)
		}
	}
	if _, err := r.past().At(last.Seq); err == nil {
		t.Error("a new Past still goes there")
	}
}

// Many go back at once, and go on from there, while the pipeline runs.
func TestConcurrentReaders(t *testing.T) {
	r := newRun(3, 2048, 512)
	r.live(1900)
	p, events := r.past(), r.events
	first, last := p.Range()
	var readers, writer sync.WaitGroup
	stop := make(chan struct{})
	writer.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				r.append(1)
			}
		}
	})
	for g := range 4 {
		readers.Go(func() {
			dice := rand.New(rand.NewPCG(uint64(g), 7))
			for range 100 {
				n := first.Seq + dice.Uint64N(last.Seq-first.Seq+1)
				s, err := p.At(n)
				if err != nil || !bytes.Equal(dump(s), r.dumps[n]) {
					t.Errorf("event %d: another state, or %v", n, err)
					return
				}
				on := min(last.Seq, n+dice.Uint64N(50)) // from there, and not from a keyframe
				f := Fold(s, on, journal.View{}, func(yield func(*journal.Event) bool) {
					for m := n + 1; m <= on && yield(&events[m-1]); m++ {
					}
				})
				if !bytes.Equal(dump(f), r.dumps[on]) {
					t.Errorf("from event %d to %d: another state", n, on)
					return
				}
			}
		})
	}
	readers.Wait()
	close(stop)
	writer.Wait()
}

func TestEmptyPast(t *testing.T) {
	p := newRun(4, 1024, 512).past()
	if first, last := p.Range(); first != (Point{}) || last != (Point{}) {
		t.Errorf("%v to %v", first, last)
	}
	for name, ask := range map[string]func() error{
		"At":   func() error { _, err := p.At(1); return err },
		"Seek": func() error { _, err := p.Seek(epoch); return err },
	} {
		if err := ask(); err == nil || err.Error() != "nothing has happened yet" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := p.Scan(t.Context(), 1, 5, func(*journal.Event) bool { t.Error("an event"); return true }); err != nil {
		t.Error(err)
	}
}

func TestGoneSaysWhatIsKept(t *testing.T) {
	r := newRun(5, 1024, 512)
	r.append(2000)
	p := r.past()
	first, last := p.Range()
	_, err := p.At(first.Seq - 1)
	if want := fmt.Sprintf("event %d is not kept: %d to %d are", first.Seq-1, first.Seq, last.Seq); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestSeekFindsTheNewestEventOfATime(t *testing.T) {
	r := newRun(6, 1024, 512)
	r.append(1200)
	p := r.past()
	first, last := p.Range()
	for _, c := range []struct {
		name string
		at   time.Time
		want uint64
	}{
		{"long before", epoch.Add(-time.Hour), first.Seq},
		{"just before the first", first.Time.Add(-1), first.Seq},
		{"the last", last.Time, last.Seq},
		{"long after", last.Time.Add(time.Hour), last.Seq},
	} {
		if got, err := p.Seek(c.at); got != c.want || err != nil {
			t.Errorf("%s: %d, %v; want %d", c.name, got, err, c.want)
		}
	}
	for n := first.Seq; n <= last.Seq; n++ {
		at := r.events[n-1].Time
		want := n
		for want < last.Seq && !r.events[want].Time.After(at) {
			want++ // several bear one time
		}
		for _, late := range []time.Duration{0, time.Millisecond} {
			if got, err := p.Seek(at.Add(late)); got != want || err != nil {
				t.Fatalf("the time of %d and %v: %d, %v; want %d", n, late, got, err, want)
			}
		}
	}
}

func TestScan(t *testing.T) {
	r := newRun(7, 1024, 512)
	r.append(1800)
	p := r.past()
	first, last := p.Range()
	f, l := first.Seq, last.Seq
	span := func(from, to uint64) (ns []uint64) {
		for n := min(from, to); n <= max(from, to); n++ {
			ns = append(ns, n)
		}
		if from > to {
			slices.Reverse(ns)
		}
		return ns
	}
	for _, c := range []struct {
		name     string
		from, to uint64
		want     []uint64
	}{
		{"all", f, l, span(f, l)},
		{"all, backwards", l, f, span(l, f)},
		{"one", f + 3, f + 3, span(f+3, f+3)},
		{"some", f + 3, f + 9, span(f+3, f+9)},
		{"some, backwards", f + 9, f + 3, span(f+9, f+3)},
		{"from before", 0, f + 2, span(f, f+2)},
		{"to after", l - 2, l + 100, span(l-2, l)},
		{"from after, backwards", l + 100, l - 2, span(l, l-2)},
		{"to before, backwards", f + 2, 0, span(f+2, f)},
		{"more than all", 0, l + 1, span(f, l)},
		{"more than all, backwards", l + 1, 0, span(l, f)},
		{"before", 0, f - 1, nil},
		{"after", l + 1, l + 9, nil},
		{"after, backwards", l + 9, l + 1, nil},
		{"just the first", f - 1, f, span(f, f)},
		{"just the last", l, l + 1, span(l, l)},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []uint64
			err := p.Scan(t.Context(), c.from, c.to, func(e *journal.Event) bool {
				if e.Key != r.events[e.Seq-1].Key {
					t.Errorf("event %d is another one", e.Seq)
				}
				got = append(got, e.Seq)
				return true
			})
			if d := cmp.Diff(c.want, got); d != "" || err != nil {
				t.Errorf("%v %s", err, d)
			}
			got = nil
			err = p.Scan(t.Context(), c.from, c.to, func(e *journal.Event) bool {
				got = append(got, e.Seq)
				return len(got) < 2
			})
			if d := cmp.Diff(c.want[:min(2, len(c.want))], got, cmp.Transformer("", func(s []uint64) string { return fmt.Sprint(s) })); d != "" || err != nil {
				t.Errorf("stopped after two: %v %s", err, d)
			}
		})
	}
}

func TestScanEndsWithItsContext(t *testing.T) {
	r := newRun(8, 4096, 512)
	r.append(3000)
	p := r.past()
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Scan(over, 1, 3, func(*journal.Event) bool { t.Error("an event"); return true }); !errors.Is(err, context.Canceled) {
		t.Errorf("begun after its context: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	seen := 0
	err := p.Scan(ctx, 3000, 1, func(e *journal.Event) bool {
		seen++
		cancel()
		return true
	})
	if !errors.Is(err, context.Canceled) || seen > 1100 {
		t.Errorf("%d events, %v", seen, err)
	}
}
