package codec

import (
	"time"
)

// Codec writes a structure or reads it back: its methods take a pointer to what
// they write, or set. While it writes it sets nothing. After the first mistake in
// what it reads it only sets zeroes.
type Codec struct {
	out     []byte            // written so far
	number  func(any) uint64  // of an object
	numbers map[string]uint64 // of names that were written; nil while it reads

	in     Reader
	lookup func(uint64) any
	names  []string // by number

	// Times and sequence numbers are told as differences to the one before.
	lastSeq  uint64
	lastTime time.Time
}

// Writer returns a Codec that appends to b. object gives the number that stands
// for an object, which must not be 0.
func Writer(b []byte, object func(any) uint64) *Codec {
	return &Codec{out: b, number: object, numbers: map[string]uint64{}}
}

// Loader returns a Codec that reads s, and keeps parts of it as strings. object
// gives the object of a number that is not 0.
func Loader(s string, object func(uint64) any) *Codec {
	return &Codec{in: NewReader(s), lookup: object, names: make([]string, 0, 64)}
}

// Reading reports whether the Codec sets what it is given.
func (c *Codec) Reading() bool { return c.numbers == nil }

// Out is what was written.
func (c *Codec) Out() []byte { return c.out }

// Err is the first mistake in what was read.
func (c *Codec) Err() error { return c.in.Err() }

// Left is how many bytes are left to read.
func (c *Codec) Left() int { return c.in.Len() }

// Fail says that what was read is wrong.
func (c *Codec) Fail(format string, args ...any) { c.in.Fail(format, args...) }

// Uint codes a number.
func (c *Codec) Uint(v *uint64) {
	if c.Reading() {
		*v = c.in.Uint()
	} else {
		c.out = AppendUint(c.out, *v)
	}
}

func (c *Codec) Int64(v *int64) {
	if c.Reading() {
		*v = c.in.Int()
	} else {
		c.out = AppendInt(c.out, *v)
	}
}

func (c *Codec) Int(v *int) {
	n := int64(*v)
	c.Int64(&n)
	if c.Reading() {
		*v = int(n)
	}
}

func (c *Codec) Duration(v *time.Duration) {
	n := int64(*v)
	c.Int64(&n)
	if c.Reading() {
		*v = time.Duration(n)
	}
}

func (c *Codec) Bool(v *bool) {
	n := uint64(0)
	if *v {
		n = 1
	}
	c.Uint(&n)
	if c.Reading() {
		if *v = n == 1; n > 1 {
			c.Fail("%d is neither yes nor no", n)
		}
	}
}

func (c *Codec) Seq(v *uint64) {
	d := int64(*v - c.lastSeq)
	c.Int64(&d)
	if c.Reading() {
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

func (c *Codec) Time(v *time.Time) {
	if c.Reading() {
		c.readTime(v)
		return
	}
	if v.IsZero() {
		c.out = append(c.out, timeZero)
		return
	}
	t := v.Round(0) // a difference of monotonic readings is another one
	if d := t.Sub(c.lastTime); d > -near && d < near {
		c.out = AppendUint(c.out, timeNear+Zigzag(int64(d)))
	} else {
		c.out = append(c.out, timeFull)
		c.out = AppendInt(c.out, t.Unix())
		c.out = AppendUint(c.out, uint64(t.Nanosecond()))
	}
	c.lastTime = t
}

func (c *Codec) readTime(v *time.Time) {
	*v = time.Time{}
	how := uint64(0)
	c.Uint(&how)
	switch how {
	case timeZero:
		return
	case timeFull:
		s, ns := int64(0), uint64(0)
		c.Int64(&s)
		if c.Uint(&ns); ns >= 1e9 {
			c.Fail("a second has %d nanoseconds", ns)
			return
		}
		*v = time.Unix(s, int64(ns))
	default:
		how -= timeNear
		*v = c.lastTime.Add(time.Duration(Unzigzag(how)))
	}
	c.lastTime = *v
}

// Text is a string that is told where it stands.
func (c *Codec) Text(v *string) {
	n := uint64(len(*v))
	c.Uint(&n)
	if !c.Reading() {
		c.out = append(c.out, *v...)
		return
	}
	*v = c.in.Take(n)
}

// Name is a string that stands in several places, such as a key: it is told
// once (its length, odd), and then by its number (even).
func (c *Codec) Name(v *string) {
	if !c.Reading() {
		if n, ok := c.numbers[*v]; ok {
			c.out = AppendUint(c.out, n<<1)
			return
		}
		c.numbers[*v] = uint64(len(c.numbers))
		c.out = AppendUint(c.out, uint64(len(*v))<<1|1)
		c.out = append(c.out, *v...)
		return
	}
	*v = ""
	n := uint64(0)
	c.Uint(&n)
	switch {
	case c.Err() != nil:
	case n&1 == 1:
		*v = c.in.Take(n >> 1)
		c.names = append(c.names, *v)
	case n>>1 < uint64(len(c.names)):
		*v = c.names[n>>1]
	default:
		c.Fail("name %d is not there", n>>1)
	}
}

func (c *Codec) Object(v *any) {
	n := uint64(0)
	if !c.Reading() && *v != nil {
		n = c.number(*v)
	}
	c.Uint(&n)
	if c.Reading() {
		if *v = nil; n != 0 {
			*v = c.lookup(n)
		}
	}
}

// Count tells how many elements follow. Each takes a byte at least, so that
// what is read is never more than what is there.
func (c *Codec) Count(n int) int {
	u := uint64(n)
	c.Uint(&u)
	if c.Reading() && u > uint64(c.in.Len()) {
		c.Fail("%d elements are cut", u)
		return 0
	}
	return int(u)
}

// List is a slice; an empty one comes back as nil.
func List[T any](c *Codec, s *[]T, each func(*T)) {
	n := c.Count(len(*s))
	if !c.Reading() {
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
		if c.Err() != nil {
			return
		}
		*s = append(*s, v)
	}
}

// Few is a list that a state holds at most limit elements of.
func Few[T any](c *Codec, s *[]T, limit int, each func(*T)) {
	List(c, s, each)
	if len(*s) > limit {
		c.Fail("%d elements where %d are kept", len(*s), limit)
	}
}
