package journal

import "time"

// Kind says what an Event is. The string form (Kind.String) is part of the
// public output of --events and never changes once released.
type Kind uint8

// The kinds, in the order of the pipeline. Which fields of Event a kind uses,
// and under what names they are printed, is in the table of fields.go.
const (
	KindUnknown Kind = iota

	// Wire: seen by the RoundTripper, one level above the socket.
	KindWireRequest   // Verb LIST, WATCH, WATCHLIST or GET is sent
	KindWireResponse  // headers arrived: status code, time to headers
	KindWireError     // no response at all: connection refused, TLS, timeout
	KindWireStreamEnd // the body of a watch ended: bytes, time open
	KindFaultArmed    // fault N (Text) is armed, for Dur; it may still strike M times, -1 is without end
	KindFaultHit      // fault N has struck; M as above
	KindFaultCleared  // fault N was disarmed

	// Reflector: seen by the ListerWatcher, after decoding.
	KindListStarted      // the Reflector calls List
	KindListDone         // a page or a whole list: items, RV
	KindListFailed       // List returned an error
	KindWatchStarted     // a watch (or WatchList) is open
	KindWatchFailed      // Watch returned an error
	KindWatchEvent       // ADDED, MODIFIED or DELETED
	KindWatchBookmark    // BOOKMARK; Initial marks the end of a WatchList's initial events
	KindWatchError       // an ERROR event in the stream
	KindWatchEnded       // the result channel closed
	KindReflectorError   // client-go called the WatchErrorHandler
	KindRelistRequested  // a list or WatchList after the first one, with its reason
	KindReflectorStopped // the Reflector's context ended

	// DeltaFIFO.
	KindFIFOReplace    // Replace was called: N items at RV
	KindFIFOResync     // Resync was called: N keys queued, M skipped as they had deltas
	KindFIFOEnqueued   // one delta was appended to its key
	KindFIFODropped    // a Deleted for a key that nobody knows: nothing was queued
	KindFIFOPopped     // a key left the queue with its N deltas
	KindFIFOProcessed  // the process function of that Pop returned; written by its owner
	KindFIFOError      // the real queue returned an error
	KindFIFOSynced     // HasSynced turned true
	KindFIFOClosed     // Close was called
	KindFIFODiscipline // which queue this is: Type delta, inorder or atomic
	KindFIFOBatch      // PopBatch took N deltas at once; their FIFOPopped follow

	// Indexer.
	KindStoreAdded       // a key that was not stored
	KindStoreUpdated     // a key that was
	KindStoreDeleted     // a key left the store
	KindStoreReplace     // Replace was called; StoreAdded and StoreDeleted follow for each key
	KindStoreIndexer     // an Indexer (Name) was registered; Changes index what is stored
	KindStoreTransaction // a batch of N changes, made in one step; they follow
	KindStoreBookmark    // the store took an RV without an object
	KindCacheChecked     // a LIST was compared with the store: N objects of the server, M differ, Name is undecided
	KindCacheDiffers     // Key differs from that LIST: Type missing, extra or stale; RV is the server's
	KindCacheLeft        // Key left the selection of the watch, and the server has it still, at RV
	KindStoreMutated     // a cached object was changed in place: Name is the field
	KindIndexFailed      // an index function (Name) failed or panicked for Key

	// Shared processor.
	KindListenerAdded   // a handler was registered: Name, resync period
	KindNotified        // OnAdd, OnUpdate or OnDelete was put into the listener's ring
	KindHandlerStarted  // the handler is called
	KindHandlerDone     // the handler returned
	KindHandlerPanicked // the handler panicked; client-go's HandleCrash saw it
	KindListenerSynced  // the handler has seen the whole initial list
	KindListenerRemoved // a handler was removed
	KindListenerPeriod  // the effective resync period of a handler
	KindListenerBlocked // a handler's calls do not return, or do again (Type)
	KindListenerSyncing // a resync check flagged the handler as syncing, or not (Type)

	// Workqueue.
	KindQueueAdded        // Add; Type tells which of the three cases (AddQueued ...)
	KindQueueAddAfter     // AddAfter was accepted: waits Dur, due at Time+Dur
	KindQueueAddLimited   // AddRateLimited: N requeues so far, the limiter says Dur
	KindQueueWaitingReady // the delaying queue's heap let the key go
	KindQueueGot          // Get returned the key to worker Name
	KindQueueDone         // Done; Flag Requeued when it was dirty
	KindQueueForgotten    // Forget: the rate limiter dropped the key's failures
	KindQueueShutDown     // ShutDown or ShutDownWithDrain (Type)
	KindQueueLayers       // what the workqueue is made of: Type fifo or priority, Name limiter

	// Workers.
	KindWorkerStarted     // worker Name is there
	KindWorkerStopped     // worker Name was asked to leave, and has
	KindWorkerBlocked     // worker Name's reconciles do not end, or do again (Type)
	KindReconcileStarted  // the worker read the Indexer: found at RV and generation M, without one with content sum N, last written by Text, or gone
	KindReconcileDone     // success
	KindReconcileFailed   // error; AddRateLimited follows
	KindReconcilePanicked // panic in the worker; recovered, counted as a failure
	KindWorkerWrote       // the reconcile wrote Key to the server, which has it at RV now

	// Stores: client-go's other storage types, fed with the same stream.
	KindStoreOpened  // store Name exists: Type queue or store, Text how it was made, Dur its TTL
	KindStorePut     // store Name now holds Key at RV; Text is its rank in the order of handing out
	KindStoreDropped // store Name no longer holds Key (Type says why)
	KindStorePushed  // UndeltaStore: its PushFunc got the full state, N objects
	KindStoreRefused // store Name returned an error

	// Control.
	KindPaused
	KindResumed
	KindStepped   // one item through stage Name
	KindPaceSet   // Rate items a second through each gate, 0 is real time
	KindCommanded // a person's command: Text as typed, Name what came of it

	KindBreakpointSet     // breakpoint N is Text
	KindBreakpointHit     // breakpoint N matched the event M; the engine is paused
	KindBreakpointCleared // breakpoint N is no more
	KindBreakpointEnabled // breakpoint N counts again, or not (Type)
	KindRecordingStarted  // events go to the file Text
	KindRecordingStopped  // no longer: N events, M bytes; Name says why when it was not asked for

	KindClockFake      // from here on, Event.Time is that of a clock that only steps move
	KindSynced         // informer HasSynced
	KindPipelineFailed // one resource stopped; the others go on
	KindDivergence     // the real object did something else than the glass predicted
	KindLogLine        // klog, client-go's error handlers, server warnings

	numKinds
)

// Values of Event.Type where they are not client-go's own words.
const (
	// QueueAdded: which of the three cases of workqueue.Typed.Add it was.
	AddQueued    = "queued"    // new in dirty, pushed to the queue
	AddCoalesced = "coalesced" // already dirty: nothing changes
	AddDirty     = "dirty"     // being processed: dirty only, queued at its Done
	AddShutDown  = "shutdown"  // ignored: the queue is shutting down
	AddRaised    = "raised"    // priority queue: ready already, now at a higher priority

	// ListenerSyncing.
	IsSyncing  = "syncing"
	NotSyncing = "not syncing"

	// WorkerBlocked, ListenerBlocked.
	Blocked   = "blocked"
	Unblocked = "unblocked"

	// QueueLayers: which workqueue it is.
	QueueIsFIFO     = "fifo"
	QueueIsPriority = "priority"

	// BreakpointEnabled.
	Enabled  = "enabled"
	Disabled = "disabled"

	// CacheDiffers: what the Indexer has.
	CacheMissing = "missing" // the server has it, the Indexer does not
	CacheExtra   = "extra"   // the Indexer has it, the server does not
	CacheStale   = "stale"   // the Indexer has an older resourceVersion

	// FIFODiscipline.
	DisciplineDelta   = "delta"
	DisciplineInOrder = "inorder"
	DisciplineAtomic  = "atomic"

	// StoreOpened: whether something takes the objects out again.
	OpenedStore = "store"
	OpenedQueue = "queue"

	// StoreDropped.
	DroppedDeleted  = "deleted"
	DroppedReplaced = "replaced" // not in the list of a Replace
	DroppedPopped   = "popped"
	DroppedExpired  = "expired" // found to be too old by a read

	// Notified, HandlerStarted, HandlerDone.
	OnAdd    = "OnAdd"
	OnUpdate = "OnUpdate"
	OnDelete = "OnDelete"
)

// Verbs of wire requests.
const (
	VerbList      = "LIST"
	VerbWatch     = "WATCH"
	VerbWatchList = "WATCHLIST"
	VerbGet       = "GET"
)

// Flag holds the yes/no facts of an Event.
type Flag uint8

const (
	// Tombstone: the object is a DeletedFinalStateUnknown.
	Tombstone Flag = 1 << iota
	// Initial: part of the initial list, or the bookmark that ends it.
	Initial
	// Coalesced: the delta took the place of the newest one (DeltaFIFO's
	// dedup of two Deleted) instead of being appended.
	Coalesced
	// Requeued: Done found the key dirty and pushed it to the queue again.
	Requeued
	// Found: the reconcile found the object in the Indexer.
	Found
	// Resync: the notification stems from a resync (Sync), not from news.
	Resync
	// Bulk: a store event that is part of a Replace or a transaction, whose own
	// event tells the RV that the store has then.
	Bulk
	// Partial: a page of a list, and not the last one.
	Partial
)

// IndexChange is one key entering (Added) or leaving an index value.
type IndexChange struct {
	Index, Value string
	Added        bool
}

// Event is one thing that happened. It is a plain value; what is behind Object,
// Old and Changes is shared and must not be written to.
//
// Events are flat, not one type a kind, so that the ring holds them without an
// allocation each. Fields that a kind does not use are zero.
type Event struct {
	Seq      uint64    // position in the journal, from 1, without gaps
	Time     time.Time // when the journal took it
	Kind     Kind
	Flags    Flag
	Resource string // resource as the user sees it, e.g. "pods" or "deployments.apps"
	Key      string // namespace/name, or name
	RV       string // resourceVersion of the object or of the request
	Dur      time.Duration
	Changes  []IndexChange
	Object   any // the object after the event (the last known one for deletes)
	Old      any // the object before it, where the event has one

	// What these mean differs by kind: the typed events of zz_generated.typed.go
	// write and read them, after the table of fields.go.
	typ, name, text string
	n, m            int64
}

// Has reports whether all flags of f are set.
func (e *Event) Has(f Flag) bool { return e.Flags&f == f }

// With adds the object after the event and the one before it, nil where there
// is none.
func (e Event) With(object, old any) Event {
	e.Object, e.Old = object, old
	return e
}

// Indexed adds the index values that the key entered and left.
func (e Event) Indexed(changes []IndexChange) Event {
	e.Changes = changes
	return e
}

func flagIf(set bool, f Flag) Flag {
	if set {
		return f
	}
	return 0
}
