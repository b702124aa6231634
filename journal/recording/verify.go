package recording

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"informerscope/journal"
	"informerscope/journal/state"
)

// Checkpoint is the hash of a state: SHA-256 of the JSON of its document, with
// ages as they were at its time, and as if all events were in memory.
type Checkpoint struct {
	Seq  uint64
	Time time.Time
	Hash [sha256.Size]byte
}

// Checkpoints are those of the file, in order, without damaged ones.
func (f *File) Checkpoints() []Checkpoint {
	var all []Checkpoint
	for _, b := range f.checkpoints {
		raw, err := f.unpack(b, nil)
		if err != nil || len(raw) != sha256.Size {
			continue
		}
		all = append(all, Checkpoint{b.number, time.Unix(0, b.time), [sha256.Size]byte(raw)})
	}
	return all
}

// Verified says what Verify did.
type Verified struct {
	Events      uint64 // folded
	Checkpoints int    // compared, and equal
}

// MismatchError is that of a state that is not what it was when it was recorded.
type MismatchError struct{ Checkpoint Checkpoint }

func (e *MismatchError) Error() string {
	return fmt.Sprintf("the state after event %d is not what it was when it was recorded: another version of informerscope may have made the recording, or it was changed", e.Checkpoint.Seq)
}

// Verify folds the whole recording and compares the state at each checkpoint.
// progress, if set, is told now and then how many of how many events are done.
// The error is the first *MismatchError, damage, or ctx's.
func (f *File) Verify(ctx context.Context, progress func(done, total uint64)) (Verified, error) {
	var v Verified
	var total uint64
	for _, s := range f.segments {
		total += s.last - s.base
	}
	checks := f.Checkpoints()
	for _, s := range f.segments {
		base, err := f.begin(s)
		if err != nil {
			return v, err
		}
		folder := state.Resume(base)
		for len(checks) > 0 && checks[0].Seq < s.base {
			checks = checks[1:]
		}
		compare := func(seq uint64) error {
			for ; len(checks) > 0 && checks[0].Seq == seq; checks = checks[1:] {
				sum := hash(folder.Snapshot(journal.View{}))
				if !bytes.Equal(sum[:], checks[0].Hash[:]) {
					return &MismatchError{checks[0]}
				}
				v.Checkpoints++
			}
			return nil
		}
		if err := compare(s.base); err != nil {
			return v, err
		}
		var failed error
		err = f.Scan(ctx, s.base+1, s.last, func(e *journal.Event) bool {
			folder.Apply(e)
			if v.Events++; progress != nil && v.Events%65536 == 0 {
				progress(v.Events, total)
			}
			failed = compare(e.Seq)
			return failed == nil
		})
		if failed != nil {
			return v, failed
		}
		if err != nil {
			return v, err
		}
	}
	if progress != nil {
		progress(v.Events, total)
	}
	return v, nil
}

// begin is the state that a segment begins with.
func (f *File) begin(s *segment) (*state.State, error) {
	raw, err := f.unpack(s.keyframes[0], nil)
	if err != nil {
		return nil, err
	}
	return f.undump(raw)
}
