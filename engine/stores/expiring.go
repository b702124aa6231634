package stores

import (
	"fmt"
	"time"

	"github.com/tidwall/btree"
	"k8s.io/client-go/tools/cache"

	"informerscope/journal"
)

// expiring is a cache.NewTTLStore, an ExpirationCache. It takes the time from
// the real clock, which cannot be changed without changing the type.
type expiring struct {
	record
	real cache.Store
	ttl  time.Duration

	held   btree.Map[string, stamped] // what real holds, expired or not
	cursor string                     // the key read last
}

// stamped is an entry whose timestamp lies between two times.
type stamped struct {
	obj         any
	first, last time.Time
}

func newExpiring(r record, ttl time.Duration) *expiring {
	r.opened(journal.StoreOpened{Type: journal.OpenedStore, How: "cache.NewTTLStore, which forgets an expired entry when it is read", TTL: ttl})
	return &expiring{record: r, real: cache.NewTTLStore(keyFunc, ttl), ttl: ttl}
}

func (c *expiring) add(obj any)    { c.putLocked("Add", c.real.Add, obj) }
func (c *expiring) update(obj any) { c.putLocked("Update", c.real.Update, obj) }

func (c *expiring) putLocked(call string, put func(any) error, obj any) {
	first := time.Now()
	err := put(obj)
	key, keyErr := keyFunc(obj)
	if keyErr == nil {
		c.held.Set(key, stamped{obj, first, time.Now()})
		c.put(key, obj, "")
	}
	c.ended(call, keyErr != nil, err)
}

func (c *expiring) remove(obj any) {
	err := c.real.Delete(obj)
	key, keyErr := keyFunc(obj)
	if keyErr == nil {
		if old, ok := c.held.Delete(key); ok {
			c.dropped(key, old.obj, journal.DroppedDeleted)
		}
	}
	c.ended("Delete", keyErr != nil, err)
}

func (c *expiring) replace(list []any, rv string) {
	keys, items, ok := keyed(list)
	first := time.Now()
	err := c.real.Replace(list, rv)
	if ok {
		last := time.Now()
		c.held.Scan(func(key string, old stamped) bool {
			if _, stays := items[key]; !stays {
				c.dropped(key, old.obj, journal.DroppedReplaced)
			}
			return true
		})
		c.held.Clear()
		for _, key := range keys {
			c.held.Set(key, stamped{items[key], first, last})
			c.put(key, items[key], "")
		}
	}
	c.ended("Replace", !ok, err)
}

func (c *expiring) resync() { c.ended("Resync", false, c.real.Resync()) }

// take reads the next key in turn, which is when client-go finds out that an
// entry has expired.
func (c *expiring) take() {
	key, ok := c.next()
	if !ok {
		return
	}
	c.cursor = key
	c.readLocked(key)
}

func (c *expiring) next() (key string, ok bool) {
	c.held.Ascend(c.cursor, func(k string, _ stamped) bool {
		key, ok = k, k != c.cursor || c.cursor == ""
		return !ok
	})
	if ok {
		return key, true
	}
	key, _, ok = c.held.Min()
	return key, ok
}

// readLocked reads key from the real store and compares. It may expire it.
func (c *expiring) readLocked(key string) (equal bool) {
	want, held := c.held.Get(key)
	before := time.Now()
	got, exists, _ := c.real.GetByKey(key)
	after := time.Now()
	// Between two times either answer is right.
	mustExpire := held && before.Sub(want.last) > c.ttl
	mustExist := held && after.Sub(want.first) <= c.ttl
	equal = true
	switch {
	case exists && (!held || !same(got, want.obj)):
		c.diverged(key, fmt.Sprintf("GetByKey: expected %s, got %s", described(want.obj, held), described(got, true)))
		equal = false
	case exists && mustExpire:
		c.diverged(key, "GetByKey: expected an expired entry, got "+described(got, true))
		equal = false
	case !exists && mustExist:
		c.diverged(key, "GetByKey: expected "+described(want.obj, true)+", got nothing")
		equal = false
	}
	if !exists && held {
		c.held.Delete(key)
		c.dropped(key, want.obj, journal.DroppedExpired)
	}
	return equal
}

// verify lists the keys, which expires none. The objects cannot be compared:
// reading them would.
func (c *expiring) verify() int {
	return verifyKeys(c.record, c.real.ListKeys(), c.held.Len(), func(key string) bool {
		if _, held := c.held.Get(key); held {
			return true
		}
		c.diverged(key, "ListKeys: expected nothing, got "+key)
		return false
	})
}
