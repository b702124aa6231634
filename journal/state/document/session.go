package document

import (
	"time"

	"informerscope/journal/findings"
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

// Finding is something that looks wrong, with all that is known of it. Times are
// seconds ago.
type Finding struct {
	Kind     string   `json:"kind"`
	Severity string   `json:"severity"`
	Resource string   `json:"resource"`
	About    []string `json:"resources,omitempty"` // when these are several
	Key      string   `json:"key,omitempty"`
	Name     string   `json:"name,omitempty"` // the listener, worker or index
	Active   bool     `json:"active"`
	Count    int      `json:"count"` // pieces of evidence
	Text     string   `json:"text"`
	First    uint64   `json:"first"` // seq of the event that is the first evidence
	Seq      uint64   `json:"seq"`   // and of the newest one
	Since    float64  `json:"sinceSeconds"`
	Last     float64  `json:"lastSeconds"`

	Why    string           `json:"why"`    // it matters
	Causes []findings.Cause `json:"causes"` // the likeliest first
	Remedy string           `json:"remedy"`
	Go     string           `json:"go,omitempty"` // lines that do it
	Unless string           `json:"unless"`       // when the remedy would be wrong
	Until  string           `json:"until"`        // what would make it untrue
	Lesson string           `json:"lesson,omitempty"`
}

// Findings are all that is known by now, [] when nothing is.
func Findings(s *state.State, now time.Time) []Finding {
	ds := []Finding{}
	for _, f := range s.Findings(now) {
		info, _ := findings.InfoOf(f.Kind)
		d := Finding{
			Kind: string(f.Kind), Severity: string(info.Severity), Resource: f.Resource, About: f.Resources, Key: f.Key, Name: f.Name, Active: f.Active, Count: f.Count, Text: f.Text,
			First: f.First, Seq: f.Seq, Since: seconds(now.Sub(f.Since)), Last: seconds(now.Sub(f.Last)),
			Why: info.Explain, Causes: f.Causes, Remedy: info.Remedy, Go: info.Go, Unless: info.Unless, Until: info.Until, Lesson: info.Lesson,
		}
		if d.Causes == nil {
			d.Causes = []findings.Cause{}
		}
		ds = append(ds, d)
	}
	return ds
}
