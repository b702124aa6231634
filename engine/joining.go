package engine

import (
	"errors"
	"fmt"

	"informerscope/engine/processor"
)

// AddHandler registers a handler with a resource, also while the session runs:
// then it first gets a synthetic OnAdd for everything that is stored. After
// "controller" was removed, a handler of that name feeds the workqueue again.
//
// In a comparison resource may be that of all lanes ("pods") or one of the lanes
// ("pods@atomic"): the handler joins every lane that runs, in one step, as what a
// handler sees in one lane compares with what it sees in the others.
func (s *Session) AddHandler(resource string, h HandlerSpec) error {
	if err := h.validate(); err != nil {
		return err
	}
	ps, err := s.beside(resource)
	if err != nil {
		return err
	}
	defer blockDeltas(ps)()
	for _, p := range ps {
		if p.processor.Len() > MaxHandlers {
			return fmt.Errorf("%s: %w", resource, errManyHandlers)
		}
		switch err := p.addHandler(h); {
		case errors.Is(err, processor.ErrRegistered):
			return fmt.Errorf("%s has a handler %s already: choose another name, or remove it first", resource, h.Name)
		case err != nil && p.failure() == nil: // a lane may fail at this moment
			return fmt.Errorf("%s: %w", resource, err)
		}
	}
	return nil
}

// RemoveHandler takes a handler of a resource off while the session runs. The call
// that it is in goes on. In a comparison it leaves every lane that runs, as
// AddHandler has it join them.
func (s *Session) RemoveHandler(resource, name string) error {
	ps, err := s.beside(resource)
	if err != nil {
		return err
	}
	switch err := leave(ps, name); {
	case errors.Is(err, processor.ErrUnknown):
		return fmt.Errorf("%s has no handler %s", resource, name)
	case err != nil:
		return fmt.Errorf("%s: %w", resource, err)
	}
	return nil
}

// leave takes a handler off. As in client-go's RemoveEventHandler no deltas are
// processed meanwhile.
func leave(ps []*pipeline, name string) error {
	defer blockDeltas(ps)()
	for _, p := range ps {
		if err := p.processor.Remove(name); err != nil {
			if p.failure() != nil {
				continue // a lane may fail at this moment
			}
			return err
		}
		p.handlerFaults.forget(name)
	}
	return nil
}

// beside returns the pipelines whose handlers are the same as those of resource:
// its own or, in a comparison, the lanes that have not failed.
func (s *Session) beside(resource string) ([]*pipeline, error) {
	for _, c := range s.comparisons {
		if !c.has(resource) {
			continue
		}
		var running []*pipeline
		var failed error
		for _, p := range c.lanes {
			if err := p.failure(); err != nil {
				failed = err
				continue
			}
			running = append(running, p)
		}
		if len(running) == 0 {
			return nil, fmt.Errorf("%s has stopped: %w", resource, failed)
		}
		return running, nil
	}
	p, err := s.pipeline(resource)
	if err != nil {
		return nil, err
	}
	return []*pipeline{p}, nil
}

// blockDeltas keeps all of ps from processing deltas until unblock is called.
// Only here one goroutine takes several of these locks, always in one order.
func blockDeltas(ps []*pipeline) (unblock func()) {
	for _, p := range ps {
		p.blockDeltas.Lock()
	}
	return func() {
		for _, p := range ps {
			p.blockDeltas.Unlock()
		}
	}
}
