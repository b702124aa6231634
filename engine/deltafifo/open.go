package deltafifo

import (
	"fmt"

	"k8s.io/client-go/tools/cache"

	"informerscope/journal"
	"informerscope/journal/state"
)

// Glass is what the glasses over DeltaFIFO and RealFIFO have in common.
type Glass interface {
	cache.Queue
	cache.DoneChecker
	// Popped returns the key and the resourceVersion of the nth delta that the Pop
	// under way has handed out, as they were worked out when it came in. A
	// ReplacedAll, SyncAll or Bookmark has no key. Only the process function may
	// call it.
	Popped(n int) (key, rv string)
	// Snapshot copies the queue by key, in the order of the oldest deltas.
	Snapshot() []state.FIFOKey
	// Moving is how many keys or deltas are queued, and whether the process
	// function runs.
	Moving() (queued int, processing bool)
}

var (
	_ Glass = (*FIFO)(nil)
	_ Glass = (*RealFIFO)(nil)
)

// Disciplines are the names that Open knows, in the order of client-go's
// history.
var Disciplines = []string{journal.DisciplineDelta, journal.DisciplineInOrder, journal.DisciplineAtomic}

// Since says which versions of client-go have informers of a discipline.
func Since(discipline string) string {
	switch discipline {
	case journal.DisciplineDelta:
		return "client-go to 0.32"
	case journal.DisciplineInOrder:
		return "client-go 0.33 to 0.35"
	case journal.DisciplineAtomic:
		return "client-go 0.36 and later"
	}
	return ""
}

// Open writes a FIFODiscipline event and returns an empty queue: "delta" is New's,
// "inorder" and "atomic" are NewReal's.
func Open(discipline string, o Options) (Glass, error) {
	since := Since(discipline)
	if since == "" {
		return nil, fmt.Errorf("there is no queue discipline %q", discipline)
	}
	o.Journal.Append(journal.FIFODiscipline{Type: discipline, Since: since}.Event(o.Resource, ""))
	switch discipline {
	case journal.DisciplineInOrder:
		return NewReal(o), nil
	case journal.DisciplineAtomic:
		o.Atomic = true
		return NewReal(o), nil
	}
	return New(o), nil
}
