package recording

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"informerscope/journal"
	"informerscope/journal/findings"
	"informerscope/journal/history"
	"informerscope/journal/state"
)

// File is a recording that is read. It is safe for concurrent use.
type File struct {
	r     io.ReaderAt
	size  int64
	close func() error
	zstd  *zstd.Decoder

	// These are written while the file is opened only.
	header      Header
	names       *names
	segments    []*segment
	blocks      []block // of events, in order, of all segments
	objects     []block // in the order of their numbers
	checkpoints []block
	problems    []problem
	unreachable uint64 // events that are whole, behind damage and before the next keyframe
	totals      *Totals

	last func() time.Time // time of the last event

	judge *findings.Thresholds // of Judge; nil are those of the recording

	loading objectCache

	mu     sync.Mutex
	groups *lru[groupKey, *group]
	states *lru[uint64, *state.State]
	warm   []*state.State // of Warm, in order within a segment
}

var _ history.History = (*File)(nil)

// block is a frame with its place.
type block struct {
	frame
	off int64 // of the payload
}

// end is the number after the block's last.
func (b *block) end() uint64 { return b.number + uint64(b.count) }

// segment is a run of events without a gap: base+1 ... last. Its first keyframe
// is the state after base.
type segment struct {
	base, last uint64
	keyframes  []block
}

// problem is what is missing.
type problem struct {
	at   int64  // byte
	what string // in words
	cut  bool   // nothing comes after it

	after uint64 // the last good event before it
}

func newFile(r io.ReaderAt, size int64, o OpenOptions) *File {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxKeyframeRaw), zstd.WithDecoderLowmem(true))
	if err != nil {
		panic(err) // the options are constants
	}
	f := &File{r: r, size: size, zstd: z, close: func() error { return nil }}
	f.groups = newLRU[groupKey, *group](o.Memory / 2)
	f.states = newLRU[uint64, *state.State](o.Memory / 4)
	f.loading.init(o.Memory / 4)
	f.last = sync.OnceValue(f.lastTime)
	f.names = (&Header{}).names()
	return f
}

// Close closes the file. Objects that were not loaded cannot be any more.
func (f *File) Close() error {
	f.zstd.Close()
	return f.close()
}

// Header says what the recording is of. Its fields are empty when Lost says that
// it cannot be read.
func (f *File) Header() Header { return f.header }

// Totals are the figures with which the recording was closed; ok is false when
// it was not.
func (f *File) Totals() (t Totals, ok bool) {
	if f.totals == nil {
		return Totals{}, false
	}
	return *f.totals, true
}

// Size is that of the file when it was opened, in bytes.
func (f *File) Size() int64 { return f.size }

func (f *File) readHeader(b block) error {
	raw, err := f.unpack(b, nil)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, &f.header); err != nil {
		return err
	}
	f.names = f.header.names()
	return nil
}

func (f *File) problem(p problem) {
	if n := len(f.segments); n > 0 {
		p.after = f.segments[n-1].last
	}
	f.problems = append(f.problems, p)
}

// Lost says in words what is missing: at which byte, and after which event. It
// is "" when nothing is.
func (f *File) Lost() string {
	var lines []string
	for _, p := range f.problems {
		where := "before the first event"
		if p.after > 0 {
			where = fmt.Sprintf("after event %d", p.after)
			if t, ok := f.timeOf(p.after); ok {
				where += " (" + t.Format("2006-01-02 15:04:05.000") + ")"
			}
		}
		lines = append(lines, fmt.Sprintf("at byte %d, %s: %s", p.at, where, p.what))
	}
	if f.unreachable > 0 {
		lines = append(lines, fmt.Sprintf("%d events after that are whole, and cannot be shown without those before them", f.unreachable))
	}
	return strings.Join(lines, "; ")
}

func (f *File) timeOf(seq uint64) (t time.Time, ok bool) {
	f.Scan(context.Background(), seq, seq, func(e *journal.Event) bool {
		t, ok = e.Time, e.Seq == seq
		return false
	})
	return t, ok
}

// damage is the error for a block that cannot be read.
func damage(b block, err error) error {
	return fmt.Errorf("the recording is damaged at byte %d: %w", b.off, err)
}

// unpack reads the payload of a frame, into room if it fits.
func (f *File) unpack(b block, room []byte) ([]byte, error) {
	if b.raw > b.typ.raw() || int64(b.size) > f.size-b.off {
		return nil, damage(b, errFrame)
	}
	payload := make([]byte, b.size)
	if n, err := f.r.ReadAt(payload, b.off); n < len(payload) {
		return nil, fmt.Errorf("read the recording at byte %d: %w", b.off, err)
	}
	if crc32.Checksum(payload, castagnoli) != b.crc {
		return nil, damage(b, fmt.Errorf("its checksum is another"))
	}
	if b.flags&compressed == 0 {
		return payload, nil
	}
	raw, err := f.zstd.DecodeAll(payload, room[:0])
	if err == nil && len(raw) != int(b.raw) {
		err = fmt.Errorf("%d bytes are in it, not %d", len(raw), b.raw)
	}
	if err != nil {
		return nil, damage(b, err)
	}
	return raw, nil
}

// open begins to read a block of events. What it reads does not refer to room,
// which becomes larger if need be.
func (f *File) open(b block, room *[]byte) (*blockReader, error) {
	raw, err := f.unpack(b, *room)
	if err != nil {
		return nil, err
	}
	if b.flags&compressed != 0 {
		*room = raw
	}
	r, err := newBlockReader(b.frame, raw, f.names, f.object)
	if err != nil {
		return nil, damage(b, err)
	}
	return r, nil
}

// from is the place in blocks of the first that ends at seq or after it.
func (f *File) from(seq uint64) int {
	return sort.Search(len(f.blocks), func(i int) bool { return f.blocks[i].end() > seq })
}

// Range is part of history.History. Between the two there may be gaps, of which
// Lost tells; At refuses what is in one, and Scan leaves it out.
func (f *File) Range() (first, last history.Point) {
	if len(f.blocks) == 0 {
		if len(f.segments) > 0 && f.segments[0].base > 0 { // a state, and nothing after it
			k := &f.segments[0].keyframes[0]
			first = history.Point{Seq: k.number, Time: time.Unix(0, k.time)}
		}
		return first, first
	}
	b := &f.blocks[0]
	return history.Point{Seq: b.number, Time: time.Unix(0, b.time)},
		history.Point{Seq: f.blocks[len(f.blocks)-1].end() - 1, Time: f.last()}
}

func (f *File) lastTime() (t time.Time) {
	var room []byte
	r, err := f.open(f.blocks[len(f.blocks)-1], &room)
	if err != nil {
		return t
	}
	for e := (journal.Event{}); r.next(&e); {
		t = e.Time
	}
	return t
}

// Seek is part of history.History.
func (f *File) Seek(t time.Time) (uint64, error) {
	if len(f.blocks) == 0 {
		if first, _ := f.Range(); first.Seq > 0 {
			return first.Seq, nil
		}
		return 0, &history.Gone{}
	}
	ns := nanoseconds(t)
	i := sort.Search(len(f.blocks), func(i int) bool { return f.blocks[i].time > ns }) - 1
	if i < 0 {
		return f.blocks[0].number, nil
	}
	var room []byte
	r, err := f.open(f.blocks[i], &room)
	if err != nil {
		return 0, err
	}
	seq := f.blocks[i].number
	for e := (journal.Event{}); r.next(&e) && !e.Time.After(t); {
		seq = e.Seq
	}
	return seq, r.Err()
}

// Scan is part of history.History. It decodes no object.
func (f *File) Scan(ctx context.Context, from, to uint64, yield func(*journal.Event) bool) error {
	if from > to {
		return f.scanBack(ctx, from, to, yield)
	}
	var room []byte
	var e journal.Event
	for i := f.from(from); i < len(f.blocks) && f.blocks[i].number <= to; i++ {
		r, err := f.open(f.blocks[i], &room)
		if err != nil {
			return err
		}
		for r.next(&e) {
			switch {
			case e.Seq < from:
				continue
			case e.Seq > to:
				return nil
			case e.Seq%1024 == 0 && ctx.Err() != nil:
				return ctx.Err()
			case !yield(&e):
				return nil
			}
		}
		if r.Err() != nil {
			return damage(f.blocks[i], r.Err())
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

func (f *File) scanBack(ctx context.Context, from, to uint64, yield func(*journal.Event) bool) error {
	var room []byte
	var events []journal.Event
	for i := min(f.from(from), len(f.blocks)-1); i >= 0 && f.blocks[i].end() > to; i-- {
		r, err := f.open(f.blocks[i], &room)
		if err != nil {
			return err
		}
		events = events[:0]
		for e := (journal.Event{}); r.next(&e); {
			events = append(events, e)
		}
		if r.Err() != nil {
			return damage(f.blocks[i], r.Err())
		}
		for k := len(events) - 1; k >= 0; k-- {
			e := &events[k]
			switch {
			case e.Seq > from:
				continue
			case e.Seq < to:
				return nil
			case e.Seq%1024 == 0 && ctx.Err() != nil:
				return ctx.Err()
			case !yield(e):
				return nil
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}
