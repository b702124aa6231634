package findings

import (
	"fmt"

	"informerscope/journal"
)

// costlyLists measures lists, and the initial events of a WatchList: bytes as they
// are decoded, and time from the request to the last object.
type costlyLists struct {
	timeless
	happens
	Resources byName[listing] `json:"resources"`
}

// listing is one list under way.
type listing struct {
	Began  int64 `json:"began,omitempty"` // on the wire's time
	Read   int64 `json:"read,omitempty"`  // bytes that the client had read in all when it began
	Total  int64 `json:"total,omitempty"` // and has by now
	Quorum bool  `json:"quorum,omitempty"`
	Items  int64 `json:"items,omitempty"`
	Stream bool  `json:"stream,omitempty"` // it is a WatchList
}

func newCostlyLists() detector { return &costlyLists{} }

func (*costlyLists) wants() []journal.Kind {
	return []journal.Kind{journal.KindListStarted, journal.KindListDone, journal.KindWatchStarted, journal.KindWatchEvent, journal.KindWatchBookmark}
}

func (d *costlyLists) apply(f *fold, e *journal.Event) {
	l := d.Resources.of(e.Resource)
	switch e.Kind {
	case journal.KindListStarted:
		*l = listing{Began: f.wire, Read: l.Total, Total: l.Total, Quorum: e.RV == ""}
	case journal.KindWatchStarted:
		if e.WatchStarted().Verb == journal.VerbWatchList {
			*l = listing{Began: f.wire, Read: l.Total, Total: l.Total, Stream: true}
		}
	case journal.KindWatchEvent:
		if x := e.WatchEvent(); x.ReceivedBytes > 0 {
			l.Total = x.ReceivedBytes
		}
		if e.Has(journal.Initial) {
			l.Items++
		}
		return
	case journal.KindListDone:
		x := e.ListDone()
		l.Total, l.Items = max(l.Total, x.ReceivedBytes), x.Items
	}
	if isWholeList(e) {
		d.whole(f, e, l)
	}
}

func (d *costlyLists) whole(f *fold, e *journal.Event, l *listing) {
	bytes, took := l.Total-l.Read, f.wire-l.Began
	if l.Began == 0 && f.wire != 0 { // its start was not seen
		return
	}
	if bytes < int64(f.thresholds.CostlyLists)<<20 && took < int64(f.thresholds.CostlyListTime) {
		return
	}
	how, why := "list", ""
	switch {
	case l.Stream:
		how = "WatchList"
	case l.Quorum:
		why = `; at resourceVersion "" it is read from etcd with a quorum`
	}
	f.report(e, record{Resource: e.Resource, N: bytes, M: took, Note: fmt.Sprintf("a %s of %s (%s) took %s and brought %d MiB%s",
		how, e.Resource, plural(l.Items, "object"), shortNS(took), bytes>>20, why)})
}

func (*costlyLists) text(_ *fold, r *record) string { return r.Note }

func (d *costlyLists) clone() detector { return &costlyLists{Resources: d.Resources.clone(nil)} }
