package stores

import (
	"fmt"
	"strings"
	"time"

	"github.com/tidwall/btree"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/tools/cache"

	"informerscope/journal"
	"informerscope/journal/object"
)

// ordered is a cache.NewHeap: the newest object of each key, handed out by an
// order of the objects. Objects that are equal in it go by key, so that the
// next one is certain.
//
// A Heap has no Replace: what is gone is deleted and the rest is added in bulk.
type ordered struct {
	record
	real *cache.Heap
	rank func(key string, obj any) string

	held  map[string]any            // what real holds
	order btree.Map[string, string] // rank -> key; ranks end with the key, so each is unique
}

var describedOrder = map[Order]string{
	ByName: "lowest key first",
	ByRV:   "lowest resourceVersion first",
	ByAge:  "oldest first",
}

func newHeap(r record, order Order) *ordered {
	h := &ordered{record: r, rank: ranks(order), held: map[string]any{}}
	h.real = cache.NewHeap(keyFunc, func(a, b any) bool { return h.rankOf(a) < h.rankOf(b) })
	r.opened(journal.StoreOpened{Type: journal.OpenedQueue, How: "cache.NewHeap, " + describedOrder[order]})
	return h
}

// ranks makes strings that sort as the order wants.
func ranks(order Order) func(key string, obj any) string {
	switch order {
	case ByRV:
		return func(key string, obj any) string { return rvRank(object.RV(obj)) + " " + key }
	case ByAge:
		return func(key string, obj any) string { return created(obj).UTC().Format(time.RFC3339) + " " + key }
	default:
		return func(key string, _ any) string { return key }
	}
}

// rvRank pads an RV, so that RVs sort as numbers. client-go and the API promise
// that they can be compared so (KEP-5504); they have no limit in length, but
// all that servers send fit into 20 digits.
func rvRank(rv string) string {
	if n := 20 - len(rv); n > 0 {
		return strings.Repeat("0", n) + rv
	}
	return rv
}

func created(obj any) time.Time {
	m, err := meta.Accessor(obj)
	if err != nil {
		return time.Time{}
	}
	return m.GetCreationTimestamp().Time
}

func (h *ordered) rankOf(obj any) string {
	key, err := keyFunc(obj)
	if err != nil {
		return ""
	}
	return h.rank(key, obj)
}

func (h *ordered) add(obj any)    { h.putLocked("Add", obj, h.real.Add(obj)) }
func (h *ordered) update(obj any) { h.putLocked("Update", obj, h.real.Update(obj)) }

func (h *ordered) putLocked(call string, obj any, err error) {
	key, keyErr := keyFunc(obj)
	if keyErr == nil {
		h.keepLocked(key, obj)
		h.compareLocked(key)
	}
	h.ended(call, keyErr != nil, err)
}

func (h *ordered) keepLocked(key string, obj any) {
	h.forgetLocked(key)
	rank := h.rank(key, obj)
	h.held[key] = obj
	h.order.Set(rank, key)
	h.put(key, obj, rank)
}

func (h *ordered) forgetLocked(key string) {
	if old, ok := h.held[key]; ok {
		h.order.Delete(h.rank(key, old))
		delete(h.held, key)
	}
}

func (h *ordered) remove(obj any) {
	key, keyErr := keyFunc(obj)
	old, held := h.held[key]
	err := h.real.Delete(obj)
	if held && keyErr == nil {
		h.forgetLocked(key)
		h.dropped(key, old, journal.DroppedDeleted)
	}
	// To delete what was popped is an error to a Heap ("object not found").
	h.ended("Delete", keyErr != nil || !held, err)
}

func (h *ordered) replace(list []any, _ string) {
	_, items, ok := keyed(list)
	for key, old := range h.held {
		if _, stays := items[key]; stays || !ok {
			continue
		}
		err := h.real.Delete(old)
		h.forgetLocked(key)
		h.dropped(key, old, journal.DroppedReplaced)
		h.ended("Delete", false, err)
	}
	err := h.real.BulkAdd(list)
	for _, obj := range list {
		key, keyErr := keyFunc(obj)
		if keyErr != nil {
			break // the real one stops here too, and keeps what came before
		}
		h.keepLocked(key, obj)
	}
	h.ended("BulkAdd", !ok, err)
}

func (h *ordered) resync() {} // a Heap has no Resync

func (h *ordered) take() {
	_, key, ok := h.order.Min()
	if !ok {
		return
	}
	// Pop of an empty Heap blocks: only when it is certain not to be empty.
	if !h.compareLocked(key) {
		h.forgetLocked(key)
		return
	}
	obj, err := h.real.Pop()
	h.ended("Pop", false, err)
	if err != nil {
		return
	}
	got, _ := keyFunc(obj)
	want := h.held[key]
	if got != key || !same(obj, want) {
		h.diverged(key, fmt.Sprintf("Pop: expected %s %s, got %s %s", key, described(want, true), got, described(obj, true)))
	}
	h.forgetLocked(got)
	h.dropped(got, obj, journal.DroppedPopped)
}

func (h *ordered) compareLocked(key string) (equal bool) {
	return compareKey(h.record, h.real, h.held, key)
}

func (h *ordered) verify() int {
	return verifyKeys(h.record, h.real.ListKeys(), len(h.held), h.compareLocked)
}
