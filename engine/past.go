package engine

import (
	"informerscope/journal"
	"informerscope/journal/history"
)

// keyframesKept is how many snapshots stand in a full ring: what is between two
// is folded again when somebody goes there.
const keyframesKept = 16

// keepKeyframes makes fold take a snapshot at intervals.
func (s *Session) keepKeyframes(fold func(*journal.Event)) func(*journal.Event) {
	capacity := s.o.History
	if capacity <= 0 {
		capacity = journal.DefaultCapacity
	}
	s.keyframes = history.NewKeyframes(max(journal.ChunkSize, capacity/keyframesKept))
	s.keyframes.Add(s.folder.Snapshot(journal.View{}), 0)
	return func(e *journal.Event) {
		fold(e)
		if s.keyframes.Due(e.Seq) {
			// Never more than what has fallen off by now.
			dropped := e.Seq - min(e.Seq, uint64(s.journal.Capacity()))
			s.keyframes.Add(s.folder.Snapshot(journal.View{}), dropped)
		}
	}
}

// Past is what can be gone back to now; nil without Options.Past.
func (s *Session) Past() history.History {
	if s.keyframes == nil {
		return nil
	}
	var p *history.Past
	s.journal.Locked(func(v journal.View) { p = s.keyframes.Past(v) })
	return p
}
