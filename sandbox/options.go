package sandbox

import (
	"fmt"
	"time"

	"k8s.io/utils/clock"
)

// Options say how to start a Server. The zero value is an empty server.
type Options struct {
	// Objects is how many objects the workload has at the start, over all kinds and namespaces; it stays near that
	// number. 0 means none but the namespaces that every cluster has.
	Objects int
	// MaxObjects is how many objects there may be, clients' own included, before controllers make no more and say so in the
	// status of what asks for them; 0 means twice Objects, but at least 10000.
	MaxObjects int
	// Churn is how many writes a second the workload makes on average; 0, or no Objects, leaves everything alone. The
	// controllers' reactions to what users change do not depend on it.
	Churn float64
	// Seed decides the objects' names and the sequence of the workload's writes.
	Seed int64
	// History is how many events are kept for watches and paged lists; 0 means 10000. Fewer are kept when the object versions
	// that they hold have more than 64 MiB.
	History int
	// Clock is the time of timestamps, of watches and of the workload; nil means the real one.
	Clock clock.WithTicker
	// Addr is the address to listen on, which must be loopback; "" means 127.0.0.1 and any free port.
	Addr string
	// BookmarkInterval is how often watches that allow bookmarks get one; 0 means 10 seconds.
	BookmarkInterval time.Duration
	// MinWatch is how long a watch lasts at least, also when it asks for less; 0 means as long as it asks for.
	MinWatch time.Duration
	// RequestTimeout is how long a request that is no watch may take, in real time and with its body; 0 means a minute, as
	// in kube-apiserver. The answer to it may take 10 seconds longer.
	RequestTimeout time.Duration
}

// Validate says what no server can start with.
func (o Options) Validate() error {
	switch {
	case o.Objects < 0:
		return fmt.Errorf("objects: %d is negative", o.Objects)
	case o.Churn < 0 || o.Churn != o.Churn:
		return fmt.Errorf("churn: %v is not a rate of writes a second", o.Churn)
	case o.History < 0:
		return fmt.Errorf("history: %d is negative", o.History)
	}
	return nil
}

// Complete is o with the defaults set where it says nothing.
func (o Options) Complete() Options {
	if o.History == 0 {
		o.History = 10000
	}
	if o.MaxObjects <= 0 {
		o.MaxObjects = max(2*o.Objects, 10_000)
	}
	if o.Clock == nil {
		o.Clock = clock.RealClock{}
	}
	if o.Addr == "" {
		o.Addr = "127.0.0.1:0"
	}
	if o.BookmarkInterval <= 0 {
		o.BookmarkInterval = 10 * time.Second
	}
	if o.RequestTimeout <= 0 {
		o.RequestTimeout = time.Minute
	}
	return o
}

// spaceFor is how many bytes of JSON all objects of a server may have together: what a workload of so many objects has, and
// room for what clients create.
func spaceFor(objects int) int64 { return 128<<20 + 4<<10*int64(objects) }
