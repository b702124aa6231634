// Package document is the snapshot that -o json and -o yaml print, that files
// keep and that the expectations of scenarios speak of: the public shape of a
// state. It imports journal, journal/state and journal/findings, whose texts it has.
package document

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"sigs.k8s.io/yaml"

	"informerscope/internal/printable"
	"informerscope/journal"
	"informerscope/journal/state"
)

// Document is the snapshot as JSON and YAML print it. Its names and shapes are
// public: scripts and scenario files use them.
type Document struct {
	Resources   []Pipeline `json:"resources"`
	Journal     Journal    `json:"journal"`
	Divergences int        `json:"divergences"`
	Faults      []Fault    `json:"faults,omitempty"` // that are armed
	Findings    []Finding  `json:"findings"`         // none is []
	// Breakpoints are those that are set.
	Breakpoints []Breakpoint `json:"breakpoints,omitempty"`
	Paused      bool         `json:"paused,omitempty"` // all gates are closed
}

// Journal counts events since the start and those no longer in memory.
type Journal struct {
	Events  uint64 `json:"events"`
	Dropped uint64 `json:"dropped"`
}

// Pipeline is one pipeline.
type Pipeline struct {
	Resource  string     `json:"resource"`
	Synced    bool       `json:"synced"`
	Reflector Reflector  `json:"reflector"`
	DeltaFIFO FIFO       `json:"deltaFIFO"`
	Indexer   Indexer    `json:"indexer"`
	Listeners []Listener `json:"listeners"`
	Workqueue Queue      `json:"workqueue"`
	Workers   []Worker   `json:"workers"`
	Stores    []Store    `json:"stores,omitempty"` // only with --stores
}

// Worker is one worker.
type Worker struct {
	Name   string `json:"name"`
	Key    string `json:"key,omitempty"`
	Done   uint64 `json:"done"`
	Failed uint64 `json:"failed"`
	Panics uint64 `json:"panics"`

	Blocked bool `json:"blocked,omitempty"`
}

// Of is the document of s; ages are measured at now.
func Of(s *state.State, now time.Time) Document {
	d := Document{
		Resources:   []Pipeline{},
		Journal:     Journal{Events: s.Journal.Last(), Dropped: s.Journal.Dropped()},
		Divergences: s.Divergences,
		Faults:      faults(s, now),
		Findings:    Findings(s, now),
		Breakpoints: breakpoints(s),
		Paused:      s.Paused,
	}
	for _, r := range s.Resources {
		d.Resources = append(d.Resources, Pipeline{
			Resource:  r.Name,
			Synced:    r.Synced,
			Reflector: reflector(&r.Reflector, s.BlindSince(journal.BaseOf(r.Name)), now),
			DeltaFIFO: fifo(&r.FIFO),
			Indexer:   indexer(&r.Indexer),
			Listeners: listeners(r.Listeners),
			Workqueue: queue(&r.Queue, now),
			Workers:   workers(r.Workers),
			Stores:    stores(&r.Stores, now),
		})
	}
	return d
}

// seconds rounds to milliseconds: more would be noise.
func seconds(d time.Duration) float64 { return math.Round(d.Seconds()*1000) / 1000 }

func workers(all []state.Worker) []Worker {
	ds := []Worker{}
	for _, w := range all {
		ds = append(ds, Worker{w.Name, w.Key, w.Done, w.Failed, w.Panics, w.Blocked})
	}
	return ds
}

// Print renders the document as files and -o have it: indented JSON with a
// newline at its end, or YAML.
func (d Document) Print(asYAML bool) ([]byte, error) {
	var b []byte
	var err error
	if asYAML {
		b, err = yaml.Marshal(d)
		b = []byte(printable.Text(string(b)))
	} else {
		b, err = json.MarshalIndent(d, "", "  ")
		b = append(printable.AppendJSON(nil, b), '\n')
	}
	if err != nil {
		return nil, fmt.Errorf("print the snapshot: %w", err)
	}
	return b, nil
}
