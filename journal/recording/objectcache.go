package recording

import (
	"fmt"
	"sort"
	"sync"
)

// objectCache has what was loaded of the objects of a file. It is safe for
// concurrent use.
type objectCache struct {
	mu      sync.Mutex
	slabs   map[uint64]*slab
	last    *slab // the one that was used last, number in lastKey
	lastKey uint64
	blocks  *lru[int, [][]byte] // JSON by place in File.objects
	decoded *lru[uint64, any]
}

// slab is a run of objects that are the same pointer for as long as the file is
// open.
type slab [256]Object

func (c *objectCache) init(limit int64) {
	c.slabs = map[uint64]*slab{}
	c.blocks = newLRU[int, [][]byte](limit / 2)
	c.decoded = newLRU[uint64, any](limit / 2)
}

// object is the object of a number; nil when there is none.
func (f *File) object(n uint64) any {
	if n == 0 {
		return nil
	}
	c := &f.loading
	c.mu.Lock()
	defer c.mu.Unlock()
	key := n / uint64(len(slab{}))
	s := c.last
	if s == nil || c.lastKey != key {
		if s = c.slabs[key]; s == nil {
			s = new(slab)
			c.slabs[key] = s
		}
		c.last, c.lastKey = s, key
	}
	o := &s[n%uint64(len(slab{}))]
	if o.file == nil {
		o.file, o.number = f, n
	}
	return o
}

// decodedFactor is about how many times its JSON a decoded object takes.
const decodedFactor = 6

// load decodes an object.
func (f *File) load(n uint64) any {
	c := &f.loading
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.decoded.get(n); ok {
		return v
	}
	i := sort.Search(len(f.objects), func(i int) bool { return f.objects[i].end() > n })
	if i == len(f.objects) || n < f.objects[i].number {
		return fmt.Errorf("its place in the recording is damaged or missing")
	}
	b := f.objects[i]
	texts, ok := c.blocks.get(i)
	if !ok {
		raw, err := f.unpack(b, nil)
		if err == nil {
			texts, err = cutObjects(raw, b.count)
		}
		if err != nil {
			return err
		}
		c.blocks.put(i, texts, int64(b.raw))
	}
	text := texts[n-b.number]
	v := readObject(text)
	c.decoded.put(n, v, 64+decodedFactor*int64(len(text)))
	return v
}
