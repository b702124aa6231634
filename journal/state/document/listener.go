package document

import "informerscope/journal/state"

// Listener is one handler; periods are in seconds, 0 is no resyncs.
type Listener struct {
	Name      string  `json:"name"`
	Synced    bool    `json:"synced"` // of this handler; the informer's is the resource's
	Resync    float64 `json:"resyncSeconds"`
	Effective float64 `json:"effectiveResyncSeconds"`
	Syncing   bool    `json:"syncing"`
	Blocked   bool    `json:"blocked,omitempty"`
	Removed   bool    `json:"removed,omitempty"`
	Backlog   int     `json:"backlog"` // held and ring
	Held      int     `json:"held"`
	Ring      int     `json:"ring"`
	InHandler bool    `json:"inHandler"`
	OnAdd     uint64  `json:"onAdd"`
	OnUpdate  uint64  `json:"onUpdate"`
	OnDelete  uint64  `json:"onDelete"`
	Panics    uint64  `json:"panics"`
}

func listeners(all []state.Listener) []Listener {
	ds := []Listener{}
	for i := range all {
		l := &all[i]
		ds = append(ds, Listener{
			Name: l.Name, Synced: l.Synced,
			Resync: seconds(l.ResyncPeriod), Effective: seconds(l.Effective), Syncing: l.Syncing, Blocked: l.Blocked, Removed: l.Removed,
			Backlog: l.Backlog, Held: l.Backlog - l.Ring(), Ring: l.Ring(), InHandler: l.InHandler,
			OnAdd: l.Adds, OnUpdate: l.Updates, OnDelete: l.Deletes, Panics: l.Panics,
		})
	}
	return ds
}
