package processor

import "informerscope/engine/flight"

// Look tells l which listeners have a notification on its way: one that neither
// the gate holds nor a handler that waits on purpose.
func (p *Processor) Look(l *flight.Look) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped || !p.started {
		return
	}
	_, moving := p.o.Gate.Held(l)
	for _, x := range p.leaving {
		if x.leaves(l) {
			l.Add("handler " + x.o.Name + " is in its last call")
		}
	}
	for _, x := range p.listeners {
		if why := p.lookAt(x, l, moving); why != "" {
			l.Add("handler " + x.o.Name + " " + why)
		}
	}
}

// leaves reports whether a listener that was removed is about to end.
func (x *listener) leaves(l *flight.Look) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return !x.calling || !x.nap.Rests(l) && (x.o.Rests == nil || !x.o.Rests(l))
}

func (p *Processor) lookAt(x *listener, l *flight.Look, moving bool) (why string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case x.calling && !x.nap.Rests(l) && (x.o.Rests == nil || !x.o.Rests(l)):
		return "is in a call"
	case !x.calling && x.backlog > 0 && !x.nap.Rests(l) && (moving || !p.o.Gate.HeldAs(x.o.Name)):
		return "is about to get a notification"
	case x.synced.HasSynced() && !x.told:
		return "has synced"
	}
	return ""
}
