// Package past moves the view in time: to a moment of the past and back to now,
// through a recording, and between marks. It imports viewer, list, view and what is
// below them.
package past

import (
	"context"
	"errors"
	"time"

	"informerscope/journal/history"
	"informerscope/journal/state"
	"informerscope/ui/screen"
	"informerscope/ui/view"
)

// Traveller moves the view in time: to a moment of the past and back to now. It
// holds the marks, and plays a recording. Where the view is stands in the
// Context, for all to see.
type Traveller struct {
	c     *view.Context
	frame Frame

	left     uint64 // where the last jump went away from; 0: from now
	wanted   uint64 // where the mouse drags the cursor to; 0: nowhere
	shown    bool   // something of the past is on the screen
	dragging bool   // the mouse holds the scrubber's cursor
	ticks    overview
	bar      screen.Area // the part of the scrubber that the mouse moves in
	play     *player     // nil: of an engine that runs
	marks    []mark      // by their letters

	stopSearch context.CancelFunc // nil: no hit is looked for
}

// Frame is what a Traveller does to the screen.
type Frame interface {
	// ShowState makes a state of the past the one that is drawn, as of a time.
	ShowState(st *state.State, at time.Time)
	// ShowNow takes the newest state anew.
	ShowNow()
	// Thaw ends freezing.
	Thaw()
}

// New returns a Traveller over a frame. c is shared with the views.
func New(c *view.Context, frame Frame) *Traveller { return &Traveller{c: c, frame: frame} }

// errNoPast is why nothing goes back.
var errNoPast = errors.New("nothing of before is kept: start with a history")

// capture takes what can be gone back to now.
func (t *Traveller) capture() error {
	if t.c.Recording() {
		return nil // it does not grow
	}
	h := t.c.Source.Past()
	if h == nil {
		return errNoPast
	}
	first, last := h.Range()
	if last.Seq == 0 {
		return errors.New("nothing has happened yet")
	}
	if t.c.Past == nil {
		t.c.Past = &view.Place{Seq: last.Seq, At: t.c.Clock()}
	}
	p := t.c.Past
	p.History, p.First, p.Last = h, first, last
	return nil
}

// enter captures the past if the view is not in it yet. The caller goes
// somewhere at once.
func (t *Traveller) enter() error {
	if t.c.Past != nil {
		return nil
	}
	if err := t.capture(); err != nil {
		return err
	}
	t.frame.Thaw()
	return nil
}

// exit ends the view of the past.
func (t *Traveller) exit() {
	t.StopSearch()
	if t.ticks.stop != nil {
		t.ticks.stop()
	}
	t.c.Past, t.ticks = nil, overview{}
	t.left, t.wanted, t.shown = 0, 0, false
}

// exitUnseen leaves the past again when nothing of it was shown yet.
func (t *Traveller) exitUnseen() {
	if t.c.Past != nil && !t.shown && !t.c.Recording() {
		t.exit()
	}
}

// did refuses an error and reports whether there was none.
func (t *Traveller) did(err error) bool {
	if err != nil {
		t.c.Refuse(err.Error())
	}
	return err == nil
}

// goTo shows the state after event seq. When that cannot be had, the view stays
// where it is.
func (t *Traveller) goTo(seq uint64) error {
	p := t.c.Past
	st, err := p.History.At(seq)
	if err != nil {
		var gone *history.Gone
		if errors.As(err, &gone) && seq < gone.First {
			err = errors.New(noLongerKept(p.First.Seq))
		}
		t.exitUnseen()
		return err
	}
	t.show(st)
	return nil
}

func (t *Traveller) show(st *state.State) {
	p := t.c.Past
	p.Seq, p.At, t.shown = st.Seq, st.Time, true
	t.frame.ShowState(st, p.At)
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

// BackToNow ends the view of the past; of a recording it goes to the end.
func (t *Traveller) BackToNow() {
	p := t.c.Past
	switch {
	case p == nil:
		t.c.Refuse("this is now")
	case p.Recording:
		t.play.playing = false
		t.left = p.Seq
		if t.did(t.goTo(p.Last.Seq)) {
			t.c.Say("the end of the recording")
		}
	default:
		t.exit()
		t.frame.ShowNow()
		t.c.Say("back at now")
	}
}

// back is how far the cursor is behind now.
func (t *Traveller) back() time.Duration { return max(0, t.c.Clock().Sub(t.c.Past.At)) }

// Aged reports whether the header says something else by now than when it was
// drawn.
func (t *Traveller) Aged(drawnAt time.Time) bool {
	if t.c.Past == nil || t.c.Past.Recording {
		return false // it is drawn when it moves
	}
	now, drawn := t.back(), drawnAt.Sub(t.c.Past.At)
	unit := time.Second
	if now < 10*time.Second {
		unit /= 10
	}
	return now.Truncate(unit) != drawn.Truncate(unit)
}

// mark is a place in time that the user named by a letter. It holds the whole
// state, which shares with others what is the same.
type mark struct {
	letter rune
	seq    uint64
	time   time.Time
	st     *state.State
	what   string // the event that led there, in words
}

// player moves the cursor through a recording.
type player struct {
	playing bool
	speed   int       // of speeds
	ticked  time.Time // when the cursor moved last
}

// overview is what the scrubber shows of a history beside the cursor. It is made
// beside the screen, once for each history that is captured.
type overview struct {
	h      history.History // that it is of, or is being made of
	counts []uint32        // events in each part of the time; nil: not made yet
	hits   []history.Point // of breakpoints
	wrong  []history.Point // where findings began
	stop   context.CancelFunc
}

// StopSearch ends looking for a hit and reports whether that went on.
func (t *Traveller) StopSearch() bool {
	if t.stopSearch == nil {
		return false
	}
	t.stopSearch()
	t.stopSearch = nil
	return true
}
