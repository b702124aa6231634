package recording

import (
	"informerscope/journal/findings"
	"informerscope/journal/state"
)

// Judge makes the states of the file have what is found by other thresholds than
// the recording's, from the first event on. It is to be called before anything
// is asked of the file. At then folds from the beginning, as keyframes have what
// was found by the recording's; Verify still compares with what was recorded.
//
// What happened before the file begins, or in a gap, is not judged: what goes on
// after it is found anew, and what was found before a gap stays in the list.
func (f *File) Judge(t findings.Thresholds) {
	f.judge = nil
	if t != f.Thresholds() {
		f.judge = &t
	}
}

// Thresholds are those that the recording was made with.
func (f *File) Thresholds() findings.Thresholds {
	if t := f.header.Thresholds; t != (findings.Thresholds{}) {
		return t
	}
	return findings.Default()
}

// Begins is the newest event before the file's first, with whose state it begins:
// 0 when the recording has all.
func (f *File) Begins() uint64 {
	if len(f.segments) == 0 {
		return 0
	}
	return f.segments[0].base
}

// judgedLocked is the state that a segment begins with, as it was recorded, by the
// thresholds of Judge. mu is locked.
func (f *File) judgedLocked(s *segment, recorded *state.State) (*state.State, error) {
	if f.judge == nil {
		return recorded, nil
	}
	var before *findings.Set
	for i := range f.segments {
		if i > 0 && f.segments[i] == s {
			last, err := f.atLocked(f.segments[i-1].last)
			if err != nil {
				return nil, err
			}
			before = last.FindingsSet()
		}
	}
	return recorded.Judged(recorded.FindingsSet().Rejudge(*f.judge, before)), nil
}
