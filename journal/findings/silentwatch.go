package findings

import (
	"fmt"
	"strconv"

	"informerscope/journal"
)

// silentWatches looks for watches that are open and bring nothing of what the
// server has. There are three signs:
//   - Neither an event nor a bookmark has come for the time of the threshold;
//     for twice that time when the server has never sent a bookmark, as some do
//     not, and their quiet watches are like this.
//   - Bookmarks may come, but the resourceVersion stays, while that of another
//     resource has been ahead for five times as long: the bookmarks of a quiet
//     resource may move only each 10 minutes, as etcd's progress notifications do.
//     Only of resources that had about the same one when they were listed: other
//     storage counts for itself.
//   - A check of the cache waited for what the server has and the watch had not
//     brought, and it has not come soon after that either.
type silentWatches struct {
	lasts
	Resources byName[watched] `json:"resources"`
}

// watched is the watch of one resource. Times named Run are of the running time.
type watched struct {
	Open    bool   `json:"open,omitempty"`
	Initial bool   `json:"initial,omitempty"` // a WatchList streams its initial events
	Marks   bool   `json:"marks,omitempty"`   // the server sends bookmarks
	Seq     uint64 `json:"seq,omitempty"`     // of the newest event or bookmark, or of the start of the watch
	Time    int64  `json:"time,omitempty"`
	Run     int64  `json:"run,omitempty"`
	RV      string `json:"rv,omitempty"`
	Listed  uint64 `json:"listed,omitempty"` // the RV of the last list; 0 when it was no number

	Ahead    string `json:"ahead,omitempty"`    // an RV that another resource has reached and this one has not
	AheadOf  string `json:"aheadOf,omitempty"`  // which resource that is
	AheadRun int64  `json:"aheadRun,omitempty"` // since when
	Doubt    string `json:"doubt,omitempty"`    // an RV that a check has waited for in vain
	DoubtRun int64  `json:"doubtRun,omitempty"` // since when
	Told     bool   `json:"told,omitempty"`     // reported, and not over
}

// doubtTime is how long a watch may lag, in ns, after a check waited for it.
const doubtTime = int64(10e9)

func newSilentWatches() detector { return &silentWatches{} }

func (*silentWatches) wants() []journal.Kind {
	return []journal.Kind{
		journal.KindWatchStarted, journal.KindWatchEvent, journal.KindWatchBookmark, journal.KindWatchEnded, journal.KindListDone,
		journal.KindReflectorStopped, journal.KindCacheChecked,
	}
}

func (d *silentWatches) apply(f *fold, e *journal.Event) {
	if e.Kind == journal.KindCacheChecked {
		d.checked(f, e)
		return
	}
	w := d.Resources.of(e.Resource)
	switch e.Kind {
	case journal.KindWatchStarted:
		w.Open, w.Initial = true, e.WatchStarted().Verb == journal.VerbWatchList
		w.Ahead, w.Doubt = "", "" // it begins at its RV, and is given its time
		w.heard(f, e)
		f.soonerWire(d.threshold(f, w))
	case journal.KindWatchEnded, journal.KindReflectorStopped:
		w.Open = false
		d.over(f, e.Resource, w)
	case journal.KindListDone:
		if !e.Has(journal.Partial) {
			w.Listed = numberOf(e.RV)
			d.move(f, e, w)
		}
	case journal.KindWatchEvent:
		w.heard(f, e)
		if !e.Has(journal.Initial) {
			d.move(f, e, w)
		}
		d.settle(f, e.Resource, w)
	case journal.KindWatchBookmark:
		w.heard(f, e)
		if !w.Marks {
			w.Marks = true
			f.soonerWire(d.threshold(f, w)) // which is shorter now
		}
		if e.Has(journal.Initial) {
			w.Initial, w.Listed = false, numberOf(e.RV)
		}
		if !w.Initial {
			d.move(f, e, w)
		}
		d.settle(f, e.Resource, w)
	}
}

// heard notes that the watch has brought something.
func (w *watched) heard(f *fold, e *journal.Event) { w.Seq, w.Time, w.Run = e.Seq, f.now, f.wire }

// move takes a new resourceVersion, and shows it to the other watches.
func (d *silentWatches) move(f *fold, e *journal.Event, w *watched) {
	w.RV = e.RV
	if w.Ahead != "" && !journal.OlderRV(w.RV, w.Ahead) {
		w.Ahead = ""
	}
	if w.Doubt != "" && !journal.OlderRV(w.RV, w.Doubt) {
		w.Doubt = ""
	}
	for i := range d.Resources {
		if o := &d.Resources[i].Value; o != w && o.Open && o.Ahead == "" && journal.OlderRV(o.RV, e.RV) && sameStorage(o.Listed, w.Listed) {
			o.Ahead, o.AheadOf, o.AheadRun = e.RV, e.Resource, f.wire
			f.soonerWire(d.ahead(f))
		}
	}
}

// sameStorage reports whether two lists were about as far: then their resources
// count together. A cluster writes a thousand versions between two lists easily.
func sameStorage(a, b uint64) bool {
	if a == 0 || b == 0 {
		return false
	}
	low, high := min(a, b), max(a, b)
	return high-low <= max(1000, high/100)
}

func numberOf(rv string) uint64 {
	n, err := strconv.ParseUint(rv, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// checked takes the result of a check: the version that it waited for, or that
// nothing is open.
func (d *silentWatches) checked(f *fold, e *journal.Event) {
	w := d.Resources.find(journal.BaseOf(e.Resource))
	switch x := e.CacheChecked(); {
	case w == nil || !w.Open || x.Error != "":
	case x.Awaited == "":
		w.Doubt = ""
		d.settle(f, journal.BaseOf(e.Resource), w)
	case w.Doubt == "" && journal.OlderRV(w.RV, x.Awaited):
		w.Doubt, w.DoubtRun = x.Awaited, f.wire
		f.soonerWire(d.doubt(f))
	}
}

func (*silentWatches) doubt(f *fold) int64 { return min(doubtTime, int64(f.thresholds.SilentWatch)) }

// ahead is how long w may stay where it is while others move.
func (*silentWatches) ahead(f *fold) int64 { return 5 * int64(f.thresholds.SilentWatch) }

// threshold is how long w may be silent.
func (*silentWatches) threshold(f *fold, w *watched) int64 {
	if w.Marks {
		return int64(f.thresholds.SilentWatch)
	}
	return 2 * int64(f.thresholds.SilentWatch)
}

// silent says from when on w is.
func (d *silentWatches) silent(f *fold, w *watched) (at int64) {
	at = w.Run + d.threshold(f, w)
	if w.Ahead != "" {
		at = min(at, w.AheadRun+d.ahead(f))
	}
	if w.Doubt != "" {
		at = min(at, w.DoubtRun+d.doubt(f))
	}
	return at
}

// settle ends what was reported once nothing speaks for it any more.
func (d *silentWatches) settle(f *fold, resource string, w *watched) {
	if w.Told && d.silent(f, w) > f.wire {
		d.over(f, resource, w)
	}
}

func (d *silentWatches) over(f *fold, resource string, w *watched) {
	if w.Told {
		w.Told = false
		f.end(resource, "", "", 0)
	}
}

func (d *silentWatches) ripen(f *fold) (next int64) {
	next = never
	for i := range d.Resources {
		w, resource := &d.Resources[i].Value, d.Resources[i].Name
		if !w.Open || w.Told {
			continue
		}
		if f.waits(d.silent(f, w), &next) {
			continue
		}
		note, silent := d.sign(f, w)
		f.report(nil, record{Resource: resource, Seq: w.Seq, Last: w.Time, Note: note, M: silent})
		w.Told = true
	}
	return next
}

// sign says which of the three it was; silent is 1 when nothing has come.
func (d *silentWatches) sign(f *fold, w *watched) (note string, silent int64) {
	switch {
	case w.Doubt != "" && w.DoubtRun+d.doubt(f) <= f.wire:
		return "a check found something of rv " + w.Doubt + " on the server, which the watch, at rv " + w.RV + ", has not brought", 0
	case w.Run+d.threshold(f, w) > f.wire:
		return "its resourceVersion stays at " + w.RV + " while " + w.AheadOf + " went on to " + w.Ahead, 0
	case w.Marks:
		return "neither an event nor a bookmark has come", 1
	}
	return "nothing has come (this server has never sent a bookmark)", 1
}

func (d *silentWatches) text(f *fold, r *record) string {
	switch {
	case r.Over:
		return fmt.Sprintf("the watch of %s was open, but for a time %s", r.Resource, r.Note)
	case r.M == 1:
		return fmt.Sprintf("the watch of %s is open, but %s for %s", r.Resource, r.Note, shortNS(f.now-r.Last))
	}
	return fmt.Sprintf("the watch of %s is open, but %s", r.Resource, r.Note)
}

func (d *silentWatches) clone() detector { return &silentWatches{Resources: d.Resources.clone(nil)} }
