package life

import "informerscope/journal"

// This file follows a change from the watch to the notification.

func (l *Life) applyArrival(e *journal.Event) {
	switch e.Kind {
	case journal.KindWatchEvent:
		l.saw(e.RV)
		p := l.begin(e.WatchEvent().Type, e)
		p.Stage = ToFIFO
		p.note(e)
	case journal.KindFIFOEnqueued:
		p := l.watched(e.RV)
		if p == nil {
			p = l.begin(e.FIFOEnqueued().Type, e)
		} else {
			l.spend(p, ToFIFO, e)
		}
		p.Stage, p.Tombstone, p.merged = InFIFO, e.Has(journal.Tombstone), e.Has(journal.Coalesced)
		p.note(e)
	case journal.KindFIFODropped:
		p := l.watched(e.RV)
		if p == nil {
			p = l.begin(e.FIFODropped().Type, e)
		} else {
			l.spend(p, ToFIFO, e)
		}
		p.note(e)
		p.end(Unknown)
	case journal.KindFIFOPopped:
		l.popped(e)
	case journal.KindStoreAdded, journal.KindStoreUpdated, journal.KindStoreDeleted:
		l.saw(e.RV)
		if p := l.processed(e.RV, ""); p != nil {
			p.note(e)
		}
	default:
		if p := l.in(Process, nil); p != nil && e.Kind == journal.KindFIFOProcessed {
			// Nobody was told of it.
			p.note(e)
			l.spend(p, Process, e)
			p.end(Handled)
		} else if q := l.newestTold(); q != nil && e.Kind == journal.KindFIFOProcessed {
			q.note(e)
		} else if n := len(l.Passages); n > 0 {
			l.Passages[n-1].note(e)
		}
	}
}

// watched finds the watch event that becomes the delta of a version. What came
// before it and became none, as of a list that is gathered, is superseded.
func (l *Life) watched(rv string) *Passage {
	p := l.in(ToFIFO, func(p *Passage) bool { return p.RV == rv })
	for _, q := range l.live() {
		if p != nil && q.Number < p.Number && !q.finished && q.Stage == ToFIFO {
			q.end(Superseded)
		}
	}
	return p
}

// popped moves what a Pop took on: N deltas, of a DeltaFIFO all that the key
// has, of a RealFIFO the oldest one. Two changes may have become one delta.
func (l *Life) popped(e *journal.Event) {
	l.popSeq = e.Seq
	var took []*Passage
	left := max(1, e.FIFOPopped().Deltas)
	for _, p := range l.live() {
		if p.finished || p.Stage != InFIFO {
			continue
		}
		if !p.merged {
			left--
		}
		if left < 0 {
			break
		}
		took = append(took, p)
	}
	if len(took) == 0 { // what queued it is not known any more
		took = append(took, l.begin("Pop", e))
		took[0].Stage = Process
		took[0].note(e)
		return
	}
	for _, p := range took {
		l.spend(p, InFIFO, e)
		p.Stage = Process
		if len(took) > 1 {
			p.Together = len(took)
		}
		p.note(e)
	}
}

// processed finds the passage that is being processed and that a store event or
// a notification of listener belongs to. When a delta that stands for all keys
// is being processed, it is one of its.
func (l *Life) processed(rv, listener string) *Passage {
	fits := func(p *Passage) bool { return p.RV == rv && !p.toldTo(listener) }
	if p := l.in(Process, fits); p != nil {
		return p
	}
	if p := l.in(Process, func(p *Passage) bool { return !p.toldTo(listener) }); p != nil {
		return p
	}
	if l.list == nil || l.list.popped == nil {
		return nil
	}
	p := l.watched(rv)
	if p == nil {
		p = l.begin(l.list.typ, l.list.queued)
		p.RV = rv
	} else {
		l.spend(p, ToFIFO, l.list.queued)
	}
	p.note(l.list.queued)
	l.spend(p, InFIFO, l.list.popped)
	p.note(l.list.popped)
	p.Stage = Process
	return p
}

// applyKeyless follows the deltas that stand for all keys.
func (l *Life) applyKeyless(e *journal.Event) {
	switch e.Kind {
	case journal.KindFIFOEnqueued:
		c := *e
		l.lists = append(l.lists, keyless{typ: e.FIFOEnqueued().Type, rv: e.RV, queued: &c})
	case journal.KindFIFOPopped:
		c := *e
		l.popSeq = e.Seq
		if len(l.lists) == 0 { // what queued it is not known any more
			l.lists = append(l.lists, keyless{typ: e.FIFOPopped().Type, rv: e.RV, queued: &c})
		}
		list := l.lists[0]
		list.popped = &c
		l.list, l.lists = &list, l.lists[1:]
	case journal.KindFIFOProcessed:
		l.list = nil
		for _, p := range l.live() {
			if !p.finished && p.Stage == Process {
				p.note(e)
				l.spend(p, Process, e)
				p.end(Handled)
			}
		}
	}
}
