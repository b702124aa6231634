package recording

import (
	"fmt"

	"informerscope/journal/state"
)

// How a part of a recording ends, and another one begins.

// limit is how large a part may become, 0 when there is no limit.
func (w *writer) limit() int64 { return w.o.MaxSize / 2 }

// full reports whether it is time for another part. What comes until somebody
// looks mostly fits into the room that is left.
func (w *writer) full() bool {
	limit := w.limit()
	return limit > 0 && w.part.size+int64(w.block.size()) > limit-limit/4
}

// room reports whether the part has room for one more event, such as they are.
// What is not written counts as it is before compression; when that is too much,
// it is written.
func (w *writer) room() (bool, error) {
	limit := w.limit()
	if limit == 0 || w.part.size+int64(len(w.out)+w.block.size()+len(w.objects.data)) < limit-limit/16 {
		return true, nil
	}
	if w.part.size >= limit-limit/8 {
		return false, nil
	}
	err := w.flush()
	return err == nil && w.part.size < limit-limit/8, err
}

// rotate closes the part and begins another one, with the state now. What there
// was no room for is lost.
func (w *writer) rotate() error {
	s := w.o.Source.Snapshot()
	if err := w.take(s.Journal); err != nil || w.seq > s.Seq {
		return err // there was a gap: rotate next time
	}
	if err := w.finish(s); err != nil {
		return err
	}
	w.bytes += w.part.size
	next, err := w.part.rotate()
	if err != nil {
		return err
	}
	w.part = next
	w.number++
	w.reset()
	w.header()
	w.base(s)
	if err := w.write(); err != nil {
		return err
	}
	if w.full() {
		return fmt.Errorf("the state alone takes %d bytes: give a --max-size of %d or more", w.part.size, 8*w.part.size)
	}
	return nil
}

// gap goes on from the state now: what is between is lost.
func (w *writer) gap() error {
	if err := w.flush(); err != nil {
		return err
	}
	s := w.o.Source.Snapshot()
	w.lose(s)
	w.base(s)
	return w.write()
}

// lose says that the events from here to the state s are lost.
func (w *writer) lose(s *state.State) {
	n := s.Seq - w.seq
	w.frame(frame{typ: frameGap, number: w.seq + 1, count: uint32(min(n, 1<<32-1)), time: nanoseconds(s.Time)}, nil)
	w.lost += n
	w.partLost += n
}

// end ends the recording with all that has happened.
func (w *writer) end() error {
	s := w.o.Source.Snapshot()
	if err := w.take(s.Journal); err != nil {
		return err
	}
	if w.seq < s.Seq {
		if err := w.rotate(); err != nil {
			return err
		}
		s = w.o.Source.Snapshot()
		if err := w.take(s.Journal); err != nil {
			return err
		}
	}
	return w.finish(s)
}

// finish ends the part with all that was taken, and closes it. s is the state
// after the newest event: it becomes the part's last checkpoint. What happened
// before s and was not taken is lost.
func (w *writer) finish(s *state.State) error {
	if err := w.flush(); err != nil {
		return err
	}
	switch {
	case w.seq < s.Seq:
		w.lose(s)
	case w.seq == s.Seq && w.checkSeq < w.seq:
		w.checkpoint(s)
	}
	w.frame(frame{typ: frameEnd, number: w.seq, time: nanoseconds(w.o.Clock.Now())},
		asJSON(Totals{Events: w.partEvents, Objects: w.objects.next - 1, Lost: w.partLost}))
	if err := w.write(); err != nil {
		return err
	}
	return w.part.close()
}
