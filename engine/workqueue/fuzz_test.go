package workqueue

import (
	"testing"
	"time"

	cgo "k8s.io/client-go/util/workqueue"

	"informerscope/internal/testing/soak"
)

// delays are what a byte of the input can mean.
var delays = []time.Duration{-time.Second, 0, 1, time.Millisecond, 5 * time.Millisecond, 40 * time.Millisecond, time.Second, 11 * time.Second}

// decode reads two bytes an operation: verb and key, then delay and priority.
func decode(data []byte, verbs []string) (ops []op) {
	for ; len(data) >= 2 && len(ops) < 100; data = data[2:] {
		o := op{
			What:  verbs[int(data[0]>>2)%len(verbs)],
			Key:   keys[int(data[0]&3)%len(keys)],
			Delay: delays[data[1]&7],
		}
		if i := int(data[1] >> 3); i < len(priorities) {
			o.Priority = &priorities[i]
		}
		ops = append(ops, o)
	}
	return ops
}

// seed writes a sequence as decode reads it.
func seed(steps ...[2]byte) (b []byte) {
	for _, s := range steps {
		b = append(b, s[0], s[1])
	}
	return b
}

var (
	fifoVerbs     = []string{"Add", "Get", "DoneHeld", "AddAfter", "AddRateLimited", "Advance", "Forget", "Done", "ShutDown", "ShutDownWithDrain"}
	priorityVerbs = []string{"Add", "Get", "DoneHeld", "AddAfter", "AddRateLimited", "Advance", "Forget", "Done", "ShutDown", "AddBoth"}
)

// Glass and bare queue agree on any sequence, and so do fold and glass.
func FuzzWorkqueue(f *testing.F) {
	const add, get, done, after, limited, advance, down = 0, 4, 8, 12, 16, 20, 32
	f.Add(seed([2]byte{add, 0}, [2]byte{get, 0}, [2]byte{add, 0}, [2]byte{done, 0}, [2]byte{get, 0}))
	f.Add(seed([2]byte{after, 4}, [2]byte{after + 1, 3}, [2]byte{advance, 4}, [2]byte{get, 0}, [2]byte{down, 0}))
	f.Add(seed([2]byte{limited, 0}, [2]byte{limited, 0}, [2]byte{advance, 7}, [2]byte{get, 0}, [2]byte{down + 4, 0}, [2]byte{done, 0}))
	count := soak.Start(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		ops := decode(data, fifoVerbs)
		open := func() *twins { return newTwins(cgo.DefaultTypedControllerRateLimiter[string]) }
		if failed := run(t, ops, count, open); failed != "" {
			t.Fatal(failed)
		}
	})
}

// The same of the priority queue.
func FuzzPriorityQueue(f *testing.F) {
	const add, get, done, after, limited, advance, down, both = 0, 4, 8, 12, 16, 20, 32, 36
	f.Add(seed([2]byte{add, 0}, [2]byte{add + 1, 16}, [2]byte{add, 24}, [2]byte{get, 0}, [2]byte{add, 0}, [2]byte{get, 0}, [2]byte{done, 0}))
	f.Add(seed([2]byte{after, 4}, [2]byte{after + 1, 20}, [2]byte{add, 8}, [2]byte{advance, 4}, [2]byte{get, 0}, [2]byte{get, 0}))
	f.Add(seed([2]byte{both, 3}, [2]byte{limited + 2, 0}, [2]byte{advance, 7}, [2]byte{get, 0}, [2]byte{down, 0}, [2]byte{add, 0}))
	count := soak.Start(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		ops := decode(data, priorityVerbs)
		open := func() *twins { return newPriorityTwins(parsed(t, "exponential")) }
		if failed := run(t, ops, count, open); failed != "" {
			t.Fatal(failed)
		}
	})
}
