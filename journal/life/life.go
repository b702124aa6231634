// Package life tells what became of one key: a fold over the journal that
// follows each change of the object on its way from the watch event to the end
// of its reconcile, and says how long it was in each stage. It knows the journal
// only.
package life

import (
	"informerscope/journal"
)

// MaxPassages is how many passages a Life keeps; older ones that are over are
// let go, and counted.
const MaxPassages = 500

// Life is what became of one key of a resource. It is not safe for concurrent
// use.
type Life struct {
	Resource, Key string
	// Passages are in the order of their beginning.
	Passages []*Passage
	Dropped  int // passages that were let go

	// Counts of all that happened, whatever was let go.
	Versions   int // resourceVersions that were seen one after the other
	Reconciles int
	Failures   int // reconciles that failed
	Coalesced  int // Adds that met an earlier one
	Totals     [NumStages]Total

	base   string // the resource of the Reflector's events, of a lane
	number int
	from   int       // Passages before it are settled
	rv     string    // the newest version seen
	lists  []keyless // deltas for all keys that are queued, oldest first
	list   *keyless  // the one that is being processed

	popSeq uint64 // the newest Pop: what is told after it stems from it
	adder  string // the listener whose handler calls Add, once that was seen

	queue   []*Passage // the next Get takes them
	dirty   []*Passage // added during a reconcile: its Done queues them
	working []*Passage // a worker has them
	waiting []*Passage // failed: AddAfter lets them go
	fired   []*Passage // let go just now: the Add is next
	firing  bool
	retry   retry
}

// Total is what all passages spent in a stage.
type Total struct {
	Sum, Most Duration
	MostIn    int // the number of the passage with Most
}

// retry is what is known of a reconcile that has not ended with Done yet.
type retry struct {
	failed bool
	asked  bool // AddRateLimited or AddAfter was called
	fired  bool // and its time is over already
}

// keyless is a delta that stands for all keys: ReplacedAll or SyncAll.
type keyless struct {
	typ, rv        string
	queued, popped *journal.Event
}

// New returns the Life of a key to which nothing has happened.
func New(resource, key string) *Life {
	l := &Life{Resource: resource, Key: key}
	if base, _, ok := journal.CutLane(resource); ok {
		l.base = base
	}
	return l
}

// Concerns reports whether an event can be part of the life of a key: Apply
// does nothing with any other.
func (l *Life) Concerns(e *journal.Event) bool {
	if e.Resource != l.Resource && (l.base == "" || e.Resource != l.base || e.Kind.Stage() != journal.StageReflector) {
		return false
	}
	if e.Key == l.Key {
		return true
	}
	if e.Key != "" {
		return false
	}
	switch e.Kind {
	case journal.KindFIFOEnqueued, journal.KindFIFOPopped, journal.KindFIFOProcessed:
		return true
	}
	return false
}

// Apply folds one event. It keeps copies of those that concern the key.
func (l *Life) Apply(e *journal.Event) {
	if !l.Concerns(e) {
		return
	}
	if e.Key == "" {
		l.applyKeyless(e)
		return
	}
	switch e.Kind.Stage() {
	case journal.StageReflector, journal.StageFIFO, journal.StageIndexer:
		l.applyArrival(e)
	case journal.StageListener:
		l.applyListener(e)
	case journal.StageQueue, journal.StageWorker:
		l.applyQueue(e)
	}
}

// begin starts a passage with an event.
func (l *Life) begin(cause string, e *journal.Event) *Passage {
	l.number++
	p := &Passage{Number: l.number, Cause: cause, RV: e.RV, Start: e.Time, at: e.Time, Shared: 1}
	l.Passages = append(l.Passages, p)
	if len(l.Passages) > MaxPassages {
		for i, old := range l.Passages[:len(l.Passages)-1] {
			if old.Over() {
				l.Passages = append(l.Passages[:i:i], l.Passages[i+1:]...)
				l.Dropped++
				l.from = max(0, l.from-1)
				break
			}
		}
	}
	return p
}

// saw counts versions.
func (l *Life) saw(rv string) {
	if rv != "" && rv != l.rv {
		l.rv = rv
		l.Versions++
	}
}

// spend ends the stage in which p is with the event e.
func (l *Life) spend(p *Passage, s Stage, e *journal.Event) {
	d := p.spend(s, e)
	t := &l.Totals[s]
	t.Sum += d
	if d > t.Most || t.MostIn == 0 {
		t.Most, t.MostIn = d, p.Number
	}
}

// live are the passages to which something can still happen, with few others.
func (l *Life) live() []*Passage {
	for l.from < len(l.Passages) && l.Passages[l.from].settled() {
		l.from++
	}
	return l.Passages[l.from:]
}

// in finds the oldest passage at a place that ok likes; nil when there is none.
func (l *Life) in(at Stage, ok func(*Passage) bool) *Passage {
	for _, p := range l.live() {
		if !p.Over() && p.Stage == at && (ok == nil || ok(p)) {
			return p
		}
	}
	return nil
}
