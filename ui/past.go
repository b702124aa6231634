package ui

import (
	"errors"
	"strconv"
	"time"

	"informerscope/journal/history"
	"informerscope/journal/state"
	"informerscope/ui/screen"
)

// Past is an Engine whose states of before can be looked at.
type Past interface {
	// Past is what can be gone back to at this moment; nil when nothing is kept.
	Past() history.History
}

// pastView is the place of the view in time while that is not now. The engine
// goes on meanwhile: nothing of it is read but whether it is paused.
type pastView struct {
	h           history.History
	first, last history.Point
	seq         uint64    // the cursor: the screen shows the state after this event
	at          time.Time // the screen's time: of that event, or while it is played a moment after it
	left        uint64    // where the last jump went away from; 0: from now
	wanted      uint64    // where the mouse drags the cursor to; 0: nowhere
	shown       bool      // something of it is on the screen
	ticks       overview
	replay      *player // nil: of an engine that runs
}

// errNoPast is why nothing goes back.
var errNoPast = errors.New("nothing of before is kept: start with a history")

// capture takes what can be gone back to now.
func (m *model) capture() error {
	if m.past != nil && m.past.replay != nil {
		return nil // it does not grow
	}
	e, ok := m.e.(Past)
	if !ok {
		return errNoPast
	}
	h := e.Past()
	if h == nil {
		return errNoPast
	}
	first, last := h.Range()
	if last.Seq == 0 {
		return errors.New("nothing has happened yet")
	}
	if m.past == nil {
		m.past = &pastView{seq: last.Seq, at: m.o.Now()}
	}
	p := m.past
	p.h, p.first, p.last = h, first, last
	return nil
}

// enterPast captures the past if the view is not in it yet. The caller goes
// somewhere at once.
func (m *model) enterPast() bool {
	if m.past != nil {
		return true
	}
	if err := m.capture(); err != nil {
		m.refuse(err.Error())
		return false
	}
	m.frozen = false
	return true
}

// goTo shows the state after event seq. When that cannot be had, the view stays
// where it is, and the answer says why.
func (m *model) goTo(seq uint64) bool {
	p := m.past
	st, err := p.h.At(seq)
	if err != nil {
		var gone *history.Gone
		if errors.As(err, &gone) && seq < gone.First {
			m.refuse(noLongerKept(p.first.Seq))
		} else {
			m.refuse(err.Error())
		}
		m.leaveUnseen()
		return false
	}
	m.showPast(st)
	return true
}

// leaveUnseen leaves the past again when nothing of it was shown yet.
func (m *model) leaveUnseen() {
	if p := m.past; p != nil && !p.shown && p.replay == nil {
		m.past = nil
	}
}

// showPast makes a state of the past the one that is drawn.
func (m *model) showPast(st *state.State) {
	p := m.past
	p.seq, p.at, p.shown = st.Seq, st.Time, true
	m.st, m.now = st, p.at
	m.awaited = nil
	m.resolve()
	m.panes[paneTimeline].(*timelinePane).follow = true
	m.changed = m.o.Now()
	m.dirty = true
}

// noLongerKept says what fell off before the oldest event that is kept.
func noLongerKept(first uint64) string {
	switch {
	case first <= 1:
		return "this is the first event"
	case first == 2:
		return "this is the oldest event that is kept; event 1 is no longer kept"
	}
	b := append([]byte(nil), "this is the oldest event that is kept; events 1..."...)
	return string(append(screen.AppendCount(b, int64(first-1)), " are no longer kept"...))
}

// backToNow ends the view of the past; of a recording it goes to the end.
func (m *model) backToNow() {
	p := m.past
	switch {
	case p == nil:
		m.refuse("this is now")
		return
	case p.replay != nil:
		p.replay.playing = false
		p.left = p.seq
		if m.goTo(p.last.Seq) {
			m.say("the end of the recording")
		}
		return
	}
	m.past = nil
	m.st = nil // what the engine did meanwhile is no news
	m.panes[paneTimeline].(*timelinePane).follow = true
	m.pull()
	m.say("back at now")
}

// inPast is why what acts on the engine is refused while the view is in the
// past; "" when it is not.
func (m *model) inPast() string {
	switch {
	case m.past == nil:
		return ""
	case m.past.replay != nil:
		return "this is a recording: there is nothing that could do it"
	}
	return "the view is in the past; G returns to now, where this can be done"
}

// pullPast is what pull does in the past: only what the mouse asks for, and
// what is being played.
func (m *model) pullPast() {
	p := m.past
	if p.wanted != 0 {
		seq := p.wanted
		p.wanted = 0
		if seq != p.seq {
			m.goTo(seq)
		}
	}
	if p.replay != nil {
		m.play()
	}
}

// back is how far the cursor is behind now.
func (p *pastView) back(m *model) time.Duration { return max(0, m.o.Now().Sub(p.at)) }

// appendBack says how far back, in tenths while that is short.
func (p *pastView) appendBack(b []byte, m *model) []byte {
	return append(appendTenths(b, p.back(m)), " back"...)
}

// aged reports whether the header says something else by now.
func (p *pastView) aged(m *model) bool {
	if p.replay != nil {
		return false // it is drawn when it moves
	}
	now, drawn := p.back(m), m.drawnAt.Sub(p.at)
	unit := time.Second
	if now < 10*time.Second {
		unit /= 10
	}
	return now.Truncate(unit) != drawn.Truncate(unit)
}

// statusItems are those of the header that say where in time the view is.
func (p *pastView) statusItems(m *model, add func(rank int, st screen.Style, text string)) {
	var buf [64]byte
	b := append(buf[:0], "event "...)
	b = screen.AppendCount(b, int64(p.seq))
	b = append(b, " of "...)
	event := string(screen.AppendCount(b, int64(p.last.Seq)))
	if r := p.replay; r != nil {
		add(0, chipPast, " REPLAY ")
		add(1, plain, r.text())
		b = appendLength(buf[:0], p.at.Sub(p.first.Time))
		b = append(b, " of "...)
		add(2, plain, string(appendLength(b, p.last.Time.Sub(p.first.Time))))
		add(3, plain, event)
		return
	}
	add(0, chipPast, " PAST ")
	add(1, plain, string(p.appendBack(buf[:0], m)))
	add(2, plain, event)
	if m.paused {
		add(3, warn, "engine paused")
	} else {
		add(3, dim, "engine runs")
	}
}

// appendLength appends a time within a recording: 12.5s, 3m20s.
func appendLength(b []byte, d time.Duration) []byte {
	if d < time.Minute {
		return append(strconv.AppendFloat(b, d.Truncate(time.Second/10).Seconds(), 'f', 1, 64), 's')
	}
	d = d.Truncate(time.Second)
	b = append(strconv.AppendInt(b, int64(d/time.Minute), 10), 'm')
	s := d / time.Second % 60
	return append(b, byte('0'+s/10), byte('0'+s%10), 's')
}
