package cli

import (
	"strings"
	"testing"

	"informerscope/journal/state/document"
)

func TestStoresFlagShowsStorageTypesSideBySide(t *testing.T) {
	useSandbox(t, 60)
	for args, want := range map[string]string{
		"":                                "",
		"--stores":                        "Store UndeltaStore FIFO DeltaFIFO Heap by name ExpirationCache",
		"--stores=heap=rv,heap=age,store": "Store Heap by RV Heap by age",
		"--stores=all,heap=age,ttl=5s":    "Store UndeltaStore FIFO DeltaFIFO Heap by age ExpirationCache",
	} {
		d := command(t, append(strings.Fields(args), "pods", "-A", "-o", "json")...).document(t)
		var names []string
		for _, s := range d.Resources[0].Stores {
			names = append(names, s.Name)
			if s.Name == "Store" {
				sameKeys(t, s, d.Resources[0].Indexer)
			}
			if s.Name == "ExpirationCache" && strings.Contains(args, "5s") && s.TTLSeconds != 5 {
				t.Errorf("TTL %v", s.TTLSeconds)
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%q: %s, want %s", args, got, want)
		}
		if d.Divergences != 0 {
			t.Errorf("%q: %d divergences", args, d.Divergences)
		}
	}
}

// sameKeys checks that a Store holds what the Indexer does: nothing changes on
// that server.
func sameKeys(t *testing.T, s document.Store, x document.Indexer) {
	t.Helper()
	var keys []string
	for _, k := range s.Keys {
		keys = append(keys, k.Key)
	}
	n := 0
	for _, in := range x.Indices["namespace"] {
		n += len(in)
		for _, key := range in {
			if !strings.Contains(" "+strings.Join(keys, " ")+" ", " "+key+" ") {
				t.Errorf("the Store has no %s", key)
			}
		}
	}
	if n != s.Count || n != len(keys) {
		t.Errorf("the Store holds %d, the Indexer %d", s.Count, n)
	}
}

func TestStoresFlagSaysWhatItTakes(t *testing.T) {
	r := command(t, "--sandbox", "--stores=heap=size", "-o", "json")
	if r.code != exitUsage || !strings.Contains(r.err, "heap=age") {
		t.Errorf("code %d, %s", r.code, r.err)
	}
}
