package found

import (
	"flag"
	"os"
	"testing"
)

// TestMain lets more tests run side by side than there are cores: what is played here
// waits in real time, most of the time.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
