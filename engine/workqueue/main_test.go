package workqueue

import (
	"flag"
	"testing"

	"go.uber.org/goleak"
)

// TestMain makes a plain run check 1,000 random sequences;
// -rapid.checks=100000 checks more.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", "1000"); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}
