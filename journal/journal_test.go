package journal

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fill appends events whose N is their Seq.
func fill(j *Journal, n int) {
	for range n {
		j.Append(QueueAdded{Len: int64(j.seq) + 1}.Event("", ""))
	}
}

// check says what is wrong with a view that should end at last and hold what a
// ring of capacity chunks holds.
func check(v View, last uint64, chunks int) string {
	used := (int(last) + ChunkSize - 1) / ChunkSize // chunks ever begun
	dropped := uint64(max(0, used-chunks) * ChunkSize)
	switch {
	case v.Last() != last:
		return "wrong Last"
	case v.Dropped() != dropped:
		return "wrong Dropped"
	case v.Len() != int(last-dropped):
		return "wrong Len"
	case v.Find(dropped) != nil || v.Find(last+1) != nil || v.Find(0) != nil:
		return "found what is not there"
	}
	for i := range v.Len() {
		e := v.At(i)
		if e.Seq != dropped+uint64(i)+1 || e.Raw().N != int64(e.Seq) || v.Find(e.Seq) != e {
			return "wrong event"
		}
	}
	return ""
}

// A view shows the newest events in order and never changes, whatever is
// appended after it.
func TestViewsOfTheRing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		capacity := rapid.IntRange(1, 4*ChunkSize).Draw(t, "capacity")
		chunks := max(2, (capacity+ChunkSize-1)/ChunkSize)
		j := New(Options{Capacity: capacity})
		type taken struct {
			v    View
			last uint64
		}
		views := []taken{{j.View(), 0}}
		n := uint64(0)
		for _, more := range rapid.SliceOfN(rapid.SampledFrom([]int{0, 1, 3, ChunkSize - 1, ChunkSize, ChunkSize + 1}), 0, 12).Draw(t, "appends") {
			fill(j, more)
			n += uint64(more)
			views = append(views, taken{j.View(), n})
		}
		for _, x := range views {
			if text := check(x.v, x.last, chunks); text != "" {
				t.Fatalf("view at %d: %s: len %d dropped %d last %d", x.last, text, x.v.Len(), x.v.Dropped(), x.v.Last())
			}
		}
	})
}

// Without readers the ring goes round in the memory that it has: of a chunk's
// worth of events, one slice of pointers is all the garbage.
func TestRingWithoutReadersIsReused(t *testing.T) {
	j := New(Options{Capacity: 4 * ChunkSize})
	fill(j, 4*ChunkSize)
	round := func() {
		for range ChunkSize {
			e := j.Begin()
			e.Kind, e.Key = KindQueueAdded, "shop/web"
			j.Commit(e)
		}
	}
	if n := testing.AllocsPerRun(20, round); n > 1 {
		t.Errorf("%v allocations for %d events", n, ChunkSize)
	}
	if e := j.View().At(0); e.Raw().N != 0 || e.Seq != j.View().Dropped()+1 {
		t.Errorf("an old event shows through: %+v", e)
	}
}

func TestDefaultCapacity(t *testing.T) {
	j := New(Options{})
	fill(j, DefaultCapacity+1)
	if v := j.View(); v.Len() < DefaultCapacity-ChunkSize || v.Len() > DefaultCapacity || v.Dropped() != ChunkSize {
		t.Errorf("len %d, dropped %d", v.Len(), v.Dropped())
	}
}

func TestAppendStampsAndFolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var folded []Event
		j := New(Options{Fold: func(e *Event) { folded = append(folded, *e) }})
		start := time.Now()
		for i := range 3 {
			at := j.Append(Event{Kind: KindSynced, Seq: 99, Time: start.Add(time.Hour), Key: "a"})
			if want := start.Add(time.Duration(i) * time.Second); !at.Equal(want) {
				t.Errorf("event %d at %s, want %s", i, at, want)
			}
			time.Sleep(time.Second)
		}
		v := j.View()
		for i := range v.Len() {
			if e, f := v.At(i), folded[i]; e.Seq != uint64(i+1) || f.Seq != e.Seq || f.Time != e.Time || f.Key != "a" {
				t.Errorf("kept %d %s, folded %d %s", e.Seq, e.Time, f.Seq, f.Time)
			}
		}
	})
}

// Under Locked the fold and the view are of the same moment. Run with -race:
// readers walk views while writers append.
func TestLockedFitsTheFold(t *testing.T) {
	sum := int64(0)
	j := New(Options{Capacity: 2 * ChunkSize, Fold: func(e *Event) { sum += e.Raw().N }})
	var writers sync.WaitGroup
	for range 2 {
		writers.Go(func() {
			for range 4 * ChunkSize {
				j.Append(Event{}.WithRaw(Raw{N: 1}))
			}
		})
	}
	for v := (View{}); v.Last() < 8*ChunkSize; {
		j.Locked(func(now View) {
			v = now
			if sum != int64(now.Last()) {
				t.Errorf("fold of %d events, view up to %d", sum, now.Last())
			}
		})
		for i := range v.Len() {
			if e := v.At(i); e.Seq != v.Dropped()+uint64(i)+1 || e.Raw().N != 1 {
				t.Fatalf("event %d of the view is %+v", i, e)
			}
		}
	}
	writers.Wait()
}

// seqs collects what a reader hands out.
func (r *Reader) seqs(ctx context.Context) (seqs []uint64, lost uint64, err error) {
	lost, err = r.Next(ctx, func(e *Event) error {
		seqs = append(seqs, e.Seq)
		return nil
	})
	return seqs, lost, err
}

func TestReaderFollows(t *testing.T) {
	j := New(Options{})
	fill(j, 2)
	r := j.Follow()
	ctx := context.Background()
	if got, lost, err := r.seqs(ctx); !slices.Equal(got, []uint64{1, 2}) || lost != 0 || err != nil {
		t.Fatalf("got %v, lost %d, %v", got, lost, err)
	}
	fill(j, 1)
	if got, lost, err := r.seqs(ctx); !slices.Equal(got, []uint64{3}) || lost != 0 || err != nil {
		t.Fatalf("got %v, lost %d, %v", got, lost, err)
	}
}

func TestReaderSaysWhatItLost(t *testing.T) {
	j := New(Options{Capacity: 2 * ChunkSize})
	r := j.Follow()
	fill(j, 10)
	if got, lost, _ := r.seqs(context.Background()); len(got) != 10 || lost != 0 {
		t.Fatalf("got %d, lost %d", len(got), lost)
	}
	fill(j, 4*ChunkSize) // up to 4 chunks and 10: three begun chunks fell off
	got, lost, err := r.seqs(context.Background())
	if want := uint64(3*ChunkSize - 10); lost != want || err != nil || got[0] != 3*ChunkSize+1 || len(got) != ChunkSize+10 {
		t.Fatalf("lost %d, want %d; %d events from %d; %v", lost, want, len(got), got[0], err)
	}
	if late, lost, _ := j.Follow().seqs(context.Background()); late[0] != got[0] || lost != 3*ChunkSize {
		t.Errorf("a late reader begins at %d and lost %d", late[0], lost)
	}
}

func TestReaderWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := New(Options{})
		ctx, cancel := context.WithCancel(t.Context())
		const readers = 3
		got := make([]int, readers)
		errs := make([]error, readers)
		for i := range readers {
			go func() {
				r := j.Follow()
				for errs[i] == nil {
					_, errs[i] = r.Next(ctx, func(*Event) error { got[i]++; return nil })
				}
			}()
		}
		for n := 1; n <= 5; n++ {
			synctest.Wait()
			fill(j, 1)
			synctest.Wait()
			if !slices.Equal(got, []int{n, n, n}) {
				t.Fatalf("after %d events the readers have %v", n, got)
			}
		}
		cancel()
		synctest.Wait()
		for _, err := range errs {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("reader ended with %v", err)
			}
		}
		// What is there is handed out although the context has ended.
		if seqs, _, err := j.Follow().seqs(ctx); len(seqs) != 5 || err != nil {
			t.Errorf("got %v, %v", seqs, err)
		}
	})
}

func TestReaderStopsAtAnError(t *testing.T) {
	j := New(Options{})
	fill(j, 3)
	r := j.Follow()
	full := errors.New("pipe closed")
	n := 0
	if _, err := r.Next(context.Background(), func(e *Event) error {
		if n++; e.Seq == 2 {
			return full
		}
		return nil
	}); err != full || n != 2 {
		t.Fatalf("%d calls, %v", n, err)
	}
	if got, _, _ := r.seqs(context.Background()); !slices.Equal(got, []uint64{2, 3}) {
		t.Errorf("then %v, want the event that failed and the rest", got)
	}
}

func BenchmarkAppend(b *testing.B) {
	j := New(Options{})
	b.ReportAllocs()
	for b.Loop() {
		j.Append(QueueAdded{Result: AddQueued, Len: 1}.Event("pods", "ns/name"))
	}
}

func BenchmarkAppendJSON(b *testing.B) {
	j := New(Options{})
	j.Append(FIFOEnqueued{Type: "Updated", RV: "905", Deltas: 2, Depth: 3}.Event("pods", "ns/name"))
	e := j.View().At(0)
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = e.AppendJSON(buf[:0])
	}
}

// A recording has no monotonic reading, and its fold is the live one.
func TestTimesHaveNoMonotonicReading(t *testing.T) {
	for name, j := range map[string]*Journal{"real": New(Options{}), "other": New(Options{Clock: stopped{time.Now()}})} {
		j.Append(Event{})
		for range 3 {
			if at := j.Append(Event{}); at != at.Round(0) {
				t.Errorf("%s clock: %v has one", name, at)
			}
		}
	}
}

// stopped is a clock that is not the real one.
type stopped struct{ now time.Time }

func (c stopped) Now() time.Time                  { return c.now }
func (c stopped) Since(t time.Time) time.Duration { return c.now.Sub(t) }

// Large objects push old events out before there are too many.
func TestObjectsThatTakeTooMuchMemoryAreDropped(t *testing.T) {
	j := New(Options{Capacity: 100 * ChunkSize, Bytes: 30 << 20})
	received := map[string]int64{}
	for i := range 40 * ChunkSize {
		resource, size := "pods", int64(1000)
		if i%ChunkSize == 0 {
			resource, size = "leases", 1<<20
		}
		received[resource] += size
		j.Append(WatchEvent{Type: "MODIFIED", ReceivedBytes: received[resource]}.Event(resource, "a"))
	}
	v := j.View()
	perChunk := int64(1<<20+511_000) * expansion
	if kept := int64(v.Len() / ChunkSize); !v.Heavy() || kept*perChunk > 30<<20+perChunk || kept < 30<<20/perChunk-1 {
		t.Errorf("%d chunks are kept, heavy %v", kept, v.Heavy())
	}
	if v.Last() != 40*ChunkSize || v.At(0).Seq != v.Dropped()+1 || v.Find(v.Last()) == nil {
		t.Errorf("%d to %d", v.Dropped()+1, v.Last())
	}
	light := New(Options{Capacity: 4 * ChunkSize})
	fill(light, 9*ChunkSize)
	if light.View().Heavy() {
		t.Error("events without objects are heavy")
	}
}

func TestTextsAreBoundedAndQuoteNoBody(t *testing.T) {
	j := New(Options{})
	j.Append(WatchFailed{Error: `Object 'Kind' is missing in '{"data":{"p":"c2VjcmV0"}}'`}.Event("secrets", ""))
	j.Append(LogLine{Level: "error", Message: strings.Repeat("é", 1<<20)}.Event("", ""))
	if got := j.View().At(0).WatchFailed().Error; got != "Object 'Kind' is missing in '(25 bytes, not shown)'" {
		t.Error(got)
	}
	if got := j.View().At(1).LogLine().Message; len(got) > maxText+50 || !strings.HasSuffix(got, "bytes more)") || !utf8.ValidString(got) {
		t.Errorf("%d bytes: %q", len(got), got[len(got)-40:])
	}
}
