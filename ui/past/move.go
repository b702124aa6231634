package past

import (
	"time"

	"informerscope/ui/phrase"
)

// MoveEvent moves the cursor by one event.
func (t *Traveller) MoveEvent(d int) {
	if !t.setOff(d > 0) {
		return
	}
	if d > 0 {
		t.goOn(t.c.Past.Seq+1, time.Time{})
	} else {
		t.did(t.goTo(t.c.Past.Seq - 1))
	}
}

// MoveTime moves the cursor by a time, and by one event at least.
func (t *Traveller) MoveTime(d time.Duration) {
	if !t.setOff(d > 0) {
		return
	}
	if at := t.c.Past.At.Add(d); d > 0 {
		t.goOn(0, at)
	} else {
		t.did(t.goToTime(at))
	}
}

// setOff enters the past, if the view is not there yet, and stops what plays. It
// reports whether one can move on in that direction, and says why not.
func (t *Traveller) setOff(forward bool) bool {
	if t.c.Past == nil && forward {
		t.c.Refuse("this is now: nothing has happened after it")
		return false
	}
	if !t.did(t.enter()) {
		return false
	}
	t.stopPlaying()
	if first := t.c.Past.First.Seq; !forward && t.c.Past.Seq <= first {
		t.c.Refuse(noLongerKept(first))
		t.exitUnseen()
		return false
	}
	return true
}

// goToTime shows the state at a time that lies in what is kept.
func (t *Traveller) goToTime(at time.Time) error {
	seq, err := t.c.Past.History.Seek(at)
	if err != nil {
		t.exitUnseen()
		return err
	}
	return t.goTo(seq)
}

// goOn moves forward to the event seq, or with 0 to a time. What came after the
// capture is captured then; with the newest event the view is back at now.
func (t *Traveller) goOn(seq uint64, at time.Time) {
	p := t.c.Past
	beyond := func() bool { return seq >= p.Last.Seq || seq == 0 && !at.Before(p.Last.Time) }
	if beyond() {
		if p.Recording {
			if p.Seq == p.Last.Seq {
				t.c.Refuse("this is the end of the recording")
				return
			}
			t.did(t.goTo(p.Last.Seq))
			return
		}
		if !t.did(t.capture()) {
			return
		}
		if beyond() {
			t.BackToNow()
			return
		}
	}
	if seq == 0 {
		to, err := p.History.Seek(at)
		if !t.did(err) {
			return
		}
		seq = max(to, p.Seq+1)
	}
	if seq < p.First.Seq {
		lost := noLongerKept(p.First.Seq)
		if t.did(t.goTo(p.First.Seq)) {
			t.c.Say(lost)
		}
		return
	}
	t.did(t.goTo(seq))
}

// jump goes to an event from afar: two quotes return to where it left.
func (t *Traveller) jump(seq uint64) error {
	was := uint64(0)
	if t.c.Past != nil && t.shown {
		was = t.c.Past.Seq
	}
	if err := t.enter(); err != nil {
		return err
	}
	t.frame.Thaw()
	t.stopPlaying()
	// A place after the capture is there by now.
	if seq > t.c.Past.Last.Seq {
		if err := t.capture(); err != nil {
			return err
		}
	}
	if err := t.goTo(seq); err != nil {
		return err
	}
	t.left = was
	return nil
}

// GoToEvent shows the state after an event that is selected, and reports whether
// it could; 0: none is selected.
func (t *Traveller) GoToEvent(seq uint64) bool {
	switch {
	case seq == 0:
		t.c.Refuse("no event is selected to go to")
		return false
	case t.c.Past != nil && t.c.Past.Seq == seq:
		t.c.Refuse("this is the time of that event already")
		return false
	}
	return t.did(t.jump(seq))
}

// Went says where GoToEvent led.
func (t *Traveller) Went(seq uint64) {
	t.c.Say("the state right after event " + phrase.Count(seq) + "; '' goes back to where you were, G to now")
}

// CanGoBack reports whether there is anything to go back to.
func (t *Traveller) CanGoBack() bool { return t.c.Past != nil || t.c.Source.Past() != nil }
