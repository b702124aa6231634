package indexer

import (
	"k8s.io/client-go/tools/cache"

	"informerscope/journal"
	"informerscope/journal/object"
)

var _ cache.TransactionStore = (*Indexer)(nil)

// pending is one change of the transaction under way.
type pending struct {
	event  journal.Event // as it will be when the change is made; Kind Unknown for a key that is not stored
	hasOld bool
	// calls is how often the real store has yet to ask index functions about it.
	calls int
	// answers has one element an index.
	answers []answers
}

// Transaction makes all changes in one step: no reader sees some of them only.
// Objects without a key are left out, and reported in the error. The journal gets
// a StoreTransaction and then an event a change.
func (x *Indexer) Transaction(txns ...cache.Transaction) *cache.TransactionError {
	known := make([]object.Item, len(txns))
	for n, t := range txns {
		known[n], _ = x.item(t.Object)
	}
	return x.TransactionOf(known, txns)
}

// TransactionOf is Transaction of objects whose keys and resourceVersions are
// known; known is zero where an object has no key.
func (x *Indexer) TransactionOf(known []object.Item, txns []cache.Transaction) *cache.TransactionError {
	x.mu.Lock()
	defer x.mu.Unlock()
	real, ok := x.real.(cache.TransactionStore)
	if !ok {
		x.divergedLocked("", "the store of this client-go has no transactions")
		return &cache.TransactionError{TotalTransactions: len(txns)}
	}
	var e journal.Event
	changes := x.foreseeLocked(known, txns, &e)
	x.write.beginMany()
	x.write.txns, x.write.at = changes, 0
	defer x.transactedLocked(&e)
	err := real.Transaction(txns...)
	x.write.done = true
	return err
}

// foreseeLocked says what each change will do. Of the transaction's event it
// fills in the RV: that of the last change, unless that is a tombstone.
func (x *Indexer) foreseeLocked(known []object.Item, txns []cache.Transaction, of *journal.Event) []pending {
	changes := make([]pending, 0, len(txns))
	now := map[string]any{} // what earlier changes of this transaction have stored; nil is deleted
	for i, t := range txns {
		key := known[i].Key
		if known[i].Object == nil {
			continue // without a key
		}
		old, again := now[key]
		if !again {
			old, _, _ = x.real.GetByKey(key)
		}
		p := pending{hasOld: old != nil, answers: make([]answers, len(x.names))}
		p.event = journal.Event{Kind: journal.KindStoreAdded, Resource: x.resource, Key: key, Flags: journal.Bulk, RV: known[i].RV, Object: t.Object, Old: old}
		of.RV = p.event.RV
		switch {
		case t.Type == cache.TransactionTypeDelete:
			now[key] = nil
			p.event.Kind = journal.KindStoreDeleted
			if tomb, ok := t.Object.(cache.DeletedFinalStateUnknown); ok {
				p.event.Object = tomb.Obj
				p.event.Flags |= journal.Tombstone
				of.RV = ""
			}
			if p.event.Object == nil {
				p.event.Object, p.event.RV = old, object.RV(old)
			}
			if old == nil {
				p.event.Kind = journal.KindUnknown
			} else {
				p.calls = len(x.names)
			}
		default:
			now[key] = t.Object
			p.calls = len(x.names)
			if old != nil {
				p.event.Kind = journal.KindStoreUpdated
				p.calls *= 2
			}
		}
		changes = append(changes, p)
	}
	*of = journal.StoreTransaction{RV: of.RV, Changes: int64(len(changes))}.Event(x.resource, "")
	return changes
}

// nextTxn turns to the change that the real store asks an index function about.
func (w *write) nextTxn() {
	if w.txns == nil || !w.active {
		return
	}
	for w.at < len(w.txns)-1 && w.txns[w.at].calls == 0 {
		w.at++
	}
	t := &w.txns[w.at]
	t.calls--
	w.key, w.hasOld, w.answers = t.event.Key, t.hasOld, t.answers
}

// transactedLocked writes the events of a transaction, in its order. It also
// runs while a panic of an index function passes through: the changes up to
// the one that it was asked about are made by then.
func (x *Indexer) transactedLocked(of *journal.Event) {
	w := &x.write
	w.active = false
	txns, made := w.txns, len(w.txns)
	if !w.done {
		x.logFailureLocked()
		made = w.at + 1
	}
	x.journal.Append(*of)
	last := map[string]int{}
	for i := range txns[:made] {
		last[txns[i].event.Key] = i
	}
	for i := range txns[:made] {
		e := txns[i].event
		e.Changes = x.changesLocked(e.Key, txns[i].answers)
		switch {
		case e.Kind == journal.KindStoreDeleted && !w.done && i == w.at:
			x.indexChangedLocked(e.Key, e.Changes) // it stays, as in endLocked
		case e.Kind != journal.KindUnknown:
			x.journal.Append(e)
			if last[e.Key] == i {
				x.compareLocked(&e)
			}
		}
	}
	w.end()
}
