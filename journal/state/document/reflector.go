package document

import (
	"math"
	"time"

	"informerscope/journal/state"
)

// Reflector is the Reflector; times are in seconds.
type Reflector struct {
	State           string   `json:"state"`
	ResourceVersion string   `json:"resourceVersion"`
	WatchSeconds    float64  `json:"watchSeconds,omitempty"`
	BlindFor        float64  `json:"blindForSeconds,omitempty"` // it has synced, and no watch has been open for so long
	Events          Events   `json:"events"`
	Requests        Requests `json:"requests"`
	Received        Received `json:"received"`
	LastBookmark    string   `json:"lastBookmark,omitempty"`
	LastList        *List    `json:"lastList,omitempty"`
	Relists         uint64   `json:"relists"`
	RelistReasons   []string `json:"relistReasons,omitempty"`
	Resyncs         uint64   `json:"resyncs"`
	LastError       string   `json:"lastError,omitempty"`
	RVBackwards     uint64   `json:"resourceVersionBackwards,omitempty"`
}

// Received is what the client cost: bytes of response bodies (gzip
// undone) and the objects in them.
type Received struct {
	Client         string  `json:"client,omitempty"`
	ContentType    string  `json:"contentType,omitempty"`
	Bytes          int64   `json:"bytes"`
	Objects        uint64  `json:"objects"`
	BytesPerObject float64 `json:"bytesPerObject"`
}

// Events counts watch events by type.
type Events struct {
	Added    uint64 `json:"ADDED"`
	Modified uint64 `json:"MODIFIED"`
	Deleted  uint64 `json:"DELETED"`
	Bookmark uint64 `json:"BOOKMARK"`
	Error    uint64 `json:"ERROR"`
}

// Requests counts requests on the wire by verb.
type Requests struct {
	List      uint64 `json:"LIST"`
	WatchList uint64 `json:"WATCHLIST"`
	Watch     uint64 `json:"WATCH"`
}

// List is the last complete list.
type List struct {
	Verb            string  `json:"verb"`
	Items           int64   `json:"items"`
	Seconds         float64 `json:"seconds"`
	ResourceVersion string  `json:"resourceVersion"`
}

func reflector(r *state.Reflector, blind, now time.Time) Reflector {
	d := Reflector{
		State: string(r.Phase), ResourceVersion: r.RV,
		Events:       Events{r.Added, r.Modified, r.Deleted, r.Bookmarks, r.Errors},
		Requests:     Requests{r.Lists, r.WatchLists, r.Watches},
		Received:     Received{r.Client, r.ContentType, r.Bytes, r.Objects, math.Round(r.BytesPerObject())},
		LastBookmark: r.LastBookmarkRV,
		Relists:      r.Relists, Resyncs: r.Resyncs, LastError: r.LastError, RVBackwards: r.RVBackwards,
	}
	if !r.WatchSince.IsZero() {
		d.WatchSeconds = seconds(now.Sub(r.WatchSince))
	}
	if !blind.IsZero() {
		d.BlindFor = seconds(now.Sub(blind))
	}
	if r.ListVerb != "" {
		d.LastList = &List{r.ListVerb, r.ListItems, seconds(r.ListTook), r.ListRV}
	}
	for _, l := range r.RecentRelists() {
		d.RelistReasons = append(d.RelistReasons, l.Reason)
	}
	return d
}
