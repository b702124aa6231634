package filter

import (
	"time"

	"informerscope/journal"
)

// Kept holds what a filter lets through from one frame to the next, as matching
// everything for each frame would cost more than the frame. T is the rows.
type Kept[T any] struct {
	Rows T
	of   string    // what Rows are for
	upTo uint64    // events seen
	next time.Time // when to look again
}

// maxFollow is how many events are followed at most; more cost more than to
// look at everything again.
const maxFollow = 4096

// Follow brings rows up to the event seq of a journal, by its events. It looks at
// everything when the rows are for something else, or too many events came.
func (k *Kept[T]) Follow(of string, v journal.View, seq uint64, all func(rows *T), event func(rows *T, e *journal.Event)) {
	if k.of != of || k.upTo < v.Dropped() || seq-k.upTo > maxFollow {
		all(&k.Rows)
		k.of, k.upTo = of, seq
		return
	}
	for ; k.upTo < seq; k.upTo++ {
		if e := v.Find(k.upTo + 1); e != nil {
			event(&k.Rows, e)
		}
	}
}

// Sample brings rows up to the event seq by looking at everything, but, unless
// at once is wanted, not again before ten times as long as that took has passed:
// rows of any number cost at most a tenth of the time.
func (k *Kept[T]) Sample(of string, seq uint64, atOnce bool, clock func() time.Time, all func(rows *T)) {
	if k.of == of && (k.upTo == seq || !atOnce && clock().Before(k.next)) {
		return
	}
	began := clock()
	all(&k.Rows)
	k.of, k.upTo = of, seq
	now := clock()
	k.next = now.Add(10 * now.Sub(began))
}

// Once makes rows anew when they are for something else.
func (k *Kept[T]) Once(of string, all func(rows *T)) {
	if k.of != of {
		all(&k.Rows)
		k.of = of
	}
}

// Forget makes the rows anew the next time.
func (k *Kept[T]) Forget() { k.of = "" }
