package state

import "time"

// What tests outside the package need of its inside.
const (
	SeenKept   = seenKept
	RecentPops = recentPops
)

// Count counts one event at the time at.
func (f *Flow) Count(at time.Time) { f.add(at) }
