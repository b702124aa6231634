package findings

import (
	"encoding/json"
	"slices"

	"github.com/tidwall/btree"
)

// byKey is an ordered map of plain values. A copy costs nothing until one side
// is written to. In JSON it is an object, its keys sorted.
type byKey[T any] struct{ m btree.Map[string, T] }

func (b *byKey[T]) len() int                    { return b.m.Len() }
func (b *byKey[T]) get(key string) (T, bool)    { return b.m.Get(key) }
func (b *byKey[T]) set(key string, v T)         { b.m.Set(key, v) }
func (b *byKey[T]) delete(key string) (T, bool) { return b.m.Delete(key) }
func (b *byKey[T]) clone() byKey[T]             { return byKey[T]{*b.m.Copy()} }
func (b *byKey[T]) scan(f func(key string, v *T)) {
	b.m.Scan(func(key string, v T) bool {
		f(key, &v)
		return true
	})
}

// MarshalJSON is part of json.Marshaler.
func (b byKey[T]) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	var err error
	b.m.Scan(func(key string, v T) bool {
		var k, x []byte
		if k, err = json.Marshal(key); err != nil {
			return false
		}
		if x, err = json.Marshal(v); err != nil {
			return false
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, k...), ':'), x...)
		return true
	})
	return append(out, '}'), err
}

// UnmarshalJSON is part of json.Unmarshaler.
func (b *byKey[T]) UnmarshalJSON(data []byte) error {
	var m map[string]T
	if err := json.Unmarshal(data, &m); err != nil {
		return err
	}
	*b = byKey[T]{}
	for k, v := range m {
		b.m.Set(k, v)
	}
	return nil
}

// byName has a T for each of a few names (resources, listeners), in the order in
// which they came.
type byName[T any] []named[T]

type named[T any] struct {
	Name  string `json:"name"`
	Value T      `json:"value"`
}

// of returns that of name, a new one when there is none. It is valid until the
// next call.
func (b *byName[T]) of(name string) *T {
	if v := b.find(name); v != nil {
		return v
	}
	*b = append(*b, named[T]{Name: name})
	return &(*b)[len(*b)-1].Value
}

// find is nil when there is none.
func (b byName[T]) find(name string) *T {
	for i := range b {
		if b[i].Name == name {
			return &b[i].Value
		}
	}
	return nil
}

// clone copies the values: with of, which may be nil, of each. It gets the
// original, as copying a map means to write to it.
func (b byName[T]) clone(of func(*T) T) byName[T] {
	c := slices.Clone(b)
	if of != nil {
		for i := range b {
			c[i].Value = of(&b[i].Value)
		}
	}
	return c
}

// slots is how many parts a minute has in rate.
const slots = 12

const slotLength = int64(60e9 / slots)

// rate counts what happens in a minute, more exactly in the last 55 to 60
// seconds, or in twelve parts of another length: never more than all of them have
// seen.
type rate struct {
	Slot   int64         `json:"slot"` // number of the newest part
	Counts [slots]uint16 `json:"counts"`
}

func (r *rate) add(now int64, n int) { r.addIn(now, n, slotLength) }

// addIn is add with parts of another length, which is the same in each call.
func (r *rate) addIn(now int64, n int, slot int64) {
	s := now / slot
	if s > r.Slot {
		for t := max(r.Slot+1, s-slots+1); t <= s; t++ {
			r.Counts[t%slots] = 0
		}
		r.Slot = s
	}
	c := &r.Counts[r.Slot%slots]
	*c = uint16(min(int(*c)+n, 1<<16-1))
}

// count is the number of adds in the minute before now.
func (r *rate) count(now int64) (n int) { return r.countIn(now, slotLength) }

func (r *rate) countIn(now, slot int64) (n int) {
	s := max(now/slot, r.Slot)
	for t := max(s-slots+1, r.Slot-slots+1); t <= r.Slot; t++ {
		if t >= 0 {
			n += int(r.Counts[t%slots])
		}
	}
	return n
}

// median is the middle one; it sorts xs.
func median(xs []int64) int64 {
	slices.Sort(xs)
	return xs[len(xs)/2]
}
