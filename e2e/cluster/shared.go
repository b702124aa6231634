package cluster

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
)

// shared is the cluster of the test binary.
var shared struct {
	once    sync.Once
	cluster *Cluster
	err     error
}

// Shared returns the one cluster of the test binary, which the first call starts. A package that uses it has a TestMain
// that calls Main.
func Shared(t testing.TB) *Cluster {
	t.Helper()
	shared.once.Do(func() { shared.cluster, shared.err = Start(context.Background(), os.Stderr) })
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.cluster
}

// Main runs the tests, stops the shared cluster and returns the exit code.
func Main(m *testing.M) int {
	code := m.Run()
	if shared.cluster != nil {
		if err := shared.cluster.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = max(code, 1)
		}
	}
	return code
}
