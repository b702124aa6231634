package state

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"informerscope/journal"
)

// Phase is what the Reflector is doing.
type Phase string

// The phases.
const (
	PhaseStarting  Phase = "starting"
	PhaseListing   Phase = "listing"
	PhaseWatchList Phase = "WatchList" // streaming the initial events
	PhaseWatching  Phase = "watching"
	PhaseBackoff   Phase = "backing off" // the last attempt failed or ended; nothing is asked at the moment
	PhaseStopped   Phase = "stopped"
)

// Relist is one time the Reflector asked the server for everything again.
type Relist struct {
	Time   time.Time
	Reason string
}

// recentRelists is how many relists the state remembers with their reasons.
const recentRelists = 8

// Reflector is what the wire tap and the ListerWatcher tap saw.
type Reflector struct {
	Phase Phase
	Since time.Time // when the phase began
	RV    string    // last resourceVersion: of a list, an event or a bookmark

	WatchSince  time.Time // when the open stream began; zero when none is open
	WatchEvents int       // events on the open stream
	LastEvent   time.Time // last event or bookmark

	Added, Modified, Deleted, Bookmarks, Errors uint64 // watch events by type
	LastBookmarkRV                              string
	LastBookmark                                time.Time

	Bytes       int64  // received in response bodies so far
	Objects     uint64 // received in lists and watch events so far
	ContentType string // of the last response
	Client      string // dynamic, typed, metadata or rest
	ended       int64  // bytes of the bodies that have ended

	RVBackwards   uint64 // times that RV became older than it was
	LastBackwards string // the last one, as "1200 -> 1001"

	Requests   uint64 // on the wire, by verb
	Lists      uint64
	WatchLists uint64
	Watches    uint64
	LastStatus int64 // status code of the last response

	ListVerb  string // how the last complete list came: LIST or WATCHLIST
	ListItems int64
	ListTook  time.Duration
	ListRV    string
	listStart time.Time
	initial   int64 // initial events of the WatchList that is under way
	page      int64 // items of the pages so far, in the list that is under way

	Relists    uint64
	relists    [recentRelists]Relist // newest first
	Resyncs    uint64
	LastResync time.Time

	LastError     string
	LastErrorTime time.Time
}

// BytesPerObject is the mean cost of an object on the wire; 0 before the first.
func (r *Reflector) BytesPerObject() float64 {
	if r.Objects == 0 {
		return 0
	}
	return float64(r.Bytes) / float64(r.Objects)
}

// RecentRelists returns the last relists, newest first.
func (r *Reflector) RecentRelists() []Relist {
	n := int(min(r.Relists, recentRelists))
	return r.relists[:n:n]
}

func (r *Reflector) phase(p Phase, at time.Time) {
	if r.Phase != p {
		r.Phase, r.Since = p, at
	}
}

func (r *Reflector) fail(text string, at time.Time) {
	r.LastError, r.LastErrorTime = text, at
}

func (r *Reflector) apply(e *journal.Event) {
	switch e.Kind {
	case journal.KindWireRequest:
		r.request(e)
	case journal.KindWireResponse:
		x := e.WireResponse()
		r.LastStatus = x.Code
		if x.Code == 200 {
			r.ContentType = x.ContentType // errors may come in another one
		}
	case journal.KindWireStreamEnd:
		r.ended += e.WireStreamEnd().Bytes
		r.received(r.ended)
	case journal.KindWireError:
		r.fail(e.Failure(), e.Time)
		r.phase(PhaseBackoff, e.Time)
	case journal.KindListStarted:
		r.listStart = e.Time
		r.phase(PhaseListing, e.Time)
	case journal.KindListDone:
		x := e.ListDone()
		r.received(x.ReceivedBytes)
		r.Objects += uint64(x.Items - r.page)
		r.page = x.Items
		if !x.More { // the Reflector takes the RV of the whole list
			r.move(e.RV)
			r.ListRV = e.RV
		}
		r.ListVerb, r.ListItems, r.ListTook = journal.VerbList, x.Items, x.Took
	case journal.KindListFailed, journal.KindWatchFailed:
		r.fail(e.Failure(), e.Time)
		r.phase(PhaseBackoff, e.Time)
	case journal.KindWatchStarted:
		r.WatchSince, r.WatchEvents, r.LastEvent = e.Time, 0, e.Time
		r.initial = 0
		if e.WatchStarted().Verb == journal.VerbWatchList {
			r.listStart = e.Time
			r.phase(PhaseWatchList, e.Time)
		} else {
			r.phase(PhaseWatching, e.Time)
		}
	case journal.KindWatchEvent:
		r.event(e)
	case journal.KindWatchBookmark:
		r.bookmark(e)
	case journal.KindWatchError:
		r.Errors++
		r.fail(e.Failure(), e.Time)
	case journal.KindWatchEnded:
		r.WatchSince = time.Time{}
		r.phase(PhaseBackoff, e.Time)
	case journal.KindReflectorError:
		r.fail(e.Failure(), e.Time)
		r.phase(PhaseBackoff, e.Time)
	case journal.KindRelistRequested:
		r.Relists++
		copy(r.relists[1:], r.relists[:recentRelists-1])
		r.relists[0] = Relist{Time: e.Time, Reason: e.RelistRequested().Reason}
	case journal.KindReflectorStopped:
		r.WatchSince = time.Time{}
		r.phase(PhaseStopped, e.Time)
	case journal.KindFIFOResync:
		r.Resyncs++
		r.LastResync = e.Time
	}
}

// received takes a running total of bytes; each source of it may be behind the
// others.
func (r *Reflector) received(total int64) { r.Bytes = max(r.Bytes, total) }

// move takes a new resourceVersion, and says so when it is older than the last.
func (r *Reflector) move(rv string) {
	if journal.OlderRV(rv, r.RV) {
		r.RVBackwards++
		r.LastBackwards = r.RV + " -> " + rv
	}
	r.RV = rv
}

func (r *Reflector) request(e *journal.Event) {
	r.Requests++
	x := e.WireRequest()
	if x.Client != "" {
		r.Client = x.Client
	}
	switch x.Verb {
	case journal.VerbList:
		r.Lists++
		if !slices.Contains(strings.Fields(x.Query), "continue") {
			r.page = 0
		}
		r.phase(PhaseListing, e.Time)
	case journal.VerbWatchList:
		r.WatchLists++
	case journal.VerbWatch:
		r.Watches++
	}
}

func (r *Reflector) event(e *journal.Event) {
	r.WatchEvents++
	r.Objects++
	r.received(e.WatchEvent().ReceivedBytes)
	r.LastEvent = e.Time
	switch e.WatchEvent().Type {
	case "ADDED":
		r.Added++
	case "MODIFIED":
		r.Modified++
	case "DELETED":
		r.Deleted++
	}
	if r.Phase == PhaseWatchList {
		r.initial++ // the RVs of initial events are in no order: not the Reflector's RV
		return
	}
	r.move(e.RV)
}

func (r *Reflector) bookmark(e *journal.Event) {
	r.Bookmarks++
	r.LastEvent = e.Time
	r.LastBookmark, r.LastBookmarkRV = e.Time, e.RV
	if e.Has(journal.Initial) && r.Phase == PhaseWatchList {
		r.ListVerb, r.ListItems, r.ListTook, r.ListRV = journal.VerbWatchList, r.initial, e.Time.Round(0).Sub(r.listStart), e.RV // by wall time, which a recording tells as well
		r.phase(PhaseWatching, e.Time)
	}
	if r.Phase == PhaseWatching {
		r.move(e.RV)
	}
}

// Status says the phase with what matters most, in a few words.
func (r *Reflector) Status() string {
	if r.Phase == PhaseBackoff && r.LastStatus >= 400 {
		return string(r.Phase) + " (HTTP " + strconv.FormatInt(r.LastStatus, 10) + ")"
	}
	return string(r.Phase)
}
