package cluster

import (
	"fmt"
	"os"
	"testing"
)

// Report logs a figure that people ask for and appends it to the file that $E2E_REPORT names, since go test hides what
// passing tests log.
func Report(t testing.TB, format string, args ...any) {
	t.Helper()
	t.Logf(format, args...)
	path := os.Getenv("E2E_REPORT")
	if path == "" {
		return
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	fmt.Fprintf(f, format+"\n", args...)
}
