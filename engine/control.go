package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"informerscope/engine/flight"
	"informerscope/journal"
)

// Pause closes all gates: nothing moves but what is in a handler or worker.
func (s *Session) Pause() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.journal.Do(func(appendEvent func(journal.Event)) {
		if s.paused {
			return
		}
		s.pauseLocked()
		appendEvent(journal.Paused{}.Event("", ""))
	})
}

// pauseLocked closes all gates, under the journal's lock. A gate's lock is taken
// inside of the journal's: nobody appends an event while holding it.
func (s *Session) pauseLocked() {
	s.paused = true
	for _, p := range s.pipelines {
		for _, g := range p.gates() {
			g.Close()
		}
	}
}

// Resume opens all gates.
func (s *Session) Resume() {
	s.mu.Lock()
	defer s.mu.Unlock()
	// In one step: a breakpoint that is hit by what passes the first open gate
	// closes all of them.
	s.journal.Do(func(appendEvent func(journal.Event)) {
		if !s.paused {
			return
		}
		s.paused = false
		appendEvent(journal.Resumed{}.Event("", ""))
		for _, p := range s.pipelines {
			for _, g := range p.gates() {
				g.Open()
			}
		}
	})
}

// isPaused reports whether the session is paused. Only the holder of s.mu makes
// that untrue.
func (s *Session) isPaused() (paused bool) {
	s.journal.Locked(func(journal.View) { paused = s.paused })
	return paused
}

// SetPace lets perSecond items a second through the Pop and Get gates of each
// resource; 0 is real time.
func (s *Session) SetPace(perSecond float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if perSecond < 0 || perSecond == s.pace {
		return
	}
	s.pace = perSecond
	for _, p := range s.pipelines {
		p.setPace(perSecond)
	}
	s.journal.Append(journal.PaceSet{PerSecondMilli: int64(perSecond * 1000)}.Event("", ""))
}

// Step lets one item through a stage of a resource while the session is
// paused: StageReflector one watch event, StageFIFO one Pop, StageListener one
// notification, StageQueue one Get or, when a key waits for it, its Done. It
// says what was let through, or why nothing could be.
func (s *Session) Step(resource string, stage journal.Stage) (what string, err error) {
	return s.step(resource, stage, func(p *pipeline) (string, func(), error) {
		what, err := p.canStep(stage)
		return what, func() { p.step(what) }, err
	})
}

// StepHandler lets one notification through to one handler of a resource while
// the session is paused, also when other handlers have waited longer. It says
// what Step does.
func (s *Session) StepHandler(resource, handler string) (what string, err error) {
	return s.step(resource, journal.StageListener, func(p *pipeline) (string, func(), error) {
		err := p.canStepHandler(handler)
		return stepNotify + " to " + handler, func() { p.handlerGate.StepAs(handler) }, err
	})
}

// stepWait is for how long a step waits at most for what is on its way to its
// gate.
const stepWait = time.Second

// step lets through what prepare finds. A refusal counts once nothing is on its
// way to the stage.
func (s *Session) step(resource string, stage journal.Stage, prepare func(*pipeline) (what string, step func(), err error)) (what string, err error) {
	p, err := s.pipeline(resource)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), stepWait)
	defer cancel()
	look := func(l *flight.Look) {
		p.feed.look(l)
		p.look(l, stage)
	}
	_ = s.until(ctx, look, func(l *flight.Look) verdict {
		var final bool
		switch what, final, err = s.tryStep(p, stage, prepare); {
		case final:
			return yes
		case len(l.Items) == 0:
			return yesIfUnchanged
		}
		return no
	})
	return what, err
}

// tryStep does it once. The answer is final unless something may still come to the
// gate.
func (s *Session) tryStep(p *pipeline, stage journal.Stage, prepare func(*pipeline) (what string, step func(), err error)) (what string, final bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.isPaused() {
		return "", true, errors.New("the engine is running: pause it before stepping")
	}
	if err := p.failure(); err != nil {
		return "", true, fmt.Errorf("%s has stopped: %w", p.target.Name, err)
	}
	what, step, err := prepare(p)
	if err != nil {
		return "", false, err
	}
	// The event comes first: what the step lets through follows it.
	s.journal.Append(journal.Stepped{Stage: string(stage), What: what}.Event(p.target.Name, ""))
	step()
	return what, true, nil
}

// What a step lets through.
const (
	stepEvent  = "one watch event"
	stepPop    = "one Pop"
	stepNotify = "one notification"
	stepGet    = "one Get"
	stepDone   = "one Done"
)

func (p *pipeline) canStep(stage journal.Stage) (string, error) {
	switch stage {
	case journal.StageReflector, journal.StageWire:
		if p.watchGate.Waiting() > 0 {
			return stepEvent, nil
		}
		return "", errors.New("no watch event is waiting: the server has sent nothing new")
	case journal.StageFIFO:
		if p.popGate.Waiting() > 0 {
			return stepPop, nil
		}
		return "", errors.New("the FIFO is empty: step the Reflector to let a watch event in")
	case journal.StageListener, journal.StageIndexer:
		if p.handlerGate.Waiting() > 0 {
			return stepNotify, nil
		}
		return "", errors.New("no notification is waiting: step the FIFO to Pop a key")
	case journal.StageQueue, journal.StageWorker:
		return p.canStepQueue()
	}
	return "", fmt.Errorf("%s has nothing to step", stage)
}

func (p *pipeline) canStepHandler(name string) error {
	if p.handlerGate.HeldAs(name) {
		return nil
	}
	switch n, ok := p.processor.Backlog(name); {
	case !ok:
		return fmt.Errorf("%s has no handler %s", p.target.Name, name)
	case n > 0:
		return fmt.Errorf("%s is in a call: the next notification waits for it to return", name)
	}
	return fmt.Errorf("no notification waits for %s: step the FIFO to Pop a key", name)
}

func (p *pipeline) canStepQueue() (string, error) {
	if p.doneGate.Waiting() > 0 {
		return stepDone, nil
	}
	if p.getGate.Waiting() > 0 {
		return stepGet, nil
	}
	switch {
	case p.workers.count() == 0:
		return "", errors.New("there are no workers to Get a key (--workers 0): worker add, or get by hand")
	case p.queue.Len() > 0:
		return "", errors.New("all workers are busy: wait for a reconcile to end")
	case p.handlerGate.Waiting() > 0:
		return "", errors.New("the queue is empty: step the Indexer pane to hand a notification to the handler")
	}
	return "", errors.New("the queue is empty: nothing to Get")
}

func (p *pipeline) step(what string) {
	switch what {
	case stepEvent:
		p.watchGate.Step()
	case stepPop:
		p.popGate.Step()
	case stepNotify:
		p.handlerGate.Step()
	case stepGet:
		p.getGate.Step()
	case stepDone:
		p.doneGate.Step()
	}
}
