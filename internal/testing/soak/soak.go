// Package soak counts what the property tests of the glasses do, so that a long
// random run (make soak) can say how many operations it gave to glass and bare
// object and how many divergences it met, and says how much of what takes long a
// plain run does. It is for tests only, and imports none of the rooms.
//
// With the flag -soak sequences are longer, and all that can be seen of both
// is compared after every 16th operation only, which is most of the time of a
// usual run; what each call returns is compared at each, and the glass
// compares at each of its own.
package soak

import (
	"flag"
	"fmt"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

var printed = flag.Bool("soak", false, "do long random sequences and print how many operations they had")

// Main is the TestMain of a glass's tests: a plain run checks 200 random sequences
// (80 with the race detector, which has nothing to find in them; make random checks
// 1000), unless -rapid.checks says otherwise, and leaves no goroutine.
func Main(m *testing.M) {
	checks := "200"
	if race {
		checks = "80"
	}
	if err := flag.Set("rapid.checks", checks); err != nil { // the command line is parsed later
		panic(err)
	}
	goleak.VerifyTestMain(m)
}

// Counter counts the operations of one property test. It is safe for
// concurrent use.
type Counter struct {
	operations, sequences, divergences atomic.Int64
}

// Start returns a Counter that prints its figures when the test ends, with the
// flag -soak.
func Start(t testing.TB) *Counter {
	c := &Counter{}
	if *printed {
		t.Cleanup(func() { fmt.Println("soak:", t.Name()+":", c) })
	}
	return c
}

// thinning is how many operations of a long run go by between two checks.
const thinning = 16

// Check reports whether everything is to be compared after the operation.
func (c *Counter) Check() bool { return !*printed || c.operations.Load()%thinning == 0 }

// Length is how long sequences are that usually have least to most operations.
func Length(least, most int) (int, int) {
	if *printed {
		return most, 2 * most
	}
	return least, most
}

// Step is how far apart a test takes cases that are alike, such as damage to each
// byte of a file: 1, or sparse with the race detector, which makes them many times
// as slow and has nothing to find in a single goroutine.
func Step(sparse int) int {
	if race {
		return sparse
	}
	return 1
}

// Each makes the actions of rapid's Repeat count themselves. Its check, which
// has no name, is no operation.
func (c *Counter) Each(actions map[string]func(*rapid.T)) map[string]func(*rapid.T) {
	for name, do := range actions {
		if name == "" {
			actions[name] = func(t *rapid.T) {
				if c.Check() {
					do(t)
				}
			}
			continue
		}
		actions[name] = func(t *rapid.T) {
			do(t)
			c.Operation()
		}
	}
	return actions
}

// Operation counts one operation that was drawn and given to glass and bare
// object. Some do nothing, such as a Pop of an empty queue.
func (c *Counter) Operation() { c.operations.Add(1) }

// Sequence counts the end of one random sequence, in which the glass wrote so
// many Divergence events.
func (c *Counter) Sequence(divergences int) {
	c.sequences.Add(1)
	c.divergences.Add(int64(divergences))
}

// String is the figures.
func (c *Counter) String() string {
	return fmt.Sprintf("%d operations in %d sequences, %d divergences", c.operations.Load(), c.sequences.Load(), c.divergences.Load())
}
