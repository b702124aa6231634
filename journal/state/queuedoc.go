package state

import "time"

// QueueDocument is the workqueue. queue is in order, the sets are sorted,
// waiting is by due time, failures has the most first.
//
// A priority queue has its own words beside the common ones: ready, in order
// and with priorities, holds what queue and dirty name; locked is processing by
// another name.
type QueueDocument struct {
	Kind       string               `json:"kind"`
	Limiter    *LimiterDocument     `json:"limiter,omitempty"`
	Queue      []string             `json:"queue"`
	Dirty      []string             `json:"dirty"`
	Processing []ProcessingDocument `json:"processing"`
	Waiting    []WaitingDocument    `json:"waiting"`
	Failures   []FailureDocument    `json:"failures"`
	Ready      []ReadyDocument      `json:"ready,omitzero"`
	Locked     []string             `json:"locked,omitzero"`
	Totals     QueueTotalsDocument  `json:"totals"`
}

// QueueTotalsDocument counts since the start.
type QueueTotalsDocument struct {
	Adds      uint64 `json:"adds"`
	Coalesced uint64 `json:"coalesced"`
	Retries   uint64 `json:"retries"`
	Gets      uint64 `json:"gets"`
	Dones     uint64 `json:"dones"`
	Forgets   uint64 `json:"forgets"`
}

// ProcessingDocument is a key in a worker's hands.
type ProcessingDocument struct {
	Key     string  `json:"key"`
	Worker  string  `json:"worker"`
	Seconds float64 `json:"seconds"`
}

// WaitingDocument is a key in the delaying queue.
type WaitingDocument struct {
	Key          string  `json:"key"`
	DueInSeconds float64 `json:"dueInSeconds"`
	Requeues     int64   `json:"requeues"`
	Priority     int     `json:"priority,omitempty"`
}

// LimiterDocument is the rate limiter. tokens is what the token bucket held
// after the last AddRateLimited, negative when it is overdrawn; only a limiter
// with a bucket has it.
type LimiterDocument struct {
	Name       string   `json:"name"`
	Parameters string   `json:"parameters,omitempty"`
	Tokens     *float64 `json:"tokens,omitempty"`
}

// FailureDocument is what the rate limiter counts for a key.
type FailureDocument struct {
	Key      string `json:"key"`
	Requeues int64  `json:"requeues"`
}

// ReadyDocument is a key of the priority queue that Get may return.
type ReadyDocument struct {
	Key      string `json:"key"`
	Priority int    `json:"priority"`
}

func (q *Queue) document(now time.Time) QueueDocument {
	d := QueueDocument{
		Kind: q.Kind, Queue: []string{}, Dirty: []string{},
		Processing: []ProcessingDocument{}, Waiting: []WaitingDocument{}, Failures: []FailureDocument{},
		Totals: QueueTotalsDocument{q.Adds, q.Coalesced, q.Retries, q.Gets, q.Dones, q.Forgets},
	}
	if q.Limiter != "" {
		d.Limiter = &LimiterDocument{Name: q.Limiter, Parameters: q.Parameters}
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
	if q.Kind == QueuePriority {
		d.Ready, d.Locked = []ReadyDocument{}, []string{}
	}
	for i := range q.ReadyLen() {
		key, priority := q.ReadyAt(i)
		d.Ready = append(d.Ready, ReadyDocument{key, priority})
	}
	for i := range q.ProcessingLen() {
		p := q.ProcessingAt(i)
		d.Processing = append(d.Processing, ProcessingDocument{p.Key, p.Worker, seconds(now.Sub(p.Since))})
		if q.Kind == QueuePriority {
			d.Locked = append(d.Locked, p.Key)
		}
	}
	for i := range q.WaitingLen() {
		w := q.WaitingAt(i)
		d.Waiting = append(d.Waiting, WaitingDocument{w.Key, seconds(w.Due.Sub(now)), w.Requeues, w.Priority})
	}
	for i := range q.FailuresLen() {
		key, n := q.FailureAt(i)
		d.Failures = append(d.Failures, FailureDocument{key, n})
	}
	return d
}
