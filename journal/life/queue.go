package life

import "informerscope/journal"

// This file follows the key through the workqueue. The queue knows keys, not
// changes: one Get takes all that was added until then, and one reconcile serves
// it.

func (l *Life) applyQueue(e *journal.Event) {
	switch e.Kind {
	case journal.KindQueueAdded:
		l.add(e)
	case journal.KindQueueWaitingReady:
		l.ready(e)
	case journal.KindQueueGot:
		l.got(e)
	case journal.KindQueueDone:
		l.done(e)
	case journal.KindQueueAddAfter, journal.KindQueueAddLimited:
		l.later(e)
	case journal.KindReconcileFailed, journal.KindReconcilePanicked:
		l.retry.failed = true
		l.Failures++
		l.noteWorking(e)
	default:
		l.noteWorking(e)
	}
}

func (l *Life) noteWorking(e *journal.Event) {
	for _, p := range l.working {
		p.note(e)
	}
}

// add puts what an Add is for where Add put the key.
func (l *Life) add(e *journal.Event) {
	var ps []*Passage
	switch p := l.adding(e); {
	case l.firing && len(l.fired) > 0:
		ps = l.fired
	case l.firing && l.retry.fired:
		l.firing = false
		l.noteWorking(e)
		return // its passages are with the worker still
	case l.firing:
		ps = []*Passage{l.begin("retry", e)}
	case p != nil:
		ps = []*Passage{p}
	default:
		ps = []*Passage{l.begin("Add", e)}
	}
	l.fired, l.firing = nil, false
	for _, p := range ps {
		p.note(e)
		p.added = true
		p.Stage = InQueue
	}
	result := e.QueueAdded().Result
	switch result {
	case journal.AddShutDown:
		for _, p := range ps {
			p.end(Refused)
		}
		return
	case journal.AddDirty:
		l.behind(ps)
		return
	case journal.AddCoalesced, journal.AddRaised:
		l.Coalesced++
		for _, p := range ps {
			p.Coalesced = true
		}
		if len(l.dirty) > 0 || len(l.working) > 0 && len(l.queue) == 0 && result == journal.AddCoalesced {
			l.behind(ps)
			return
		}
	}
	l.queue = append(l.queue, ps...)
}

func (l *Life) behind(ps []*Passage) {
	for _, p := range ps {
		p.Stage = Behind
	}
	l.dirty = append(l.dirty, ps...)
}

// later is AddAfter: of a reconcile that ends, or by somebody's hand.
func (l *Life) later(e *journal.Event) {
	if len(l.working) > 0 {
		l.retry.asked = true
		l.noteWorking(e)
		return
	}
	if e.Kind == journal.KindQueueAddAfter {
		p := l.begin("AddAfter", e)
		p.note(e)
		p.Stage, p.added = Backoff, true
		l.waiting = append(l.waiting, p)
	}
}

// ready lets go what waited. When a worker got the key meanwhile for another
// reason, nothing waits any more.
func (l *Life) ready(e *journal.Event) {
	l.firing = true
	if len(l.waiting) == 0 && l.retry.asked {
		l.retry.fired = true
		l.noteWorking(e)
		return
	}
	fired := l.waiting
	l.fired, l.waiting = append(l.fired, fired...), nil
	for _, p := range fired {
		l.spend(p, Backoff, e)
		p.note(e)
	}
}

// got gives a worker all that was added, and what waits for a retry: a reconcile
// serves whatever happened before it.
func (l *Life) got(e *journal.Event) {
	for _, p := range l.working { // whose Done never came
		l.spend(p, Reconcile, e)
	}
	for _, p := range l.waiting {
		l.spend(p, Backoff, e)
	}
	for _, p := range l.queue {
		l.spend(p, InQueue, e)
	}
	l.working = append(append(l.working, l.queue...), l.waiting...)
	l.queue, l.waiting, l.retry = nil, nil, retry{}
	if len(l.working) == 0 { // what added it is not known any more
		p := l.begin("Get", e)
		p.added = true
		l.working = append(l.working, p)
	}
	l.Reconciles++
	for _, p := range l.working {
		p.note(e)
		p.Stage, p.Shared = Reconcile, len(l.working)
		p.Attempts++
	}
}

func (l *Life) done(e *journal.Event) {
	for _, p := range l.working {
		l.spend(p, Reconcile, e)
		p.note(e)
	}
	for _, p := range l.dirty {
		if e.Has(journal.Requeued) {
			l.spend(p, Behind, e)
			p.note(e)
			p.Stage = InQueue
		}
	}
	if e.Has(journal.Requeued) {
		l.queue, l.dirty = append(l.queue, l.dirty...), nil
	}
	r := l.retry
	for _, p := range l.working {
		switch {
		case r.failed && r.fired:
			p.Stage = InQueue
			l.queue = append(l.queue, p)
		case r.failed && r.asked:
			p.Stage = Backoff
			l.waiting = append(l.waiting, p)
		case r.failed:
			p.end(GaveUp)
		default:
			p.end(Reconciled)
		}
	}
	if !r.failed && r.asked && !r.fired { // it asked to be called again
		p := l.begin("AddAfter", e)
		p.note(e)
		p.Stage, p.added = Backoff, true
		l.waiting = append(l.waiting, p)
	}
	l.working, l.retry = nil, retry{}
}
