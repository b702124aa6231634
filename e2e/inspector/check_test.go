package inspector

import (
	"strings"
	"testing"

	"informerscope/e2e/cluster"
)

// A check of the cache needs no more rights than the informer. It finds what a lost event left out, past the fault that
// lost it, and is a finding until a list puts the cache right. On a healthy cluster there is no finding.
func TestCheckFindsWhatALostEventLeftOut(t *testing.T) {
	c := cluster.Shared(t)
	ns := namespace(t, c)
	kubectl(t, c, "create", "configmap", "first", "-n", ns)
	kubectl(t, c, "create", "role", "least", "-n", ns, "--resource=configmaps", "--verb=list,watch")
	kubectl(t, c, "create", "rolebinding", "least", "-n", ns, "--role=least", "--user=reader")
	m := inTerminal(t, 160, 40, environment(t, c, cluster.Reader), informerscope(t), "configmaps", "-n", ns)
	says := func(line string, answer ...string) {
		t.Helper()
		m.presses(":")
		m.presses("-l", line)
		m.presses("Enter")
		m.sees(answer...)
	}
	wrong := func(texts ...string) {
		t.Helper()
		m.presses("w")
		m.sees(texts...)
		m.presses("Escape")
		m.waits("the panes again", func(screen string) bool { return !strings.Contains(screen, "What is wrong") })
	}
	m.sees("synced", "watching", "1 object")
	says("check", "1 object, the cache has all of them")
	wrong("Nothing looks wrong")
	says("drop type=ADDED", "armed as number 1")
	kubectl(t, c, "create", "configmap", "lost", "-n", ns)
	kubectl(t, c, "create", "configmap", "next", "-n", ns)
	m.sees("2 objects", ns+"/next")
	says("check", "3 objects, the cache differs in 1: "+ns+"/lost is missing, the server has it at rv")
	wrong("cache differs from the server", ns+"/lost is missing")
	says("relist", "the next event of the watch is ERROR 410")
	m.sees("3 objects", ns+"/lost")
	says("check", "3 objects, the cache has all of them")
	m.presses("q")
	m.sees("ended with 0")
}
