package findings

import (
	"fmt"
	"strings"

	"informerscope/journal"
)

// neverSynced looks for informers whose first list does not come. It follows one
// Reflector until it has a whole list; after that HasSynced is a matter of the
// pace at which the queue is popped, unless the pipeline fails. A list that goes
// on to bring something is slow, and given its time, until a request has failed.
type neverSynced struct {
	lasts
	// Resources are Reflectors, by the name of their resource, and pipelines,
	// which have that name too or are lanes of it.
	Resources byName[syncing] `json:"resources"`
}

// syncing is a Reflector on its way to its first list.
type syncing struct {
	Began    bool  `json:"began,omitempty"`
	Listed   bool  `json:"listed,omitempty"` // it has a whole list, or is gone
	Synced   bool  `json:"synced,omitempty"` // of the pipeline: HasSynced
	Told     bool  `json:"told,omitempty"`   // reported
	Run      int64 `json:"run,omitempty"`    // when it began, in running time
	Progress int64 `json:"progress,omitempty"`

	Failed  int    `json:"failed,omitempty"`  // requests
	Failing bool   `json:"failing,omitempty"` // the last request has
	Why     string `json:"why,omitempty"`     // the last failure
	Seq     uint64 `json:"seq,omitempty"`     // of the newest evidence
	Time    int64  `json:"time,omitempty"`

	Verb    string `json:"verb,omitempty"`    // of the last request
	AskRun  int64  `json:"askRun,omitempty"`  // when that was sent
	Asked   bool   `json:"asked,omitempty"`   // it has no answer yet
	Objects int64  `json:"objects,omitempty"` // that it has brought
	Logged  string `json:"logged,omitempty"`  // an error that client-go only logged meanwhile
}

func newNeverSynced() detector { return &neverSynced{} }

func (*neverSynced) wants() []journal.Kind {
	return []journal.Kind{
		journal.KindWireRequest, journal.KindWireResponse, journal.KindWireError, journal.KindListDone, journal.KindListFailed,
		journal.KindWatchFailed, journal.KindWatchEvent, journal.KindWatchBookmark, journal.KindWatchError, journal.KindWatchEnded,
		journal.KindReflectorError, journal.KindReflectorStopped, journal.KindLogLine, journal.KindSynced, journal.KindPipelineFailed,
	}
}

func (d *neverSynced) apply(f *fold, e *journal.Event) {
	switch e.Kind {
	case journal.KindSynced:
		d.Resources.of(e.Resource).Synced = true
		return
	case journal.KindPipelineFailed:
		if !d.Resources.of(e.Resource).Synced {
			f.report(e, record{Resource: e.Resource, Name: stopped, Note: e.PipelineFailed().Error})
		}
		return
	}
	s := d.Resources.of(journal.BaseOf(e.Resource))
	if s.Listed {
		return
	}
	if !s.Began {
		if e.Kind != journal.KindWireRequest {
			return
		}
		s.Began, s.Run, s.Progress = true, f.wire, f.wire
		f.soonerWire(int64(f.thresholds.NeverSynced))
	}
	if isWholeList(e) || e.Kind == journal.KindReflectorStopped {
		s.Listed = true
		if s.Told {
			f.end(e.Resource, "", "", f.wire-s.Run)
		}
		return
	}
	s.take(f, e)
}

// stopped is the Name of a record of a pipeline that failed.
const stopped = "pipeline"

// take follows what is tried.
func (s *syncing) take(f *fold, e *journal.Event) {
	switch e.Kind {
	case journal.KindWireRequest:
		s.Verb, s.Asked, s.AskRun, s.Failing, s.Logged = e.WireRequest().Verb, true, f.wire, false, ""
		if e.WireRequest().Verb != journal.VerbList { // whose pages count on
			s.Objects = 0
		}
	case journal.KindWireResponse:
		s.Asked = false
		if e.WireResponse().Code >= 400 {
			s.fail(fmt.Sprintf("%d %s", e.WireResponse().Code, e.WireResponse().Reason))
		}
	case journal.KindWatchEvent:
		s.Objects++
		s.Progress = f.wire
		return // no evidence
	case journal.KindListDone: // a page
		s.Objects, s.Progress = e.ListDone().Items, f.wire
		return
	case journal.KindWatchBookmark:
		return
	case journal.KindLogLine:
		if e.LogLine().Level != "error" {
			return
		}
		s.Logged = e.LogLine().Message
	case journal.KindWatchEnded:
		if s.Failing { // what ended it has been said
			return
		}
		s.fail(s.unfinished("ended"))
	case journal.KindReflectorError:
		if s.Failing {
			return
		}
		s.fail(e.Failure())
	default:
		s.fail(e.Failure())
	}
	s.Seq, s.Time = e.Seq, f.now
}

// fail notes why the last request has come to nothing. What is said of it later
// is said better.
func (s *syncing) fail(why string) {
	if !s.Failing {
		s.Failed++
	}
	s.Failing, s.Why, s.Asked = true, why, false
}

// unfinished says what a WatchList lacks.
func (s *syncing) unfinished(state string) string {
	why := fmt.Sprintf("the WATCHLIST %s without the bookmark that ends its initial events (k8s.io/initial-events-end), after %s", state, plural(s.Objects, "object"))
	if s.Logged != "" {
		why += "; client-go logged: " + s.Logged
	}
	return why
}

// due is when s is a finding.
func (d *neverSynced) due(f *fold, s *syncing) int64 {
	at := s.Run + int64(f.thresholds.NeverSynced)
	if s.Failed == 0 {
		at = max(at, s.Progress+int64(f.thresholds.NeverSynced)/2)
	}
	return at
}

func (d *neverSynced) ripen(f *fold) (next int64) {
	next = never
	for i := range d.Resources {
		s, resource := &d.Resources[i].Value, d.Resources[i].Name
		if !s.Began || s.Listed || s.Told {
			continue
		}
		if f.waits(d.due(f, s), &next) {
			continue
		}
		f.report(nil, record{Resource: resource, Seq: s.Seq, Last: s.Time})
		s.Told = true
	}
	return next
}

// longRequest is how long a request takes, in ns, that is itself the reason and
// not what failed before it.
const longRequest = int64(5e9)

// why is the reason now.
func (s *syncing) why(f *fold) string {
	switch {
	case s.Why != "" && (s.Failing || s.Listed || f.wire-s.AskRun < longRequest):
		if s.Failed > 1 {
			return fmt.Sprintf("%d requests have failed, the last one with: %s", s.Failed, s.Why)
		}
		return s.Why
	case s.Asked:
		return "the server has not answered the " + s.Verb
	case s.Verb == journal.VerbWatchList:
		return s.unfinished("goes on")
	}
	return fmt.Sprintf("the %s goes on and has brought %s", s.Verb, plural(s.Objects, "object"))
}

func (d *neverSynced) text(f *fold, r *record) string {
	if r.Name == stopped {
		return fmt.Sprintf("the pipeline of %s stopped before it had synced: %s", r.Resource, r.Note)
	}
	s := d.Resources.find(r.Resource)
	switch {
	case s == nil:
		return r.Resource + " has not synced"
	case r.Over:
		return fmt.Sprintf("%s had no list for %s: %s", r.Resource, shortNS(r.N), s.why(f))
	}
	return fmt.Sprintf("%s has not synced for %s: %s", r.Resource, shortNS(f.wire-s.Run), s.why(f))
}

func (d *neverSynced) causes(f *fold, r *record) []Cause {
	s := d.Resources.find(r.Resource)
	switch {
	case r.Name == stopped:
		return causesIn(panicCauses, r.Note)
	case s == nil:
		return nil
	case strings.Contains(s.why(f), "initial-events-end"):
		return []Cause{{"the server does not end a WatchList: it is older than 1.32, or the feature is off; or what serves this group (an aggregated API server, a proxy) takes the request for an ordinary watch", "no bookmark ended the initial events"}}
	case s.Why != "":
		return causesOfFailure(s.Why)
	case s.Asked:
		return []Cause{{"the server or what stands between does not answer: an overloaded API server, a conversion webhook that hangs", "the " + s.Verb + " has no answer yet"}}
	}
	return []Cause{{"the list is large: use metadata-only clients, selectors, or more time", "the list goes on to bring objects"}}
}

// cause: what keeps several resources from syncing in the same way is one thing.
func (d *neverSynced) cause(_ *fold, r *record) string {
	if s := d.Resources.find(r.Resource); s != nil && r.Name == "" && s.Failing {
		return s.Why
	}
	return ""
}

func (d *neverSynced) joint(f *fold, rs []*record) string {
	resources, longest, why := make([]string, len(rs)), int64(0), ""
	for i, r := range rs {
		resources[i] = r.Resource
		if s := d.Resources.find(r.Resource); s != nil {
			longest, why = max(longest, f.wire-s.Run), s.Why
		}
	}
	return fmt.Sprintf("%s have not synced for %s: %s", names(resources), shortNS(longest), why)
}

func (d *neverSynced) clone() detector { return &neverSynced{Resources: d.Resources.clone(nil)} }
