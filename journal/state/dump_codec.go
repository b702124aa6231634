package state

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/tidwall/btree"
)

// codec writes a dump or reads one: its methods take a pointer to what they
// write, or set. While it writes it sets nothing. After the first mistake in
// what it reads it only sets zeroes.
type codec struct {
	reading bool
	err     error

	out     []byte            // written so far
	number  func(any) uint64  // of an object
	numbers map[string]uint64 // of names that were written

	in     string // left to read; strings that were read are parts of it
	lookup func(uint64) any
	names  []string // by number

	// Times and sequence numbers are told as differences to the one before.
	lastSeq  uint64
	lastTime time.Time
}

func (c *codec) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("state: the dump is damaged: "+format, args...)
	}
	c.in = ""
}

func (c *codec) uint(v *uint64) {
	if !c.reading {
		c.out = binary.AppendUvarint(c.out, *v)
		return
	}
	n := uint64(0)
	for i := range len(c.in) {
		x := c.in[i]
		if i == binary.MaxVarintLen64 || i == binary.MaxVarintLen64-1 && x > 1 {
			break
		}
		n |= uint64(x&0x7f) << (7 * i)
		if x < 0x80 {
			c.in = c.in[i+1:]
			*v = n
			return
		}
	}
	*v = 0
	c.fail("a number is cut or too long")
}

func (c *codec) int64(v *int64) {
	u := uint64(*v)<<1 ^ uint64(*v>>63)
	c.uint(&u)
	if c.reading {
		*v = int64(u>>1) ^ -int64(u&1)
	}
}

func (c *codec) int(v *int) {
	n := int64(*v)
	c.int64(&n)
	if c.reading {
		*v = int(n)
	}
}

func (c *codec) dur(v *time.Duration) {
	n := int64(*v)
	c.int64(&n)
	if c.reading {
		*v = time.Duration(n)
	}
}

func (c *codec) bool(v *bool) {
	n := uint64(0)
	if *v {
		n = 1
	}
	c.uint(&n)
	if c.reading {
		if *v = n == 1; n > 1 {
			c.fail("%d is neither yes nor no", n)
		}
	}
}

func (c *codec) seq(v *uint64) {
	d := int64(*v - c.lastSeq)
	c.int64(&d)
	if c.reading {
		*v = c.lastSeq + uint64(d)
	}
	c.lastSeq = *v
}

// How a time is told: not at all, in full, or (from timeNear on) as nanoseconds
// after the last one, zigzag.
const (
	timeZero = iota
	timeFull
	timeNear
)

// near is how far apart two times are at most that are told as a difference.
const near = 1 << 60

func (c *codec) time(v *time.Time) {
	if c.reading {
		c.readTime(v)
		return
	}
	if v.IsZero() {
		c.out = append(c.out, timeZero)
		return
	}
	t := v.Round(0) // a difference of monotonic readings is another one
	if d := t.Sub(c.lastTime); d > -near && d < near {
		c.out = binary.AppendUvarint(c.out, timeNear+(uint64(d)<<1^uint64(d>>63)))
	} else {
		c.out = append(c.out, timeFull)
		c.out = binary.AppendVarint(c.out, t.Unix())
		c.out = binary.AppendUvarint(c.out, uint64(t.Nanosecond()))
	}
	c.lastTime = t
}

func (c *codec) readTime(v *time.Time) {
	*v = time.Time{}
	how := uint64(0)
	c.uint(&how)
	switch how {
	case timeZero:
		return
	case timeFull:
		s, ns := int64(0), uint64(0)
		c.int64(&s)
		if c.uint(&ns); ns >= 1e9 {
			c.fail("a second has %d nanoseconds", ns)
			return
		}
		*v = time.Unix(s, int64(ns))
	default:
		how -= timeNear
		*v = c.lastTime.Add(time.Duration(int64(how>>1) ^ -int64(how&1)))
	}
	c.lastTime = *v
}

// text is a string that is told where it stands.
func (c *codec) text(v *string) {
	n := uint64(len(*v))
	c.uint(&n)
	if !c.reading {
		c.out = append(c.out, *v...)
		return
	}
	*v = c.take(n)
}

func (c *codec) take(n uint64) string {
	if n > uint64(len(c.in)) {
		c.fail("a text of %d bytes is cut", n)
		return ""
	}
	t := c.in[:n]
	c.in = c.in[n:]
	return t
}

// name is a string that stands in several places, such as a key: it is told
// once (its length, odd), and then by its number (even).
func (c *codec) name(v *string) {
	if !c.reading {
		if n, ok := c.numbers[*v]; ok {
			c.out = binary.AppendUvarint(c.out, n<<1)
			return
		}
		c.numbers[*v] = uint64(len(c.numbers))
		c.out = binary.AppendUvarint(c.out, uint64(len(*v))<<1|1)
		c.out = append(c.out, *v...)
		return
	}
	*v = ""
	n := uint64(0)
	c.uint(&n)
	switch {
	case c.err != nil:
	case n&1 == 1:
		*v = c.take(n >> 1)
		c.names = append(c.names, *v)
	case n>>1 < uint64(len(c.names)):
		*v = c.names[n>>1]
	default:
		c.fail("name %d is not there", n>>1)
	}
}

func (c *codec) object(v *any) {
	n := uint64(0)
	if !c.reading && *v != nil {
		n = c.number(*v)
	}
	c.uint(&n)
	if c.reading {
		if *v = nil; n != 0 {
			*v = c.lookup(n)
		}
	}
}

// count tells how many elements follow. Each takes a byte at least, so that
// what is read is never more than what is there.
func (c *codec) count(n int) int {
	u := uint64(n)
	c.uint(&u)
	if c.reading && u > uint64(len(c.in)) {
		c.fail("%d elements are cut", u)
		return 0
	}
	return int(u)
}

// list is a slice; an empty one comes back as nil.
func list[T any](c *codec, s *[]T, each func(*T)) {
	n := c.count(len(*s))
	if !c.reading {
		for i := range *s {
			each(&(*s)[i])
		}
		return
	}
	*s = nil
	if n > 0 {
		*s = make([]T, 0, min(n, 1024)) // grows with what is really there
	}
	for range n {
		var v T
		each(&v)
		if c.err != nil {
			return
		}
		*s = append(*s, v)
	}
}

// few is a list that a state holds at most limit elements of.
func few[T any](c *codec, s *[]T, limit int, each func(*T)) {
	list(c, s, each)
	if len(*s) > limit {
		c.fail("%d elements where %d are kept", len(*s), limit)
	}
}

// tree is an ordered map. each codes a key with its value.
func tree[K ordered, V any](c *codec, m *btree.Map[K, V], each func(*K, *V)) {
	n := c.count(m.Len())
	var k K
	var v V
	if !c.reading {
		m.Scan(func(a K, b V) bool {
			k, v = a, b
			each(&k, &v)
			return true
		})
		return
	}
	for range n {
		var none V
		v = none
		each(&k, &v)
		if c.err != nil {
			return
		}
		if _, twice := m.Load(k, v); twice {
			c.fail("%v stands in it twice", k)
			return
		}
	}
}
