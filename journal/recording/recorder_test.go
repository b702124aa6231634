package recording

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"informerscope/journal"
	"informerscope/journal/state/document"
)

// fullDisk is a directory on a file system of its own that has room for size
// bytes.
func fullDisk(t *testing.T, size int) string {
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, fmt.Sprint("size=", size)); err != nil {
		t.Skipf("no file system to fill: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, 0) })
	return dir
}

// A full disk ends the recording, and what was written opens.
func TestAFullDiskEndsTheRecordingOnly(t *testing.T) {
	path := filepath.Join(fullDisk(t, 256<<10), "a.rec")
	s := newSource(journal.Options{})
	stopped := make(chan error, 1)
	r := begin(t, s, Options{Path: path, OnStop: func(_ Stats, err error) { stopped <- err }})
	defer r.Stop()
	ended := func() bool {
		select {
		case <-r.Done():
			return true
		default:
			return false
		}
	}
	for i := 0; !ended(); i++ {
		s.life(fmt.Sprint("w", i%5000), i)
		for s.journal.View().Last()-r.Stats().Seq > 10_000 && !ended() {
			runtime.Gosched() // more would leave the ring before it is written
		}
	}
	err := <-stopped
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "the recording has stopped: ") || !strings.Contains(err.Error(), path) {
		t.Errorf("stopped by: %v", err)
	}
	if got := r.Stop(); got != err {
		t.Errorf("Stop says %v", got)
	}
	e := lastOf(s, journal.KindRecordingStopped)
	if e == nil {
		t.Fatal("the journal does not say that it stopped")
	}
	if x := e.RecordingStopped(); x.File != path || x.Why != err.Error() || x.Events == 0 || x.Bytes == 0 {
		t.Errorf("the journal has %+v", e)
	}
	f := reopen(t, path)
	_, last := f.Range()
	if last.Seq == 0 || !strings.Contains(f.Lost(), "was not closed") || strings.Contains(f.Lost(), "cut") {
		t.Errorf("%d events, lost %q", last.Seq, f.Lost())
	}
	if _, err := f.Verify(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

func lastOf(s *source, k journal.Kind) (last *journal.Event) {
	for v, i := s.journal.View(), 0; i < v.Len(); i++ {
		if e := v.At(i); e.Kind == k {
			last = e
		}
	}
	return last
}

// failing is a disk on which only so many bytes can be written.
type failing struct {
	to   io.Writer
	left int
}

func (f *failing) Write(b []byte) (int, error) {
	n := min(len(b), f.left)
	f.to.Write(b[:n])
	f.left -= n
	if n < len(b) {
		return n, syscall.EPIPE
	}
	return n, nil
}

// Half a frame does not stay.
func TestAFailedWriteLeavesWholeFrames(t *testing.T) {
	for _, room := range []int{1, 30, 2000} {
		path := filepath.Join(t.TempDir(), "a.rec")
		s := newSource(journal.Options{})
		o := Options{Path: path, Source: s}.complete()
		p, err := create(o)
		if err != nil {
			t.Fatal(err)
		}
		w := newWriter(o, p)
		if err := w.begin(); err != nil {
			t.Fatal(err)
		}
		p.to = &failing{p.file, room}
		for i := 0; err == nil; i++ {
			s.life("w", i)
			if err = w.take(s.journal.View()); err == nil {
				err = w.flush()
			}
		}
		p.abandon()
		if info, err := os.Stat(path); err != nil || info.Size() != p.size {
			t.Errorf("room for %d: %d bytes, want %d", room, info.Size(), p.size)
		}
		if f := reopen(t, path); strings.Contains(f.Lost(), "cut") {
			t.Errorf("room for %d: %s", room, f.Lost())
		}
	}
}

func TestNoFileIsOverwritten(t *testing.T) {
	dir := t.TempDir()
	s := newSource(journal.Options{})
	there := filepath.Join(dir, "there")
	if err := os.WriteFile(there, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "nowhere"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.1"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, o := range map[string]Options{
		"there: it exists":        {Path: there},
		"link: it exists":         {Path: filepath.Join(dir, "link")},
		"a.1 exists":              {Path: filepath.Join(dir, "a"), MaxSize: MinSize},
		"too small":               {Path: filepath.Join(dir, "b"), MaxSize: 1000},
		"no such file":            {Path: filepath.Join(dir, "no", "b")},
		"record: no file is name": {},
	} {
		o.Source = s
		if r, err := Record(t.Context(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
			if r != nil {
				r.Stop()
			}
		}
	}
	if b, _ := os.ReadFile(there); string(b) != "mine" {
		t.Errorf("the file is %q", b)
	}
	if n := s.journal.View().Len(); n != 0 {
		t.Errorf("%d events were written", n)
	}
}

// A session that runs for long fills two parts, both of which open alone.
func TestRotation(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.rec")
	const most = 2 << 20
	s := newSource(journal.Options{})
	r := begin(t, s, Options{Path: path, MaxSize: most})
	size := func(p string) int64 {
		info, err := os.Stat(p)
		if err != nil {
			return 0
		}
		return info.Size()
	}
	for i, left := 0, 1000; left > 0; i++ {
		s.life(fmt.Sprint("w", i%2000), i)
		if r.Stats().Parts == 4 {
			left--
		}
		if i%100 == 0 {
			if n := size(path) + size(before(path)); n > most {
				t.Fatalf("%d bytes, at most %d were to be", n, most)
			}
			for s.journal.View().Last()-r.Stats().Seq > 4_000 {
				select {
				case <-r.Done():
					t.Fatal(r.Stop())
				case <-time.After(time.Millisecond):
				}
			}
		}
	}
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	a, b := reopen(t, before(path)), reopen(t, path)
	_, end := a.Range()
	first, last := b.Range()
	if end.Seq == 0 || first.Seq != end.Seq+1 || last.Seq != s.journal.View().Last()-1 {
		t.Errorf("the parts have ...%d and %d...%d", end.Seq, first.Seq, last.Seq)
	}
	if got := b.Header().Part; got != r.Stats().Parts || a.Header().Part != got-1 {
		t.Errorf("parts %d and %d", a.Header().Part, got)
	}
	for _, f := range []*File{a, b} {
		if f.Lost() != "" {
			t.Error(f.Lost())
		}
		v, err := f.Verify(t.Context(), nil)
		if err != nil || v.Checkpoints == 0 {
			t.Errorf("%+v %v", v, err)
		}
	}
	st, err := b.At(last.Seq)
	if err != nil {
		t.Fatal(err)
	}
	objects(t, st, 2000)
	if len(mustGlob(t, path+"*")) != 2 {
		t.Errorf("files %q", mustGlob(t, path+"*"))
	}
}

// However much has happened when the recorder looks, no part becomes larger than
// its half, and what there is no room for is told.
func TestMaxSizeHoldsWhenMuchHasHappened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.rec")
	s := newSource(journal.Options{Capacity: 1 << 20})
	o := Options{Path: path, Source: s, MaxSize: MinSize}.complete()
	p, err := create(o)
	if err != nil {
		t.Fatal(err)
	}
	w := newWriter(o, p)
	if err := w.begin(); err != nil {
		t.Fatal(err)
	}
	many := func(n int) {
		r := rand.New(rand.NewPCG(1, uint64(n)))
		for i := range n {
			s.life(fmt.Sprintf("w%x", r.Uint64N(200)), i)
		}
	}
	many(10_000)
	if err := w.take(s.journal.View()); err != nil {
		t.Fatal(err)
	}
	if err := w.attend(o.Clock.Now()); err != nil {
		t.Fatal(err)
	}
	many(10_000)
	if err := w.end(); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{before(path), path} {
		f := reopen(t, name)
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() > MinSize/2 || info.Size() < MinSize/4 && i == 0 {
			t.Errorf("%s has %d bytes", name, info.Size())
		}
		if v, err := f.Verify(t.Context(), nil); err != nil {
			t.Errorf("%s: %+v %v", name, v, err)
		}
		if i == 0 && !strings.Contains(f.Lost(), "came faster than they could be written") {
			t.Errorf("%s: lost %q", name, f.Lost())
		}
	}
	if total := uint64(s.journal.View().Last()); w.events+w.lost != total || w.lost == 0 {
		t.Errorf("%d events and %d lost, of %d", w.events, w.lost, total)
	}
}

func mustGlob(t *testing.T, pattern string) []string {
	names, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// A recording that begins when events have fallen off begins with the state.
func TestARecordingBegunLateHasTheStateBefore(t *testing.T) {
	s := newSource(journal.Options{Capacity: 1024})
	for i := range 500 {
		s.life(fmt.Sprint("w", i%40), i)
	}
	r := begin(t, s, Options{})
	for i := range 200 {
		s.life(fmt.Sprint("w", i%10), 1000+i)
		if i%20 == 0 {
			wait(t, s, r)
		}
	}
	want := s.Snapshot()
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	f := reopen(t, r.Stats().Path)
	first, _ := f.Range()
	if first.Seq <= 6501 || f.Lost() != "" {
		t.Errorf("it begins with event %d, lost %q", first.Seq, f.Lost())
	}
	got, err := f.At(want.Seq)
	if err != nil {
		t.Fatal(err)
	}
	g, w := document.Of(got, got.Time), document.Of(want, want.Time)
	g.Journal = w.Journal
	if string(asJSON(g)) != string(asJSON(w)) {
		t.Errorf("%s\nwant\n%s", asJSON(g), asJSON(w))
	}
	objects(t, got, 40)
	if _, err := f.At(first.Seq - 1); err != nil {
		t.Errorf("the state it begins with: %v", err)
	}
	if _, err := f.At(first.Seq - 2); err == nil || !strings.Contains(err.Error(), "is not kept") {
		t.Errorf("before it: %v", err)
	}
}

// wait waits until the recorder has all events.
func wait(t *testing.T, s *source, r *Recorder) {
	for s.journal.View().Last() > r.Stats().Seq {
		select {
		case <-r.Done():
			t.Fatal(r.Stop())
		case <-time.After(time.Millisecond):
		}
	}
}

// When the ring turns faster than events are taken, the file says what is
// missing and goes on with the state then.
func TestEventsThatFellOffAreToldOf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSource(journal.Options{Capacity: 1024})
		r := begin(t, s, Options{})
		s.life("a", 1)
		time.Sleep(time.Second)
		for i := range 300 { // at once, while nobody looks
			s.life(fmt.Sprint("w", i%40), i)
		}
		time.Sleep(time.Second)
		s.life("b", 1)
		want := text(t, s.Snapshot())
		seq := s.journal.View().Last()
		if err := r.Stop(); err != nil {
			t.Fatal(err)
		}
		if st := r.Stats(); st.Lost == 0 || st.Lost+st.Events != seq {
			t.Errorf("%d lost and %d recorded of %d", st.Lost, st.Events, seq)
		}
		f := reopen(t, r.Stats().Path)
		defer f.Close()
		if !strings.Contains(f.Lost(), "came faster than they could be written") {
			t.Errorf("lost %q", f.Lost())
		}
		totals, _ := f.Totals()
		if totals.Lost != r.Stats().Lost {
			t.Errorf("totals %+v", totals)
		}
		hole, _ := f.At(1)
		gap := f.segments[0].last + 1
		if hole.Seq != 1 {
			t.Errorf("before the gap: %d", hole.Seq)
		}
		st, err := f.At(seq)
		if err != nil {
			t.Fatal(err)
		}
		var docs [2]string
		for i, d := range []string{text(t, st), want} {
			docs[i] = strings.Split(d, `"journal"`)[0]
		}
		if docs[0] != docs[1] {
			t.Errorf("%s\nwant\n%s", docs[0], docs[1])
		}
		if _, err := f.At(gap); !errors.As(err, new(*GapError)) {
			t.Errorf("in the gap: %v", err)
		}
		if _, err := f.Verify(t.Context(), nil); err != nil {
			t.Error(err)
		}
	})
}

// Events get to the kernel within a second, and an idle session writes nothing.
func TestEachSecondIsFlushed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSource(journal.Options{})
		ctx, cancel := context.WithCancel(t.Context())
		r, err := Record(ctx, Options{Path: filepath.Join(t.TempDir(), "a.rec"), Source: s})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 20 {
			s.life("w", i)
			last := s.journal.View().Last()
			time.Sleep(time.Second)
			synctest.Wait()
			f := reopen(t, r.Stats().Path)
			if _, end := f.Range(); end.Seq != last {
				t.Fatalf("after a second: event %d of %d", end.Seq, last)
			}
			f.Close()
		}
		time.Sleep(time.Minute)
		idle := r.Stats().Bytes
		time.Sleep(time.Hour)
		if n := r.Stats().Bytes - idle; n != 0 {
			t.Errorf("%d bytes in an idle hour", n)
		}
		cancel()
		<-r.Done()
		if err := r.Stop(); err != nil {
			t.Error(err)
		}
		f := reopen(t, r.Stats().Path)
		if totals, ok := f.Totals(); !ok || totals.Events != r.Stats().Events {
			t.Errorf("totals %+v, %t", totals, ok)
		}
		f.Close()
	})
}
