package findings

import "time"

// Finding is one thing that looks wrong. It is a plain value.
type Finding struct {
	Kind     Kind
	Resource string // as in events: "pods", and for a lane "pods@atomic"; "" when it is about several
	// Resources are all that it is about, when these are several.
	Resources []string
	Key       string // "" where it is not about one
	Name      string // the listener, worker or index; "" where there is none
	First     uint64 // Seq of the event that is the first evidence
	Seq       uint64 // and of the newest one
	Since     time.Time
	Last      time.Time // times of these two events
	Count     int       // pieces of evidence so far
	Text      string    // one sentence with the figures
	Active    bool      // it goes on; of what only happens (tombstones): it did within the last minute
	Causes    []Cause   // the likely ones, the likeliest first
}

// recent is for how long something that only happens is active.
const recent = int64(time.Minute)

// record is what is kept of a finding; its text is made when somebody asks.
// Times are in nanoseconds since 1970.
type record struct {
	Resource string `json:"resource"`
	Key      string `json:"key,omitempty"`
	Name     string `json:"name,omitempty"`
	First    uint64 `json:"first"`
	Seq      uint64 `json:"seq"`
	Since    int64  `json:"since"`
	Last     int64  `json:"last"`
	Count    int    `json:"count"`
	N        int64  `json:"n,omitempty"`    // figures of the newest evidence,
	M        int64  `json:"m,omitempty"`    // whose meaning is the detector's
	Note     string `json:"note,omitempty"` // and words
	Over     bool   `json:"over,omitempty"` // it has ended
}

// id finds a record.
func id(resource, key, name string) string { return resource + "\x00" + key + "\x00" + name }

func (r *record) finding(k Kind, text string, active bool) Finding {
	return Finding{
		Kind: k, Resource: r.Resource, Key: r.Key, Name: r.Name, First: r.First, Seq: r.Seq,
		Since: time.Unix(0, r.Since), Last: time.Unix(0, r.Last), Count: r.Count, Text: text, Active: active,
	}
}
