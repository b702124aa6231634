package recording

import (
	"crypto/sha256"
	"encoding/json"
	"hash/crc32"
	"time"

	"github.com/klauspost/compress/zstd"

	"informerscope/journal"
	"informerscope/journal/state"
	"informerscope/journal/state/document"
)

// writer makes frames of what happens, and writes them to the parts of a
// recording. It is for one goroutine.
type writer struct {
	o       Options
	part    *part
	number  int // of the part, from 1
	zstd    *zstd.Encoder
	objects *objectWriter
	block   *blockWriter
	out     []byte // whole frames that are to be written
	scratch []byte

	start      uint64    // of the part: the event of its first keyframe
	seq        uint64    // of the newest event taken
	since      time.Time // the oldest event that is not written was taken
	partEvents uint64    // written or in block, of this part
	partLost   uint64
	events     uint64 // in all parts
	lost       uint64
	bytes      int64 // of the parts before

	keyframes   budget
	checkpoints budget
	keyframeSeq uint64 // of the last one
	toKeyframe  int64  // bytes that are to be written before the next one
	checkSeq    uint64 // of the last checkpoint
	checkTime   time.Time
}

// budget keeps something to its share of the time.
type budget struct {
	next time.Time
	cost time.Duration // of one, as it is when nothing else runs
}

func (b *budget) allows() bool { return !time.Now().Before(b.next) }

// spent notes that it took from started until now. On a busy machine that is
// mostly waiting, and so the cost grows by half at most.
func (b *budget) spent(started time.Time) {
	now := time.Now()
	took := now.Sub(started)
	if b.cost > 0 {
		took = min(took, b.cost+b.cost/2)
	}
	b.cost = took
	b.next = now.Add(costShare * took)
}

func newWriter(o Options, p *part) *writer {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
	if err != nil {
		panic(err) // the options are constants
	}
	w := &writer{o: o, part: p, number: 1, zstd: z}
	w.reset()
	return w
}

// reset forgets what the file knows.
func (w *writer) reset() {
	w.objects = newObjectWriter(w.o.NoObjects, w.o.Unmask)
	w.block = newBlockWriter(w.objects.number)
	w.partEvents, w.partLost = 0, 0
}

// begin writes the header and the first keyframe: the state before the first
// event, when all events are there, or the state now.
func (w *writer) begin() error {
	w.header()
	if v := w.o.Source.Journal().View(); v.Dropped() == 0 {
		w.seq, w.start = 0, 0
		w.frame(frame{typ: frameKeyframe}, nil)
		if v.Len() > 0 {
			w.since = w.o.Clock.Now()
		}
	} else {
		w.base(w.o.Source.Snapshot())
	}
	w.keyframeSeq, w.checkTime = w.seq, w.o.Clock.Now()
	err := w.write()
	// The first was for all objects.
	w.keyframes, w.toKeyframe = budget{}, 0
	return err
}

func (w *writer) header() {
	h := Header{
		Format: version(), Version: w.o.Version, ClientGo: clientGo(), Time: w.o.Clock.Now(),
		Resources: w.o.Resources, Settings: w.o.Settings, Part: w.number,
		Capacity: w.o.Source.Journal().Capacity(), Objects: !w.o.NoObjects, Masked: !w.o.Unmask,
		Thresholds: w.o.Source.Snapshot().Thresholds(),
		Kinds:      kindNames(), Flags: flagNames,
	}
	w.out = append(w.out, magic...)
	w.out = append(w.out, Major, Minor)
	w.frame(frame{typ: frameHeader, time: nanoseconds(h.Time)}, asJSON(h))
}

func asJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain structs
	}
	return b
}

// base begins at the state s.
func (w *writer) base(s *state.State) {
	w.seq, w.start = s.Seq, s.Seq
	w.keyframe(s)
}

// pending reports whether something waits to be written.
func (w *writer) pending() bool { return !w.since.IsZero() }

// take takes the events of v that were not yet taken, as far as there is room
// for them in the part.
func (w *writer) take(v journal.View) error {
	if v.Last() <= w.seq {
		return nil
	}
	if v.Dropped() > w.seq {
		return w.gap()
	}
	if w.since.IsZero() {
		w.since = w.o.Clock.Now()
	}
	for i := int(w.seq - v.Dropped()); i < v.Len(); i++ {
		if room, err := w.room(); !room || err != nil {
			return err
		}
		e := v.At(i)
		w.objects.note(e)
		w.block.add(e)
		w.seq = e.Seq
		w.events++
		w.partEvents++
		if len(w.objects.data) >= objectBytes {
			w.flushObjects()
		}
		if (e.Seq-w.start)%blockEvents == 0 || w.block.size() >= blockBytes {
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// attend does what is due.
func (w *writer) attend(now time.Time) error {
	if w.pending() && now.Sub(w.since) >= flushAfter {
		if err := w.flush(); err != nil {
			return err
		}
	}
	if w.full() {
		return w.rotate()
	}
	key := w.seq-w.keyframeSeq >= keyframeEvents && w.toKeyframe <= 0 && w.keyframes.allows()
	check := w.seq > w.checkSeq && (key || now.Sub(w.checkTime) >= checkpointAfter) && w.checkpoints.allows()
	if !key && !check {
		return nil
	}
	s := w.o.Source.Snapshot()
	if s.Journal.Dropped() > w.seq {
		return nil // the next take finds the gap
	}
	if err := w.take(s.Journal); err != nil {
		return err
	}
	if err := w.flush(); err != nil {
		return err
	}
	if w.seq != s.Seq {
		return nil // there was no room for all: rotate next time
	}
	if key {
		w.keyframe(s)
	}
	if check {
		w.checkpoint(s)
		w.checkTime = now
	}
	return w.write()
}

// keyframe writes s, which is the state after the newest event.
func (w *writer) keyframe(s *state.State) {
	started := time.Now()
	before := len(w.out)
	payload, objects := dump(s, w.objects)
	w.flushObjects()
	w.frame(frame{typ: frameKeyframe, flags: compressed, number: s.Seq, time: nanoseconds(s.Time)}, payload)
	w.objects.hold(objects)
	w.keyframeSeq = s.Seq
	w.toKeyframe = keyframeShare * int64(len(w.out)-before)
	w.keyframes.spent(started)
}

// keyframeShare is how many times its size is written between two keyframes.
const keyframeShare = 4

// checkpoint writes the hash of s, which is the state after the newest event.
func (w *writer) checkpoint(s *state.State) {
	started := time.Now()
	sum := hash(s)
	w.frame(frame{typ: frameCheckpoint, number: s.Seq, time: nanoseconds(s.Time)}, sum[:])
	w.checkSeq = s.Seq
	w.checkpoints.spent(started)
}

// hash is that of the state's document, as it is at the time of its last event.
// How many events are in memory is left out: that is not of the fold.
func hash(s *state.State) [sha256.Size]byte {
	d := document.Of(s, s.Time)
	d.Journal.Events, d.Journal.Dropped = s.Seq, 0
	return sha256.Sum256(asJSON(d))
}

// flush writes all events that were taken.
func (w *writer) flush() error {
	w.flushObjects()
	if b := w.block; b.count > 0 {
		w.scratch = b.append(w.scratch[:0])
		w.frame(frame{typ: frameEvents, flags: compressed, count: uint32(b.count), number: b.first, time: b.start}, w.scratch)
		b.reset()
	}
	w.since = time.Time{}
	return w.write()
}

func (w *writer) flushObjects() {
	if n := w.objects.collected(); n > 0 {
		w.scratch = w.objects.append(w.scratch[:0])
		w.frame(frame{typ: frameObjects, flags: compressed, count: uint32(n), number: w.objects.first}, w.scratch)
		w.objects.taken()
	}
}

// frame appends a frame with the payload raw to out.
func (w *writer) frame(f frame, raw []byte) {
	at := len(w.out)
	w.out = append(w.out, make([]byte, frameSize)...)
	if f.flags&compressed != 0 {
		w.out = w.zstd.EncodeAll(raw, w.out)
	} else {
		w.out = append(w.out, raw...)
	}
	payload := w.out[at+frameSize:]
	f.raw, f.size, f.crc = uint32(len(raw)), uint32(len(payload)), crc32.Checksum(payload, castagnoli)
	f.append(w.out[at:at])
}

// write writes the frames that are complete.
func (w *writer) write() error {
	w.toKeyframe -= int64(len(w.out))
	err := w.part.write(w.out)
	w.out = w.out[:0]
	if cap(w.out) > 4<<20 {
		w.out = nil
	}
	return err
}
