package past

import (
	"strconv"
	"time"

	"informerscope/journal/history"
	"informerscope/journal/state"
	"informerscope/ui/view"
)

// Replay makes the screen show a past that is over, as a recording is. Run then
// needs no Engine. The view begins paused.
type Replay struct {
	History history.History
	At      uint64 // the event to begin at; 0: the first one
	Lost    string // what of the recording could not be read; "": nothing. It stands in the footer for a while
}

// speeds are what < and > go through: times as fast as it was recorded; 0 is as
// fast as it goes.
var speeds = []float64{0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 0}

const asRecorded = 3 // of speeds

// text says how it plays.
func (r *player) text() string {
	if r.playing {
		return "playing " + speedText(speeds[r.speed])
	}
	return "stopped " + speedText(speeds[r.speed])
}

func speedText(f float64) string {
	if f == 0 {
		return "max"
	}
	return "x" + strconv.FormatFloat(f, 'g', -1, 64)
}

// OpenReplay puts the view at the beginning of a recording.
func (t *Traveller) OpenReplay(r *Replay) {
	first, last := r.History.Range()
	t.c.Past = &view.Place{History: r.History, First: first, Last: last, Recording: true}
	t.play = &player{speed: asRecorded}
	if last.Seq == 0 {
		t.c.Refuse("the recording has no events")
		return
	}
	t.c.Start = first.Time
	at := r.At
	if at == 0 {
		at = first.Seq
	}
	t.did(t.goTo(min(max(at, first.Seq), last.Seq)))
}

// Playing reports whether a recording is being played.
func (t *Traveller) Playing() bool { return t.play != nil && t.play.playing }

// TogglePlay plays a recording, or stops it.
func (t *Traveller) TogglePlay() {
	p, r := t.c.Past, t.play
	if r.playing {
		t.stopPlaying()
		t.c.Say("stopped: , and . go by one event, space plays")
		return
	}
	if p.Last.Seq == 0 {
		t.c.Refuse("the recording has no events")
		return
	}
	if p.Seq >= p.Last.Seq {
		t.did(t.goTo(p.First.Seq))
	}
	r.playing, r.ticked = true, t.c.Clock()
	t.c.Say("playing " + speedText(speeds[r.speed]) + ": < and > change the speed, space stops")
}

func (t *Traveller) stopPlaying() {
	if t.play != nil {
		t.play.playing = false
	}
}

// ChangeSpeed moves d places along speeds.
func (t *Traveller) ChangeSpeed(d int) {
	r := t.play
	to := r.speed + d
	if to < 0 || to >= len(speeds) {
		t.c.Refuse("it plays " + speedText(speeds[r.speed]) + " already: that is the end of the scale")
		return
	}
	r.speed = to
	if speeds[to] == 0 {
		t.c.Say("speed: as fast as it goes")
	} else {
		t.c.Say("speed: " + speedText(speeds[to]))
	}
}

// throughIn is in how many ticks a whole recording is played at the highest
// speed, if its states can be had that fast.
const throughIn = 300

// advance moves the cursor by the time that has passed, times the speed.
func (t *Traveller) advance() {
	p, r := t.c.Past, t.play
	if !r.playing {
		return
	}
	now := t.c.Clock()
	d := now.Sub(r.ticked)
	if d <= 0 {
		return
	}
	r.ticked = now
	at, seq := p.At, uint64(0)
	if f := speeds[r.speed]; f > 0 {
		at = at.Add(time.Duration(float64(d) * f))
		if s, err := p.History.Seek(at); err == nil {
			seq = max(s, p.Seq)
		}
		if !at.Before(p.Last.Time) {
			seq = p.Last.Seq
		}
	} else {
		seq = min(p.Last.Seq, p.Seq+max(1, (p.Last.Seq-p.First.Seq)/throughIn))
		at = time.Time{}
	}
	if seq != p.Seq && !t.did(t.goTo(seq)) {
		r.playing = false
		return
	}
	if seq >= p.Last.Seq {
		r.playing = false
		t.c.Say("the end of the recording; space plays it again")
		return
	}
	if !at.IsZero() {
		p.At, t.c.Now = at, at
	}
	t.c.Redraw()
}

// Recording is the Source of a Replay. It has no Controls.
type Recording struct{ history.History }

// Snapshot is nothing: what is shown is of the past.
func (Recording) Snapshot() *state.State { return &state.State{} }

// Past is the whole recording.
func (r Recording) Past() history.History { return r.History }

// Pull is what a tick does in the past: only what the mouse asks for, and what
// is being played.
func (t *Traveller) Pull() {
	if t.wanted != 0 {
		seq := t.wanted
		t.wanted = 0
		if seq != t.c.Past.Seq {
			t.did(t.goTo(seq))
		}
	}
	if t.play != nil {
		t.advance()
	}
}
