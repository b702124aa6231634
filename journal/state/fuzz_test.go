package state_test

import (
	"encoding/binary"
	"testing"
	"time"

	"informerscope/journal"
	. "informerscope/journal/state"
	"informerscope/journal/state/document"
)

// eventBytes is how many bytes of fuzz input make one event.
const eventBytes = 12

// decodeEvent makes an event of any shape out of some bytes: any kind, also one
// that this program does not know, and fields that the kind never has. Names
// are few, so that events meet.
func decodeEvent(b []byte) journal.Event {
	word := func(i byte, words ...string) string { return words[int(i)%len(words)] }
	e := journal.Event{
		Kind:     journal.Kind(int(b[0]) % (len(journal.Kinds()) + 3)), // some beyond the last
		Flags:    journal.Flag(b[1]),
		Resource: word(b[2], "pods", "pods", "pods", "leases", "pods@atomic", ""),
		Key:      word(b[3], "x/a", "x/b", "y/c", "y/d", "z", ""),
		RV:       word(b[5], "", "1", "2", "10", "not a number"),
		Dur:      time.Duration(int8(b[10])) * time.Second,
	}.WithRaw(journal.Raw{
		Type: word(b[4], "", "Added", "Updated", "Deleted", "Replaced", "Sync", "ReplacedAll", "SyncAll", "Bookmark",
			journal.OnAdd, journal.OnUpdate, journal.OnDelete, journal.AddQueued, journal.AddCoalesced, journal.AddDirty, journal.AddShutDown,
			journal.IsSyncing, journal.NotSyncing,
			journal.DisciplineDelta, journal.DisciplineInOrder, journal.DisciplineAtomic,
			journal.OpenedStore, journal.OpenedQueue, journal.DroppedDeleted, journal.DroppedPopped, journal.DroppedExpired,
			journal.VerbList, journal.VerbWatch, journal.VerbWatchList, "ADDED", "MODIFIED", "DELETED", "priority", "fifo"),
		Name: word(b[6], "", "controller", "late", "worker-1", "namespace", "app", "FIFO", "Heap by name"),
		Text: word(b[7], "", "01", "02", "10", "410 Expired"),
		N:    int64(int8(b[8])),
		M:    int64(int8(b[9])),
	})
	for c := b[11]; c&3 != 0; c >>= 4 {
		e.Changes = append(e.Changes, journal.IndexChange{
			Index: word(c, "namespace", "app"), Value: word(c>>1, "x", "y", ""), Added: c&2 != 0,
		})
	}
	return e
}

// encode makes a seed: events of these kinds, with a bit of everything.
func encode(kinds ...journal.Kind) []byte {
	var out []byte
	for i, k := range kinds {
		b := make([]byte, eventBytes)
		binary.BigEndian.PutUint64(b[1:], uint64(i)*0x0102030405)
		b[0], b[11] = byte(k), byte(i)
		out = append(out, b...)
	}
	return out
}

// FuzzFold: whatever is folded, in any order and with any content, nothing
// panics, snapshots never change, and counts are those of what is there.
func FuzzFold(f *testing.F) {
	f.Add([]byte{})
	f.Add(encode(journal.Kinds()...))
	f.Add(encode(journal.KindFIFODiscipline, journal.KindFIFOEnqueued, journal.KindFIFOEnqueued, journal.KindFIFOBatch, journal.KindFIFOPopped, journal.KindFIFOPopped, journal.KindFIFOProcessed))
	f.Add(encode(journal.KindStoreIndexer, journal.KindStoreAdded, journal.KindStoreUpdated, journal.KindStoreDeleted, journal.KindStoreReplace, journal.KindStoreTransaction))
	f.Add(encode(journal.KindQueueAdded, journal.KindQueueGot, journal.KindQueueAdded, journal.KindQueueDone, journal.KindQueueAddAfter, journal.KindQueueWaitingReady))
	f.Add(encode(journal.KindListenerAdded, journal.KindNotified, journal.KindHandlerStarted, journal.KindHandlerDone, journal.KindListenerRemoved, journal.KindNotified))
	f.Add(encode(journal.KindStoreOpened, journal.KindStorePut, journal.KindStorePut, journal.KindStoreDropped, journal.KindStorePut, journal.KindStoreOpened))
	f.Fuzz(func(t *testing.T, data []byte) {
		fold := newFeeder()
		var snaps []*State
		var texts []string
		for n := 0; len(data) >= eventBytes && n < 200; n++ {
			e := decodeEvent(data)
			fold.now = epoch.Add(time.Duration(data[1]) * time.Second) // may go back, as clocks do
			data = data[eventBytes:]
			fold.seq++
			e.Seq, e.Time = fold.seq, fold.now
			fold.Apply(&e)
			if e.Flags&1 != 0 || len(data) < eventBytes {
				s := fold.Snapshot(journal.View{})
				consistent(t, s)
				snaps, texts = append(snaps, s), append(texts, text(t, s))
			}
		}
		for i, s := range snaps {
			if got := text(t, s); got != texts[i] {
				t.Fatalf("the snapshot after %d changed:\n%s\n%s", s.Seq, texts[i], got)
			}
		}
	})
}

// consistent checks that what State counts is what it shows, and that every
// row that a pane can ask for is there.
func consistent(t *testing.T, s *State) {
	t.Helper()
	for _, r := range s.Resources {
		deltas := 0
		for i := range r.FIFO.Depth() {
			k := r.FIFO.At(i)
			deltas += len(k.Deltas)
			if k.Key != "" && r.FIFO.Index(k.Key) != i {
				t.Fatalf("FIFO: %q is at %d, Index says %d", k.Key, i, r.FIFO.Index(k.Key))
			}
		}
		if deltas != r.FIFO.Deltas() {
			t.Fatalf("FIFO: %d deltas, counted as %d", deltas, r.FIFO.Deltas())
		}
		d := pipelineOf(t, s, r.Name)
		if len(d.Workqueue.Queue) != r.Queue.Len() || len(d.Workqueue.Dirty) != r.Queue.DirtyLen() ||
			len(d.Workqueue.Processing) != r.Queue.ProcessingLen() || len(d.Workqueue.Waiting) != r.Queue.WaitingLen() {
			t.Fatalf("workqueue: %+v", d.Workqueue)
		}
		if len(d.Listeners) != len(r.Listeners) || len(d.Workers) != len(r.Workers) {
			t.Fatalf("%d listeners shown of %d, %d workers of %d", len(d.Listeners), len(r.Listeners), len(d.Workers), len(r.Workers))
		}
		for name, values := range d.Indexer.Indices {
			for v, keys := range values {
				if len(keys) == 0 {
					t.Fatalf("index %s has %q without a key", name, v)
				}
			}
		}
		consistentStores(t, &r.Stores, d.Stores)
		r.Drained()
		r.Lane()
	}
}

func pipelineOf(t *testing.T, s *State, name string) document.Pipeline {
	t.Helper()
	for _, d := range document.Of(s, epoch).Resources {
		if d.Resource == name {
			return d
		}
	}
	t.Fatalf("%q is not in the document", name)
	return document.Pipeline{}
}

func consistentStores(t *testing.T, stores *Stores, ds []document.Store) {
	t.Helper()
	for i, d := range ds {
		s := stores.At(i)
		seen := map[string]bool{}
		for j := range s.Len() {
			seen[s.At(j).Key] = true
		}
		if len(seen) != s.Len() || d.Count != s.Len() || len(d.Keys) != s.Len() {
			t.Fatalf("store %q: %d keys, %d different ones, document %+v", s.Name, s.Len(), len(seen), d)
		}
		item, oneOf, ok := s.Next()
		if ok != (s.Ordered() && s.Len() > 0) || ok && (item.Key != s.At(0).Key || oneOf < 1 || oneOf > s.Len()) {
			t.Fatalf("store %q: next %q, one of %d, %t", s.Name, item.Key, oneOf, ok)
		}
	}
}
