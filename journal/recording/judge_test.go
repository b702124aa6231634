package recording

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"informerscope/journal"
	"informerscope/journal/findings"
	"informerscope/journal/state"
)

// retried is a recording of lives, and of a key that comes back again and again;
// each block has 14 events, and a keyframe is after each second one.
func retried(t *testing.T) (file []byte, v journal.View) {
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
		s.journal.Append(journal.QueueAddLimited{Requeues: int64(i)}.Event("configmaps", "shop/x"))
		check(w.take(s.journal.View()))
		check(w.flush())
		if i%2 == 1 {
			w.keyframe(s.Snapshot())
			check(w.write())
		}
	}
	check(w.finish(s.Snapshot()))
	file, err = os.ReadFile(path)
	check(err)
	return file, s.journal.View()
}

func thresholds(t *testing.T, specs ...string) findings.Thresholds {
	t.Helper()
	th := findings.Default()
	for _, s := range specs {
		if err := th.Parse(s); err != nil {
			t.Fatal(err)
		}
	}
	return th
}

// Whatever is asked in whatever order, the findings are those of a session that
// had these thresholds.
func TestJudgedByOtherThresholds(t *testing.T) {
	file, v := retried(t)
	for _, spec := range []string{"requeues-growing=3", "requeues-growing=6", "requeues-growing=7", "hot-loop=off"} {
		th := thresholds(t, spec)
		want := make([][]findings.Finding, v.Len()+1)
		folder := state.NewWith(th)
		for i := range v.Len() {
			folder.Apply(v.At(i))
			s := folder.Snapshot(journal.View{})
			want[i+1] = s.Findings(s.Time)
		}
		for _, warm := range []bool{false, true} {
			f, err := Read(context.Background(), bytes.NewReader(file), OpenOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if f.Judge(th); warm {
				if err := f.Warm(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			for seq := v.Len(); seq > 0; seq-- {
				s, err := f.At(uint64(seq))
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want[seq], s.Findings(s.Time)); diff != "" {
					t.Fatalf("%s, warm %t, event %d (-want +got):\n%s", spec, warm, seq, diff)
				}
			}
			if s, _ := f.At(uint64(v.Len())); s.Thresholds() != th {
				t.Errorf("thresholds %v", s.Thresholds())
			}
			if _, err := f.Verify(t.Context(), nil); err != nil {
				t.Errorf("what was recorded is as it was: %v", err)
			}
		}
	}
}

// After a gap what still goes on is found, with what was remembered over it.
func TestJudgedAfterAGap(t *testing.T) {
	file, v := retried(t)
	off := magicSize
	for block := 0; ; {
		fr, err := parseFrame(file[off:])
		if err != nil {
			t.Fatal(err)
		}
		if fr.typ == frameEvents {
			if block++; block == 3 {
				break
			}
		}
		off += frameSize + int(fr.size)
	}
	file = bytes.Clone(file)
	file[off+frameSize+5] ^= 0x10
	f, err := Read(context.Background(), bytes.NewReader(file), OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f.Judge(thresholds(t, "requeues-growing=2"))
	for seq, want := range map[uint64]bool{14: false, 28: true, 57: false, uint64(v.Len()): true} {
		s, err := f.At(seq)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Findings(s.Time); len(got) != 1 && seq > 14 || len(got) > 0 && got[0].Active != want {
			t.Errorf("event %d: found %+v", seq, got)
		}
	}
}
