package deltafifo

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/client-go/tools/cache"

	"informerscope/journal"
	"informerscope/journal/object"
)

// Pop waits for a key, lets it through the gate, takes it from the real queue
// and calls process with the queue locked. It returns the Deltas and the error
// of process, or ErrFIFOClosed when the queue is closed and empty, or is closed
// while the gate is.
func (f *FIFO) Pop(process cache.PopProcessFunc) (any, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.waitLocked() {
		if item, err := f.popLocked(process); f.handedOut || f.closed {
			return item, err
		}
	}
	return nil, cache.ErrFIFOClosed
}

func (f *FIFO) popLocked(process cache.PopProcessFunc) (any, error) {
	f.process, f.handedOut = process, false
	defer func() {
		f.process = nil
		if f.popped != nil {
			f.shadow.reuse(f.popped)
			f.popped = nil
		}
	}()
	item, err := f.real.Pop(f.onPop)
	switch {
	case !f.handedOut:
		f.emptiedLocked()
	case err != nil:
		f.write(journal.FIFOError{Error: "Pop: " + errorText(err)}.Event("", ""))
	}
	return item, err
}

// handOut is the process function that the real queue calls, under its lock
// and the glass's.
func (f *FIFO) handOut(obj any, isInInitialList bool) error {
	f.handedOut = true
	key, equal := f.compareLocked(obj, isInInitialList)
	deltas, _ := obj.(cache.Deltas)
	var newest delta
	f.popped = f.shadow.remove(key)
	if f.popped != nil {
		newest = f.popped.deltas[len(f.popped.deltas)-1]
	}
	if !equal {
		f.popped = &entry{key: key}
		for _, d := range deltas {
			f.popped.deltas = append(f.popped.deltas, opened(d.Type, d.Object))
		}
	}
	if f.progress.initial > 0 {
		f.progress.initial--
	}
	// Before process: what it stores and notifies comes after the Pop.
	e := f.journal.Begin()
	journal.FIFOPopped{
		Type: string(newest.typ), RV: newest.rv, Tombstone: newest.tombstone, Deltas: int64(len(deltas)), Depth: int64(f.shadow.len()), Initial: isInInitialList,
	}.Into(e, f.resource, key)
	f.journal.Commit(e)
	f.checkSyncedLocked()
	return f.process(obj, isInInitialList)
}

// Popped implements Glass.
func (f *FIFO) Popped(n int) (key, rv string) { return f.popped.key, f.popped.deltas[n].rv }

// compareLocked holds what the real queue handed out against the head of the
// shadow, and returns the key to take out of the shadow.
func (f *FIFO) compareLocked(obj any, isInInitialList bool) (key string, equal bool) {
	head := f.shadow.head
	deltas, ok := obj.(cache.Deltas)
	if ok && head != nil && head.equals(deltas) && f.keyMatches(head.key, deltas) {
		if want := !f.progress.synced; want != isInInitialList {
			f.divergedLocked(head.key, "Pop of "+head.key+": expected isInInitialList "+yesNo(want)+", got "+yesNo(isInInitialList))
		}
		return head.key, true
	}
	key, err := keyOf(obj, f.keyFunc)
	if err != nil {
		key = "(" + errorText(err) + ")"
	}
	f.divergedLocked(key, "Pop: expected "+head.String()+", got "+key+" "+deltasText(obj))
	return key, false
}

// keyMatches reports whether deltas belong to key. The objects are those that
// were queued under key, so only a tombstone can say otherwise.
func (f *FIFO) keyMatches(key string, deltas cache.Deltas) bool {
	t, ok := deltas[len(deltas)-1].Object.(cache.DeletedFinalStateUnknown)
	return !ok || t.Key == key
}

// equals compares types, tombstones and objects.
func (e *entry) equals(deltas cache.Deltas) bool {
	if len(deltas) != len(e.deltas) {
		return false
	}
	for i := range deltas {
		want := &e.deltas[i]
		obj := deltas[i].Object
		t, tombstone := obj.(cache.DeletedFinalStateUnknown)
		if tombstone {
			obj = t.Obj
		}
		if deltas[i].Type != want.typ || tombstone != want.tombstone || !same(obj, want.obj) {
			return false
		}
	}
	return true
}

// emptiedLocked follows a real Pop that found its queue empty. With an empty
// shadow that is as it should be; else the shadow holds keys that do not exist.
func (f *FIFO) emptiedLocked() {
	if f.shadow.len() == 0 {
		return
	}
	f.divergedLocked(f.shadow.head.key, "Pop: expected "+f.shadow.head.String()+", but the queue is empty")
	for f.shadow.head != nil {
		key := f.shadow.head.key
		f.shadow.remove(key)
		f.write(journal.FIFOPopped{Depth: int64(f.shadow.len())}.Event("", key))
	}
}

// String prints an entry as the panes do: key [Added@1 Deleted@2!], where "!"
// marks a tombstone.
func (e *entry) String() string {
	if e == nil {
		return "nothing"
	}
	d := make([]string, len(e.deltas))
	for i, x := range e.deltas {
		d[i] = deltaText(x)
	}
	return e.key + " [" + strings.Join(d, " ") + "]"
}

func deltasText(obj any) string {
	deltas, ok := obj.(cache.Deltas)
	if !ok {
		return fmt.Sprintf("%T", obj)
	}
	d := make([]string, len(deltas))
	for i, x := range deltas {
		d[i] = deltaText(opened(x.Type, x.Object))
	}
	return "[" + strings.Join(d, " ") + "]"
}

func deltaText(d delta) string {
	s := string(d.typ) + "@" + object.RV(d.obj)
	if d.tombstone {
		s += "!"
	}
	return s
}

// errorText is err without the object that a KeyError prints in full: it may be
// a Secret.
func errorText(err error) string {
	if k, ok := errors.AsType[cache.KeyError](err); ok {
		return fmt.Sprintf("no key for %T: %v", k.Obj, k.Err)
	}
	return err.Error()
}

func expected(wantErr bool) string {
	if wantErr {
		return "expected an error"
	}
	return "expected no error"
}

func gotError(err error) string {
	if err == nil {
		return "none"
	}
	return errorText(err)
}

func yesNo(b bool) string {
	if b {
		return "true"
	}
	return "false"
}
