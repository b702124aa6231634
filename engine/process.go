package engine

import (
	"errors"
	"fmt"
	"time"

	"k8s.io/client-go/tools/cache"

	"informerscope/engine/processor"
	"informerscope/journal"
	"informerscope/journal/object"
)

// This file is what client-go's controller.go does with what is popped
// (processDeltas, processDeltasInBatch, processReplacedAllInfo), with the order
// of changes and notifications that it has there. An error ends in a FIFOError
// event that the glass writes.

// process takes the deltas of one Pop, oldest first: each changes the Indexer
// and then becomes notifications.
func (p *pipeline) process(obj any, initial bool) error {
	deltas, ok := obj.(cache.Deltas)
	if !ok || len(deltas) == 0 {
		return fmt.Errorf("the queue handed out a %T, not Deltas", obj)
	}
	e := p.processing()
	defer e.end()
	for n, d := range deltas {
		i := p.popped(n, d)
		if err := p.processDelta(d, i, initial); err != nil {
			return err
		}
		e.key = i.Key
		if d.Type == cache.SyncAll {
			return nil // as there: nothing after it counts
		}
	}
	return nil
}

// processing times a process function; end writes its FIFOProcessed.
type processing struct {
	p     *pipeline
	key   string // of the newest delta; "" for a batch
	start time.Time
}

func (p *pipeline) processing() processing { return processing{p: p, start: p.s.o.Clock.Now()} }

func (e *processing) end() {
	e.p.s.journal.Append(journal.FIFOProcessed{Took: e.p.s.o.Clock.Since(e.start)}.Event(e.p.target.Name, e.key))
}

// processDelta takes a delta, of which i is the object. Once the handlers have an
// object it is not read any more, as in client-go: what a careless handler does to
// it is no race with the pipeline.
func (p *pipeline) processDelta(d cache.Delta, i object.Item, initial bool) error {
	switch d.Type {
	case cache.ReplacedAll:
		info, ok := d.Object.(cache.ReplacedAllInfo)
		if !ok {
			return fmt.Errorf("a ReplacedAll delta brings a %T, not a ReplacedAllInfo", d.Object)
		}
		return p.replaceAll(info, initial)
	case cache.SyncAll:
		if _, ok := d.Object.(cache.SyncAllInfo); !ok {
			return fmt.Errorf("a SyncAll delta brings a %T, not a SyncAllInfo", d.Object)
		}
		for _, i := range p.indexer.Items() {
			p.notifyUpdate(i, i)
		}
	case cache.Bookmark:
		info, ok := d.Object.(cache.BookmarkInfo)
		if !ok {
			return fmt.Errorf("a Bookmark delta brings a %T, not a BookmarkInfo", d.Object)
		}
		p.indexer.Bookmark(info.ResourceVersion)
	case cache.Sync, cache.Replaced, cache.Added, cache.Updated:
		if old, exists := p.stored(i.Key); exists {
			if err := p.indexer.UpdateItem(i); err != nil {
				return err
			}
			p.notifyUpdate(old, i)
		} else {
			if err := p.indexer.AddItem(i); err != nil {
				return err
			}
			p.notifyAdd(i, initial)
		}
	case cache.Deleted:
		if err := p.indexer.DeleteItem(i); err != nil {
			return err
		}
		p.notifyDelete(i)
	default:
		return fmt.Errorf("delta type %s is not known", d.Type)
	}
	return nil
}

// popped is the object of d, the nth delta of the Pop under way.
func (p *pipeline) popped(n int, d cache.Delta) object.Item {
	key, rv := p.fifo.Popped(n)
	return object.Item{Key: key, RV: rv, Object: d.Object}
}

// stored is what the Indexer has under key.
func (p *pipeline) stored(key string) (old object.Item, exists bool) {
	obj, exists, err := p.indexer.GetByKey(key)
	if err != nil || !exists {
		return object.Item{}, false
	}
	return object.Item{Key: key, RV: object.RV(obj), Object: obj}, true
}

// replaceAll makes the store hold exactly the objects of info, and only then
// tells the handlers: deletions first, then adds and updates in the list's
// order.
func (p *pipeline) replaceAll(info cache.ReplacedAllInfo, initial bool) error {
	items := make([]object.Item, len(info.Objects))
	listed := make(map[string]bool, len(items))
	for n, obj := range info.Objects {
		key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(obj)
		if err != nil {
			return cache.KeyError{Obj: obj, Err: err}
		}
		items[n] = object.Item{Key: key, RV: object.RV(obj), Object: obj}
		listed[key] = true
	}
	var gone []object.Item // as tombstones
	for _, key := range p.indexer.ListKeys() {
		if listed[key] {
			continue
		}
		old, _ := p.stored(key)
		old.Key, old.Object = key, cache.DeletedFinalStateUnknown{Key: key, Obj: old.Object}
		gone = append(gone, old)
	}
	old := make([]object.Item, len(items)) // zero: it was not stored
	for n, i := range items {
		old[n], _ = p.stored(i.Key)
	}
	if err := p.indexer.ReplaceItems(items, info.ResourceVersion); err != nil {
		return err
	}
	for _, t := range gone {
		p.notifyDelete(t)
	}
	for n, i := range items {
		if old[n].Object != nil {
			p.notifyUpdate(old[n], i)
		} else {
			p.notifyAdd(i, initial)
		}
	}
	return nil
}

// processBatch takes the deltas of one PopBatch, all of distinct keys: the
// Indexer makes all changes in one step, and then the handlers are told.
func (p *pipeline) processBatch(deltas []cache.Delta, initial bool) error {
	e := p.processing()
	defer e.end()
	txns := make([]cache.Transaction, 0, len(deltas))
	notify := make([]func(), 0, len(deltas))
	items := make([]object.Item, 0, len(deltas))
	for n, d := range deltas {
		i := p.popped(n, d)
		items = append(items, i)
		t := cache.Transaction{Type: cache.TransactionTypeAdd, Object: d.Object}
		tell := func() { p.notifyAdd(i, initial) }
		switch d.Type {
		case cache.Sync, cache.Replaced, cache.Added, cache.Updated:
			if old, exists := p.stored(i.Key); exists {
				t.Type = cache.TransactionTypeUpdate
				tell = func() { p.notifyUpdate(old, i) }
			}
		case cache.Deleted:
			t.Type = cache.TransactionTypeDelete
			tell = func() { p.notifyDelete(i) }
		default:
			return fmt.Errorf("delta type %s cannot be part of a batch", d.Type)
		}
		txns, notify = append(txns, t), append(notify, tell)
	}
	if err := p.indexer.TransactionOf(items, txns); err != nil {
		for _, i := range err.SuccessfulIndices {
			notify[i]()
		}
		return fmt.Errorf("%d of %d changes of a batch were not made: %w", err.TotalTransactions-len(err.SuccessfulIndices), err.TotalTransactions, errors.Join(err.Errors...))
	}
	for _, tell := range notify {
		tell()
	}
	return nil
}

func (p *pipeline) notifyAdd(i object.Item, initial bool) {
	p.processor.Distribute(processor.Notification{Type: journal.OnAdd, Key: i.Key, RV: i.RV, Object: i.Object, Initial: initial})
}

// notifyUpdate marks an update to the same resourceVersion as a resync,
// whichever delta brought it (shared_informer.go, OnUpdate).
func (p *pipeline) notifyUpdate(old, i object.Item) {
	p.processor.Distribute(processor.Notification{
		Type: journal.OnUpdate, Key: i.Key, RV: i.RV, Old: old.Object, Object: i.Object, Resync: old.RV == i.RV,
	})
}

// notifyDelete takes a tombstone too.
func (p *pipeline) notifyDelete(i object.Item) {
	p.processor.Distribute(processor.Notification{Type: journal.OnDelete, Key: i.Key, RV: i.RV, Object: i.Object})
}
