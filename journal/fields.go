package journal

import (
	"strconv"
	"strings"
	"time"

	"informerscope/internal/jsontext"
)

// Stage is a room of the pipeline, as a person steps and filters it.
type Stage string

// The stages, in the order of the pipeline.
const (
	StageWire      Stage = "wire"
	StageReflector Stage = "reflector"
	StageFIFO      Stage = "deltafifo"
	StageIndexer   Stage = "indexer"
	StageListener  Stage = "listener"
	StageQueue     Stage = "workqueue"
	StageWorker    Stage = "worker"
	StageStores    Stage = "stores"
	StageControl   Stage = "control"
)

// kindSpec describes a kind once, for JSON, the timeline and the docs.
type kindSpec struct {
	stage  Stage
	name   string // after "stage."
	fields string // "jsonName:Field jsonName:Field", in printing order; resource and key are always first
	doc    string
}

var specs = [numKinds]kindSpec{
	KindUnknown: {StageControl, "unknown", "", "never written"},

	KindWireRequest:   {StageWire, "request", "verb:Type resourceVersion:RV query:Text client:Name id:N", "a request is sent by one of client-go's clients"},
	KindWireResponse:  {StageWire, "response", "verb:Type code:M reason:Text contentType:Name id:N seconds:Dur", "headers arrived"},
	KindWireError:     {StageWire, "error", "verb:Type error:Text id:N seconds:Dur", "no response: connection refused, TLS, timeout"},
	KindWireStreamEnd: {StageWire, "streamEnd", "verb:Type bytes:M error:Text id:N seconds:Dur", "a response body ended or was closed"},

	KindFaultArmed:   {StageWire, "faultArmed", "fault:Text id:N left:M forSeconds:Dur", "a fault is armed; left is how often it may strike, -1 is without end; forSeconds 0 is until it is cleared"},
	KindFaultHit:     {StageWire, "faultHit", "fault:Text verb:Type resourceVersion:RV id:N left:M", "a fault has struck a request or an event"},
	KindFaultCleared: {StageWire, "faultCleared", "fault:Text id:N", "a fault was disarmed"},

	KindListStarted:      {StageReflector, "listStarted", "resourceVersion:RV", "the Reflector calls List"},
	KindListDone:         {StageReflector, "listDone", "items:N resourceVersion:RV more:Partial seconds:Dur receivedBytes:M", "List returned everything, or with more a page: items counts those of all pages so far; receivedBytes is what the client has read so far in all bodies, gzip undone"},
	KindListFailed:       {StageReflector, "listFailed", "error:Text seconds:Dur", "List returned an error"},
	KindWatchStarted:     {StageReflector, "watchStarted", "verb:Type resourceVersion:RV", "a WATCH or WATCHLIST stream is open"},
	KindWatchFailed:      {StageReflector, "watchFailed", "verb:Type error:Text", "Watch returned an error"},
	KindWatchEvent:       {StageReflector, "watchEvent", "type:Type resourceVersion:RV initial:Initial receivedBytes:M", "ADDED, MODIFIED or DELETED was decoded"},
	KindWatchBookmark:    {StageReflector, "bookmark", "resourceVersion:RV initialEventsEnd:Initial", "BOOKMARK"},
	KindWatchError:       {StageReflector, "watchError", "reason:Name code:M error:Text", "an ERROR event in the stream"},
	KindWatchEnded:       {StageReflector, "watchEnded", "events:N seconds:Dur", "the stream closed"},
	KindReflectorError:   {StageReflector, "error", "error:Text", "client-go called the WatchErrorHandler; it backs off and retries"},
	KindRelistRequested:  {StageReflector, "relist", "reason:Text resourceVersion:RV", "asks the server for everything again"},
	KindReflectorStopped: {StageReflector, "stopped", "", "the Reflector ended"},

	KindFIFOReplace:    {StageFIFO, "replace", "items:N resourceVersion:RV", "Replace was called; its deltas follow"},
	KindFIFOResync:     {StageFIFO, "resync", "queued:N skipped:M", "Resync replayed the local store; its Sync deltas came before"},
	KindFIFOEnqueued:   {StageFIFO, "enqueued", "type:Type resourceVersion:RV tombstone:Tombstone coalesced:Coalesced deltas:N depth:M", "a delta was queued; deltas is how many its key has now in a DeltaFIFO, and how many objects it brings in a RealFIFO"},
	KindFIFODropped:    {StageFIFO, "dropped", "type:Type resourceVersion:RV", "a Deleted for an unknown key: nothing was queued"},
	KindFIFOPopped:     {StageFIFO, "popped", "type:Type resourceVersion:RV tombstone:Tombstone deltas:N depth:M initial:Initial", "a key left the queue with all its deltas, of which type, resourceVersion and tombstone are those of the newest, or one delta of a RealFIFO did"},
	KindFIFOProcessed:  {StageFIFO, "processed", "seconds:Dur", "the process function of the Pop returned: store changed, listeners told"},
	KindFIFOError:      {StageFIFO, "error", "error:Text", "the queue returned an error"},
	KindFIFOSynced:     {StageFIFO, "synced", "", "HasSynced of the queue turned true"},
	KindFIFOClosed:     {StageFIFO, "closed", "", "Close was called"},
	KindFIFODiscipline: {StageFIFO, "discipline", "type:Type since:Text", "which of client-go's queues this is, and which versions use it"},
	KindFIFOBatch:      {StageFIFO, "batch", "deltas:N initial:Initial", "PopBatch took so many deltas at once, as one step; their popped events follow"},

	KindStoreAdded:       {StageIndexer, "added", "resourceVersion:RV", "a new key is stored"},
	KindStoreUpdated:     {StageIndexer, "updated", "resourceVersion:RV", "a stored key got a new object"},
	KindStoreDeleted:     {StageIndexer, "deleted", "resourceVersion:RV", "a key left the store"},
	KindStoreReplace:     {StageIndexer, "replace", "items:N resourceVersion:RV", "Replace was called"},
	KindStoreIndexer:     {StageIndexer, "indexer", "index:Name", "an index was registered, or without a store event its keys changed"},
	KindStoreTransaction: {StageIndexer, "transaction", "changes:N resourceVersion:RV", "a batch of changes made in one step; they follow"},
	KindStoreBookmark:    {StageIndexer, "bookmark", "resourceVersion:RV", "the store took a resourceVersion without an object"},
	KindCacheChecked:     {StageIndexer, "checked", "objects:N differ:M resourceVersion:RV uncertain:Name awaited:Type error:Text seconds:Dur", "what the store holds was compared with a LIST, on demand: objects that the server has, keys that differ, and what could not be decided; the watch has not come to the resourceVersion that was awaited"},
	KindCacheDiffers:     {StageIndexer, "differs", "how:Type resourceVersion:RV stored:Name", "the store differs from the LIST of the checked before it: the key is missing, extra or stale; resourceVersion is the server's"},
	KindCacheLeft:        {StageIndexer, "left", "why:Text resourceVersion:RV", "the watch has brought a DELETED of the key, and the server still has it: it no longer matches the selector; the checked follows"},
	KindStoreMutated:     {StageIndexer, "mutated", "field:Name change:Text since:N resourceVersion:RV", "a cached object was changed in place after the event of seq since"},
	KindIndexFailed:      {StageIndexer, "indexFailed", "index:Name error:Text", "an index function failed or panicked"},

	KindListenerAdded:   {StageListener, "registered", "listener:Name resyncSeconds:Dur", "a handler was registered"},
	KindNotified:        {StageListener, "notified", "listener:Name type:Type resourceVersion:RV tombstone:Tombstone resync:Resync initial:Initial backlog:N", "a notification was put into the listener's ring"},
	KindHandlerStarted:  {StageListener, "handlerStarted", "listener:Name type:Type resourceVersion:RV", "the handler is called"},
	KindHandlerDone:     {StageListener, "handlerDone", "listener:Name type:Type seconds:Dur", "the handler returned"},
	KindHandlerPanicked: {StageListener, "handlerPanicked", "listener:Name type:Type error:Text seconds:Dur initial:Initial", "the handler panicked, and so did not take its notification"},
	KindListenerSynced:  {StageListener, "synced", "listener:Name", "the handler has seen the whole initial list"},
	KindListenerRemoved: {StageListener, "removed", "listener:Name", "a handler was removed"},
	KindListenerPeriod:  {StageListener, "period", "listener:Name effectiveSeconds:Dur", "the resync period that the informer grants the handler"},
	KindListenerBlocked: {StageListener, "blocked", "listener:Name state:Type", "a handler's calls are kept from returning, or no longer"},
	KindListenerSyncing: {StageListener, "syncing", "listener:Name syncing:Type", "a resync check flagged the handler as syncing, or not"},

	KindQueueAdded:        {StageQueue, "added", "result:Type len:N priority:M?", "Add: queued, coalesced, dirty (it is being processed) or shutdown; a priority other than 0 is told"},
	KindQueueAddAfter:     {StageQueue, "addAfter", "delaySeconds:Dur priority:M?", "AddAfter: the key waits in the delaying queue"},
	KindQueueAddLimited:   {StageQueue, "addRateLimited", "requeues:N delaySeconds:Dur tokensMilli:M?", "AddRateLimited: what the rate limiter answered, and what its token bucket holds then, in thousandths"},
	KindQueueWaitingReady: {StageQueue, "waitingReady", "", "the delaying queue let the key go; its added follows"},
	KindQueueGot:          {StageQueue, "got", "worker:Name len:N priority:M?", "Get returned the key"},
	KindQueueDone:         {StageQueue, "done", "worker:Name requeued:Requeued seconds:Dur len:N", "Done"},
	KindQueueForgotten:    {StageQueue, "forgotten", "requeues:N", "Forget: the rate limiter dropped so many failures"},
	KindQueueShutDown:     {StageQueue, "shutDown", "how:Type dropped:N", "ShutDown or ShutDownWithDrain: the delaying queue has dropped so many keys, which never come"},
	KindQueueLayers:       {StageQueue, "layers", "queue:Type limiter:Name parameters:Text buckets:N tokensMilli:M?", "what the workqueue is made of, and what its token bucket holds at the start"},

	KindWorkerStarted:     {StageWorker, "started", "worker:Name", "a worker began to Get keys"},
	KindWorkerStopped:     {StageWorker, "stopped", "worker:Name", "a worker left as it was asked to"},
	KindWorkerBlocked:     {StageWorker, "blocked", "worker:Name state:Type", "a worker's reconciles are kept from ending, or no longer"},
	KindReconcileStarted:  {StageWorker, "reconcileStarted", "worker:Name found:Found resourceVersion:RV generation:M? contentSum:N? manager:Text", "the worker read the Indexer; generation is metadata.generation; of objects that have none, contentSum stands for all but metadata and status: while that is the same, so is the sum, within a run; manager is the field manager of the newest entry of managedFields"},
	KindReconcileDone:     {StageWorker, "reconcileDone", "worker:Name seconds:Dur", "success"},
	KindReconcileFailed:   {StageWorker, "reconcileFailed", "error:Text worker:Name seconds:Dur", "error; AddRateLimited follows"},
	KindReconcilePanicked: {StageWorker, "reconcilePanicked", "error:Text worker:Name seconds:Dur", "panic; recovered and handled as a failure"},
	KindWorkerWrote:       {StageWorker, "wrote", "worker:Name resourceVersion:RV", "the reconcile wrote its object to the server, which has it at this resourceVersion now"},

	KindStoreOpened:  {StageStores, "opened", "store:Name type:Type how:Text ttlSeconds:Dur", "one of client-go's storage types gets the same stream"},
	KindStorePut:     {StageStores, "put", "store:Name resourceVersion:RV rank:Text deltas:M?", "the store holds the key; a queue hands out the lowest rank first"},
	KindStoreDropped: {StageStores, "dropped", "store:Name why:Type resourceVersion:RV", "the store no longer holds the key: deleted, replaced, popped or expired"},
	KindStorePushed:  {StageStores, "pushed", "store:Name items:N", "an UndeltaStore pushed its full state"},
	KindStoreRefused: {StageStores, "refused", "store:Name error:Text", "the store returned an error"},

	KindPaused:            {StageControl, "paused", "", "all gates are closed"},
	KindResumed:           {StageControl, "resumed", "", "all gates are open"},
	KindStepped:           {StageControl, "stepped", "stage:Name what:Type", "one item may pass"},
	KindPaceSet:           {StageControl, "pace", "perSecondMilli:N", "items a second through each gate, in thousandths; 0 is real time"},
	KindCommanded:         {StageControl, "command", "command:Text answer:Name", "somebody gave a command"},
	KindBreakpointSet:     {StageControl, "breakpointSet", "breakpoint:Text id:N", "a breakpoint was set"},
	KindBreakpointHit:     {StageControl, "breakpointHit", "breakpoint:Text id:N event:M", "a breakpoint matched the event of that seq, and the engine is paused"},
	KindBreakpointCleared: {StageControl, "breakpointCleared", "breakpoint:Text id:N", "a breakpoint was removed"},
	KindBreakpointEnabled: {StageControl, "breakpointEnabled", "breakpoint:Text state:Type id:N", "a breakpoint was switched on or off"},
	KindRecordingStarted:  {StageControl, "recordingStarted", "file:Text", "what happens is written to a file"},
	KindRecordingStopped:  {StageControl, "recordingStopped", "file:Text events:N bytes:M why:Name", "the file is complete, or could not be written on"},

	KindClockFake:      {StageControl, "clockFake", "", "the times of events are those of a clock that only steps move; requests and watches live in real time"},
	KindSynced:         {StageControl, "synced", "", "HasSynced of the informer turned true"},
	KindPipelineFailed: {StageControl, "failed", "error:Text", "the pipeline of one resource stopped; the others go on"},
	KindDivergence:     {StageControl, "divergence", "where:Name message:Text", "the real object did something else than predicted"},
	KindLogLine:        {StageControl, "log", "level:Name message:Text", "a log line of client-go"},
}

var kindNames = func() (n [numKinds]string) {
	for k, s := range specs {
		n[k] = string(s.stage) + "." + s.name
	}
	return n
}()

// String is the kind's public name, "stage.what".
func (k Kind) String() string {
	if k >= numKinds {
		return "unknown(" + strconv.Itoa(int(k)) + ")"
	}
	return kindNames[k]
}

// fields are the fields of the kind's spec, none for a kind that this program
// does not know.
func (k Kind) fields() string {
	if k >= numKinds {
		return ""
	}
	return specs[k].fields
}

// Stage is where in the pipeline events of this kind happen.
func (k Kind) Stage() Stage {
	if k >= numKinds {
		return StageControl
	}
	return specs[k].stage
}

// Doc says in a few words what the kind means, for help and generated docs.
func (k Kind) Doc() string {
	if k >= numKinds {
		return ""
	}
	return specs[k].doc
}

// FieldNames lists the JSON names of what the kind adds to seq, time, kind,
// resource and key.
func (k Kind) FieldNames() []string {
	var names []string
	for f := range strings.FieldsSeq(k.fields()) {
		name, _, _ := strings.Cut(f, ":")
		names = append(names, name)
	}
	return names
}

// Kinds lists every kind that is written, in pipeline order.
func Kinds() []Kind {
	ks := make([]Kind, 0, numKinds-1)
	for k := KindUnknown + 1; k < numKinds; k++ {
		ks = append(ks, k)
	}
	return ks
}

// value is one printable fact of an event.
type value struct {
	name string
	str  string
	num  int64
	sec  float64
	kind byte // 's' string, 'n' integer, 'd' seconds, 'b' true
}

// field resolves one "name:Field" of a spec; ok is false for what is not
// printed: empty strings, false flags, and a zero of "M?" and "N?".
func (e *Event) field(spec string) (v value, ok bool) {
	name, from, _ := strings.Cut(spec, ":")
	v.name = name
	str := func(s string) (value, bool) { v.kind, v.str = 's', s; return v, s != "" }
	flag := func(f Flag) (value, bool) { v.kind = 'b'; return v, e.Has(f) }
	switch from {
	case "Type":
		return str(e.typ)
	case "RV":
		return str(e.RV)
	case "Name":
		return str(e.name)
	case "Text":
		return str(e.text)
	case "N":
		v.kind, v.num = 'n', e.n
		return v, true
	case "M":
		v.kind, v.num = 'n', e.m
		return v, true
	case "M?":
		v.kind, v.num = 'n', e.m
		return v, e.m != 0
	case "N?":
		v.kind, v.num = 'n', e.n
		return v, e.n != 0
	case "Dur":
		v.kind, v.sec = 'd', e.Dur.Seconds()
		return v, true
	case "Tombstone":
		return flag(Tombstone)
	case "Initial":
		return flag(Initial)
	case "Coalesced":
		return flag(Coalesced)
	case "Requeued":
		return flag(Requeued)
	case "Found":
		return flag(Found)
	case "Resync":
		return flag(Resync)
	case "Partial":
		return flag(Partial)
	}
	panic("journal: unknown field in spec " + spec)
}

// AppendJSON appends the event as one JSON object, without a newline: seq,
// time, kind, resource, key, and what the kind adds. Objects are not part of it.
func (e *Event) AppendJSON(b []byte) []byte {
	b = append(b, `{"seq":`...)
	b = strconv.AppendUint(b, e.Seq, 10)
	b = append(b, `,"time":"`...)
	b = e.Time.UTC().AppendFormat(b, "2006-01-02T15:04:05.000000Z07:00")
	b = append(b, `","kind":"`...)
	b = append(b, e.Kind.String()...)
	b = append(b, '"')
	if e.Resource != "" {
		b = append(b, `,"resource":`...)
		b = jsontext.AppendEscaped(b, e.Resource)
	}
	if e.Key != "" {
		b = append(b, `,"key":`...)
		b = jsontext.AppendEscaped(b, e.Key)
	}
	for f := range strings.FieldsSeq(e.Kind.fields()) {
		v, ok := e.field(f)
		if !ok {
			continue
		}
		b = append(b, ',', '"')
		b = append(b, v.name...)
		b = append(b, '"', ':')
		switch v.kind {
		case 's':
			b = jsontext.AppendEscaped(b, v.str)
		case 'n':
			b = strconv.AppendInt(b, v.num, 10)
		case 'd':
			b = strconv.AppendFloat(b, v.sec, 'f', -1, 64)
		case 'b':
			b = append(b, "true"...)
		}
	}
	if len(e.Changes) > 0 {
		b = append(b, `,"indices":[`...)
		for i, c := range e.Changes {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, `{"index":`...)
			b = jsontext.AppendEscaped(b, c.Index)
			b = append(b, `,"value":`...)
			b = jsontext.AppendEscaped(b, c.Value)
			b = append(b, `,"added":`...)
			b = strconv.AppendBool(b, c.Added)
			b = append(b, '}')
		}
		b = append(b, ']')
	}
	return append(b, '}')
}

// MarshalJSON makes encoding/json print what AppendJSON does, of an Event and of
// a pointer to one.
func (e Event) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil), nil }

// Details says in one short line what the event adds to its kind and key, for
// the timeline: "Updated rv 905 deltas 2".
func (e *Event) Details() string { return string(e.AppendDetails(nil)) }

// AppendDetails appends Details to b, so that a frame needs no garbage.
func (e *Event) AppendDetails(b []byte) []byte {
	start := len(b)
	for f := range strings.FieldsSeq(e.Kind.fields()) {
		v, ok := e.field(f)
		if !ok || v.name == "id" || v.name == "receivedBytes" || v.name == "contentSum" || (v.kind == 'n' && v.num == 0) {
			continue
		}
		if len(b) > start {
			b = append(b, ' ')
		}
		switch v.kind {
		case 's':
			switch v.name {
			case "resourceVersion":
				b = append(b, "rv "...)
			case "type", "verb", "result", "message", "what", "how", "reason", "error", "query", "listener", "command", "answer", "fault", "state":
			default:
				b = append(append(b, v.name...), ' ')
			}
			b = append(b, v.str...)
		case 'n':
			b = append(append(b, v.name...), ' ')
			b = strconv.AppendInt(b, v.num, 10)
		case 'd':
			b = AppendShort(b, e.Dur)
		case 'b':
			b = append(b, v.name...)
		}
	}
	return b
}

// Short prints a duration in at most five or six characters: 870us, 12ms, 1.6s,
// 41s, 3m20s, 2h05m, 4d.
func Short(d time.Duration) string { return string(AppendShort(nil, d)) }

// AppendShort appends Short(d) to b.
func AppendShort(b []byte, d time.Duration) []byte {
	if d < 0 {
		b, d = append(b, '-'), -d
	}
	n := func(v time.Duration) { b = strconv.AppendInt(b, int64(v), 10) }
	two := func(v time.Duration) { b = append(b, byte('0'+v/10), byte('0'+v%10)) }
	switch {
	case d == 0:
		return append(b, "0s"...)
	case d < time.Millisecond:
		n(d / time.Microsecond)
		return append(b, "us"...)
	case d < time.Second:
		n(d / time.Millisecond)
		return append(b, "ms"...)
	case d < 10*time.Second:
		b = strconv.AppendFloat(b, d.Truncate(100*time.Millisecond).Seconds(), 'f', 1, 64)
		return append(b, 's')
	case d < 2*time.Minute:
		n(d / time.Second)
		return append(b, 's')
	case d < time.Hour:
		n(d / time.Minute)
		b = append(b, 'm')
		two(d / time.Second % 60)
		return append(b, 's')
	case d < 48*time.Hour:
		n(d / time.Hour)
		b = append(b, 'h')
		two(d / time.Minute % 60)
		return append(b, 'm')
	default:
		n(d / (24 * time.Hour))
		return append(b, 'd')
	}
}
