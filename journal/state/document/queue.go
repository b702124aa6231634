package document

import (
	"time"

	"informerscope/journal/state"
)

// Queue is the workqueue. queue is in order, the sets are sorted,
// waiting is by due time, failures has the most first.
//
// A priority queue has its own words beside the common ones: ready, in order
// and with priorities, holds what queue and dirty name; locked is processing by
// another name.
type Queue struct {
	Kind       string       `json:"kind"`
	Limiter    *Limiter     `json:"limiter,omitempty"`
	Queue      []string     `json:"queue"`
	Dirty      []string     `json:"dirty"`
	Processing []Processing `json:"processing"`
	Waiting    []Waiting    `json:"waiting"`
	Failures   []Failure    `json:"failures"`
	Ready      []Ready      `json:"ready,omitzero"`
	Locked     []string     `json:"locked,omitzero"`
	Totals     QueueTotals  `json:"totals"`
}

// QueueTotals counts since the start.
type QueueTotals struct {
	Adds      uint64 `json:"adds"`
	Coalesced uint64 `json:"coalesced"`
	Retries   uint64 `json:"retries"`
	Gets      uint64 `json:"gets"`
	Dones     uint64 `json:"dones"`
	Forgets   uint64 `json:"forgets"`
}

// Processing is a key in a worker's hands.
type Processing struct {
	Key     string  `json:"key"`
	Worker  string  `json:"worker"`
	Seconds float64 `json:"seconds"`
}

// Waiting is a key in the delaying queue.
type Waiting struct {
	Key          string  `json:"key"`
	DueInSeconds float64 `json:"dueInSeconds"`
	Requeues     int64   `json:"requeues"`
	Priority     int     `json:"priority,omitempty"`
}

// Limiter is the rate limiter. tokens is what the token bucket held
// after the last AddRateLimited, negative when it is overdrawn; only a limiter
// with a bucket has it.
type Limiter struct {
	Name       string   `json:"name"`
	Parameters string   `json:"parameters,omitempty"`
	Tokens     *float64 `json:"tokens,omitempty"`
}

// Failure is what the rate limiter counts for a key.
type Failure struct {
	Key      string `json:"key"`
	Requeues int64  `json:"requeues"`
}

// Ready is a key of the priority queue that Get may return.
type Ready struct {
	Key      string `json:"key"`
	Priority int    `json:"priority"`
}

func queue(q *state.Queue, now time.Time) Queue {
	d := Queue{
		Kind: q.Kind, Queue: []string{}, Dirty: []string{},
		Processing: []Processing{}, Waiting: []Waiting{}, Failures: []Failure{},
		Totals: QueueTotals{q.Adds, q.Coalesced, q.Retries, q.Gets, q.Dones, q.Forgets},
	}
	if q.Limiter != "" {
		d.Limiter = &Limiter{Name: q.Limiter, Parameters: q.Parameters}
		if q.HasBucket {
			tokens := float64(q.TokensMilli) / 1000
			d.Limiter.Tokens = &tokens
		}
	}
	for i := range q.Len() {
		d.Queue = append(d.Queue, q.At(i))
	}
	for i := range q.DirtyLen() {
		d.Dirty = append(d.Dirty, q.DirtyAt(i))
	}
	if q.Kind == state.QueuePriority {
		d.Ready, d.Locked = []Ready{}, []string{}
	}
	for i := range q.ReadyLen() {
		key, priority := q.ReadyAt(i)
		d.Ready = append(d.Ready, Ready{key, priority})
	}
	for i := range q.ProcessingLen() {
		p := q.ProcessingAt(i)
		d.Processing = append(d.Processing, Processing{p.Key, p.Worker, seconds(now.Sub(p.Since))})
		if q.Kind == state.QueuePriority {
			d.Locked = append(d.Locked, p.Key)
		}
	}
	for i := range q.WaitingLen() {
		w := q.WaitingAt(i)
		d.Waiting = append(d.Waiting, Waiting{w.Key, seconds(w.Due.Sub(now)), w.Requeues, w.Priority})
	}
	for i := range q.FailuresLen() {
		key, n := q.FailureAt(i)
		d.Failures = append(d.Failures, Failure{key, n})
	}
	return d
}
