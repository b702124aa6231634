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
	for _, d := range deltas {
		key, err := p.processDelta(d, initial)
		if err != nil {
			return err
		}
		e.key = key
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

// processDelta returns the key of what it did, "" for deltas without one. Once
// the handlers have an object it is not read any more, as in client-go: what a
// careless handler does to it is no race with the pipeline.
func (p *pipeline) processDelta(d cache.Delta, initial bool) (key string, err error) {
	switch d.Type {
	case cache.ReplacedAll:
		info, ok := d.Object.(cache.ReplacedAllInfo)
		if !ok {
			return "", fmt.Errorf("a ReplacedAll delta brings a %T, not a ReplacedAllInfo", d.Object)
		}
		return "", p.replaceAll(info, initial)
	case cache.SyncAll:
		if _, ok := d.Object.(cache.SyncAllInfo); !ok {
			return "", fmt.Errorf("a SyncAll delta brings a %T, not a SyncAllInfo", d.Object)
		}
		for _, obj := range p.indexer.List() {
			p.notifyUpdate(obj, obj)
		}
		return "", nil
	case cache.Bookmark:
		info, ok := d.Object.(cache.BookmarkInfo)
		if !ok {
			return "", fmt.Errorf("a Bookmark delta brings a %T, not a BookmarkInfo", d.Object)
		}
		p.indexer.Bookmark(info.ResourceVersion)
		return "", nil
	case cache.Sync, cache.Replaced, cache.Added, cache.Updated:
		key = keyOf(d.Object)
		old, exists, err := p.indexer.Get(d.Object)
		if err == nil && exists {
			if err := p.indexer.Update(d.Object); err != nil {
				return "", err
			}
			p.notifyUpdate(old, d.Object)
		} else {
			if err := p.indexer.Add(d.Object); err != nil {
				return "", err
			}
			p.notifyAdd(d.Object, initial)
		}
	case cache.Deleted:
		key = keyOf(d.Object)
		if err := p.indexer.Delete(d.Object); err != nil {
			return "", err
		}
		p.notifyDelete(d.Object)
	default:
		return "", fmt.Errorf("delta type %s is not known", d.Type)
	}
	return key, nil
}

// replaceAll makes the store hold exactly the objects of info, and only then
// tells the handlers: deletions first, then adds and updates in the list's
// order.
func (p *pipeline) replaceAll(info cache.ReplacedAllInfo, initial bool) error {
	listed := make(map[string]bool, len(info.Objects))
	for _, obj := range info.Objects {
		key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(obj)
		if err != nil {
			return cache.KeyError{Obj: obj, Err: err}
		}
		listed[key] = true
	}
	var gone []cache.DeletedFinalStateUnknown
	for _, key := range p.indexer.ListKeys() {
		if listed[key] {
			continue
		}
		obj, _, err := p.indexer.GetByKey(key)
		if err != nil {
			obj = nil
		}
		gone = append(gone, cache.DeletedFinalStateUnknown{Key: key, Obj: obj})
	}
	old := make([]any, len(info.Objects)) // nil: it was not stored
	for i, obj := range info.Objects {
		if stored, exists, err := p.indexer.Get(obj); err == nil && exists {
			old[i] = stored
		}
	}
	if err := p.indexer.Replace(info.Objects, info.ResourceVersion); err != nil {
		return err
	}
	for _, t := range gone {
		p.notifyDelete(t)
	}
	for i, obj := range info.Objects {
		if old[i] != nil {
			p.notifyUpdate(old[i], obj)
		} else {
			p.notifyAdd(obj, initial)
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
	for _, d := range deltas {
		obj := d.Object
		t := cache.Transaction{Type: cache.TransactionTypeAdd, Object: obj}
		tell := func() { p.notifyAdd(obj, initial) }
		switch d.Type {
		case cache.Sync, cache.Replaced, cache.Added, cache.Updated:
			if old, exists, err := p.indexer.Get(obj); err == nil && exists {
				t.Type = cache.TransactionTypeUpdate
				tell = func() { p.notifyUpdate(old, obj) }
			}
		case cache.Deleted:
			t.Type = cache.TransactionTypeDelete
			tell = func() { p.notifyDelete(obj) }
		default:
			return fmt.Errorf("delta type %s cannot be part of a batch", d.Type)
		}
		txns, notify = append(txns, t), append(notify, tell)
	}
	if err := p.indexer.Transaction(txns...); err != nil {
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

func (p *pipeline) notifyAdd(obj any, initial bool) {
	p.processor.Distribute(processor.Notification{Type: journal.OnAdd, Key: keyOf(obj), RV: object.RV(obj), Object: obj, Initial: initial})
}

// notifyUpdate marks an update to the same resourceVersion as a resync,
// whichever delta brought it (shared_informer.go, OnUpdate).
func (p *pipeline) notifyUpdate(old, obj any) {
	rv := object.RV(obj)
	p.processor.Distribute(processor.Notification{
		Type: journal.OnUpdate, Key: keyOf(obj), RV: rv, Old: old, Object: obj, Resync: object.RV(old) == rv,
	})
}

// notifyDelete takes a tombstone too.
func (p *pipeline) notifyDelete(obj any) {
	p.processor.Distribute(processor.Notification{Type: journal.OnDelete, Key: keyOf(obj), RV: object.RV(obj), Object: obj})
}

// keyOf is the key of an object that has been stored or deleted under it.
func keyOf(obj any) string {
	key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(obj)
	if err != nil {
		return ""
	}
	return key
}
