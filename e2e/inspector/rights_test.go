package inspector

import (
	"strings"
	"testing"

	"informerscope/e2e/cluster"
)

// Without rights the inspector says what is missing and how to check it, and ends; with list it still misses watch; with
// both it runs.
func TestRightsAreGrantedOneByOne(t *testing.T) {
	c := cluster.Shared(t)
	ns := namespace(t, c)
	kubectl(t, c, "create", "configmap", "a", "-n", ns)
	args := []string{"configmaps", "-n", ns, "-o", "json"}

	out := runOnce(t, c, cluster.Reader, args...)
	if out.code != 1 || out.stdout != "" || !strings.Contains(out.stderr, "user reader may not list configmaps in namespace "+ns) ||
		!strings.Contains(out.stderr, "kubectl auth can-i list configmaps -n "+ns) {
		t.Errorf("without rights: exit code %d, stdout %q, stderr %q", out.code, out.stdout, out.stderr)
	}
	kubectl(t, c, "create", "role", "lists", "-n", ns, "--resource=configmaps", "--verb=list")
	kubectl(t, c, "create", "rolebinding", "lists", "-n", ns, "--role=lists", "--user=reader")
	if out = runOnce(t, c, cluster.Reader, args...); out.code != 1 || !strings.Contains(out.stderr, "user reader may not watch configmaps in namespace "+ns) {
		t.Errorf("with list: exit code %d, stderr %q", out.code, out.stderr)
	}
	kubectl(t, c, "create", "role", "watches", "-n", ns, "--resource=configmaps", "--verb=watch")
	kubectl(t, c, "create", "rolebinding", "watches", "-n", ns, "--role=watches", "--user=reader")
	if out = runOnce(t, c, cluster.Reader, args...); out.code != 0 {
		t.Errorf("with list and watch: exit code %d, stderr %q", out.code, out.stderr)
	}
}

// Rights that are taken while the inspector runs are shown as 403, and when they are granted again it goes on.
func TestRightsAreTakenAndGranted(t *testing.T) {
	c := cluster.Shared(t)
	ns := namespace(t, c)
	kubectl(t, c, "create", "role", "informer", "-n", ns, "--resource=configmaps", "--verb=list,watch")
	grant := func() {
		kubectl(t, c, "create", "rolebinding", "informer", "-n", ns, "--role=informer", "--user=reader")
	}
	grant()
	i := inspect(t, c, cluster.Reader, "configmaps", "-n", ns)
	kubectl(t, c, "delete", "rolebinding", "informer", "-n", ns)
	// A watch that is open stays so; the next one is refused.
	restart(t, c, c.StopAPIServer, func() { i.await(t, "reflector.watchEnded") })
	i.await(t, "wire.response", "code=403")
	i.await(t, "reflector.error")
	grant()
	kubectl(t, c, "create", "configmap", "after", "-n", ns)
	i.await(t, "indexer.added", "key="+ns+"/after")
}

// A role with list and watch on the chosen resource, and nothing else, is enough for everything the inspector does.
func TestLeastRightsAreEnough(t *testing.T) {
	c := cluster.Shared(t)
	ns := namespace(t, c)
	kubectl(t, c, "create", "secret", "generic", "s", "-n", ns, "--from-literal=password=hunter2")
	kubectl(t, c, "create", "role", "least", "-n", ns, "--resource=secrets", "--verb=list,watch")
	kubectl(t, c, "create", "rolebinding", "least", "-n", ns, "--role=least", "--user=reader")
	mark := auditMark(t, c)
	for _, args := range [][]string{
		{"secrets"}, {"secret", "s"}, {"secret/s"}, {"secrets", "--client", "typed"}, {"secrets", "--client", "metadata"},
		{"secrets", "--client", "rest"}, {"secrets", "--fifo", "atomic"}, {"secrets", "--compare", "delta,atomic"},
		{"secrets", "-l", "a!=b"}, {"secrets", "--field-selector", "type=Opaque"},
	} {
		out := runOnce(t, c, cluster.Reader, append(args, "-n", ns, "-o", "json", "--until", "drained")...)
		if out.code != 0 {
			t.Errorf("%v: exit code %d: %s", args, out.code, out.stderr)
		}
		if strings.Contains(out.stdout, "hunter2") || strings.Contains(out.stdout, "aHVudGVyMg") {
			t.Errorf("%v: the value of a Secret is shown", args)
		}
	}
	requests := auditSince(t, c, mark)
	if len(requests) == 0 {
		t.Fatal("the audit log has nothing of the reader")
	}
	seen := map[string]int{}
	for _, r := range requests {
		if r.User.Username == string(cluster.Reader) {
			r.checkHarmless(t, "secrets")
			seen[r.Verb]++
		}
	}
	if seen["list"] == 0 || seen["watch"] == 0 {
		t.Errorf("requests of the reader by verb: %v", seen)
	}
	t.Logf("requests of the reader by verb: %v", seen)
}
