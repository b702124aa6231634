package state

import (
	"math"
	"time"
)

// Document is the snapshot as JSON and YAML print it. Its names and shapes are
// public: scripts and scenario files use them.
type Document struct {
	Resources   []ResourceDocument `json:"resources"`
	Journal     JournalDocument    `json:"journal"`
	Divergences int                `json:"divergences"`
	Faults      []FaultDocument    `json:"faults,omitempty"` // that are armed
	Findings    []FindingDocument  `json:"findings,omitempty"`
	// Breakpoints are those that are set.
	Breakpoints []BreakpointDocument `json:"breakpoints,omitempty"`
	Paused      bool                 `json:"paused,omitempty"` // all gates are closed
}

// JournalDocument counts events since the start and those no longer in memory.
type JournalDocument struct {
	Events  uint64 `json:"events"`
	Dropped uint64 `json:"dropped"`
}

// ResourceDocument is one pipeline.
type ResourceDocument struct {
	Resource  string             `json:"resource"`
	Synced    bool               `json:"synced"`
	Reflector ReflectorDocument  `json:"reflector"`
	DeltaFIFO FIFODocument       `json:"deltaFIFO"`
	Indexer   IndexerDocument    `json:"indexer"`
	Listeners []ListenerDocument `json:"listeners"`
	Workqueue QueueDocument      `json:"workqueue"`
	Workers   []WorkerDocument   `json:"workers"`
	Stores    []StoreDocument    `json:"stores,omitempty"` // only with --stores
}

// ReflectorDocument is the Reflector; times are in seconds.
type ReflectorDocument struct {
	State           string           `json:"state"`
	ResourceVersion string           `json:"resourceVersion"`
	WatchSeconds    float64          `json:"watchSeconds,omitempty"`
	Events          EventsDocument   `json:"events"`
	Requests        RequestsDocument `json:"requests"`
	Received        ReceivedDocument `json:"received"`
	LastBookmark    string           `json:"lastBookmark,omitempty"`
	LastList        *ListDocument    `json:"lastList,omitempty"`
	Relists         uint64           `json:"relists"`
	RelistReasons   []string         `json:"relistReasons,omitempty"`
	Resyncs         uint64           `json:"resyncs"`
	LastError       string           `json:"lastError,omitempty"`
	RVBackwards     uint64           `json:"resourceVersionBackwards,omitempty"`
}

// ReceivedDocument is what the client cost: bytes of response bodies (gzip
// undone) and the objects in them.
type ReceivedDocument struct {
	Client         string  `json:"client,omitempty"`
	ContentType    string  `json:"contentType,omitempty"`
	Bytes          int64   `json:"bytes"`
	Objects        uint64  `json:"objects"`
	BytesPerObject float64 `json:"bytesPerObject"`
}

// EventsDocument counts watch events by type.
type EventsDocument struct {
	Added    uint64 `json:"ADDED"`
	Modified uint64 `json:"MODIFIED"`
	Deleted  uint64 `json:"DELETED"`
	Bookmark uint64 `json:"BOOKMARK"`
	Error    uint64 `json:"ERROR"`
}

// RequestsDocument counts requests on the wire by verb.
type RequestsDocument struct {
	List      uint64 `json:"LIST"`
	WatchList uint64 `json:"WATCHLIST"`
	Watch     uint64 `json:"WATCH"`
}

// ListDocument is the last complete list.
type ListDocument struct {
	Verb            string  `json:"verb"`
	Items           int64   `json:"items"`
	Seconds         float64 `json:"seconds"`
	ResourceVersion string  `json:"resourceVersion"`
}

// FIFODocument is the queue in its order: depth counts the keys of a DeltaFIFO,
// the deltas of a RealFIFO. A RealFIFO has its deltas in items, and by key in
// keys.
type FIFODocument struct {
	Discipline string         `json:"discipline"`
	Depth      int            `json:"depth"`
	Keys       []KeyDocument  `json:"keys"`
	Items      []ItemDocument `json:"items,omitempty"`
}

// ItemDocument is one delta of a RealFIFO. Objects is how many a ReplacedAll
// brings.
type ItemDocument struct {
	Key             string `json:"key"`
	Type            string `json:"type"`
	ResourceVersion string `json:"resourceVersion"`
	Tombstone       bool   `json:"tombstone"`
	Objects         int    `json:"objects,omitempty"`
}

// KeyDocument is a key with its deltas, oldest first.
type KeyDocument struct {
	Key    string          `json:"key"`
	Deltas []DeltaDocument `json:"deltas"`
}

// DeltaDocument is one delta.
type DeltaDocument struct {
	Type            string `json:"type"`
	ResourceVersion string `json:"resourceVersion"`
	Tombstone       bool   `json:"tombstone"`
}

// IndexerDocument is the store: index -> value -> keys.
type IndexerDocument struct {
	Count   int                            `json:"count"`
	Indices map[string]map[string][]string `json:"indices"`
	// LastCheck is there once the cache was checked.
	LastCheck *CacheCheckDocument `json:"lastCheck,omitempty"`
}

// WorkerDocument is one worker.
type WorkerDocument struct {
	Name   string `json:"name"`
	Key    string `json:"key,omitempty"`
	Done   uint64 `json:"done"`
	Failed uint64 `json:"failed"`
	Panics uint64 `json:"panics"`

	Blocked bool `json:"blocked,omitempty"`
}

// Document renders the state; ages are measured at now.
func (s *State) Document(now time.Time) Document {
	d := Document{
		Resources:   []ResourceDocument{},
		Journal:     JournalDocument{Events: s.Journal.Last(), Dropped: s.Journal.Dropped()},
		Divergences: s.Divergences,
		Faults:      s.faultDocuments(now),
		Findings:    s.findingDocuments(now),
		Breakpoints: s.breakpointDocuments(),
		Paused:      s.Paused,
	}
	for _, r := range s.Resources {
		d.Resources = append(d.Resources, ResourceDocument{
			Resource:  r.Name,
			Synced:    r.Synced,
			Reflector: r.Reflector.document(now),
			DeltaFIFO: r.FIFO.document(),
			Indexer:   r.Indexer.document(),
			Listeners: r.listenerDocuments(),
			Workqueue: r.Queue.document(now),
			Workers:   r.workerDocuments(),
			Stores:    r.Stores.documents(now),
		})
	}
	return d
}

// seconds rounds to milliseconds: more would be noise.
func seconds(d time.Duration) float64 { return math.Round(d.Seconds()*1000) / 1000 }

func (r *Reflector) document(now time.Time) ReflectorDocument {
	d := ReflectorDocument{
		State: string(r.Phase), ResourceVersion: r.RV,
		Events:       EventsDocument{r.Added, r.Modified, r.Deleted, r.Bookmarks, r.Errors},
		Requests:     RequestsDocument{r.Lists, r.WatchLists, r.Watches},
		Received:     ReceivedDocument{r.Client, r.ContentType, r.Bytes, r.Objects, math.Round(r.BytesPerObject())},
		LastBookmark: r.LastBookmarkRV,
		Relists:      r.Relists, Resyncs: r.Resyncs, LastError: r.LastError, RVBackwards: r.RVBackwards,
	}
	if !r.WatchSince.IsZero() {
		d.WatchSeconds = seconds(now.Sub(r.WatchSince))
	}
	if r.ListVerb != "" {
		d.LastList = &ListDocument{r.ListVerb, r.ListItems, seconds(r.ListTook), r.ListRV}
	}
	for _, l := range r.RecentRelists() {
		d.RelistReasons = append(d.RelistReasons, l.Reason)
	}
	return d
}

func (q *FIFO) document() FIFODocument {
	d := FIFODocument{Discipline: q.Discipline, Depth: q.Len(), Keys: make([]KeyDocument, 0, q.Depth())}
	q.order.Scan(func(_ uint64, k FIFOKey) bool {
		deltas := make([]DeltaDocument, len(k.Deltas))
		for i, x := range k.Deltas {
			deltas[i] = DeltaDocument{x.Type, x.RV, x.Tombstone}
		}
		d.Keys = append(d.Keys, KeyDocument{k.Key, deltas})
		return true
	})
	q.items.Scan(func(_ uint64, i Item) bool {
		d.Items = append(d.Items, ItemDocument{i.Key, i.Delta.Type, i.Delta.RV, i.Delta.Tombstone, i.Delta.Items})
		return true
	})
	return d
}

func (x *Indexer) document() IndexerDocument {
	d := IndexerDocument{Count: x.Len(), Indices: map[string]map[string][]string{}}
	for i := range x.indices {
		values := map[string][]string{}
		x.indices[i].values.Scan(func(v string, set keySet) bool {
			values[v] = set.keys.Keys()
			return true
		})
		d.Indices[x.indices[i].name] = values
	}
	d.LastCheck = x.Check.document()
	return d
}

func (r *Resource) workerDocuments() []WorkerDocument {
	ds := []WorkerDocument{}
	for _, w := range r.Workers {
		ds = append(ds, WorkerDocument{w.Name, w.Key, w.Done, w.Failed, w.Panics, w.Blocked})
	}
	return ds
}
