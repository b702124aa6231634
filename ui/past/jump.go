package past

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"informerscope/journal/history"
	"informerscope/ui/phrase"
	"informerscope/ui/view"
)

// AskJump asks for a time, or an event by its number, and goes there.
func (t *Traveller) AskJump() {
	if !t.CanGoBack() {
		t.c.Refuse(errNoPast.Error())
		return
	}
	t.c.Ask(view.Prompt{
		Label: "jump to: ", Help: "12:04:31, +12.5s since the start, -3s before now, #1234 an event  esc leaves",
		Enter: func(text string) (tea.Cmd, error) { return nil, t.jumpTo(text) },
	}, "")
}

// jumpTo goes to the place that a text means.
func (t *Traveller) jumpTo(text string) error {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil
	}
	if t.c.Past == nil {
		if err := t.capture(); err != nil {
			return err
		}
		defer t.exitUnseen()
	}
	p := t.c.Past
	end := p.Last.Time
	if !p.Recording {
		end = t.c.Clock()
	}
	place, err := history.ParsePlace(text, t.c.Start, end)
	if err != nil {
		return err
	}
	seq := place.Seq
	if seq > p.Last.Seq || place.Time.After(p.Last.Time) {
		if err := t.capture(); err != nil {
			return err
		}
	}
	first, last := p.First, p.Last
	switch {
	case seq > last.Seq:
		return errors.New("there is no event " + phrase.Count(seq) + " yet: the newest is " + phrase.Count(last.Seq))
	case seq != 0 && seq < first.Seq:
		return &history.Gone{Seq: seq, First: first.Seq, Last: last.Seq}
	case seq == 0 && place.Time.After(end):
		return errors.New("that is still to come: the newest event is of " + t.c.ClockText(last.Time))
	case seq == 0:
		if seq, err = p.History.Seek(place.Time); err != nil {
			return err
		}
	}
	if err := t.jump(seq); err != nil {
		return err
	}
	if place.Seq == 0 && place.Time.Before(first.Time) {
		t.c.Say("nothing older is kept: " + noLongerKept(first.Seq))
	}
	return nil
}
