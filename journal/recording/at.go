package recording

import (
	"context"
	"sort"

	"informerscope/journal"
	"informerscope/journal/history"
	"informerscope/journal/state"
)

// groupKey names the events segment.base+1+n*blockEvents and on.
type groupKey struct {
	segment *segment
	n       uint64
}

// group holds unpacked events, in chunks that are full but the last of a segment.
type group struct{ chunks []*journal.Chunk }

// About what an unpacked event takes, what a state holds of its own that shares
// with one some events before, and what a byte of a keyframe becomes.
const (
	eventCost    = 300
	sharedCost   = 256 << 10
	keyframeCost = 10
)

// At is part of history.History. It also goes to the state with which the
// recording begins. An event in a gap is refused with an error that says so.
func (f *File) At(seq uint64) (*state.State, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.atLocked(seq)
}

func (f *File) atLocked(seq uint64) (*state.State, error) {
	s, err := f.segment(seq)
	if err != nil {
		return nil, err
	}
	base, err := f.base(s, seq)
	if err != nil {
		return nil, err
	}
	folder := state.Resume(base)
	for next := base.Seq + 1; next <= seq; {
		g, err := f.group(s, (next-s.base-1)/blockEvents)
		if err != nil {
			return nil, err
		}
		first := next - (next-s.base-1)%blockEvents
		for last := min(first+blockEvents-1, seq); next <= last; next++ {
			i := next - first
			folder.Apply(&g.chunks[i/journal.ChunkSize][i%journal.ChunkSize])
		}
		if (next-s.base-1)%blockEvents == 0 {
			kept := folder.Snapshot(journal.View{})
			f.states.put(kept.Seq, kept, sharedCost)
		}
	}
	view, err := f.view(s, seq)
	if err != nil {
		return nil, err
	}
	return folder.Snapshot(view), nil
}

// segment finds the one that seq is in.
func (f *File) segment(seq uint64) (*segment, error) {
	i := sort.Search(len(f.segments), func(i int) bool { return f.segments[i].last >= seq })
	if i < len(f.segments) && f.segments[i].base <= seq {
		return f.segments[i], nil
	}
	first, last := f.Range()
	if i == 0 || i == len(f.segments) {
		return nil, &history.Gone{Seq: seq, First: first.Seq, Last: last.Seq}
	}
	return nil, &GapError{Seq: seq, Before: f.segments[i-1].last, After: f.segments[i].base}
}

// base is the newest state at hand at or before seq.
func (f *File) base(s *segment, seq uint64) (*state.State, error) {
	var best *state.State
	for e := f.states.order.Front(); e != nil; e = e.Next() {
		kept := e.Value.(*entry[uint64, *state.State]).value
		if kept.Seq <= seq && kept.Seq >= s.base && (best == nil || kept.Seq > best.Seq) {
			best = kept
		}
	}
	for _, kept := range f.warm {
		if kept.Seq <= seq && kept.Seq >= s.base && (best == nil || kept.Seq > best.Seq) {
			best = kept
		}
	}
	i := sort.Search(len(s.keyframes), func(i int) bool { return s.keyframes[i].number > seq }) - 1
	if f.judge != nil {
		i = min(i, 0) // the others have what the recording's thresholds find
	}
	var failed error
	for ; i >= 0; i-- {
		k := s.keyframes[i]
		if best != nil && best.Seq >= k.number {
			break
		}
		raw, err := f.unpack(k, nil)
		if err == nil {
			var loaded *state.State
			if loaded, err = f.undump(raw); err == nil && loaded.Seq != k.number {
				err = damage(k, errValue)
			}
			if err == nil {
				loaded, err = f.judgedLocked(s, loaded)
			}
			if err == nil {
				f.states.put(loaded.Seq, loaded, keyframeCost*int64(len(raw)))
				return loaded, nil
			}
		}
		failed = err // an older one may be better
	}
	if best == nil {
		return nil, failed
	}
	f.states.get(best.Seq)
	return best, nil
}

// warmStates is about how many states Warm keeps.
const warmStates = 64

// Warm folds the whole recording once and keeps some states of it, evenly
// spaced, so that no At is far from one. It may run beside all else, and returns
// when it is done, with ctx's error when that ended first, or that of damage.
func (f *File) Warm(ctx context.Context) error {
	var total uint64
	for _, s := range f.segments {
		total += s.last - s.base
	}
	stride := (total/warmStates/blockEvents + 1) * blockEvents
	for _, s := range f.segments {
		base, err := f.begin(s)
		if err == nil {
			f.mu.Lock()
			base, err = f.judgedLocked(s, base)
			f.mu.Unlock()
		}
		if err != nil {
			return err
		}
		folder := state.Resume(base)
		err = f.Scan(ctx, s.base+1, s.last, func(e *journal.Event) bool {
			folder.Apply(e)
			if (e.Seq-s.base)%stride == 0 {
				kept := folder.Snapshot(journal.View{})
				f.mu.Lock()
				f.warm = append(f.warm, kept)
				f.mu.Unlock()
			}
			return true
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// view has the events that the ring in memory would have had after seq.
func (f *File) view(s *segment, seq uint64) (journal.View, error) {
	dropped := s.base
	limit := uint64(journal.DefaultCapacity)
	if c := f.header.Capacity; c > 0 {
		limit = min(limit, uint64(c))
	}
	chunks := max(2, (limit+journal.ChunkSize-1)/journal.ChunkSize)
	if n := (seq + journal.ChunkSize - 1) / journal.ChunkSize; n > chunks {
		if off := (n - chunks) * journal.ChunkSize; off > s.base {
			dropped += (off - s.base + journal.ChunkSize - 1) / journal.ChunkSize * journal.ChunkSize
		}
	}
	dropped = min(dropped, s.base+(seq-s.base)/journal.ChunkSize*journal.ChunkSize)
	var shown []*journal.Chunk
	for next := dropped + 1; next <= seq; {
		at := next - s.base - 1
		g, err := f.group(s, at/blockEvents)
		if err != nil {
			return journal.View{}, err
		}
		chunk := g.chunks[at%blockEvents/journal.ChunkSize]
		shown = append(shown, chunk)
		next += journal.ChunkSize
	}
	return journal.ViewOf(dropped, shown, int(seq-dropped)), nil
}

// group unpacks the n-th group of events of a segment.
func (f *File) group(s *segment, n uint64) (*group, error) {
	key := groupKey{s, n}
	if g, ok := f.groups.get(key); ok {
		return g, nil
	}
	first := s.base + 1 + n*blockEvents
	last := min(first+blockEvents-1, s.last)
	g := &group{chunks: make([]*journal.Chunk, (last-first)/journal.ChunkSize+1)}
	for i := range g.chunks {
		g.chunks[i] = new(journal.Chunk)
	}
	var room []byte
	var skipped journal.Event
	for i, next := f.from(first), first; next <= last; i++ {
		r, err := f.open(f.blocks[i], &room)
		if err != nil {
			return nil, err
		}
		for next <= last {
			e := &skipped
			if r.seq >= first {
				at := r.seq - first
				e = &g.chunks[at/journal.ChunkSize][at%journal.ChunkSize]
			}
			if !r.next(e) {
				break
			}
			next = max(next, r.seq)
		}
		if r.Err() != nil {
			return nil, damage(f.blocks[i], r.Err())
		}
	}
	f.groups.put(key, g, eventCost*int64(len(g.chunks))*journal.ChunkSize)
	return g, nil
}
