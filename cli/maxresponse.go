package cli

import (
	"fmt"
	"os"
)

// defaultMaxResponse is 1 GiB, less on a machine that would have under 2 GB left:
// client-go has the whole answer in memory, and then its objects beside it.
func defaultMaxResponse() sizeValue {
	const most, least, rest = 1 << 30, 64 << 20, 2_000_000_000
	var kilobytes int64
	if b, err := os.ReadFile("/proc/meminfo"); err == nil {
		if _, err := fmt.Sscanf(string(b), "MemTotal: %d kB", &kilobytes); err == nil {
			return sizeValue(max(least, min(most, kilobytes<<10-rest)))
		}
	}
	return most
}
