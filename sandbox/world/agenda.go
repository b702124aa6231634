package world

import (
	"container/heap"
	"time"
)

// action is something to do when its time comes.
type action struct {
	due time.Duration
	seq uint64
	do  func()
}

// agenda is a heap of actions, those due first on top, and among equals in the order they were planned.
type agenda []action

var _ heap.Interface = (*agenda)(nil)

func (a agenda) Len() int { return len(a) }

func (a agenda) Less(i, j int) bool {
	return a[i].due < a[j].due || (a[i].due == a[j].due && a[i].seq < a[j].seq)
}

func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }

func (a *agenda) Push(x any) { *a = append(*a, x.(action)) }

func (a *agenda) Pop() any {
	old := *a
	last := old[len(old)-1]
	old[len(old)-1] = action{}
	*a = old[:len(old)-1]
	return last
}
