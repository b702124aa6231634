package findings

import (
	"fmt"
	"time"

	"informerscope/journal"
)

// blinds looks for informers that have synced and then lost their server: no watch
// is open and none comes, whatever the reason. HasSynced stays true, the cache goes
// on to serve what it had, and client-go tries again for ever. A list that goes on
// to bring something is given its time, until a request has failed.
type blinds struct {
	lasts
	// Resources are Reflectors, by the name of their resource, and pipelines that
	// have failed.
	Resources byName[sight] `json:"resources"`
}

// sight is what one Reflector sees. Times named Run are of the wire's time.
type sight struct {
	Listed   bool   `json:"listed,omitempty"` // it has had a whole list
	Open     bool   `json:"open,omitempty"`   // a watch is open
	Gone     bool   `json:"gone,omitempty"`   // the Reflector has been stopped
	Told     bool   `json:"told,omitempty"`   // reported, and not over
	Seq      uint64 `json:"seq,omitempty"`    // of what closed the last watch
	Time     int64  `json:"time,omitempty"`
	Run      int64  `json:"run,omitempty"`
	Progress int64  `json:"progress,omitempty"` // when a list last brought something

	Failed int    `json:"failed,omitempty"` // requests since
	Fresh  bool   `json:"fresh,omitempty"`  // what failed is told of the newest request
	Why    string `json:"why,omitempty"`    // the last failure
	RV     string `json:"rv,omitempty"`     // how far it had come
	Origin uint64 `json:"origin,omitempty"` // the RV of its last list; 0 when that is no number
}

func newBlinds() detector { return &blinds{} }

func (*blinds) wants() []journal.Kind {
	return []journal.Kind{
		journal.KindWireRequest, journal.KindWireResponse, journal.KindWireError, journal.KindListDone, journal.KindListFailed,
		journal.KindWatchStarted, journal.KindWatchFailed, journal.KindWatchEvent, journal.KindWatchBookmark, journal.KindWatchError,
		journal.KindWatchEnded, journal.KindReflectorError, journal.KindReflectorStopped, journal.KindPipelineFailed,
	}
}

func (d *blinds) apply(f *fold, e *journal.Event) {
	if e.Kind == journal.KindPipelineFailed {
		if s := d.Resources.find(journal.BaseOf(e.Resource)); s != nil && s.Listed {
			f.report(e, record{Resource: e.Resource, Name: stopped, Note: e.PipelineFailed().Error})
		}
		return
	}
	s := d.Resources.of(e.Resource)
	if e.RV != "" && (e.Kind == journal.KindWatchEvent || e.Kind == journal.KindWatchBookmark || e.Kind == journal.KindListDone) {
		s.RV = e.RV
	}
	if isWholeList(e) {
		s.Listed, s.Origin = true, numberOf(e.RV)
	}
	switch e.Kind {
	case journal.KindWatchStarted:
		s.Open = true
		d.over(f, e.Resource, s)
	case journal.KindReflectorStopped:
		s.Gone = true
		d.over(f, e.Resource, s)
	case journal.KindWatchEnded:
		if s.Open {
			*s = sight{Listed: s.Listed, RV: s.RV, Origin: s.Origin, Seq: e.Seq, Time: f.now, Run: f.wire, Progress: f.wire}
			f.soonerWire(int64(f.thresholds.Blind))
		}
	case journal.KindWatchEvent, journal.KindWatchBookmark:
	case journal.KindListDone: // a page, or all of it
		s.Progress = f.wire
		if s.Seq == 0 { // with no watch before it
			s.Seq, s.Time, s.Run = e.Seq, f.now, f.wire
			f.soonerWire(int64(f.thresholds.Blind))
		}
	case journal.KindWireRequest:
		s.Fresh = false
	default:
		s.failed(e)
	}
}

// failed notes why the newest request has come to nothing. The wire says it best,
// and first; what the Reflector says of it later is the same failure.
func (s *sight) failed(e *journal.Event) {
	why := e.Failure()
	switch {
	case e.Kind == journal.KindWireResponse:
		x := e.WireResponse()
		if x.Code < 400 {
			return
		}
		why = fmt.Sprintf("%d %s", x.Code, x.Reason)
	case e.Kind == journal.KindWatchError:
		x := e.WatchError()
		why = fmt.Sprintf("%d %s", x.Code, x.Reason)
	case s.Fresh:
		return
	}
	if !s.Fresh {
		s.Failed++
	}
	s.Fresh, s.Why = true, why
}

// over ends what was reported, with how long it was.
func (d *blinds) over(f *fold, resource string, s *sight) {
	if s.Told {
		s.Told = false
		f.end(resource, "", "", f.wire-s.Run)
	}
}

// due is when s is a finding.
func (*blinds) due(f *fold, s *sight) int64 {
	at := s.Run + int64(f.thresholds.Blind)
	if s.Failed == 0 {
		at = max(at, s.Progress+int64(f.thresholds.Blind))
	}
	return at
}

func (d *blinds) ripen(f *fold) (next int64) {
	next = never
	for i := range d.Resources {
		s, resource := &d.Resources[i].Value, d.Resources[i].Name
		if !s.Listed || s.Open || s.Gone || s.Told || s.Seq == 0 {
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

// BlindSince is when the last watch of a Reflector that has synced ended, if none is
// open; zero when one is, and when blindness is not looked for.
func (s *Set) BlindSince(resource string) (at time.Time) {
	if s == nil {
		return at
	}
	for i := range s.found {
		d, ok := s.found[i].Detector.(*blinds)
		if !ok || s.on&(1<<i) == 0 {
			continue
		}
		if x := d.Resources.find(resource); x != nil && x.Listed && !x.Open && !x.Gone && x.Seq != 0 {
			return time.Unix(0, x.Time)
		}
	}
	return at
}

func (d *blinds) text(f *fold, r *record) string {
	if r.Name == stopped {
		return fmt.Sprintf("the pipeline of %s stopped, and its cache stays as it was: %s", r.Resource, r.Note)
	}
	s := d.Resources.find(r.Resource)
	switch {
	case s == nil:
		return r.Resource + " has no watch"
	case r.Over:
		return fmt.Sprintf("%s had no watch for %s%s", r.Resource, shortNS(r.N), s.reason())
	}
	return fmt.Sprintf("%s synced, and has had no watch for %s: its cache stays %s%s%s", r.Resource, shortNS(f.wire-s.Run), s.place(), d.ahead(s), s.reason())
}

// reason says what failed.
func (s *sight) reason() string {
	switch {
	case s.Why == "":
		return ""
	case s.Failed > 1:
		return fmt.Sprintf("; %d requests have failed, the last one with: %s", s.Failed, s.Why)
	}
	return "; the last request failed with: " + s.Why
}

// place is how far the cache has come.
func (s *sight) place() string {
	if s.RV == "" {
		return "as it was"
	}
	return "at rv " + s.RV
}

// ahead says how far another resource of the same storage has come since.
func (d *blinds) ahead(s *sight) string {
	rv, of := s.RV, ""
	for i := range d.Resources {
		if o := &d.Resources[i].Value; o != s && sameStorage(o.Origin, s.Origin) && journal.OlderRV(rv, o.RV) {
			rv, of = o.RV, d.Resources[i].Name
		}
	}
	if of == "" {
		return ""
	}
	return fmt.Sprintf(", while %s has come to %s", of, rv)
}

func (d *blinds) causes(_ *fold, r *record) []Cause {
	if s := d.Resources.find(r.Resource); s != nil && s.Why != "" {
		return causesOfFailure(s.Why)
	}
	return nil
}

func (d *blinds) cause(_ *fold, r *record) string {
	if s := d.Resources.find(r.Resource); s != nil && r.Name == "" {
		return s.Why
	}
	return ""
}

func (d *blinds) joint(f *fold, rs []*record) string {
	longest, why, failed := int64(0), "", 0
	resources := make([]string, len(rs))
	for i, r := range rs {
		resources[i] = r.Resource
		if s := d.Resources.find(r.Resource); s != nil {
			longest, why, failed = max(longest, f.wire-s.Run), s.Why, failed+s.Failed
		}
	}
	return fmt.Sprintf("%s synced, and have had no watch for %s: their caches stay as they were; %d requests have failed, all with: %s",
		names(resources), shortNS(longest), failed, why)
}

func (d *blinds) clone() detector { return &blinds{Resources: d.Resources.clone(nil)} }
