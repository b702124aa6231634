package stores

import (
	"fmt"

	"k8s.io/client-go/tools/cache"

	"informerscope/journal"
)

// plain is a cache.NewStore (a threadSafeMap with keys): the newest object of
// each key. An UndeltaStore is one that also pushes.
type plain struct {
	record
	real cache.Store
	held map[string]any // what real holds

	pushes bool // real is an UndeltaStore
	pushed []int
}

func newPlain(r record) *plain {
	r.opened(journal.StoreOpened{Type: journal.OpenedStore, How: "cache.NewStore"})
	return &plain{record: r, real: cache.NewStore(keyFunc), held: map[string]any{}}
}

func newUndelta(r record) *plain {
	r.opened(journal.StoreOpened{Type: journal.OpenedStore, How: "cache.NewUndeltaStore, which pushes its full state after each change"})
	p := &plain{record: r, held: map[string]any{}, pushes: true}
	p.real = cache.NewUndeltaStore(func(state []any) { p.pushed = append(p.pushed, len(state)) }, keyFunc)
	return p
}

func (p *plain) add(obj any)    { p.putLocked("Add", obj, p.real.Add(obj)) }
func (p *plain) update(obj any) { p.putLocked("Update", obj, p.real.Update(obj)) }

func (p *plain) putLocked(call string, obj any, err error) {
	key, keyErr := keyFunc(obj)
	if keyErr == nil {
		p.held[key] = obj
		p.put(key, obj, "")
	}
	p.endedLocked(call, key, keyErr != nil, err)
}

func (p *plain) remove(obj any) {
	err := p.real.Delete(obj)
	key, keyErr := keyFunc(obj)
	if old, ok := p.held[key]; ok && keyErr == nil {
		delete(p.held, key)
		p.dropped(key, old, journal.DroppedDeleted)
	}
	p.endedLocked("Delete", key, keyErr != nil, err)
}

func (p *plain) replace(list []any, rv string) {
	keys, items, ok := keyed(list)
	err := p.real.Replace(list, rv)
	if ok {
		for key, old := range p.held {
			if _, stays := items[key]; !stays {
				p.dropped(key, old, journal.DroppedReplaced)
			}
		}
		for _, key := range keys {
			p.put(key, items[key], "")
		}
		p.held = items
	}
	p.endedLocked("Replace", "", !ok, err)
}

func (p *plain) resync() { p.ended("Resync", false, p.real.Resync()) }

func (p *plain) take() {} // nobody takes anything out of a store

// endedLocked closes a call that changed key, or everything when key is "".
func (p *plain) endedLocked(call, key string, foreseen bool, err error) {
	p.ended(call, foreseen, err)
	if key != "" {
		p.compareLocked(key)
	}
	want := 0
	if p.pushes && err == nil {
		want = 1
	}
	if len(p.pushed) != want {
		p.diverged(key, fmt.Sprintf("%s: expected %d pushes, got %d", call, want, len(p.pushed)))
	}
	for _, n := range p.pushed {
		p.write(journal.StorePushed{Store: p.name, Items: int64(n)}.Event("", ""))
		if n != len(p.held) {
			p.diverged(key, fmt.Sprintf("%s: expected a push of %d objects, got %d", call, len(p.held), n))
		}
	}
	p.pushed = p.pushed[:0]
}

func (p *plain) compareLocked(key string) (equal bool) {
	return compareKey(p.record, p.real, p.held, key)
}

func (p *plain) verify() int {
	return verifyKeys(p.record, p.real.ListKeys(), len(p.held), p.compareLocked)
}
