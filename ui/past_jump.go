package ui

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"informerscope/journal/history"
	"informerscope/ui/screen"
)

// countText is a count in text.
func countText(n uint64) string { return string(screen.AppendCount(nil, int64(n))) }

// askJump asks for a time, or an event by its number, and goes there.
func (m *model) askJump() {
	if !m.canGoBack() {
		return
	}
	m.ask(prompt{
		label: "jump to: ", help: "12:04:31, +12.5s since the start, -3s before now, #1234 an event  esc leaves",
		enter: func(text string) (tea.Cmd, error) { return nil, m.jumpTo(text) },
	}, "")
}

// canGoBack says why not when there is no past.
func (m *model) canGoBack() bool {
	if m.past != nil {
		return true
	}
	if e, ok := m.e.(Past); !ok || e.Past() == nil {
		m.refuse(errNoPast.Error())
		return false
	}
	return true
}

// jumpTo goes to the place that a text means.
func (m *model) jumpTo(text string) error {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil
	}
	if m.past == nil {
		if err := m.capture(); err != nil {
			return err
		}
		defer m.leaveUnseen()
	}
	p := m.past
	end := p.last.Time
	if p.replay == nil {
		end = m.o.Now()
	}
	place, err := history.ParsePlace(text, m.start, end)
	if err != nil {
		return err
	}
	seq := place.Seq
	if seq > p.last.Seq || place.Time.After(p.last.Time) {
		if err := m.capture(); err != nil {
			return err
		}
	}
	first, last := p.first, p.last
	switch {
	case seq > last.Seq:
		return errors.New("there is no event " + countText(seq) + " yet: the newest is " + countText(last.Seq))
	case seq != 0 && seq < first.Seq:
		return &history.Gone{Seq: seq, First: first.Seq, Last: last.Seq}
	case seq == 0 && place.Time.After(end):
		return errors.New("that is still to come: the newest event is of " + m.clock(last.Time))
	case seq == 0:
		if seq, err = p.h.Seek(place.Time); err != nil {
			return err
		}
	}
	if !m.jump(seq) {
		return errors.New(m.message)
	}
	if place.Seq == 0 && place.Time.Before(first.Time) {
		m.say("nothing older is kept: " + noLongerKept(first.Seq))
	}
	return nil
}
