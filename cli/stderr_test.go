package cli

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestWhatIsWrittenBehindTheScreenComesAfterIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "stderr")
	real, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer real.Close()
	before := os.Stderr
	defer func() { os.Stderr = before; log.SetOutput(before) }()
	os.Stderr = real
	r := relayStderr()
	r.wait = time.Minute
	written := func() string {
		t.Helper()
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	r.hold()
	fmt.Fprintln(os.Stderr, "a plugin's message")
	log.Print("a library's message")
	if got := written(); got != "" {
		t.Errorf("written on the screen: %q", got)
	}
	r.close() // waits until all has come through the pipe
	if got := written(); got != "" {
		t.Errorf("written on the screen: %q", got)
	}
	r.release()
	if got := written(); !strings.HasPrefix(got, "a plugin's message\n") || !strings.Contains(got, "a library's message\n") {
		t.Errorf("after the screen: %q", got)
	}
	if os.Stderr != real {
		t.Error("os.Stderr was not put back")
	}
}

func TestTheRelayKeepsTheNewest(t *testing.T) {
	r := &stderrRelay{}
	r.hold()
	for i := range 10_000 {
		fmt.Fprintf(r, "line %d of what a noisy plugin says\n", i)
	}
	if len(r.held) != heldBytes || !strings.HasSuffix(string(r.held), "line 9999 of what a noisy plugin says\n") {
		t.Errorf("%d bytes held", len(r.held))
	}
}
