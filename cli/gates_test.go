package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

// gateRun is what a run of the program under one setting of the feature gates
// said in its journal.
type gateRun struct {
	requests []string // of configmaps: "LIST limit=500"
	batches  int      // deltas that were processed several at once, or a list as one
	log      []string // "warning: ..."
}

func (g *gateRun) read(t *testing.T, line string) {
	t.Helper()
	var e struct{ Kind, Key, Verb, Query, Level, Message string }
	if err := json.Unmarshal([]byte(line), &e); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	switch e.Kind {
	case "wire.request":
		limit := ""
		if strings.Contains(e.Query, "limit=500") {
			limit = " limit=500"
		}
		g.requests = append(g.requests, e.Verb+limit)
	case "deltafifo.processed":
		if e.Key == "" {
			g.batches++
		}
	case "control.log":
		g.log = append(g.log, e.Level+": "+e.Message)
	case "control.divergence":
		t.Errorf("a divergence: %s", line)
	}
}

// Each feature gate that client-go lets one switch by the environment is
// switched for the program itself: client-go reads them once in a process. In
// every discipline the pipeline syncs and drains, and stderr stays silent.
func TestFeatureGatesOfTheEnvironment(t *testing.T) {
	const watchList, list = "WATCHLIST", "LIST limit=500, WATCH"
	for _, c := range []struct {
		gate     string // NAME=VALUE; "" is none
		fifo     string
		requests string
		batches  bool
		log      string // part of a line
	}{
		{"", "inorder", watchList, true, ""},
		{"WatchListClient=false", "delta", list, false, "info: client-go's feature gate WatchListClient is false"},
		{"WatchListClient=false", "inorder", list, true, "info: client-go's feature gate WatchListClient is false"},
		{"WatchListClient=false", "atomic", list, true, "info: client-go's feature gate WatchListClient is false"},
		{"InOrderInformersBatchProcess=false", "inorder", watchList, false, "info: client-go's feature gate InOrderInformersBatchProcess is false"},
		{"UnlockWhileProcessingFIFO=false", "atomic", watchList, true, "info: client-go's feature gate UnlockWhileProcessingFIFO is false"},
		// The store then hides the resourceVersion that it has; the queue is atomic all the same.
		{"AtomicFIFO=false", "atomic", watchList, true, "info: KUBE_FEATURE_AtomicFIFO=false chooses"},
		{"InformerResourceVersion=false", "atomic", watchList, true, "info: client-go's feature gate InformerResourceVersion is false"},
		{"ClientsAllowCBOR=true", "delta", watchList, false, "info: client-go's feature gate ClientsAllowCBOR is true"},
		{"ClientsAllowTLSCacheGC=false", "delta", watchList, false, "info: client-go's feature gate ClientsAllowTLSCacheGC is false"},
		{"ClientsAllowCARotation=false", "delta", watchList, false, "info: client-go's feature gate ClientsAllowCARotation is false"},
		// What has no effect is said.
		{"InOrderInformers=false", "inorder", watchList, true, "warning: KUBE_FEATURE_InOrderInformers=false has no effect: client-go has locked"},
		{"WatchListClient=no", "delta", watchList, false, "warning: KUBE_FEATURE_WatchListClient=no has no effect: use true or false"},
	} {
		t.Run(c.gate+" "+c.fifo, func(t *testing.T) {
			t.Parallel()
			p := program(t, "informerscope", "cm", "--sandbox", "--objects", "60", "--churn", "0", "--fifo", c.fifo, "--events", "--until", "drained", "--timeout", "60s")
			if c.gate != "" {
				p.Env = append(p.Env, "KUBE_FEATURE_"+c.gate)
			}
			out, err := p.Output()
			if err != nil || p.stderr.Len() > 0 {
				t.Fatalf("%v, stderr %q", err, p.stderr.String())
			}
			var g gateRun
			for line := range strings.Lines(string(out)) {
				g.read(t, line)
			}
			if got := strings.Join(g.requests, ", "); got != c.requests {
				t.Errorf("requests %s, want %s", got, c.requests)
			}
			if (g.batches > 0) != c.batches {
				t.Errorf("%d batches, want some: %v", g.batches, c.batches)
			}
			if log := strings.Join(g.log, "\n"); !strings.Contains(log, c.log) {
				t.Errorf("the log has no %q:\n%s", c.log, log)
			}
		})
	}
}
