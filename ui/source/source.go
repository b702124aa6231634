// Package source says where states come from, for the screen and for those that
// start it: one interface that every source has, and one for each thing that only
// some can do. It imports the journal and nothing of the screen.
package source

import (
	"informerscope/journal"
	"informerscope/journal/history"
	"informerscope/journal/state"
)

// Source is where the states come from that the screen shows: a session, or a
// recording. What else a source can do, it says by the interfaces below. Its
// methods are called from one goroutine.
type Source interface {
	// Snapshot returns the state now; it is called up to 30 times a second.
	Snapshot() *state.State
	// Past is what can be gone back to at this moment; nil when nothing is kept.
	Past() history.History
}

// Controls is a Source that runs, and whose time can be held.
type Controls interface {
	Pause()
	Resume()
	// SetPace lets perSecond items a second through; 0 is real time.
	SetPace(perSecond float64)
	// Step lets one item through a stage while paused. It says what it was,
	// or why nothing could be let through. It and StepHandler may be called from
	// another goroutine than the Source's methods.
	Step(resource string, stage journal.Stage) (what string, err error)
	// StepHandler lets one notification through to one handler.
	StepHandler(resource, handler string) (what string, err error)
}

// Live is a Source with Controls, as a session is.
type Live interface {
	Source
	Controls
}

// Commands is a Source that takes what a person types after ":". Its methods
// may be called from another goroutine than the Source's.
type Commands interface {
	// Command does what a line says to a resource. The answer is one line.
	Command(resource, line string) (answer string, err error)
	// Complete lists what the last word of a line could become, and where in
	// the line that word begins.
	Complete(resource, line string) (from int, candidates []Candidate)
	// Usage is the verb that a line begins with, with its arguments and what it
	// does; "" when there is none yet.
	Usage(line string) string
	// Save writes what was done since the last Save into a scenario file, which
	// must not exist. The answer says what was written.
	Save(path string) (answer string, err error)
	// Faults lists the verbs that arm a fault on the wire.
	Faults() []Candidate
}

// Candidate is a word that could come next, and what it means.
type Candidate struct{ Word, Help string }

// Handlers is a Source that lets handlers come and go while it runs. Its
// methods may be called from another goroutine than the Source's.
type Handlers interface {
	// AddHandler registers a handler: name[,delay=DURATION][,resync=DURATION].
	// With one lane of a comparison, it and RemoveHandler mean all lanes.
	AddHandler(resource, spec string) error
	RemoveHandler(resource, name string) error
}

// Recordings is a Source that can write what happens to a file.
type Recordings interface {
	// StartRecording writes to path, which must not exist.
	StartRecording(path string) (answer string, err error)
	// StopRecording completes the file. The answer says what is in it.
	StopRecording() (answer string, err error)
}
