package cli

import (
	"strings"
	"testing"
)

func TestFIFOChoosesTheDiscipline(t *testing.T) {
	useSandbox(t, 20)
	for _, discipline := range []string{"delta", "inorder", "atomic"} {
		d := command(t, "pods", "-A", "--fifo", discipline, "-o", "json", "--until", "drained").document(t)
		r := d.Resources[0]
		if r.DeltaFIFO.Discipline != discipline || !r.Synced || r.Indexer.Count == 0 || r.Workqueue.Totals.Dones < uint64(r.Indexer.Count) {
			t.Errorf("%s: discipline %q, synced %v, %d stored, %d done", discipline, r.DeltaFIFO.Discipline, r.Synced, r.Indexer.Count, r.Workqueue.Totals.Dones)
		}
	}
}

func TestCompareRunsTheDisciplinesOnOneWatch(t *testing.T) {
	useSandbox(t, 20)
	d := command(t, "pods", "-A", "--compare", "delta,inorder,atomic", "-o", "json", "--until", "drained").document(t)
	if got := resources(d); got != "pods@delta pods@inorder pods@atomic" {
		t.Fatalf("resources %q", got)
	}
	for _, r := range d.Resources {
		if r.Indexer.Count != d.Resources[0].Indexer.Count || r.Indexer.Count == 0 || r.Listeners[0].OnAdd != d.Resources[0].Listeners[0].OnAdd {
			t.Errorf("%s: %d stored, %d OnAdd; the first lane: %d, %d", r.Resource, r.Indexer.Count, r.Listeners[0].OnAdd, d.Resources[0].Indexer.Count, d.Resources[0].Listeners[0].OnAdd)
		}
		if r.Reflector.Requests.WatchList != 1 {
			t.Errorf("%s: %d WATCHLIST requests, want the one that all lanes share", r.Resource, r.Reflector.Requests.WatchList)
		}
	}
}

func TestBadDisciplinesAreRefused(t *testing.T) {
	for args, want := range map[string]string{
		"--fifo lifo":                         "lifo",
		"--compare delta":                     "at least two",
		"--compare delta,delta":               "delta",
		"--compare delta,lifo":                "lifo",
		"--compare delta,atomic --fifo delta": "--fifo",
	} {
		r := command(t, append(strings.Fields(args), "--sandbox", "-o", "json")...)
		if r.code != exitUsage || !strings.HasPrefix(r.err, "error: ") || !strings.Contains(r.err, want) || r.out != "" {
			t.Errorf("%s: exit %d, %q", args, r.code, r.err)
		}
	}
}
