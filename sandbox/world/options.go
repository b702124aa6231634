package world

import "k8s.io/utils/clock"

// Options say what lives in a world.
type Options struct {
	// Objects is how many objects the workload has at the start, over all kinds and namespaces; it stays near that
	// number. 0 means none but the namespaces that every cluster has.
	Objects int
	// MaxObjects is how many objects there may be before the controllers and the churn make no more.
	MaxObjects int
	// Churn is how many writes a second the workload makes on average; 0, or no Objects, leaves everything alone.
	Churn float64
	// Seed decides the objects' names and the sequence of the workload's writes.
	Seed int64
	// Clock is the time of timestamps, and paces the workload.
	Clock clock.Clock
}
