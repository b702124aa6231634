package recording

import (
	"time"

	"informerscope/journal"
	"informerscope/journal/codec"
)

// A block of events is: the table of its strings (how many, the length of each,
// then their bytes), the table of its shapes, and a row for each event. What
// many events have in common is a shape: kind, flags, resource, type, name, and
// which of the fields below are in the row.
const (
	hasKey = 1 << iota
	hasRV
	hasText
	hasN
	hasM
	hasDur
	hasChanges
	hasObject
	hasOld
)

// shape is what many events have in common; strings are numbers in the table.
type shape struct {
	kind            uint8
	flags           uint8
	resource        uint32
	typ             uint32
	name            uint32
	fields          uint16
	resourceS, typS string // when it was read
	nameS           string
}

// blockWriter collects events. It is for one goroutine.
type blockWriter struct {
	values  values
	rows    []byte
	strings map[string]uint32
	table   []string // "" is first
	bytes   int      // in table
	shapes  map[shape]uint32
	order   []shape
	first   uint64 // Seq of the first event
	start   int64  // its time
	time    int64  // of the last event
	count   int
}

func newBlockWriter(number func(any) uint64) *blockWriter {
	b := &blockWriter{values: values{number: number}, strings: map[string]uint32{}, shapes: map[shape]uint32{}}
	b.reset()
	return b
}

func (b *blockWriter) reset() {
	clear(b.strings)
	clear(b.shapes)
	b.rows, b.table, b.order, b.count, b.bytes = b.rows[:0], append(b.table[:0], ""), b.order[:0], 0, 0
	b.values.last = 0
	b.strings[""] = 0
}

// size is about what the block takes, unpacked.
func (b *blockWriter) size() int { return len(b.rows) + b.bytes + 2*len(b.table) + 16*len(b.order) }

func (b *blockWriter) string(s string) uint32 {
	if s == "" {
		return 0
	}
	n, ok := b.strings[s]
	if !ok {
		n = uint32(len(b.table))
		b.strings[s] = n
		b.table = append(b.table, s)
		b.bytes += len(s)
	}
	return n
}

// nanoseconds is t as the file has it: what is before 1678 or after 2262 becomes
// the nearest that fits.
func nanoseconds(t time.Time) int64 {
	switch {
	case t.Year() < 1678:
		return -1 << 63
	case t.Year() > 2261:
		return 1<<63 - 1
	}
	return t.UnixNano()
}

// add takes the event after the last one.
func (b *blockWriter) add(e *journal.Event) {
	now := nanoseconds(e.Time)
	if b.count == 0 {
		b.first, b.start, b.time = e.Seq, now, now
	}
	raw := e.Raw()
	s := shape{kind: uint8(e.Kind), flags: uint8(e.Flags), resource: b.string(e.Resource), typ: b.string(raw.Type), name: b.string(raw.Name)}
	has := func(field uint16, is bool) {
		if is {
			s.fields |= field
		}
	}
	has(hasKey, e.Key != "")
	has(hasRV, e.RV != "")
	has(hasText, raw.Text != "")
	has(hasN, raw.N != 0)
	has(hasM, raw.M != 0)
	has(hasDur, e.Dur != 0)
	has(hasChanges, len(e.Changes) > 0)
	has(hasObject, e.Object != nil)
	has(hasOld, e.Old != nil)
	n, ok := b.shapes[s]
	if !ok {
		n = uint32(len(b.order))
		b.shapes[s] = n
		b.order = append(b.order, s)
	}
	r := codec.AppendUint(b.rows, uint64(n))
	r = codec.AppendInt(r, now-b.time)
	b.time = now
	if s.fields&hasKey != 0 {
		r = codec.AppendUint(r, uint64(b.string(e.Key)))
	}
	if s.fields&hasRV != 0 {
		r = codec.AppendUint(r, uint64(b.string(e.RV)))
	}
	if s.fields&hasText != 0 {
		r = codec.AppendUint(r, uint64(b.string(raw.Text)))
	}
	if s.fields&hasN != 0 {
		r = codec.AppendInt(r, raw.N)
	}
	if s.fields&hasM != 0 {
		r = codec.AppendInt(r, raw.M)
	}
	if s.fields&hasDur != 0 {
		r = codec.AppendInt(r, int64(e.Dur))
	}
	if s.fields&hasChanges != 0 {
		r = codec.AppendUint(r, uint64(len(e.Changes)))
		for _, c := range e.Changes {
			added := uint64(0)
			if c.Added {
				added = 1
			}
			r = codec.AppendUint(r, uint64(b.string(c.Index))<<1|added)
			r = codec.AppendUint(r, uint64(b.string(c.Value)))
		}
	}
	if s.fields&hasObject != 0 {
		r = b.values.append(r, e.Object, 0)
	}
	if s.fields&hasOld != 0 {
		r = b.values.append(r, e.Old, 0)
	}
	b.rows = r
	b.count++
}

// append appends the block, unpacked.
func (b *blockWriter) append(out []byte) []byte {
	out = codec.AppendUint(out, uint64(len(b.table)))
	for _, s := range b.table {
		out = codec.AppendUint(out, uint64(len(s)))
	}
	for _, s := range b.table {
		out = append(out, s...)
	}
	out = codec.AppendUint(out, uint64(len(b.order)))
	for _, s := range b.order {
		out = append(out, s.kind, s.flags)
		for _, n := range [...]uint64{uint64(s.resource), uint64(s.typ), uint64(s.name), uint64(s.fields)} {
			out = codec.AppendUint(out, n)
		}
	}
	return append(out, b.rows...)
}

// blockReader hands out the events of a block.
type blockReader struct {
	cursor
	names   *names
	object  func(uint64) any
	strings []string
	shapes  []shape
	seq     uint64 // of the next event
	time    int64  // of the last one
	left    int
}

// newBlockReader reads the tables of the block that f is the frame of. What it
// hands out does not refer to raw.
func newBlockReader(f frame, raw []byte, n *names, object func(uint64) any) (*blockReader, error) {
	b := &blockReader{cursor: newCursor(raw), names: n, object: object, seq: f.number, time: f.time, left: int(f.count)}
	if err := b.readStrings(); err != nil {
		return nil, err
	}
	b.shapes = make([]shape, b.Count())
	for i := range b.shapes {
		s := &b.shapes[i]
		s.kind, s.flags = b.Byte(), b.Byte()
		s.resourceS, s.typS, s.nameS = b.name(), b.name(), b.name()
		s.fields = uint16(b.Uint())
	}
	return b, b.Err()
}

func (b *blockReader) readStrings() error {
	n := b.Count()
	if n > maxStrings {
		b.Fail(senseless)
	}
	lengths := make([]int, 0, min(n, maxStrings))
	total := 0
	for range n {
		l := b.Count()
		lengths = append(lengths, l)
		total += l
	}
	all := b.Take(uint64(total))
	if b.Err() != nil {
		return b.Err()
	}
	b.strings = make([]string, n)
	for i, l := range lengths {
		b.strings[i], all = all[:l], all[l:]
	}
	return nil
}

func (b *blockReader) name() string {
	n := b.Uint()
	if n >= uint64(len(b.strings)) {
		b.Fail(senseless)
		return ""
	}
	return b.strings[n]
}

// next fills in the next event, and reports whether there was one. At the end
// err says whether it was the right one.
func (b *blockReader) next(e *journal.Event) bool {
	if b.left == 0 {
		if b.Len() > 0 {
			b.Fail("%d bytes are left over in it", b.Len())
		}
		return false
	}
	n := b.Uint()
	if n >= uint64(len(b.shapes)) {
		b.Fail(senseless)
		return false
	}
	s := &b.shapes[n]
	*e = journal.Event{Seq: b.seq, Kind: b.names.kinds[s.kind], Flags: b.names.flags[s.flags], Resource: s.resourceS}
	b.time += b.Int()
	e.Time = time.Unix(0, b.time)
	raw := journal.Raw{Type: s.typS, Name: s.nameS}
	if s.fields&hasKey != 0 {
		e.Key = b.name()
	}
	if s.fields&hasRV != 0 {
		e.RV = b.name()
	}
	if s.fields&hasText != 0 {
		raw.Text = b.name()
	}
	if s.fields&hasN != 0 {
		raw.N = b.Int()
	}
	if s.fields&hasM != 0 {
		raw.M = b.Int()
	}
	e.SetRaw(raw)
	if s.fields&hasDur != 0 {
		e.Dur = time.Duration(b.Int())
	}
	if s.fields&hasChanges != 0 {
		e.Changes = make([]journal.IndexChange, b.Count())
		for i := range e.Changes {
			index := b.Uint()
			if index>>1 >= uint64(len(b.strings)) {
				b.Fail(senseless)
				break
			}
			e.Changes[i] = journal.IndexChange{Index: b.strings[index>>1], Value: b.name(), Added: index&1 != 0}
		}
	}
	if s.fields&hasObject != 0 {
		e.Object = b.value(b.object, 0)
	}
	if s.fields&hasOld != 0 {
		e.Old = b.value(b.object, 0)
	}
	b.seq++
	b.left--
	return b.Err() == nil
}
