package recording

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"k8s.io/utils/clock"

	"informerscope/journal"
	"informerscope/journal/state"
)

// Source is what is recorded: an *engine.Session.
type Source interface {
	Journal() *journal.Journal
	Snapshot() *state.State
}

// Options configure a Recorder. Path and Source must be set.
type Options struct {
	Path   string // of the file, which must not exist
	Source Source

	// MaxSize is how many bytes the file and the part before it, Path with .1 at
	// its end, take together; 0 is any number. At half of it a part is complete
	// and another begins, which opens without it.
	MaxSize int64
	// NoObjects leaves out the objects that events carry.
	NoObjects bool
	// Unmask records Secret values, annotations that look like credentials, and
	// last-applied configurations. Without it they are not in the file.
	Unmask bool

	// Version, Resources and Settings go to the Header as they are.
	Version   string
	Resources []string
	Settings  map[string]string

	Clock clock.WithTicker // nil means the real clock

	// OnStop, if set, is called once when the recording has ended, by a
	// goroutine of its own. err says why when nobody asked for it, and what is
	// left.
	OnStop func(s Stats, err error)
}

func (o Options) complete() Options {
	if o.Clock == nil {
		o.Clock = clock.RealClock{}
	}
	return o
}

// Stats are what a Recorder has done so far.
type Stats struct {
	Path    string
	Since   time.Time // when it began, by Options.Clock
	Seq     uint64    // of the newest event that was taken
	Events  uint64    // taken, in all parts: written, or to be within a second
	Lost    uint64    // came faster than they could be written
	Bytes   int64     // written, in all parts
	Parts   int
	Stopped bool
	Err     error // why it stopped when nobody asked for it
}

// MinSize is the least MaxSize.
const MinSize = 1 << 20

const (
	// gather is how often events are taken while there are some.
	gather = 25 * time.Millisecond
	// flushAfter is when events get to the kernel at the latest, so that what is
	// lost when the process is killed is less than a second's.
	flushAfter = 500 * time.Millisecond
	// blockEvents and blockBytes complete a block.
	blockEvents = 4096
	blockBytes  = 512 << 10
	// objectBytes complete a block of objects.
	objectBytes = 256 << 10
	// keyframeEvents are at least between two keyframes.
	keyframeEvents = 8192
	// checkpointAfter is when there is another checkpoint, if anything happened.
	checkpointAfter = 10 * time.Second
	// costShare is how much longer nothing is done about keyframes than one takes;
	// the same of checkpoints.
	costShare = 50
)

// Recorder writes a recording. Its methods are safe for concurrent use.
type Recorder struct {
	o      Options
	cancel context.CancelFunc
	done   chan struct{}

	mu    sync.Mutex
	stats Stats
}

// Record creates the file and records from now on, until ctx ends or Stop is
// called: both write what has happened by then. It begins with the session's
// first event when that is still in memory, and else with the state now. It
// writes RecordingStarted and RecordingStopped to the journal.
//
// It never blocks the pipeline. An error of the file ends the recording, and
// nothing else; the error that Record returns is one of the beginning, when
// nothing is recorded.
func Record(ctx context.Context, o Options) (*Recorder, error) {
	o = o.complete()
	switch {
	case o.Path == "":
		return nil, errors.New("record: no file is named")
	case o.MaxSize < 0 || o.MaxSize > 0 && o.MaxSize < MinSize:
		return nil, fmt.Errorf("record to %s: a file of at most %d bytes is too small: give at least %d", o.Path, o.MaxSize, MinSize)
	}
	p, err := create(o)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	r := &Recorder{o: o, cancel: cancel, done: make(chan struct{}), stats: Stats{Path: o.Path, Since: o.Clock.Now(), Parts: 1}}
	w := newWriter(o, p)
	o.Source.Journal().Append(journal.RecordingStarted{File: o.Path}.Event("", ""))
	if err := w.begin(); err != nil {
		cancel()
		err = errors.Join(fmt.Errorf("record to %s: %w", o.Path, err), p.remove())
		o.Source.Journal().Append(journal.RecordingStopped{File: o.Path, Why: err.Error()}.Event("", ""))
		return nil, err
	}
	r.tell(w, false, nil)
	go r.run(ctx, w)
	return r, nil
}

// Stop ends the recording, with what has happened by now, and waits for that.
// It returns the error that ended it, if any. Calls after the first do the same.
func (r *Recorder) Stop() error {
	r.cancel()
	<-r.done
	return r.Stats().Err
}

// Done is closed when the recording has ended, and its file is closed.
func (r *Recorder) Done() <-chan struct{} { return r.done }

// Stats are the figures so far; they follow the events by a second at most.
func (r *Recorder) Stats() Stats {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stats
}

func (r *Recorder) tell(w *writer, stopped bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := &r.stats
	s.Seq, s.Events, s.Lost, s.Bytes, s.Parts, s.Stopped, s.Err = w.seq, w.events, w.lost, w.bytes+w.part.size, w.number, stopped, err
}

func (r *Recorder) run(ctx context.Context, w *writer) {
	err := r.follow(ctx, w)
	if err == nil {
		err = w.end()
	}
	if err != nil {
		// What is whole stays.
		w.part.abandon()
		err = fmt.Errorf("the recording has stopped: %w; %s has the %d events before", err, r.o.Path, w.partEvents)
	}
	r.tell(w, true, err)
	s := r.Stats()
	why := ""
	if err != nil {
		why = err.Error()
	}
	r.o.Source.Journal().Append(journal.RecordingStopped{File: r.o.Path, Events: int64(s.Events), Bytes: s.Bytes, Why: why}.Event("", ""))
	close(r.done)
	if r.o.OnStop != nil {
		r.o.OnStop(s, err)
	}
}

// follow records until ctx ends.
func (r *Recorder) follow(ctx context.Context, w *writer) error {
	j := r.o.Source.Journal()
	for ctx.Err() == nil {
		if w.pending() {
			timer := r.o.Clock.NewTimer(gather)
			select {
			case <-timer.C():
			case <-ctx.Done():
				timer.Stop()
			}
		} else if _, err := j.Wait(ctx, w.seq); err != nil {
			break
		}
		if err := w.take(j.View()); err != nil {
			return err
		}
		if err := w.attend(r.o.Clock.Now()); err != nil {
			return err
		}
		r.tell(w, false, nil)
	}
	return nil
}
