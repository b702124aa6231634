package processor

import (
	"fmt"
	"time"

	"k8s.io/client-go/tools/cache/synctrack"
	"k8s.io/utils/buffer"

	"informerscope/journal"
)

// MinResync is client-go's MinResyncPeriod.
const MinResync = time.Second

// registerLocked makes a listener and settles resync periods as
// sharedIndexInformer.AddEventHandlerWithOptions does: a period is at least the
// minimum; before the start a shorter one makes the informer check more often,
// after it the listener has to live with the checks there are.
func (p *Processor) registerLocked(o ListenerOptions) *listener {
	p.o.Journal.Append(journal.ListenerAdded{Listener: o.Name, Resync: o.Resync}.Event(p.o.Resource, ""))
	granted := o.Resync
	if granted > 0 && granted < MinResync {
		p.warn("handler %s: a resync period of %v is under client-go's minimum: %v is used", o.Name, granted, MinResync)
		granted = MinResync
	}
	if granted > 0 && granted < p.check {
		if p.started {
			p.warn("handler %s: a resync period of %v is under the period of the resync checks, and the informer runs already: %v is used", o.Name, granted, p.check)
			granted = p.check
		} else {
			p.check = granted
			for _, l := range p.listeners {
				p.setPeriodLocked(l, p.effective(l.o.Name, l.requested))
			}
		}
	}
	l := &listener{
		o: o, requested: granted, syncing: true,
		synced: synctrack.NewSingleFileTracker(o.Name),
		ring:   buffer.NewTypedRingGrowing[Notification](buffer.RingGrowingOptions{InitialSize: ringSize}),
		done:   make(chan struct{}),
	}
	l.cond.L = &l.mu
	l.resync = p.effective(o.Name, granted)
	l.nextResync = p.o.Clock.Now().Add(l.resync)
	p.o.Journal.Append(journal.ListenerPeriod{Listener: o.Name, Effective: l.resync}.Event(p.o.Resource, ""))
	p.listeners = append(p.listeners, l)
	return l
}

// effective is client-go's determineResyncPeriod.
func (p *Processor) effective(name string, desired time.Duration) time.Duration {
	switch {
	case desired == 0:
		return 0
	case p.check == 0:
		p.warn("handler %s: it asks for resyncs and the informer does none (its own resync period is 0)", name)
		return 0
	}
	return max(desired, p.check)
}

// setPeriodLocked changes the period and, as client-go, not the time of the
// next resync.
func (p *Processor) setPeriodLocked(l *listener, d time.Duration) {
	if l.resync == d {
		return
	}
	l.resync = d
	p.o.Journal.Append(journal.ListenerPeriod{Listener: l.o.Name, Effective: d}.Event(p.o.Resource, ""))
}

// ShouldResync is asked by the Reflector at each resync check. It marks the
// listeners that are due.
func (p *Processor) ShouldResync() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.o.Clock.Now()
	needed := false
	for _, l := range p.listeners {
		due := l.resync > 0 && !now.Before(l.nextResync)
		if due {
			needed = true
			l.nextResync = now.Add(l.resync)
		}
		p.setSyncingLocked(l, due)
	}
	return needed
}

// SyncAll marks every listener, whatever it asked for, as a resync check does
// those that are due: for a resync by hand. The next check decides anew.
func (p *Processor) SyncAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.listeners {
		p.setSyncingLocked(l, true)
	}
}

func (p *Processor) setSyncingLocked(l *listener, syncing bool) {
	if l.syncing == syncing {
		return
	}
	l.syncing = syncing
	is := journal.NotSyncing
	if syncing {
		is = journal.IsSyncing
	}
	p.o.Journal.Append(journal.ListenerSyncing{Listener: l.o.Name, Syncing: is}.Event(p.o.Resource, ""))
}

// warn says what client-go would log as a warning.
func (p *Processor) warn(format string, args ...any) {
	p.o.Journal.Append(journal.LogLine{Level: "warning", Message: fmt.Sprintf(format, args...)}.Event(p.o.Resource, ""))
}
