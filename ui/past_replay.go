package ui

import (
	"errors"
	"strconv"
	"time"

	"informerscope/journal"
	"informerscope/journal/history"
	"informerscope/journal/state"
)

// Replay makes the screen show a past that is over, as a recording is. Run then
// needs no Engine. The view begins paused.
type Replay struct {
	History history.History
	At      uint64 // the event to begin at; 0: the first one
	Lost    string // what of the recording could not be read; "": nothing. It stands in the footer for a while
}

// player moves the cursor through a recording.
type player struct {
	playing bool
	speed   int       // of speeds
	ticked  time.Time // when the cursor moved last
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

// openReplay puts the view at the beginning of a recording.
func (m *model) openReplay(r *Replay) {
	first, last := r.History.Range()
	m.past = &pastView{h: r.History, first: first, last: last, replay: &player{speed: asRecorded}}
	if last.Seq == 0 {
		m.refuse("the recording has no events")
		return
	}
	m.start = first.Time
	at := r.At
	if at == 0 {
		at = first.Seq
	}
	m.goTo(min(max(at, first.Seq), last.Seq))
	if r.Lost != "" {
		m.refuse(r.Lost)
		m.messageUntil = m.o.Now().Add(noteFor)
	}
}

// replaying reports whether a recording is shown, and no engine.
func (m *model) replaying() bool { return m.past != nil && m.past.replay != nil }

func (m *model) togglePlay() {
	p := m.past
	r := p.replay
	if r.playing {
		m.stopPlaying()
		m.say("stopped: , and . go by one event, space plays")
		return
	}
	if p.last.Seq == 0 {
		m.refuse("the recording has no events")
		return
	}
	if p.seq >= p.last.Seq {
		m.goTo(p.first.Seq)
	}
	r.playing, r.ticked = true, m.o.Now()
	m.say("playing " + speedText(speeds[r.speed]) + ": < and > change the speed, space stops")
}

func (m *model) stopPlaying() {
	if m.past != nil && m.past.replay != nil {
		m.past.replay.playing = false
	}
}

// changeSpeed moves d places along speeds.
func (m *model) changeSpeed(d int) {
	r := m.past.replay
	to := r.speed + d
	if to < 0 || to >= len(speeds) {
		m.refuse("it plays " + speedText(speeds[r.speed]) + " already: that is the end of the scale")
		return
	}
	r.speed = to
	if speeds[to] == 0 {
		m.say("speed: as fast as it goes")
	} else {
		m.say("speed: " + speedText(speeds[to]))
	}
}

// throughIn is in how many ticks a whole recording is played at the highest
// speed, if its states can be had that fast.
const throughIn = 300

// play moves the cursor by the time that has passed, times the speed.
func (m *model) play() {
	p := m.past
	r := p.replay
	if !r.playing {
		return
	}
	now := m.o.Now()
	d := now.Sub(r.ticked)
	if d <= 0 {
		return
	}
	r.ticked = now
	at, seq := p.at, uint64(0)
	if f := speeds[r.speed]; f > 0 {
		at = at.Add(time.Duration(float64(d) * f))
		if s, err := p.h.Seek(at); err == nil {
			seq = max(s, p.seq)
		}
		if !at.Before(p.last.Time) {
			seq = p.last.Seq
		}
	} else {
		seq = min(p.last.Seq, p.seq+max(1, (p.last.Seq-p.first.Seq)/throughIn))
		at = time.Time{}
	}
	if seq != p.seq && !m.goTo(seq) {
		r.playing = false
		return
	}
	if seq >= p.last.Seq {
		r.playing = false
		m.say("the end of the recording; space plays it again")
		return
	}
	if !at.IsZero() {
		p.at, m.now = at, at
	}
	m.changed = now
	m.dirty = true
}

// recording is the Engine of a Replay: there is nothing to control.
type recording struct{}

var errRecording = errors.New("this is a recording: there is nothing that could do it")

func (recording) Snapshot() *state.State                     { return nil }
func (recording) Pause()                                     {}
func (recording) Resume()                                    {}
func (recording) SetPace(float64)                            {}
func (recording) Step(string, journal.Stage) (string, error) { return "", errRecording }
func (recording) StepHandler(string, string) (string, error) { return "", errRecording }
