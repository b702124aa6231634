// Code generated from fields.go; DO NOT EDIT.
// Renew with: go test ./journal -run TestTypedEvents -update

package journal

import "time"

// There is one type for each kind, with what its events tell beside resource
// and key. Event makes an event of it, for a resource and a key, each "" where
// there is none. Into writes it into an event that Begin returned. The method
// of Event that bears its name reads it; all is zero of an event of another
// kind.

// WireRequest is wire.request: a request is sent by one of client-go's clients.
type WireRequest struct {
	Verb   string
	RV     string
	Query  string
	Client string
	ID     int64
}

func (x WireRequest) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x WireRequest) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindWireRequest, resource, key
	e.typ, e.RV, e.text, e.name, e.n = x.Verb, x.RV, x.Query, x.Client, x.ID
}

func (e *Event) WireRequest() (x WireRequest) {
	if e.Kind == KindWireRequest {
		x.Verb, x.RV, x.Query, x.Client, x.ID = e.typ, e.RV, e.text, e.name, e.n
	}
	return x
}

// WireResponse is wire.response: headers arrived.
type WireResponse struct {
	Verb        string
	Code        int64
	Reason      string
	ContentType string
	ID          int64
	Took        time.Duration
}

func (x WireResponse) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x WireResponse) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindWireResponse, resource, key
	e.typ, e.m, e.text, e.name, e.n, e.Dur = x.Verb, x.Code, x.Reason, x.ContentType, x.ID, x.Took
}

func (e *Event) WireResponse() (x WireResponse) {
	if e.Kind == KindWireResponse {
		x.Verb, x.Code, x.Reason, x.ContentType, x.ID, x.Took = e.typ, e.m, e.text, e.name, e.n, e.Dur
	}
	return x
}

// WireError is wire.error: no response: connection refused, TLS, timeout.
type WireError struct {
	Verb  string
	Error string
	ID    int64
	Took  time.Duration
}

func (x WireError) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x WireError) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindWireError, resource, key
	e.typ, e.text, e.n, e.Dur = x.Verb, x.Error, x.ID, x.Took
}

func (e *Event) WireError() (x WireError) {
	if e.Kind == KindWireError {
		x.Verb, x.Error, x.ID, x.Took = e.typ, e.text, e.n, e.Dur
	}
	return x
}

// WireStreamEnd is wire.streamEnd: a response body ended or was closed.
type WireStreamEnd struct {
	Verb  string
	Bytes int64
	Error string
	ID    int64
	Took  time.Duration
}

func (x WireStreamEnd) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x WireStreamEnd) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindWireStreamEnd, resource, key
	e.typ, e.m, e.text, e.n, e.Dur = x.Verb, x.Bytes, x.Error, x.ID, x.Took
}

func (e *Event) WireStreamEnd() (x WireStreamEnd) {
	if e.Kind == KindWireStreamEnd {
		x.Verb, x.Bytes, x.Error, x.ID, x.Took = e.typ, e.m, e.text, e.n, e.Dur
	}
	return x
}

// FaultArmed is wire.faultArmed: a fault is armed; left is how often it may strike, -1 is without end; forSeconds 0 is until it is cleared.
type FaultArmed struct {
	Fault string
	ID    int64
	Left  int64
	For   time.Duration
}

func (x FaultArmed) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x FaultArmed) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindFaultArmed, resource, key
	e.text, e.n, e.m, e.Dur = x.Fault, x.ID, x.Left, x.For
}

func (e *Event) FaultArmed() (x FaultArmed) {
	if e.Kind == KindFaultArmed {
		x.Fault, x.ID, x.Left, x.For = e.text, e.n, e.m, e.Dur
	}
	return x
}

// FaultHit is wire.faultHit: a fault has struck a request or an event.
type FaultHit struct {
	Fault string
	Verb  string
	RV    string
	ID    int64
	Left  int64
}

func (x FaultHit) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x FaultHit) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindFaultHit, resource, key
	e.text, e.typ, e.RV, e.n, e.m = x.Fault, x.Verb, x.RV, x.ID, x.Left
}

func (e *Event) FaultHit() (x FaultHit) {
	if e.Kind == KindFaultHit {
		x.Fault, x.Verb, x.RV, x.ID, x.Left = e.text, e.typ, e.RV, e.n, e.m
	}
	return x
}

// FaultCleared is wire.faultCleared: a fault was disarmed.
type FaultCleared struct {
	Fault string
	ID    int64
}

func (x FaultCleared) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x FaultCleared) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindFaultCleared, resource, key
	e.text, e.n = x.Fault, x.ID
}

func (e *Event) FaultCleared() (x FaultCleared) {
	if e.Kind == KindFaultCleared {
		x.Fault, x.ID = e.text, e.n
	}
	return x
}

// ListStarted is reflector.listStarted: the Reflector calls List.
type ListStarted struct {
	RV string
}

func (x ListStarted) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x ListStarted) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindListStarted, resource, key
	e.RV = x.RV
}

func (e *Event) ListStarted() (x ListStarted) {
	if e.Kind == KindListStarted {
		x.RV = e.RV
	}
	return x
}

// ListDone is reflector.listDone: List returned everything, or with more a page: items counts those of all pages so far; receivedBytes is what the client has read so far in all bodies, gzip undone.
type ListDone struct {
	Items         int64
	RV            string
	More          bool
	Took          time.Duration
	ReceivedBytes int64
}

func (x ListDone) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x ListDone) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindListDone, resource, key
	e.n, e.RV, e.Dur, e.m = x.Items, x.RV, x.Took, x.ReceivedBytes
	e.Flags = flagIf(x.More, Partial)
}

func (e *Event) ListDone() (x ListDone) {
	if e.Kind == KindListDone {
		x.Items, x.RV, x.More, x.Took, x.ReceivedBytes = e.n, e.RV, e.Has(Partial), e.Dur, e.m
	}
	return x
}

// ListFailed is reflector.listFailed: List returned an error.
type ListFailed struct {
	Error string
	Took  time.Duration
}

func (x ListFailed) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x ListFailed) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindListFailed, resource, key
	e.text, e.Dur = x.Error, x.Took
}

func (e *Event) ListFailed() (x ListFailed) {
	if e.Kind == KindListFailed {
		x.Error, x.Took = e.text, e.Dur
	}
	return x
}

// WatchStarted is reflector.watchStarted: a WATCH or WATCHLIST stream is open.
type WatchStarted struct {
	Verb string
	RV   string
}

func (x WatchStarted) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x WatchStarted) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindWatchStarted, resource, key
	e.typ, e.RV = x.Verb, x.RV
}

func (e *Event) WatchStarted() (x WatchStarted) {
	if e.Kind == KindWatchStarted {
		x.Verb, x.RV = e.typ, e.RV
	}
	return x
}

// WatchFailed is reflector.watchFailed: Watch returned an error.
type WatchFailed struct {
	Verb  string
	Error string
}

func (x WatchFailed) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x WatchFailed) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindWatchFailed, resource, key
	e.typ, e.text = x.Verb, x.Error
}

func (e *Event) WatchFailed() (x WatchFailed) {
	if e.Kind == KindWatchFailed {
		x.Verb, x.Error = e.typ, e.text
	}
	return x
}

// WatchEvent is reflector.watchEvent: ADDED, MODIFIED or DELETED was decoded.
type WatchEvent struct {
	Type          string
	RV            string
	Initial       bool
	ReceivedBytes int64
}

func (x WatchEvent) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x WatchEvent) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindWatchEvent, resource, key
	e.typ, e.RV, e.m = x.Type, x.RV, x.ReceivedBytes
	e.Flags = flagIf(x.Initial, Initial)
}

func (e *Event) WatchEvent() (x WatchEvent) {
	if e.Kind == KindWatchEvent {
		x.Type, x.RV, x.Initial, x.ReceivedBytes = e.typ, e.RV, e.Has(Initial), e.m
	}
	return x
}

// WatchBookmark is reflector.bookmark: BOOKMARK.
type WatchBookmark struct {
	RV               string
	InitialEventsEnd bool
}

func (x WatchBookmark) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x WatchBookmark) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindWatchBookmark, resource, key
	e.RV = x.RV
	e.Flags = flagIf(x.InitialEventsEnd, Initial)
}

func (e *Event) WatchBookmark() (x WatchBookmark) {
	if e.Kind == KindWatchBookmark {
		x.RV, x.InitialEventsEnd = e.RV, e.Has(Initial)
	}
	return x
}

// WatchError is reflector.watchError: an ERROR event in the stream.
type WatchError struct {
	Reason string
	Code   int64
	Error  string
}

func (x WatchError) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x WatchError) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindWatchError, resource, key
	e.name, e.m, e.text = x.Reason, x.Code, x.Error
}

func (e *Event) WatchError() (x WatchError) {
	if e.Kind == KindWatchError {
		x.Reason, x.Code, x.Error = e.name, e.m, e.text
	}
	return x
}

// WatchEnded is reflector.watchEnded: the stream closed.
type WatchEnded struct {
	Events int64
	Took   time.Duration
}

func (x WatchEnded) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x WatchEnded) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindWatchEnded, resource, key
	e.n, e.Dur = x.Events, x.Took
}

func (e *Event) WatchEnded() (x WatchEnded) {
	if e.Kind == KindWatchEnded {
		x.Events, x.Took = e.n, e.Dur
	}
	return x
}

// ReflectorError is reflector.error: client-go called the WatchErrorHandler; it backs off and retries.
type ReflectorError struct {
	Error string
}

func (x ReflectorError) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x ReflectorError) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindReflectorError, resource, key
	e.text = x.Error
}

func (e *Event) ReflectorError() (x ReflectorError) {
	if e.Kind == KindReflectorError {
		x.Error = e.text
	}
	return x
}

// RelistRequested is reflector.relist: asks the server for everything again.
type RelistRequested struct {
	Reason string
	RV     string
}

func (x RelistRequested) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x RelistRequested) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindRelistRequested, resource, key
	e.text, e.RV = x.Reason, x.RV
}

func (e *Event) RelistRequested() (x RelistRequested) {
	if e.Kind == KindRelistRequested {
		x.Reason, x.RV = e.text, e.RV
	}
	return x
}

// ReflectorStopped is reflector.stopped: the Reflector ended.
type ReflectorStopped struct {
}

func (x ReflectorStopped) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x ReflectorStopped) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindReflectorStopped, resource, key
}

func (e *Event) ReflectorStopped() (x ReflectorStopped) {
	return x
}

// FIFOReplace is deltafifo.replace: Replace was called; its deltas follow.
type FIFOReplace struct {
	Items int64
	RV    string
}

func (x FIFOReplace) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x FIFOReplace) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindFIFOReplace, resource, key
	e.n, e.RV = x.Items, x.RV
}

func (e *Event) FIFOReplace() (x FIFOReplace) {
	if e.Kind == KindFIFOReplace {
		x.Items, x.RV = e.n, e.RV
	}
	return x
}

// FIFOResync is deltafifo.resync: Resync replayed the local store; its Sync deltas came before.
type FIFOResync struct {
	Queued  int64
	Skipped int64
}

func (x FIFOResync) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x FIFOResync) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindFIFOResync, resource, key
	e.n, e.m = x.Queued, x.Skipped
}

func (e *Event) FIFOResync() (x FIFOResync) {
	if e.Kind == KindFIFOResync {
		x.Queued, x.Skipped = e.n, e.m
	}
	return x
}

// FIFOEnqueued is deltafifo.enqueued: a delta was queued; deltas is how many its key has now in a DeltaFIFO, and how many objects it brings in a RealFIFO.
type FIFOEnqueued struct {
	Type      string
	RV        string
	Tombstone bool
	Coalesced bool
	Deltas    int64
	Depth     int64
}

func (x FIFOEnqueued) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x FIFOEnqueued) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindFIFOEnqueued, resource, key
	e.typ, e.RV, e.n, e.m = x.Type, x.RV, x.Deltas, x.Depth
	e.Flags = flagIf(x.Tombstone, Tombstone) | flagIf(x.Coalesced, Coalesced)
}

func (e *Event) FIFOEnqueued() (x FIFOEnqueued) {
	if e.Kind == KindFIFOEnqueued {
		x.Type, x.RV, x.Tombstone, x.Coalesced, x.Deltas, x.Depth = e.typ, e.RV, e.Has(Tombstone), e.Has(Coalesced), e.n, e.m
	}
	return x
}

// FIFODropped is deltafifo.dropped: a Deleted for an unknown key: nothing was queued.
type FIFODropped struct {
	Type string
	RV   string
}

func (x FIFODropped) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x FIFODropped) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindFIFODropped, resource, key
	e.typ, e.RV = x.Type, x.RV
}

func (e *Event) FIFODropped() (x FIFODropped) {
	if e.Kind == KindFIFODropped {
		x.Type, x.RV = e.typ, e.RV
	}
	return x
}

// FIFOPopped is deltafifo.popped: a key left the queue with all its deltas, of which type, resourceVersion and tombstone are those of the newest, or one delta of a RealFIFO did.
type FIFOPopped struct {
	Type      string
	RV        string
	Tombstone bool
	Deltas    int64
	Depth     int64
	Initial   bool
}

func (x FIFOPopped) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x FIFOPopped) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindFIFOPopped, resource, key
	e.typ, e.RV, e.n, e.m = x.Type, x.RV, x.Deltas, x.Depth
	e.Flags = flagIf(x.Tombstone, Tombstone) | flagIf(x.Initial, Initial)
}

func (e *Event) FIFOPopped() (x FIFOPopped) {
	if e.Kind == KindFIFOPopped {
		x.Type, x.RV, x.Tombstone, x.Deltas, x.Depth, x.Initial = e.typ, e.RV, e.Has(Tombstone), e.n, e.m, e.Has(Initial)
	}
	return x
}

// FIFOProcessed is deltafifo.processed: the process function of the Pop returned: store changed, listeners told.
type FIFOProcessed struct {
	Took time.Duration
}

func (x FIFOProcessed) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x FIFOProcessed) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindFIFOProcessed, resource, key
	e.Dur = x.Took
}

func (e *Event) FIFOProcessed() (x FIFOProcessed) {
	if e.Kind == KindFIFOProcessed {
		x.Took = e.Dur
	}
	return x
}

// FIFOError is deltafifo.error: the queue returned an error.
type FIFOError struct {
	Error string
}

func (x FIFOError) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x FIFOError) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindFIFOError, resource, key
	e.text = x.Error
}

func (e *Event) FIFOError() (x FIFOError) {
	if e.Kind == KindFIFOError {
		x.Error = e.text
	}
	return x
}

// FIFOSynced is deltafifo.synced: HasSynced of the queue turned true.
type FIFOSynced struct {
}

func (x FIFOSynced) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x FIFOSynced) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindFIFOSynced, resource, key
}

func (e *Event) FIFOSynced() (x FIFOSynced) {
	return x
}

// FIFOClosed is deltafifo.closed: Close was called.
type FIFOClosed struct {
}

func (x FIFOClosed) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x FIFOClosed) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindFIFOClosed, resource, key
}

func (e *Event) FIFOClosed() (x FIFOClosed) {
	return x
}

// FIFODiscipline is deltafifo.discipline: which of client-go's queues this is, and which versions use it.
type FIFODiscipline struct {
	Type  string
	Since string
}

func (x FIFODiscipline) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x FIFODiscipline) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindFIFODiscipline, resource, key
	e.typ, e.text = x.Type, x.Since
}

func (e *Event) FIFODiscipline() (x FIFODiscipline) {
	if e.Kind == KindFIFODiscipline {
		x.Type, x.Since = e.typ, e.text
	}
	return x
}

// FIFOBatch is deltafifo.batch: PopBatch took so many deltas at once, as one step; their popped events follow.
type FIFOBatch struct {
	Deltas  int64
	Initial bool
}

func (x FIFOBatch) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x FIFOBatch) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindFIFOBatch, resource, key
	e.n = x.Deltas
	e.Flags = flagIf(x.Initial, Initial)
}

func (e *Event) FIFOBatch() (x FIFOBatch) {
	if e.Kind == KindFIFOBatch {
		x.Deltas, x.Initial = e.n, e.Has(Initial)
	}
	return x
}

// StoreAdded is indexer.added: a new key is stored.
type StoreAdded struct {
	RV string
}

func (x StoreAdded) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x StoreAdded) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindStoreAdded, resource, key
	e.RV = x.RV
}

func (e *Event) StoreAdded() (x StoreAdded) {
	if e.Kind == KindStoreAdded {
		x.RV = e.RV
	}
	return x
}

// StoreUpdated is indexer.updated: a stored key got a new object.
type StoreUpdated struct {
	RV string
}

func (x StoreUpdated) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x StoreUpdated) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindStoreUpdated, resource, key
	e.RV = x.RV
}

func (e *Event) StoreUpdated() (x StoreUpdated) {
	if e.Kind == KindStoreUpdated {
		x.RV = e.RV
	}
	return x
}

// StoreDeleted is indexer.deleted: a key left the store.
type StoreDeleted struct {
	RV string
}

func (x StoreDeleted) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x StoreDeleted) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindStoreDeleted, resource, key
	e.RV = x.RV
}

func (e *Event) StoreDeleted() (x StoreDeleted) {
	if e.Kind == KindStoreDeleted {
		x.RV = e.RV
	}
	return x
}

// StoreReplace is indexer.replace: Replace was called.
type StoreReplace struct {
	Items int64
	RV    string
}

func (x StoreReplace) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x StoreReplace) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindStoreReplace, resource, key
	e.n, e.RV = x.Items, x.RV
}

func (e *Event) StoreReplace() (x StoreReplace) {
	if e.Kind == KindStoreReplace {
		x.Items, x.RV = e.n, e.RV
	}
	return x
}

// StoreIndexer is indexer.indexer: an index was registered, or without a store event its keys changed.
type StoreIndexer struct {
	Index string
}

func (x StoreIndexer) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x StoreIndexer) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindStoreIndexer, resource, key
	e.name = x.Index
}

func (e *Event) StoreIndexer() (x StoreIndexer) {
	if e.Kind == KindStoreIndexer {
		x.Index = e.name
	}
	return x
}

// StoreTransaction is indexer.transaction: a batch of changes made in one step; they follow.
type StoreTransaction struct {
	Changes int64
	RV      string
}

func (x StoreTransaction) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x StoreTransaction) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindStoreTransaction, resource, key
	e.n, e.RV = x.Changes, x.RV
}

func (e *Event) StoreTransaction() (x StoreTransaction) {
	if e.Kind == KindStoreTransaction {
		x.Changes, x.RV = e.n, e.RV
	}
	return x
}

// StoreBookmark is indexer.bookmark: the store took a resourceVersion without an object.
type StoreBookmark struct {
	RV string
}

func (x StoreBookmark) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x StoreBookmark) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindStoreBookmark, resource, key
	e.RV = x.RV
}

func (e *Event) StoreBookmark() (x StoreBookmark) {
	if e.Kind == KindStoreBookmark {
		x.RV = e.RV
	}
	return x
}

// CacheChecked is indexer.checked: what the store holds was compared with a LIST, on demand: objects that the server has, keys that differ, and what could not be decided; the watch has not come to the resourceVersion that was awaited.
type CacheChecked struct {
	Objects   int64
	Differ    int64
	RV        string
	Uncertain string
	Awaited   string
	Error     string
	Took      time.Duration
}

func (x CacheChecked) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x CacheChecked) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindCacheChecked, resource, key
	e.n, e.m, e.RV, e.name, e.typ, e.text, e.Dur = x.Objects, x.Differ, x.RV, x.Uncertain, x.Awaited, x.Error, x.Took
}

func (e *Event) CacheChecked() (x CacheChecked) {
	if e.Kind == KindCacheChecked {
		x.Objects, x.Differ, x.RV, x.Uncertain, x.Awaited, x.Error, x.Took = e.n, e.m, e.RV, e.name, e.typ, e.text, e.Dur
	}
	return x
}

// CacheDiffers is indexer.differs: the store differs from the LIST of the checked before it: the key is missing, extra or stale; resourceVersion is the server's.
type CacheDiffers struct {
	How    string
	RV     string
	Stored string
}

func (x CacheDiffers) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x CacheDiffers) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindCacheDiffers, resource, key
	e.typ, e.RV, e.name = x.How, x.RV, x.Stored
}

func (e *Event) CacheDiffers() (x CacheDiffers) {
	if e.Kind == KindCacheDiffers {
		x.How, x.RV, x.Stored = e.typ, e.RV, e.name
	}
	return x
}

// CacheLeft is indexer.left: the watch has brought a DELETED of the key, and the server still has it: it no longer matches the selector; the checked follows.
type CacheLeft struct {
	Why string
	RV  string
}

func (x CacheLeft) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x CacheLeft) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindCacheLeft, resource, key
	e.text, e.RV = x.Why, x.RV
}

func (e *Event) CacheLeft() (x CacheLeft) {
	if e.Kind == KindCacheLeft {
		x.Why, x.RV = e.text, e.RV
	}
	return x
}

// StoreMutated is indexer.mutated: a cached object was changed in place after the event of seq since.
type StoreMutated struct {
	Field  string
	Change string
	Since  int64
	RV     string
}

func (x StoreMutated) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x StoreMutated) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindStoreMutated, resource, key
	e.name, e.text, e.n, e.RV = x.Field, x.Change, x.Since, x.RV
}

func (e *Event) StoreMutated() (x StoreMutated) {
	if e.Kind == KindStoreMutated {
		x.Field, x.Change, x.Since, x.RV = e.name, e.text, e.n, e.RV
	}
	return x
}

// IndexFailed is indexer.indexFailed: an index function failed or panicked.
type IndexFailed struct {
	Index string
	Error string
}

func (x IndexFailed) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x IndexFailed) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindIndexFailed, resource, key
	e.name, e.text = x.Index, x.Error
}

func (e *Event) IndexFailed() (x IndexFailed) {
	if e.Kind == KindIndexFailed {
		x.Index, x.Error = e.name, e.text
	}
	return x
}

// ListenerAdded is listener.registered: a handler was registered.
type ListenerAdded struct {
	Listener string
	Resync   time.Duration
}

func (x ListenerAdded) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x ListenerAdded) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindListenerAdded, resource, key
	e.name, e.Dur = x.Listener, x.Resync
}

func (e *Event) ListenerAdded() (x ListenerAdded) {
	if e.Kind == KindListenerAdded {
		x.Listener, x.Resync = e.name, e.Dur
	}
	return x
}

// Notified is listener.notified: a notification was put into the listener's ring.
type Notified struct {
	Listener  string
	Type      string
	RV        string
	Tombstone bool
	Resync    bool
	Initial   bool
	Backlog   int64
}

func (x Notified) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x Notified) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindNotified, resource, key
	e.name, e.typ, e.RV, e.n = x.Listener, x.Type, x.RV, x.Backlog
	e.Flags = flagIf(x.Tombstone, Tombstone) | flagIf(x.Resync, Resync) | flagIf(x.Initial, Initial)
}

func (e *Event) Notified() (x Notified) {
	if e.Kind == KindNotified {
		x.Listener, x.Type, x.RV, x.Tombstone, x.Resync, x.Initial, x.Backlog = e.name, e.typ, e.RV, e.Has(Tombstone), e.Has(Resync), e.Has(Initial), e.n
	}
	return x
}

// HandlerStarted is listener.handlerStarted: the handler is called.
type HandlerStarted struct {
	Listener string
	Type     string
	RV       string
}

func (x HandlerStarted) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x HandlerStarted) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindHandlerStarted, resource, key
	e.name, e.typ, e.RV = x.Listener, x.Type, x.RV
}

func (e *Event) HandlerStarted() (x HandlerStarted) {
	if e.Kind == KindHandlerStarted {
		x.Listener, x.Type, x.RV = e.name, e.typ, e.RV
	}
	return x
}

// HandlerDone is listener.handlerDone: the handler returned.
type HandlerDone struct {
	Listener string
	Type     string
	Took     time.Duration
}

func (x HandlerDone) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x HandlerDone) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindHandlerDone, resource, key
	e.name, e.typ, e.Dur = x.Listener, x.Type, x.Took
}

func (e *Event) HandlerDone() (x HandlerDone) {
	if e.Kind == KindHandlerDone {
		x.Listener, x.Type, x.Took = e.name, e.typ, e.Dur
	}
	return x
}

// HandlerPanicked is listener.handlerPanicked: the handler panicked, and so did not take its notification.
type HandlerPanicked struct {
	Listener string
	Type     string
	Error    string
	Took     time.Duration
	Initial  bool
}

func (x HandlerPanicked) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x HandlerPanicked) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindHandlerPanicked, resource, key
	e.name, e.typ, e.text, e.Dur = x.Listener, x.Type, x.Error, x.Took
	e.Flags = flagIf(x.Initial, Initial)
}

func (e *Event) HandlerPanicked() (x HandlerPanicked) {
	if e.Kind == KindHandlerPanicked {
		x.Listener, x.Type, x.Error, x.Took, x.Initial = e.name, e.typ, e.text, e.Dur, e.Has(Initial)
	}
	return x
}

// ListenerSynced is listener.synced: the handler has seen the whole initial list.
type ListenerSynced struct {
	Listener string
}

func (x ListenerSynced) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x ListenerSynced) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindListenerSynced, resource, key
	e.name = x.Listener
}

func (e *Event) ListenerSynced() (x ListenerSynced) {
	if e.Kind == KindListenerSynced {
		x.Listener = e.name
	}
	return x
}

// ListenerRemoved is listener.removed: a handler was removed.
type ListenerRemoved struct {
	Listener string
}

func (x ListenerRemoved) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x ListenerRemoved) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindListenerRemoved, resource, key
	e.name = x.Listener
}

func (e *Event) ListenerRemoved() (x ListenerRemoved) {
	if e.Kind == KindListenerRemoved {
		x.Listener = e.name
	}
	return x
}

// ListenerPeriod is listener.period: the resync period that the informer grants the handler.
type ListenerPeriod struct {
	Listener  string
	Effective time.Duration
}

func (x ListenerPeriod) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x ListenerPeriod) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindListenerPeriod, resource, key
	e.name, e.Dur = x.Listener, x.Effective
}

func (e *Event) ListenerPeriod() (x ListenerPeriod) {
	if e.Kind == KindListenerPeriod {
		x.Listener, x.Effective = e.name, e.Dur
	}
	return x
}

// ListenerBlocked is listener.blocked: a handler's calls are kept from returning, or no longer.
type ListenerBlocked struct {
	Listener string
	State    string
}

func (x ListenerBlocked) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x ListenerBlocked) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindListenerBlocked, resource, key
	e.name, e.typ = x.Listener, x.State
}

func (e *Event) ListenerBlocked() (x ListenerBlocked) {
	if e.Kind == KindListenerBlocked {
		x.Listener, x.State = e.name, e.typ
	}
	return x
}

// ListenerSyncing is listener.syncing: a resync check flagged the handler as syncing, or not.
type ListenerSyncing struct {
	Listener string
	Syncing  string
}

func (x ListenerSyncing) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x ListenerSyncing) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindListenerSyncing, resource, key
	e.name, e.typ = x.Listener, x.Syncing
}

func (e *Event) ListenerSyncing() (x ListenerSyncing) {
	if e.Kind == KindListenerSyncing {
		x.Listener, x.Syncing = e.name, e.typ
	}
	return x
}

// QueueAdded is workqueue.added: Add: queued, coalesced, dirty (it is being processed) or shutdown; a priority other than 0 is told.
type QueueAdded struct {
	Result   string
	Len      int64
	Priority int64
}

func (x QueueAdded) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x QueueAdded) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindQueueAdded, resource, key
	e.typ, e.n, e.m = x.Result, x.Len, x.Priority
}

func (e *Event) QueueAdded() (x QueueAdded) {
	if e.Kind == KindQueueAdded {
		x.Result, x.Len, x.Priority = e.typ, e.n, e.m
	}
	return x
}

// QueueAddAfter is workqueue.addAfter: AddAfter: the key waits in the delaying queue.
type QueueAddAfter struct {
	Delay    time.Duration
	Priority int64
}

func (x QueueAddAfter) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x QueueAddAfter) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindQueueAddAfter, resource, key
	e.Dur, e.m = x.Delay, x.Priority
}

func (e *Event) QueueAddAfter() (x QueueAddAfter) {
	if e.Kind == KindQueueAddAfter {
		x.Delay, x.Priority = e.Dur, e.m
	}
	return x
}

// QueueAddLimited is workqueue.addRateLimited: AddRateLimited: what the rate limiter answered, and what its token bucket holds then, in thousandths.
type QueueAddLimited struct {
	Requeues    int64
	Delay       time.Duration
	TokensMilli int64
}

func (x QueueAddLimited) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x QueueAddLimited) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindQueueAddLimited, resource, key
	e.n, e.Dur, e.m = x.Requeues, x.Delay, x.TokensMilli
}

func (e *Event) QueueAddLimited() (x QueueAddLimited) {
	if e.Kind == KindQueueAddLimited {
		x.Requeues, x.Delay, x.TokensMilli = e.n, e.Dur, e.m
	}
	return x
}

// QueueWaitingReady is workqueue.waitingReady: the delaying queue let the key go; its added follows.
type QueueWaitingReady struct {
}

func (x QueueWaitingReady) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x QueueWaitingReady) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindQueueWaitingReady, resource, key
}

func (e *Event) QueueWaitingReady() (x QueueWaitingReady) {
	return x
}

// QueueGot is workqueue.got: Get returned the key.
type QueueGot struct {
	Worker   string
	Len      int64
	Priority int64
}

func (x QueueGot) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x QueueGot) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindQueueGot, resource, key
	e.name, e.n, e.m = x.Worker, x.Len, x.Priority
}

func (e *Event) QueueGot() (x QueueGot) {
	if e.Kind == KindQueueGot {
		x.Worker, x.Len, x.Priority = e.name, e.n, e.m
	}
	return x
}

// QueueDone is workqueue.done: Done.
type QueueDone struct {
	Worker   string
	Requeued bool
	Took     time.Duration
	Len      int64
}

func (x QueueDone) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x QueueDone) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindQueueDone, resource, key
	e.name, e.Dur, e.n = x.Worker, x.Took, x.Len
	e.Flags = flagIf(x.Requeued, Requeued)
}

func (e *Event) QueueDone() (x QueueDone) {
	if e.Kind == KindQueueDone {
		x.Worker, x.Requeued, x.Took, x.Len = e.name, e.Has(Requeued), e.Dur, e.n
	}
	return x
}

// QueueForgotten is workqueue.forgotten: Forget: the rate limiter dropped so many failures.
type QueueForgotten struct {
	Requeues int64
}

func (x QueueForgotten) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x QueueForgotten) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindQueueForgotten, resource, key
	e.n = x.Requeues
}

func (e *Event) QueueForgotten() (x QueueForgotten) {
	if e.Kind == KindQueueForgotten {
		x.Requeues = e.n
	}
	return x
}

// QueueShutDown is workqueue.shutDown: ShutDown or ShutDownWithDrain: the delaying queue has dropped so many keys, which never come.
type QueueShutDown struct {
	How     string
	Dropped int64
}

func (x QueueShutDown) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x QueueShutDown) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindQueueShutDown, resource, key
	e.typ, e.n = x.How, x.Dropped
}

func (e *Event) QueueShutDown() (x QueueShutDown) {
	if e.Kind == KindQueueShutDown {
		x.How, x.Dropped = e.typ, e.n
	}
	return x
}

// QueueLayers is workqueue.layers: what the workqueue is made of, and what its token bucket holds at the start.
type QueueLayers struct {
	Queue       string
	Limiter     string
	Parameters  string
	Buckets     int64
	TokensMilli int64
}

func (x QueueLayers) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x QueueLayers) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindQueueLayers, resource, key
	e.typ, e.name, e.text, e.n, e.m = x.Queue, x.Limiter, x.Parameters, x.Buckets, x.TokensMilli
}

func (e *Event) QueueLayers() (x QueueLayers) {
	if e.Kind == KindQueueLayers {
		x.Queue, x.Limiter, x.Parameters, x.Buckets, x.TokensMilli = e.typ, e.name, e.text, e.n, e.m
	}
	return x
}

// WorkerStarted is worker.started: a worker began to Get keys.
type WorkerStarted struct {
	Worker string
}

func (x WorkerStarted) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x WorkerStarted) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindWorkerStarted, resource, key
	e.name = x.Worker
}

func (e *Event) WorkerStarted() (x WorkerStarted) {
	if e.Kind == KindWorkerStarted {
		x.Worker = e.name
	}
	return x
}

// WorkerStopped is worker.stopped: a worker left as it was asked to.
type WorkerStopped struct {
	Worker string
}

func (x WorkerStopped) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x WorkerStopped) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindWorkerStopped, resource, key
	e.name = x.Worker
}

func (e *Event) WorkerStopped() (x WorkerStopped) {
	if e.Kind == KindWorkerStopped {
		x.Worker = e.name
	}
	return x
}

// WorkerBlocked is worker.blocked: a worker's reconciles are kept from ending, or no longer.
type WorkerBlocked struct {
	Worker string
	State  string
}

func (x WorkerBlocked) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x WorkerBlocked) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindWorkerBlocked, resource, key
	e.name, e.typ = x.Worker, x.State
}

func (e *Event) WorkerBlocked() (x WorkerBlocked) {
	if e.Kind == KindWorkerBlocked {
		x.Worker, x.State = e.name, e.typ
	}
	return x
}

// ReconcileStarted is worker.reconcileStarted: the worker read the Indexer; generation is metadata.generation; of objects that have none, contentSum stands for all but metadata and status: while that is the same, so is the sum, within a run; manager is the field manager of the newest entry of managedFields.
type ReconcileStarted struct {
	Worker     string
	Found      bool
	RV         string
	Generation int64
	ContentSum int64
	Manager    string
}

func (x ReconcileStarted) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x ReconcileStarted) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindReconcileStarted, resource, key
	e.name, e.RV, e.m, e.n, e.text = x.Worker, x.RV, x.Generation, x.ContentSum, x.Manager
	e.Flags = flagIf(x.Found, Found)
}

func (e *Event) ReconcileStarted() (x ReconcileStarted) {
	if e.Kind == KindReconcileStarted {
		x.Worker, x.Found, x.RV, x.Generation, x.ContentSum, x.Manager = e.name, e.Has(Found), e.RV, e.m, e.n, e.text
	}
	return x
}

// ReconcileDone is worker.reconcileDone: success.
type ReconcileDone struct {
	Worker string
	Took   time.Duration
}

func (x ReconcileDone) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x ReconcileDone) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindReconcileDone, resource, key
	e.name, e.Dur = x.Worker, x.Took
}

func (e *Event) ReconcileDone() (x ReconcileDone) {
	if e.Kind == KindReconcileDone {
		x.Worker, x.Took = e.name, e.Dur
	}
	return x
}

// ReconcileFailed is worker.reconcileFailed: error; AddRateLimited follows.
type ReconcileFailed struct {
	Error  string
	Worker string
	Took   time.Duration
}

func (x ReconcileFailed) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x ReconcileFailed) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindReconcileFailed, resource, key
	e.text, e.name, e.Dur = x.Error, x.Worker, x.Took
}

func (e *Event) ReconcileFailed() (x ReconcileFailed) {
	if e.Kind == KindReconcileFailed {
		x.Error, x.Worker, x.Took = e.text, e.name, e.Dur
	}
	return x
}

// ReconcilePanicked is worker.reconcilePanicked: panic; recovered and handled as a failure.
type ReconcilePanicked struct {
	Error  string
	Worker string
	Took   time.Duration
}

func (x ReconcilePanicked) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x ReconcilePanicked) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindReconcilePanicked, resource, key
	e.text, e.name, e.Dur = x.Error, x.Worker, x.Took
}

func (e *Event) ReconcilePanicked() (x ReconcilePanicked) {
	if e.Kind == KindReconcilePanicked {
		x.Error, x.Worker, x.Took = e.text, e.name, e.Dur
	}
	return x
}

// WorkerWrote is worker.wrote: the reconcile wrote its object to the server, which has it at this resourceVersion now.
type WorkerWrote struct {
	Worker string
	RV     string
}

func (x WorkerWrote) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x WorkerWrote) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindWorkerWrote, resource, key
	e.name, e.RV = x.Worker, x.RV
}

func (e *Event) WorkerWrote() (x WorkerWrote) {
	if e.Kind == KindWorkerWrote {
		x.Worker, x.RV = e.name, e.RV
	}
	return x
}

// StoreOpened is stores.opened: one of client-go's storage types gets the same stream.
type StoreOpened struct {
	Store string
	Type  string
	How   string
	TTL   time.Duration
}

func (x StoreOpened) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x StoreOpened) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindStoreOpened, resource, key
	e.name, e.typ, e.text, e.Dur = x.Store, x.Type, x.How, x.TTL
}

func (e *Event) StoreOpened() (x StoreOpened) {
	if e.Kind == KindStoreOpened {
		x.Store, x.Type, x.How, x.TTL = e.name, e.typ, e.text, e.Dur
	}
	return x
}

// StorePut is stores.put: the store holds the key; a queue hands out the lowest rank first.
type StorePut struct {
	Store  string
	RV     string
	Rank   string
	Deltas int64
}

func (x StorePut) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x StorePut) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindStorePut, resource, key
	e.name, e.RV, e.text, e.m = x.Store, x.RV, x.Rank, x.Deltas
}

func (e *Event) StorePut() (x StorePut) {
	if e.Kind == KindStorePut {
		x.Store, x.RV, x.Rank, x.Deltas = e.name, e.RV, e.text, e.m
	}
	return x
}

// StoreDropped is stores.dropped: the store no longer holds the key: deleted, replaced, popped or expired.
type StoreDropped struct {
	Store string
	Why   string
	RV    string
}

func (x StoreDropped) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x StoreDropped) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindStoreDropped, resource, key
	e.name, e.typ, e.RV = x.Store, x.Why, x.RV
}

func (e *Event) StoreDropped() (x StoreDropped) {
	if e.Kind == KindStoreDropped {
		x.Store, x.Why, x.RV = e.name, e.typ, e.RV
	}
	return x
}

// StorePushed is stores.pushed: an UndeltaStore pushed its full state.
type StorePushed struct {
	Store string
	Items int64
}

func (x StorePushed) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x StorePushed) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindStorePushed, resource, key
	e.name, e.n = x.Store, x.Items
}

func (e *Event) StorePushed() (x StorePushed) {
	if e.Kind == KindStorePushed {
		x.Store, x.Items = e.name, e.n
	}
	return x
}

// StoreRefused is stores.refused: the store returned an error.
type StoreRefused struct {
	Store string
	Error string
}

func (x StoreRefused) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x StoreRefused) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindStoreRefused, resource, key
	e.name, e.text = x.Store, x.Error
}

func (e *Event) StoreRefused() (x StoreRefused) {
	if e.Kind == KindStoreRefused {
		x.Store, x.Error = e.name, e.text
	}
	return x
}

// Paused is control.paused: all gates are closed.
type Paused struct {
}

func (x Paused) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x Paused) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindPaused, resource, key
}

func (e *Event) Paused() (x Paused) {
	return x
}

// Resumed is control.resumed: all gates are open.
type Resumed struct {
}

func (x Resumed) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x Resumed) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindResumed, resource, key
}

func (e *Event) Resumed() (x Resumed) {
	return x
}

// Stepped is control.stepped: one item may pass.
type Stepped struct {
	Stage string
	What  string
}

func (x Stepped) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x Stepped) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindStepped, resource, key
	e.name, e.typ = x.Stage, x.What
}

func (e *Event) Stepped() (x Stepped) {
	if e.Kind == KindStepped {
		x.Stage, x.What = e.name, e.typ
	}
	return x
}

// PaceSet is control.pace: items a second through each gate, in thousandths; 0 is real time.
type PaceSet struct {
	PerSecondMilli int64
}

func (x PaceSet) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x PaceSet) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindPaceSet, resource, key
	e.n = x.PerSecondMilli
}

func (e *Event) PaceSet() (x PaceSet) {
	if e.Kind == KindPaceSet {
		x.PerSecondMilli = e.n
	}
	return x
}

// Commanded is control.command: somebody gave a command.
type Commanded struct {
	Command string
	Answer  string
}

func (x Commanded) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x Commanded) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindCommanded, resource, key
	e.text, e.name = x.Command, x.Answer
}

func (e *Event) Commanded() (x Commanded) {
	if e.Kind == KindCommanded {
		x.Command, x.Answer = e.text, e.name
	}
	return x
}

// BreakpointSet is control.breakpointSet: a breakpoint was set.
type BreakpointSet struct {
	Breakpoint string
	ID         int64
}

func (x BreakpointSet) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x BreakpointSet) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindBreakpointSet, resource, key
	e.text, e.n = x.Breakpoint, x.ID
}

func (e *Event) BreakpointSet() (x BreakpointSet) {
	if e.Kind == KindBreakpointSet {
		x.Breakpoint, x.ID = e.text, e.n
	}
	return x
}

// BreakpointHit is control.breakpointHit: a breakpoint matched the event of that seq, and the engine is paused.
type BreakpointHit struct {
	Breakpoint string
	ID         int64
	Seq        int64
}

func (x BreakpointHit) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x BreakpointHit) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindBreakpointHit, resource, key
	e.text, e.n, e.m = x.Breakpoint, x.ID, x.Seq
}

func (e *Event) BreakpointHit() (x BreakpointHit) {
	if e.Kind == KindBreakpointHit {
		x.Breakpoint, x.ID, x.Seq = e.text, e.n, e.m
	}
	return x
}

// BreakpointCleared is control.breakpointCleared: a breakpoint was removed.
type BreakpointCleared struct {
	Breakpoint string
	ID         int64
}

func (x BreakpointCleared) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x BreakpointCleared) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindBreakpointCleared, resource, key
	e.text, e.n = x.Breakpoint, x.ID
}

func (e *Event) BreakpointCleared() (x BreakpointCleared) {
	if e.Kind == KindBreakpointCleared {
		x.Breakpoint, x.ID = e.text, e.n
	}
	return x
}

// BreakpointEnabled is control.breakpointEnabled: a breakpoint was switched on or off.
type BreakpointEnabled struct {
	Breakpoint string
	State      string
	ID         int64
}

func (x BreakpointEnabled) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x BreakpointEnabled) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindBreakpointEnabled, resource, key
	e.text, e.typ, e.n = x.Breakpoint, x.State, x.ID
}

func (e *Event) BreakpointEnabled() (x BreakpointEnabled) {
	if e.Kind == KindBreakpointEnabled {
		x.Breakpoint, x.State, x.ID = e.text, e.typ, e.n
	}
	return x
}

// RecordingStarted is control.recordingStarted: what happens is written to a file.
type RecordingStarted struct {
	File string
}

func (x RecordingStarted) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x RecordingStarted) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindRecordingStarted, resource, key
	e.text = x.File
}

func (e *Event) RecordingStarted() (x RecordingStarted) {
	if e.Kind == KindRecordingStarted {
		x.File = e.text
	}
	return x
}

// RecordingStopped is control.recordingStopped: the file is complete, or could not be written on.
type RecordingStopped struct {
	File   string
	Events int64
	Bytes  int64
	Why    string
}

func (x RecordingStopped) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x RecordingStopped) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindRecordingStopped, resource, key
	e.text, e.n, e.m, e.name = x.File, x.Events, x.Bytes, x.Why
}

func (e *Event) RecordingStopped() (x RecordingStopped) {
	if e.Kind == KindRecordingStopped {
		x.File, x.Events, x.Bytes, x.Why = e.text, e.n, e.m, e.name
	}
	return x
}

// ClockFake is control.clockFake: the times of events are those of a clock that only steps move; requests and watches live in real time.
type ClockFake struct {
}

func (x ClockFake) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x ClockFake) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindClockFake, resource, key
}

func (e *Event) ClockFake() (x ClockFake) {
	return x
}

// Synced is control.synced: HasSynced of the informer turned true.
type Synced struct {
}

func (x Synced) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x Synced) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindSynced, resource, key
}

func (e *Event) Synced() (x Synced) {
	return x
}

// PipelineFailed is control.failed: the pipeline of one resource stopped; the others go on.
type PipelineFailed struct {
	Error string
}

func (x PipelineFailed) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x PipelineFailed) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindPipelineFailed, resource, key
	e.text = x.Error
}

func (e *Event) PipelineFailed() (x PipelineFailed) {
	if e.Kind == KindPipelineFailed {
		x.Error = e.text
	}
	return x
}

// Divergence is control.divergence: the real object did something else than predicted.
type Divergence struct {
	Where   string
	Message string
}

func (x Divergence) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x Divergence) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindDivergence, resource, key
	e.name, e.text = x.Where, x.Message
}

func (e *Event) Divergence() (x Divergence) {
	if e.Kind == KindDivergence {
		x.Where, x.Message = e.name, e.text
	}
	return x
}

// LogLine is control.log: a log line of client-go.
type LogLine struct {
	Level   string
	Message string
}

func (x LogLine) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }

func (x LogLine) Into(e *Event, resource, key string) {
	e.Kind, e.Resource, e.Key = KindLogLine, resource, key
	e.name, e.text = x.Level, x.Message
}

func (e *Event) LogLine() (x LogLine) {
	if e.Kind == KindLogLine {
		x.Level, x.Message = e.name, e.text
	}
	return x
}
