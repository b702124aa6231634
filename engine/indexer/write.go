package indexer

import (
	"reflect"
	"slices"

	"k8s.io/client-go/tools/cache"

	"informerscope/journal"
)

// write is the write under way: what the real store asked the index functions
// and what they answered. The shadow uses the answers and never asks itself: an
// index function may be slow, and what it says of an object that was changed in
// place is what client-go acts on.
type write struct {
	active bool
	done   bool   // the real store returned
	key    string // of the object; "" in Replace and AddIndexers
	hasOld bool   // each index is asked for the old object first
	// answers has one element an index, for a write of one key.
	answers []answers
	// all has every answer, for a write of many keys.
	all []answer
	// txns are the changes of a transaction, in the order in which the real
	// store makes them; at is the one that it is at.
	txns []pending
	at   int

	index string // the index function that was asked last
	obj   any    // and for which object
	err   error  // what it failed with
}

// answers is what one index function said about the old and the new object.
type answers struct {
	old, new []string
	asked    int
	failed   bool
}

// answer is what an index function said about one object of many.
type answer struct {
	index  int
	obj    any
	values []string
}

func (w *write) begin(key string, hasOld bool, indices int) {
	w.active, w.done, w.key, w.hasOld = true, false, key, hasOld
	w.answers = slices.Grow(w.answers[:0], indices)[:indices]
	clear(w.answers)
}

// beginMany is for Replace and AddIndexers.
func (w *write) beginMany() {
	w.active, w.done, w.key, w.hasOld = true, false, "", false
	w.answers = w.answers[:0]
}

func (w *write) end() {
	clear(w.answers)
	*w = write{answers: w.answers}
}

// reading marks an object that a reader asks about, so that the answer is not
// taken for one of the write that may be under way: readers hold no lock of the
// glass.
type reading struct{ obj any }

// watched wraps the function of index i for the real store. All calls that are
// not of a reader come from the write under way, in its goroutine.
func (x *Indexer) watched(i int, name string, f cache.IndexFunc) cache.IndexFunc {
	if f == nil {
		return nil
	}
	return func(obj any) ([]string, error) {
		if r, ok := obj.(reading); ok {
			return f(r.obj)
		}
		w := &x.write
		w.nextTxn()
		w.index, w.obj = name, obj
		if len(w.answers) > i {
			w.answers[i].failed = true // until it returned
		}
		values, err := f(obj)
		w.err = err
		if err != nil || !w.active {
			return values, err
		}
		if len(w.answers) <= i {
			w.all = append(w.all, answer{i, obj, values})
			return values, nil
		}
		a := &w.answers[i]
		a.failed = false
		if a.asked == 0 && w.hasOld {
			a.old = values
		} else {
			a.new = values
		}
		a.asked++
		return values, nil
	}
}

// writtenKey is the KeyFunc of the real store. Only writes ask it; the glass
// has computed the key of a single object already.
func (x *Indexer) writtenKey(obj any) (string, error) {
	if w := &x.write; w.active && w.key != "" {
		return w.key, nil
	}
	return x.keyFunc(obj)
}

// changesLocked applies client-go's rule to each index (take the key out of
// the old object's values, put it under the new one's) and returns what really
// changed. It allocates nothing when that is nothing.
func (x *Indexer) changesLocked(key string, all []answers) []journal.IndexChange {
	var changes []journal.IndexChange
	for i := range all {
		a := &all[i]
		if a.asked == 0 || a.failed {
			continue // the real store did not get to this index
		}
		if len(a.old) == 1 && len(a.new) == 1 && a.old[0] == a.new[0] {
			continue // client-go does not touch the index, even if it holds something else
		}
		if changes == nil {
			changes = make([]journal.IndexChange, 0, changesIn(all))
		}
		changes = x.moveLocked(key, i, a.old, a.new, changes)
	}
	if len(changes) == 0 {
		return nil
	}
	return changes
}

// changesIn is the most changes that answers can make, for one allocation.
func changesIn(all []answers) int {
	n := 0
	for i := range all {
		n += len(all[i].old) + len(all[i].new)
	}
	return n
}

// moveLocked takes key out of the values old and puts it under the values new
// of index i.
func (x *Indexer) moveLocked(key string, i int, old, new []string, changes []journal.IndexChange) []journal.IndexChange {
	var had []string
	if m := x.member[key]; i < len(m) {
		had = m[i]
	}
	var has []string
	if len(new) > 0 {
		has = make([]string, 0, len(new))
	}
	for _, v := range had {
		if !slices.Contains(old, v) || slices.Contains(new, v) {
			has = append(has, v)
		} else {
			changes = append(changes, journal.IndexChange{Index: x.names[i], Value: v})
		}
	}
	for _, v := range new {
		if !slices.Contains(has, v) {
			has = append(has, v)
			changes = append(changes, journal.IndexChange{Index: x.names[i], Value: v, Added: true})
		}
	}
	x.setMemberLocked(key, i, has)
	return changes
}

// setMemberLocked keeps values as the membership of key in index i, and the
// rule of the field member.
func (x *Indexer) setMemberLocked(key string, i int, values []string) {
	m := x.member[key]
	if i >= len(m) {
		if len(values) == 0 {
			return
		}
		grown := make([][]string, len(x.names))
		copy(grown, m)
		m = grown
		x.member[key] = m
	}
	m[i] = values
	for _, v := range m {
		if len(v) > 0 {
			return
		}
	}
	delete(x.member, key)
}

// indexChangedLocked writes changes of the indices that no store event tells.
func (x *Indexer) indexChangedLocked(key string, changes []journal.IndexChange) {
	if len(changes) == 0 {
		return
	}
	x.journal.Append(journal.StoreIndexer{Index: changes[0].Index}.Event(x.resource, key).Indexed(changes))
}

// Failure is an index function that failed or panicked.
type Failure struct {
	Index, Key string
	Err        error // what it returned; nil when it panicked
}

// Failed is the first failure of an index function; nil while there is none.
// client-go panics on it: the store is not to be used any more.
func (x *Indexer) Failed() *Failure {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.failed
}

// logFailureLocked tells why a panic comes out of client-go: it panics when an
// index function returns an error, or the function did it itself.
func (x *Indexer) logFailureLocked() {
	w := &x.write
	f := &Failure{Index: w.index, Key: w.key, Err: w.err}
	if f.Key == "" {
		f.Key, _ = x.keyFunc(w.obj)
	}
	if x.failed == nil {
		x.failed = f
	}
	text := "the index function panicked"
	if f.Err != nil {
		text = f.Err.Error() + "; client-go panics on that"
	}
	x.journal.Append(journal.IndexFailed{Index: f.Index, Error: text}.Event(x.resource, f.Key))
}

// same reports whether a and b are the same object.
func same(a, b any) bool {
	t := reflect.TypeOf(a)
	if t != reflect.TypeOf(b) {
		return false
	}
	if t == nil || t.Kind() == reflect.Pointer {
		return a == b
	}
	return reflect.DeepEqual(a, b)
}
