package document

import (
	"time"

	"informerscope/journal/state"
)

// Fault is an armed fault.
type Fault struct {
	ID    int64  `json:"id"`
	Fault string `json:"fault"`
	Hits  uint64 `json:"hits"`
	Left  int64  `json:"left"` // -1 is without end
}

func faults(s *state.State, now time.Time) (ds []Fault) {
	for _, f := range s.Faults(now) {
		ds = append(ds, Fault{f.ID, f.Text, f.Hits, f.Left})
	}
	return ds
}

// Breakpoint is one that is set.
type Breakpoint struct {
	ID      int64  `json:"id"`
	Expr    string `json:"breakpoint"`
	Enabled bool   `json:"enabled"`
	Hits    uint64 `json:"hits"`
	LastSeq uint64 `json:"lastEvent,omitempty"` // the seq of what it matched last
}

func breakpoints(s *state.State) (ds []Breakpoint) {
	for _, b := range s.Breakpoints() {
		ds = append(ds, Breakpoint{b.ID, b.Expr, b.Enabled, b.Hits, b.LastSeq})
	}
	return ds
}

// Finding is something that looks wrong. Times are seconds ago.
type Finding struct {
	Kind     string  `json:"kind"`
	Resource string  `json:"resource"`
	Key      string  `json:"key,omitempty"`
	Name     string  `json:"name,omitempty"` // the listener, worker or index
	Active   bool    `json:"active"`
	Count    int     `json:"count"` // pieces of evidence
	Text     string  `json:"text"`
	First    uint64  `json:"first"` // seq of the event that is the first evidence
	Seq      uint64  `json:"seq"`   // and of the newest one
	Since    float64 `json:"sinceSeconds"`
	Last     float64 `json:"lastSeconds"`
}

func found(s *state.State, now time.Time) (ds []Finding) {
	for _, f := range s.Findings(now) {
		ds = append(ds, Finding{
			Kind: string(f.Kind), Resource: f.Resource, Key: f.Key, Name: f.Name, Active: f.Active, Count: f.Count, Text: f.Text,
			First: f.First, Seq: f.Seq, Since: seconds(now.Sub(f.Since)), Last: seconds(now.Sub(f.Last)),
		})
	}
	return ds
}
