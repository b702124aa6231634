package state

import (
	"slices"
	"time"

	"informerscope/journal"
)

// Listener is one registered handler with its ring.
type Listener struct {
	Name         string
	ResyncPeriod time.Duration // as asked for
	Effective    time.Duration // as the informer grants it: never less than its check period
	Syncing      bool          // takes notifications of resyncs; all start so, only a resync check changes it
	Blocked      bool          // its calls are kept from returning
	Removed      bool          // gets nothing any more; the call it was in may go on
	Backlog      int           // notifications in the ring or held, not yet in the handler
	InHandler    bool
	Current      string // OnAdd, OnUpdate or OnDelete, while in the handler
	CurrentKey   string
	Since        time.Time // when the handler was called

	Adds, Updates, Deletes uint64 // notifications that the handler has taken
	Synced                 bool
	Panics                 uint64
}

// Held reports whether one notification is between the ring and the handler:
// client-go's pop goroutine holds it while the handler is busy.
func (l *Listener) Held() bool { return l.Backlog > 0 }

// Ring is the number of notifications in the ring behind the one that is held.
func (l *Listener) Ring() int { return max(0, l.Backlog-1) }

func (r *Resource) applyListener(e *journal.Event) {
	l := r.listener(e.Listener())
	switch e.Kind {
	case journal.KindListenerAdded:
		// A handler that comes back under its name starts from nothing.
		*l = Listener{Name: e.Listener(), ResyncPeriod: e.Dur, Effective: e.Dur, Syncing: true}
	case journal.KindListenerPeriod:
		l.Effective = e.Dur
	case journal.KindListenerSyncing:
		l.Syncing = e.ListenerSyncing().Syncing == journal.IsSyncing
	case journal.KindListenerBlocked:
		l.Blocked = e.ListenerBlocked().State == journal.Blocked
	case journal.KindListenerRemoved:
		// What was in the ring is dropped; a call goes on until its HandlerDone.
		l.Removed, l.Syncing, l.Backlog = true, false, 0
	case journal.KindNotified:
		l.Backlog++
	case journal.KindHandlerStarted:
		l.Backlog--
		l.InHandler, l.Current, l.CurrentKey, l.Since = true, e.HandlerStarted().Type, e.Key, e.Time
		switch l.Current {
		case journal.OnAdd:
			l.Adds++
		case journal.OnUpdate:
			l.Updates++
		case journal.OnDelete:
			l.Deletes++
		}
	case journal.KindHandlerDone:
		l.InHandler = false
	case journal.KindHandlerPanicked:
		l.InHandler = false
		l.Panics++
	case journal.KindListenerSynced:
		l.Synced = true
	}
}

func (r *Resource) listener(name string) *Listener {
	for i := range r.Listeners {
		if r.Listeners[i].Name == name {
			return &r.Listeners[i]
		}
	}
	r.Listeners = append(r.Listeners, Listener{Name: name})
	return &r.Listeners[len(r.Listeners)-1]
}

// Worker is one goroutine that reconciles.
type Worker struct {
	Name    string
	Key     string // empty when idle
	Since   time.Time
	Found   bool // the object was in the Indexer
	RV      string
	Done    uint64
	Failed  uint64
	Panics  uint64
	LastErr string
	Blocked bool // its reconciles are kept from ending
}

// applyWorker follows the workers; what is reconciled by hand shows as one too.
func (r *Resource) applyWorker(e *journal.Event) {
	w := r.worker(e.Worker())
	switch e.Kind {
	case journal.KindWorkerStopped:
		r.Workers = slices.DeleteFunc(r.Workers, func(w Worker) bool { return w.Name == e.Worker() })
	case journal.KindWorkerBlocked:
		w.Blocked = e.WorkerBlocked().State == journal.Blocked
	case journal.KindReconcileStarted:
		w.Key, w.Since, w.Found, w.RV = e.Key, e.Time, e.Has(journal.Found), e.RV
	case journal.KindReconcileDone:
		w.Key = ""
		w.Done++
	case journal.KindReconcileFailed:
		w.Key = ""
		w.Failed++
		w.LastErr = e.ReconcileFailed().Error
	case journal.KindReconcilePanicked:
		w.Key = ""
		w.Panics++
		w.LastErr = e.ReconcilePanicked().Error
	}
}

func (r *Resource) worker(name string) *Worker {
	for i := range r.Workers {
		if r.Workers[i].Name == name {
			return &r.Workers[i]
		}
	}
	r.Workers = append(r.Workers, Worker{Name: name})
	return &r.Workers[len(r.Workers)-1]
}
