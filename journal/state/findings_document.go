package state

import "time"

// FindingDocument is something that looks wrong. Times are seconds ago.
type FindingDocument struct {
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

func (s *State) findingDocuments(now time.Time) (ds []FindingDocument) {
	for _, f := range s.Findings(now) {
		ds = append(ds, FindingDocument{
			Kind: string(f.Kind), Resource: f.Resource, Key: f.Key, Name: f.Name, Active: f.Active, Count: f.Count, Text: f.Text,
			First: f.First, Seq: f.Seq, Since: seconds(now.Sub(f.Since)), Last: seconds(now.Sub(f.Last)),
		})
	}
	return ds
}
