package recording

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"informerscope/internal/testing/soak"
	"informerscope/journal"
	"informerscope/journal/state/document"
)

// small is a recording of a few blocks, with keyframes and checkpoints between
// them; what its events are as JSON, and its bytes.
func small(t testing.TB) (file []byte, events []string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.rec")
	s := newSource(journal.Options{})
	p, err := create(Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	w := newWriter(Options{Path: path, Source: s}.complete(), p)
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(w.begin())
	for i := range 6 {
		s.life(fmt.Sprint("w", i%2), i)
		check(w.take(s.journal.View()))
		check(w.flush())
		if i%2 == 1 {
			w.keyframe(s.Snapshot())
			w.checkpoint(s.Snapshot())
			check(w.write())
		}
	}
	check(w.finish(s.Snapshot()))
	for v, i := s.journal.View(), 0; i < v.Len(); i++ {
		events = append(events, string(v.At(i).AppendJSON(nil)))
	}
	file, err = os.ReadFile(path)
	check(err)
	return file, events
}

// read is all that can be done with a recording. It returns the events that
// Scan gives, after checking that they are those of want, and that the states
// are right.
func read(t *testing.T, b []byte, want []string) (got map[int]bool, lost string) {
	t.Helper()
	f, err := openAt(context.Background(), bytes.NewReader(b), int64(len(b)), OpenOptions{})
	if err != nil {
		return nil, err.Error()
	}
	defer f.Close()
	got = map[int]bool{}
	err = f.Scan(context.Background(), 0, 1<<63, func(e *journal.Event) bool {
		if text := string(e.AppendJSON(nil)); e.Seq == 0 || e.Seq > uint64(len(want)) || text != want[e.Seq-1] {
			t.Fatalf("event %d is %s", e.Seq, text)
		}
		got[int(e.Seq)] = true
		if o, ok := e.Object.(*Object); ok {
			o.LoadObject()
		}
		return true
	})
	if err != nil {
		t.Fatalf("what was opened is damaged: %v", err)
	}
	if _, last := f.Range(); last.Seq > 0 {
		if s, err := f.At(last.Seq); err != nil || s.Seq != last.Seq {
			t.Fatalf("the state after %d: %v", last.Seq, err)
		}
	}
	if len(b)%16 == 0 { // it takes its time
		if _, err := f.Verify(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
	}
	f.Seek(time.Now())
	return got, f.Lost()
}

// before is how many events the blocks have that end before byte n.
func eventsBefore(t testing.TB, file []byte, n int) (events int) {
	for off := magicSize; off+frameSize <= n; {
		fr, err := parseFrame(file[off:])
		if err != nil {
			t.Fatal(err)
		}
		if off += frameSize + int(fr.size); off <= n && fr.typ == frameEvents {
			events += int(fr.count)
		}
	}
	return events
}

// A file that is cut anywhere opens, has the events up to there, and says so.
func TestACutAtAnyByte(t *testing.T) {
	file, events := small(t)
	if got, lost := read(t, file, events); len(got) != len(events) || lost != "" {
		t.Fatalf("%d events of %d, lost %q", len(got), len(events), lost)
	}
	opened := 0
	for n := 0; n < len(file); n += soak.Step(7) {
		got, lost := read(t, file[:n], events)
		if got == nil {
			t.Errorf("cut at %d: %s", n, lost)
			continue
		}
		opened++
		if want := eventsBefore(t, file, n); len(got) != want || lost == "" {
			t.Errorf("cut at %d: %d events, want %d; lost %q", n, len(got), want, lost)
		}
	}
	t.Logf("opened %d of %d", opened, len(file))
}

// A file with one wrong byte has all events before it, no wrong one, and says
// what is missing.
func TestADamagedByte(t *testing.T) {
	file, events := small(t)
	header, err := parseFrame(file[magicSize:])
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(file); n += soak.Step(7) {
		if in := n - magicSize - frameSize; in > 0 && in < int(header.size) && in%32 != 0 {
			continue // one place in the header's text is like another
		}
		b := bytes.Clone(file)
		b[n] ^= 0x81
		got, lost := read(t, b, events)
		if n < len(magic)+1 {
			continue // no recording, or a newer one
		}
		if want := eventsBefore(t, file, n); lost == "" && n >= magicSize || len(got) < want {
			t.Fatalf("byte %d: %d events, want at least %d; lost %q", n, len(got), want, lost)
		}
	}
}

// What comes after damage is there again from the next keyframe on.
func TestAfterDamageItGoesOnFromAKeyframe(t *testing.T) {
	file, events := small(t)
	for off, block := magicSize, 0; off < len(file); {
		fr, err := parseFrame(file[off:])
		if err != nil {
			t.Fatal(err)
		}
		if fr.typ == frameEvents {
			if block++; block == 3 {
				for _, at := range []int{off + 3, off + 6, off + frameSize + 5} { // header, its size, payload
					b := bytes.Clone(file)
					b[at] ^= 0x10
					got, lost := read(t, b, events)
					for seq := 1; seq <= len(events); seq++ {
						// Blocks have 13 events; the third and the fourth are before a keyframe.
						if want := seq <= 26 || seq > 52; got[seq] != want {
							t.Fatalf("event %d: there is %t; lost %q", seq, got[seq], lost)
						}
					}
					if !strings.Contains(lost, "after event 26") {
						t.Errorf("lost %q", lost)
					}
					f, _ := openAt(context.Background(), bytes.NewReader(b), int64(len(b)), OpenOptions{})
					if _, err := f.At(30); err == nil || !strings.Contains(err.Error(), "gap from 27 to 52") {
						t.Errorf("a state in the gap: %v", err)
					}
					if s, err := f.At(53); err != nil || s.Seq != 53 || s.Journal.Dropped() != 52 {
						t.Errorf("after the gap: %v", err)
					}
				}
			}
		}
		off += frameSize + int(fr.size)
	}
}

func TestWhatIsNoRecordingIsRefused(t *testing.T) {
	file, _ := small(t)
	newer := bytes.Clone(file)
	newer[len(magic)] = Major + 1
	for want, b := range map[string][]byte{
		"no recording":                []byte("apiVersion: v1\nkind: List\n"),
		"open it with a newer inform": newer,
	} {
		if _, err := Read(context.Background(), bytes.NewReader(b), OpenOptions{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := Read(context.Background(), bytes.NewReader(file), OpenOptions{Pipe: 100}); err == nil || !strings.Contains(err.Error(), "write it to a file") {
		t.Errorf("too large for a pipe: %v", err)
	}
	if f, err := Read(context.Background(), bytes.NewReader(nil), OpenOptions{}); err != nil || f.Lost() == "" {
		t.Errorf("an empty file: %v", err)
	}
}

// A newer minor version may have frames of other types, kinds and flags.
func TestWhatIsNewInAMinorVersionIsSkipped(t *testing.T) {
	file, events := small(t)
	var out []byte
	for off := 0; off < len(file); {
		if off == 0 {
			out, off = append(out, file[:magicSize]...), magicSize
			out[magicSize-1] = 9
			continue
		}
		fr, err := parseFrame(file[off:])
		if err != nil {
			t.Fatal(err)
		}
		n := frameSize + int(fr.size)
		if fr.typ == frameHeader {
			var h map[string]any
			if err := json.Unmarshal(file[off+frameSize:off+n], &h); err != nil {
				t.Fatal(err)
			}
			h["new"] = map[string]any{"x": 1}
			h["kinds"] = append(h["kinds"].([]any), "stage.new")
			out = appendFrame(out, fr, asJSON(h))
		} else {
			out = append(out, file[off:off+n]...)
		}
		out = appendFrame(out, frame{typ: 77, count: 3, raw: 1 << 30}, []byte("whatever"))
		off += n
	}
	if got, lost := read(t, out, events); len(got) != len(events) || lost != "" {
		t.Errorf("%d events of %d, lost %q", len(got), len(events), lost)
	}
}

func appendFrame(b []byte, f frame, payload []byte) []byte {
	f.size, f.crc = uint32(len(payload)), crc32.Checksum(payload, castagnoli)
	if f.typ.known() {
		f.raw = f.size
	}
	return append(f.append(b), payload...)
}

// A keyframe that this program cannot read, as it is of another version, is
// done without.
func TestKeyframesOfAnotherVersionAreNotNeeded(t *testing.T) {
	file, _ := small(t)
	out := bytes.Clone(file[:magicSize])
	for off := magicSize; off < len(file); {
		fr, err := parseFrame(file[off:])
		if err != nil {
			t.Fatal(err)
		}
		n := frameSize + int(fr.size)
		if fr.typ == frameKeyframe && fr.number > 0 {
			fr.flags = 0
			out = appendFrame(out, fr, []byte{0, 200, 1, 2, 3})
		} else {
			out = append(out, file[off:off+n]...)
		}
		off += n
	}
	f, err := Read(context.Background(), bytes.NewReader(out), OpenOptions{})
	if err != nil || f.Lost() != "" {
		t.Fatal(err, f.Lost())
	}
	whole, _ := Read(context.Background(), bytes.NewReader(file), OpenOptions{})
	for seq := uint64(1); seq <= 78; seq++ {
		got, err := f.At(seq)
		if err != nil {
			t.Fatal(err)
		}
		want, err := whole.At(seq)
		if err != nil || text(t, got) != text(t, want) {
			t.Fatalf("after event %d: %s, %v", seq, text(t, got), err)
		}
	}
}

// A program with other numbers for kinds and flags reads the names.
func TestKindsAndFlagsAreKnownByName(t *testing.T) {
	h := Header{Kinds: []string{"control.unknown", "workqueue.done", "stage.new", "wire.request"}, Flags: []string{"new", "found", "tombstone"}}
	n := h.names()
	if n.kinds[1] != journal.KindQueueDone || n.kinds[2] != journal.KindUnknown || n.kinds[3] != journal.KindWireRequest || n.kinds[200] != journal.KindUnknown {
		t.Errorf("kinds %v", n.kinds[:4])
	}
	if n.flags[7] != journal.Found|journal.Tombstone || n.flags[1] != 0 || n.flags[2] != journal.Found {
		t.Errorf("flags %v", n.flags[:8])
	}
	for bit, name := range flagNames {
		if got := (&Header{Flags: flagNames}).names().flags[1<<bit]; got != journal.Flag(1<<bit) {
			t.Errorf("flag %s is read as %d", name, got)
		}
	}
}

// FuzzOpen: whatever the bytes are, nothing panics. Checksums are made right, so
// that what is behind them is reached.
func FuzzOpen(f *testing.F) {
	file, _ := small(f)
	f.Add(file)
	f.Add(file[:len(file)/2])
	f.Add([]byte(magic + "\x01\x00"))
	// Each frame again, unpacked.
	whole, err := Read(context.Background(), bytes.NewReader(file), OpenOptions{})
	if err != nil {
		f.Fatal(err)
	}
	out := bytes.Clone(file[:magicSize])
	for off := magicSize; off < len(file); {
		fr, err := parseFrame(file[off:])
		if err != nil {
			f.Fatal(err)
		}
		raw, err := whole.unpack(block{fr, int64(off + frameSize)}, nil)
		if err != nil {
			f.Fatal(err)
		}
		off += frameSize + int(fr.size)
		fr.flags = 0
		out = appendFrame(out, fr, raw)
	}
	f.Add(out)
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<16 {
			return
		}
		b = bytes.Clone(b)
		for off := magicSize; off+frameSize <= len(b); {
			size := int64(binary.LittleEndian.Uint32(b[off+4:]))
			if size > int64(len(b)-off-frameSize) {
				break
			}
			payload := b[off+frameSize : off+frameSize+int(size)]
			copy(b[off:], marker)
			binary.LittleEndian.PutUint32(b[off+32:], crc32.Checksum(payload, castagnoli))
			binary.LittleEndian.PutUint32(b[off+36:], crc32.Checksum(b[off:off+36], castagnoli))
			off += frameSize + int(size)
		}
		file, err := Read(context.Background(), bytes.NewReader(b), OpenOptions{})
		if err != nil {
			return
		}
		defer file.Close()
		file.Lost()
		first, last := file.Range()
		for _, seq := range []uint64{first.Seq, last.Seq, (first.Seq + last.Seq) / 2} {
			if s, err := file.At(seq); err == nil {
				document.Of(s, s.Time)
			}
		}
		file.Seek(last.Time)
		for _, way := range [][2]uint64{{0, 1 << 63}, {1 << 63, 0}} {
			n := 0
			file.Scan(context.Background(), way[0], way[1], func(e *journal.Event) bool {
				if o, ok := e.Object.(*Object); ok {
					o.LoadObject()
				}
				n++
				return n < 10_000
			})
		}
		file.Checkpoints()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		file.Verify(ctx, nil)
	})
}

// Seek and Scan are those of a history of a session.
func TestSeekAndScan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSource(journal.Options{})
		r := begin(t, s, Options{})
		started := time.Now()
		for i := range 300 {
			time.Sleep(100 * time.Millisecond)
			s.life("w", i)
		}
		if err := r.Stop(); err != nil {
			t.Fatal(err)
		}
		f := reopen(t, r.Stats().Path)
		defer f.Close()
		if len(f.blocks) < 50 {
			t.Errorf("%d blocks in 30 s: they are not flushed each second", len(f.blocks))
		}
		for ms, want := range map[int]uint64{-5: 1, 0: 1, 99: 1, 100: 14, 150: 14, 1000: 131, 30_000: 3901, 99_000: 3901} {
			if seq, err := f.Seek(started.Add(time.Duration(ms) * time.Millisecond)); err != nil || seq != want {
				t.Errorf("at %d ms: event %d, %v, want %d", ms, seq, err, want)
			}
		}
		for _, way := range [][2]uint64{{1, 3901}, {3901, 1}, {17, 17}, {100, 3000}, {3000, 100}, {0, 99999}, {99999, 0}, {5000, 6000}, {6000, 5000}, {0, 0}} {
			var got []uint64
			f.Scan(t.Context(), way[0], way[1], func(e *journal.Event) bool {
				got = append(got, e.Seq)
				return true
			})
			var want []uint64
			low, high := max(min(way[0], way[1]), 1), min(max(way[0], way[1]), 3901)
			for n := low; n <= high; n++ {
				want = append(want, n)
			}
			if len(got) != len(want) {
				t.Fatalf("%v: %d events, want %d", way, len(got), len(want))
			}
			for i, n := range got {
				w := want[i]
				if way[0] > way[1] {
					w = want[len(want)-1-i]
				}
				if n != w {
					t.Fatalf("%v: event %d where %d is", way, n, w)
				}
			}
		}
	})
}
