package life

import "informerscope/journal"

// toldTo reports whether a listener has its notification; "" is none.
func (p *Passage) toldTo(listener string) bool { return listener != "" && p.listener(listener) != nil }

func (p *Passage) listener(name string) *told {
	for i := range p.told {
		if p.told[i].name == name {
			return &p.told[i]
		}
	}
	return nil
}

// applyListener follows notifications. A passage is in the ring until a handler
// has it, and with its handlers until one of them calls Add. Several handlers
// run beside each other: the path is that of the one that does.
func (l *Life) applyListener(e *journal.Event) {
	switch e.Kind {
	case journal.KindNotified:
		p := l.notified(e)
		p.note(e)
		p.told = append(p.told, told{name: e.Notified().Listener, notified: *e})
	case journal.KindHandlerStarted:
		for _, p := range l.live() {
			if t := p.listener(e.HandlerStarted().Listener); t != nil && t.started.Seq == 0 {
				t.started = *e
				p.note(e)
				if !p.finished && p.Stage == InRing {
					p.Stage = Handler
				}
				return
			}
		}
	case journal.KindHandlerDone, journal.KindHandlerPanicked:
		for _, p := range l.live() {
			if t := p.listener(e.Listener()); t != nil && t.started.Seq != 0 && t.done.Seq == 0 {
				t.done = *e
				p.note(e)
				l.handled(p, t)
				return
			}
		}
	}
}

// notified finds the passage that a notification tells of.
func (l *Life) notified(e *journal.Event) *Passage {
	// The listeners after the first one are told of the same.
	if p := l.newestTold(); p != nil && p.RV == e.RV && !p.toldTo(e.Listener()) && p.told[0].notified.Notified().Type == e.Notified().Type {
		return p
	}
	if p := l.processed(e.RV, e.Listener()); p != nil {
		l.spend(p, Process, e)
		p.Stage = InRing
		return p
	}
	// A new listener is told what is stored.
	p := l.begin("new handler", e)
	p.Stage = InRing
	return p
}

// newestTold is the passage that listeners were told of last since the newest
// Pop; nil when none were.
func (l *Life) newestTold() (newest *Passage) {
	// It is among the newest ones: a Pop has few deltas of a key.
	for _, p := range l.Passages[max(0, len(l.Passages)-maxTogether):] {
		if len(p.told) > 0 && p.told[0].notified.Seq > l.popSeq && (newest == nil || p.told[0].notified.Seq > newest.told[0].notified.Seq) {
			newest = p
		}
	}
	return newest
}

// maxTogether is how many passages newestTold looks at.
const maxTogether = 64

// handled ends a passage whose handlers have all returned and called no Add,
// along the path of the last one.
func (l *Life) handled(p *Passage, last *told) {
	if p.finished || p.added {
		return
	}
	for i := range p.told {
		if p.told[i].done.Seq == 0 {
			return
		}
	}
	l.spend(p, InRing, &last.started)
	l.spend(p, Handler, &last.done)
	p.end(Handled)
}

// adding finds the passage whose handler runs now, and ends its path up to the
// Add e. One handler feeds the workqueue: the first that was registered, until
// it is seen which.
func (l *Life) adding(e *journal.Event) *Passage {
	live := l.live()
	for i := len(live) - 1; i >= 0; i-- {
		p := live[i]
		if p.finished || p.added {
			continue
		}
		for j := range p.told {
			t := &p.told[j]
			if l.adder != "" && t.name != l.adder || l.adder == "" && j > 0 || t.started.Seq == 0 || t.done.Seq != 0 {
				continue
			}
			l.adder = t.name
			l.spend(p, InRing, &t.started)
			l.spend(p, Handler, e)
			return p
		}
	}
	return nil
}
