package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// timeKey does what keys ask for that move the view in time, and reports
// whether a was one of them.
func (m *model) timeKey(a action) (cmd tea.Cmd, ok bool) {
	switch a {
	case actEventBack:
		m.moveEvent(-1)
	case actEventOn:
		m.moveEvent(+1)
	case actSecondBack:
		m.moveTime(-time.Second)
	case actSecondOn:
		m.moveTime(+time.Second)
	case actNow:
		m.backToNow()
	case actJump:
		m.askJump()
	case actGoThere:
		m.goThere()
	case actMark:
		m.askMark()
	case actToMark:
		m.askToMark()
	case actMarks:
		m.openMarks()
	case actFollow:
		cmd = m.followKey()
	case actPrevHit:
		cmd = m.findHit(-1)
	case actNextHit:
		cmd = m.findHit(+1)
	default:
		return nil, false
	}
	return cmd, true
}

// moveEvent moves the cursor by one event.
func (m *model) moveEvent(d int) {
	switch {
	case !m.setOff(d > 0):
	case d > 0:
		m.goOn(m.past.seq+1, time.Time{})
	default:
		m.goTo(m.past.seq - 1)
	}
}

// moveTime moves the cursor by a time, and by one event at least.
func (m *model) moveTime(d time.Duration) {
	if !m.setOff(d > 0) {
		return
	}
	if t := m.past.at.Add(d); d > 0 {
		m.goOn(0, t)
	} else {
		m.goToTime(t)
	}
}

// setOff enters the past, if the view is not there yet, and stops what plays. It
// reports whether one can move on in that direction, and says why not.
func (m *model) setOff(forward bool) bool {
	if m.past == nil && forward {
		m.refuse("this is now: nothing has happened after it")
		return false
	}
	if !m.enterPast() {
		return false
	}
	m.stopPlaying()
	if first := m.past.first.Seq; !forward && m.past.seq <= first {
		m.refuse(noLongerKept(first))
		m.leaveUnseen()
		return false
	}
	return true
}

// goToTime shows the state at a time that lies in what is kept.
func (m *model) goToTime(t time.Time) bool {
	seq, err := m.past.h.Seek(t)
	if err != nil {
		m.refuse(err.Error())
		m.leaveUnseen()
		return false
	}
	return m.goTo(seq)
}

// goOn moves forward to the event seq, or with 0 to time t. What came after the
// capture is captured then; with the newest event the view is back at now.
func (m *model) goOn(seq uint64, t time.Time) {
	p := m.past
	beyond := func() bool { return seq >= p.last.Seq || seq == 0 && !t.Before(p.last.Time) }
	if beyond() {
		if p.replay != nil {
			if p.seq == p.last.Seq {
				m.refuse("this is the end of the recording")
				return
			}
			m.goTo(p.last.Seq)
			return
		}
		if err := m.capture(); err != nil {
			m.refuse(err.Error())
			return
		}
		if beyond() {
			m.backToNow()
			return
		}
	}
	if seq == 0 {
		to, err := p.h.Seek(t)
		if err != nil {
			m.refuse(err.Error())
			return
		}
		seq = max(to, p.seq+1)
	}
	if seq < p.first.Seq {
		lost := noLongerKept(p.first.Seq)
		if m.goTo(p.first.Seq) {
			m.say(lost)
		}
		return
	}
	m.goTo(seq)
}

// jump goes to an event from afar: two quotes return to where it left.
func (m *model) jump(seq uint64) bool {
	was := uint64(0)
	if m.past != nil && m.past.shown {
		was = m.past.seq
	}
	if !m.enterPast() {
		return false
	}
	m.frozen = false
	m.stopPlaying()
	// A place after the capture is there by now.
	if p := m.past; seq > p.last.Seq {
		if err := m.capture(); err != nil {
			m.refuse(err.Error())
			return false
		}
	}
	if !m.goTo(seq) {
		return false
	}
	m.past.left = was
	return true
}

// goThere shows the state after the event that is selected or open.
func (m *model) goThere() {
	var seq uint64
	switch {
	case m.viewer != nil:
		seq = m.viewer.seq
	case m.wrongs != nil:
		if r := m.wrongs.selected(); r != nil {
			seq = r.Seq
		}
	case m.life != nil:
		seq = m.life.selectedSeq()
	case m.focus == paneTimeline:
		if t := m.panes[paneTimeline].(*timelinePane); len(t.seqs) > 0 {
			seq = t.at
		}
	default:
		m.refuse("x goes to the time of the event that is selected in the Timeline; 5 goes there")
		return
	}
	if seq == 0 {
		m.refuse("no event is selected to go to")
		return
	}
	if m.past != nil && m.past.seq == seq {
		m.refuse("this is the time of that event already")
		return
	}
	if m.jump(seq) {
		m.viewer = nil
		if m.wrongs != nil {
			m.wrongs.shown(m)
			m.wrongs = nil
		}
		m.say("the state right after event " + countText(seq) + "; '' goes back to where you were, G to now")
	}
}

// notInPast is why a key that acts on the engine is refused while the view is
// not at now; "" when it is not. Pausing and what is typed act on the engine
// as it is now.
func (m *model) notInPast(a action) string {
	if m.past == nil {
		return ""
	}
	switch a {
	case actStep, actAddHandler, actRemoveHandler, actClearFaults:
		return m.inPast()
	case actSlower, actFaster:
		if m.past.replay == nil {
			return m.inPast()
		}
	case actFaults, actCommand, actSave:
		if m.past.replay != nil {
			return m.inPast()
		}
	}
	return ""
}
