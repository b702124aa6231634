package journal

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"informerscope/internal/printable"

	"k8s.io/utils/clock"
)

// ChunkSize is how many events one Chunk of the ring holds; the ring forgets
// whole chunks.
const ChunkSize = 512

// DefaultCapacity is how many events the journal keeps in memory. About 220
// bytes an event, and the objects they point to.
const DefaultCapacity = 16 * 1024

// DefaultBytes is what the objects of the events kept may take.
const DefaultBytes = 512 << 20

// expansion is about how many bytes an object takes in memory for each that came
// over the wire (dynamic client, JSON).
const expansion = 3

// maxText is how many bytes of an event's text are kept.
const maxText = 8 << 10

// Chunk is a run of events. Elements that a View shows are never written again,
// so Views read them without a lock. A chunk that no View ever showed is used
// again when it falls off the ring: without readers the journal makes no
// garbage.
type Chunk [ChunkSize]Event

// Options configure a Journal. The zero value is usable.
type Options struct {
	// Capacity is the number of events kept, rounded up to whole chunks.
	// Zero means DefaultCapacity.
	Capacity int
	// Bytes is about how much memory the objects of the events kept take; zero
	// means DefaultBytes. Older events go first, by chunks, and two chunks stay.
	Bytes int64
	// Clock stamps events. Nil means the real clock.
	Clock clock.PassiveClock
	// Fold, if set, sees every event, in order, under the journal's lock. It
	// must not block, keep the pointer, or call the journal but for Then.
	Fold func(*Event)
}

// Journal is the ordered writer and the ring in memory. It is safe for
// concurrent use. Append never waits for a reader.
type Journal struct {
	clock clock.PassiveClock
	fold  func(*Event)
	real  bool // clock is the real one
	limit int  // chunks kept, at least 2

	mu      sync.Mutex
	changed sync.Cond        // on mu; only Readers wait on it
	waiting int              // Readers in changed.Wait
	seq     uint64           // Seq of the newest event
	chunks  []*Chunk         // oldest first; all full but the last
	last    *Chunk           // the last of chunks
	used    int              // events in last; ChunkSize when there is none
	anchor  time.Time        // the newest reading of the real clock
	wall    time.Time        // anchor without its monotonic reading
	dropped uint64           // events that were dropped
	bytes   int64            // kept at most
	weights []int64          // of the objects that came with the events of each chunk
	weight  int64            // their sum
	came    map[string]int64 // bytes that a resource's watches had received so far
	heavy   bool             // chunks were dropped for their weight
	shown   uint64           // Seq of the newest event that a View ever had
	then    []Event          // what is to follow the event that is folded; see Then
}

// New returns an empty journal.
func New(o Options) *Journal {
	if o.Clock == nil {
		o.Clock = clock.RealClock{}
	}
	if o.Capacity <= 0 {
		o.Capacity = DefaultCapacity
	}
	if o.Bytes <= 0 {
		o.Bytes = DefaultBytes
	}
	j := &Journal{clock: o.Clock, fold: o.Fold, bytes: o.Bytes, came: map[string]int64{}, limit: max(2, (o.Capacity+ChunkSize-1)/ChunkSize), used: ChunkSize}
	_, j.real = o.Clock.(clock.RealClock)
	j.changed.L = &j.mu
	return j
}

// Capacity is how many events are kept at most.
func (j *Journal) Capacity() int { return j.limit * ChunkSize }

// Append gives e its Seq and Time, folds it, and keeps it. It returns the Time,
// so that a glass can remember exactly what the fold does. The journal's order
// is the order of Append calls: a glass calls it under its own lock.
func (j *Journal) Append(e Event) time.Time {
	j.mu.Lock()
	defer j.mu.Unlock() // also when the fold panics
	return j.appendLocked(&e)
}

// Do runs f while nobody else can append: what f appends, and what the fold
// lets follow, stands in one piece. f must not block, nor call the journal
// otherwise.
func (j *Journal) Do(f func(appendEvent func(Event))) {
	j.mu.Lock()
	defer j.mu.Unlock()
	f(func(e Event) { j.appendLocked(&e) })
}

// Then makes e follow the event that is being folded, before anybody else's. It
// is for the fold, which runs under the journal's lock.
func (j *Journal) Then(e Event) { j.then = append(j.then, e) }

func (j *Journal) appendLocked(e *Event) time.Time {
	at := j.keepLocked(e)
	j.finishLocked()
	return at
}

// keepLocked gives e its Seq and Time, keeps and folds it.
func (j *Journal) keepLocked(e *Event) time.Time {
	if e.text != "" {
		e.text = boundedText(e)
	}
	slot := j.slotLocked()
	e.Seq, e.Time = j.seq, j.nowLocked()
	*slot = *e
	j.foldLocked(slot)
	return e.Time
}

func (j *Journal) foldLocked(slot *Event) {
	j.used++
	if slot.Kind == KindWatchEvent {
		j.weighLocked(slot)
	}
	if j.fold != nil {
		j.fold(slot)
	}
}

// boundedText is the text of an event from outside: an error or a log line may
// quote a whole object, or be of any length.
func boundedText(e *Event) string {
	text := e.text
	if e.Kind == KindLogLine || e.Kind == KindRelistRequested || e.Failure() != "" {
		text = printable.WithoutSecrets(text)
	}
	if n := len(text); n > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + " ... (" + strconv.Itoa(n-maxText) + " bytes more)"
	}
	return text
}

// weighLocked counts the object of a watch event: the others refer to it.
func (j *Journal) weighLocked(e *Event) {
	total := e.WatchEvent().ReceivedBytes
	w := max(0, total-j.came[e.Resource]) * expansion
	j.came[e.Resource] = total
	j.weights[len(j.weights)-1] += w
	j.weight += w
}

// finishLocked appends what the fold asked for and wakes the readers.
func (j *Journal) finishLocked() {
	if len(j.then) > 0 {
		for i := 0; i < len(j.then); i++ { // which may grow meanwhile
			e := j.then[i]
			j.keepLocked(&e)
		}
		clear(j.then)
		j.then = j.then[:0]
	}
	if j.waiting > 0 {
		j.changed.Broadcast()
	}
}

// Begin is the first half of an Append without copies, for hot paths: it locks
// the journal and returns the next event with Seq and Time set and all else
// zero, for the caller to fill in. Between Begin and Commit the caller may only
// write its fields: nothing that blocks, panics or calls the journal.
func (j *Journal) Begin() *Event {
	j.mu.Lock()
	slot := j.slotLocked()
	*slot = Event{Seq: j.seq, Time: j.nowLocked()}
	return slot
}

// slotLocked counts an event and returns its place, which may hold an old one.
func (j *Journal) slotLocked() *Event {
	if j.used == ChunkSize {
		j.growLocked()
	}
	j.seq++
	return &j.last[j.used]
}

// Commit folds and keeps the event that Begin returned.
func (j *Journal) Commit(slot *Event) {
	defer j.mu.Unlock() // also when the fold panics
	j.foldLocked(slot)
	j.finishLocked()
}

// growLocked adds a chunk; when there are enough, or they are too heavy, the
// oldest are dropped.
func (j *Journal) growLocked() {
	drop := max(0, len(j.chunks)+1-j.limit)
	weight := j.weight
	for _, w := range j.weights[:drop] {
		weight -= w
	}
	for ; weight > j.bytes && len(j.chunks)-drop > 1; drop++ {
		weight -= j.weights[drop]
		j.heavy = true
	}
	next := (*Chunk)(nil)
	if drop > 0 {
		if j.shown <= j.dropped {
			next = j.chunks[0] // what it holds is overwritten one by one
		}
		// A new slice, not a shift: Views hold the old one.
		j.chunks = append(make([]*Chunk, 0, j.limit), j.chunks[drop:]...)
		j.weights, j.weight = slices.Delete(j.weights, 0, drop), weight
		j.dropped += uint64(drop) * ChunkSize
	}
	if next == nil {
		next = new(Chunk)
	}
	j.chunks, j.last, j.used = append(j.chunks, next), next, 0
	j.weights = append(j.weights, 0)
}

// Since is the time from an event's Time until now.
func (j *Journal) Since(t time.Time) time.Duration { return j.clock.Since(t) }

// anchorAge is for how long the wall time of events is counted on from one
// reading, by the monotonic clock alone: that costs half of a time.Now. A clock
// that was set is followed after that time at the latest.
const anchorAge = 50 * time.Millisecond

// nowLocked is without a monotonic reading, which no recording can have: what is
// folded must not depend on it.
func (j *Journal) nowLocked() time.Time {
	if !j.real {
		return j.clock.Now().Round(0)
	}
	if d := time.Since(j.anchor); d >= 0 && d < anchorAge {
		return j.wall.Add(d)
	}
	j.anchor = time.Now()
	j.wall = j.anchor.Round(0)
	return j.wall
}

// Locked runs f while no event can be appended, with a View of the events so
// far: what f copies from the fold's state fits that View exactly.
func (j *Journal) Locked(f func(View)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	f(j.viewLocked())
}

// View returns the events kept at this moment.
func (j *Journal) View() View {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.viewLocked()
}

func (j *Journal) viewLocked() View {
	n := 0
	if len(j.chunks) > 0 {
		n = (len(j.chunks)-1)*ChunkSize + j.used
	}
	j.shown = j.seq
	return View{chunks: j.chunks[:len(j.chunks):len(j.chunks)], n: n, dropped: j.dropped, heavy: j.heavy}
}

// View is an immutable window on the journal: events Dropped()+1 ... Last().
// It keeps what it shows in memory; do not hold one for long.
type View struct {
	chunks  []*Chunk
	n       int
	dropped uint64
	heavy   bool
}

// ViewOf is a view on events that come from elsewhere than a Journal: n events,
// the first with the Seq dropped+1, in chunks that are full but for the last.
// They must not be written to any more.
func ViewOf(dropped uint64, chunks []*Chunk, n int) View {
	return View{chunks: chunks, n: n, dropped: dropped}
}

// Len is the number of events in the view.
func (v View) Len() int { return v.n }

// Dropped is the number of events that were dropped before the first one.
func (v View) Dropped() uint64 { return v.dropped }

// Heavy reports whether events were dropped for the memory that their objects
// took, before there were too many.
func (v View) Heavy() bool { return v.heavy }

// Last is the Seq of the newest event, 0 when there is none.
func (v View) Last() uint64 { return v.dropped + uint64(v.n) }

// At returns the i-th event, 0 being the oldest kept. The event must not be
// written to.
func (v View) At(i int) *Event { return &v.chunks[i/ChunkSize][i%ChunkSize] }

// Until is the view up to the event seq, as it was right after that; of a seq
// that fell off, an empty one.
func (v View) Until(seq uint64) View {
	v.n = int(min(max(seq, v.dropped), v.Last()) - v.dropped)
	return v
}

// Find returns the event with sequence number seq, or nil when it fell off or
// has not happened.
func (v View) Find(seq uint64) *Event {
	if seq <= v.dropped || seq > v.Last() {
		return nil
	}
	return v.At(int(seq - v.dropped - 1))
}

// Reader follows a journal from some event on. It is for one goroutine.
type Reader struct {
	j    *Journal
	next uint64 // Seq of the next event to hand out
}

// Follow returns a Reader whose first event is the oldest one kept.
func (j *Journal) Follow() *Reader { return &Reader{j: j, next: 1} }

// Next waits for news and calls f for each event that is there. lost is the
// number of events that fell off before the reader got to them. It returns
// ctx's error when ctx ends while there is nothing to hand out, or f's first
// error; the event that f failed on is the first of the next call.
func (r *Reader) Next(ctx context.Context, f func(*Event) error) (lost uint64, err error) {
	v, err := r.wait(ctx)
	if err != nil {
		return 0, err
	}
	if r.next <= v.dropped {
		lost = v.dropped + 1 - r.next
		r.next = v.dropped + 1
	}
	for ; r.next <= v.Last(); r.next++ {
		if err := f(v.Find(r.next)); err != nil {
			return lost, err
		}
	}
	return lost, nil
}

func (r *Reader) wait(ctx context.Context) (View, error) { return r.j.Wait(ctx, r.next-1) }

// Wait waits until there is an event after seq, and returns the View then, or
// ctx's error when it ends before.
func (j *Journal) Wait(ctx context.Context, seq uint64) (View, error) {
	stop := context.AfterFunc(ctx, func() {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.changed.Broadcast()
	})
	defer stop()
	j.mu.Lock()
	defer j.mu.Unlock()
	for j.seq <= seq {
		if err := ctx.Err(); err != nil {
			return View{}, err
		}
		j.waiting++
		j.changed.Wait()
		j.waiting--
	}
	return j.viewLocked(), nil
}
