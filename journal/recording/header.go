package recording

import (
	"fmt"
	"runtime/debug"
	"time"

	"informerscope/journal"
	"informerscope/journal/findings"
)

// Header says what a recording is of. It is the first frame of a file.
type Header struct {
	Format    string            `json:"format"`                  // major.minor
	Version   string            `json:"informerscope,omitempty"` // that wrote it
	ClientGo  string            `json:"clientGo,omitempty"`      // version of the client-go in it
	Time      time.Time         `json:"time"`                    // when the file was begun
	Resources []string          `json:"resources,omitempty"`     // as events name them
	Settings  map[string]string `json:"settings,omitempty"`      // flags by name, as the user would give them
	Part      int               `json:"part"`                    // from 1; a file that was rotated begins another
	Capacity  int               `json:"capacity"`                // events that the session kept in memory
	Objects   bool              `json:"objects"`                 // objects are in it
	Masked    bool              `json:"masked"`                  // secret values are not

	// Thresholds are those of the findings.
	Thresholds findings.Thresholds `json:"thresholds"`

	// Kinds and Flags name what the numbers in events mean: the n-th kind, and
	// the n-th bit. So a program whose numbers are others can read them.
	Kinds []string `json:"kinds"`
	Flags []string `json:"flags"`
}

// Totals close a recording.
type Totals struct {
	Events  uint64 `json:"events"` // in this file
	Objects uint64 `json:"objects"`
	Lost    uint64 `json:"lost,omitempty"` // events that came faster than they could be written
}

// flagNames are the flags of events, by bit.
var flagNames = []string{"tombstone", "initial", "coalesced", "requeued", "found", "resync", "bulk", "partial"}

func kindNames() []string {
	kinds := journal.Kinds()
	names := make([]string, 0, len(kinds)+1)
	names = append(names, journal.KindUnknown.String())
	for _, k := range kinds {
		names = append(names, k.String())
	}
	return names
}

// names translates a file's numbers of kinds and flags to this program's.
type names struct {
	kinds [256]journal.Kind
	flags [256]journal.Flag
}

func (h *Header) names() *names {
	var n names
	ours := map[string]journal.Kind{}
	for i, name := range kindNames() {
		ours[name] = journal.Kind(i)
	}
	for i := range n.kinds {
		if i < len(h.Kinds) {
			n.kinds[i] = ours[h.Kinds[i]] // or Unknown
		}
	}
	for i := range n.flags {
		for bit, name := range h.Flags {
			if bit < 8 && i&(1<<bit) != 0 {
				n.flags[i] |= flagBit(name)
			}
		}
	}
	return &n
}

func flagBit(name string) journal.Flag {
	for bit, n := range flagNames {
		if n == name {
			return 1 << bit
		}
	}
	return 0
}

func version() string { return fmt.Sprintf("%d.%d", Major, Minor) }

// clientGo is the version of client-go that is built in, "" when unknown.
func clientGo() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, m := range info.Deps {
		if m.Path == "k8s.io/client-go" {
			return m.Version
		}
	}
	return ""
}
