package inspector

import (
	"testing"

	"informerscope/e2e/cluster"
)

// restart ends the API server, does something while it is away, and starts it again.
func restart(t *testing.T, c *cluster.Cluster, stop func() error, meanwhile func()) {
	t.Helper()
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	meanwhile()
	if err := c.StartAPIServer(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// The inspector outlives its server: it says that it is away, comes back, and has what happened since.
func TestServerIsStoppedAndStarted(t *testing.T) {
	c := cluster.Shared(t)
	for name, stop := range map[string]func() error{"stopped": c.StopAPIServer, "killed": c.KillAPIServer} {
		t.Run(name, func(t *testing.T) {
			ns := namespace(t, c)
			kubectl(t, c, "create", "configmap", "kept", "-n", ns)
			i := inspect(t, c, cluster.Admin, "configmaps", "-n", ns)
			restart(t, c, stop, func() {
				i.await(t, "reflector.watchEnded")
				i.await(t, "wire.error")
			})
			kubectl(t, c, "create", "configmap", "new", "-n", ns)
			i.await(t, "indexer.added", "key="+ns+"/new")
			if n := i.count("indexer.deleted"); n != 0 {
				t.Errorf("%d objects left the cache", n)
			}
		})
	}
}

// Compaction alone does not disturb a running watch.
func TestEtcdIsCompacted(t *testing.T) {
	c := cluster.Shared(t)
	ns := namespace(t, c)
	i := inspect(t, c, cluster.Admin, "configmaps", "-n", ns)
	if _, err := c.CompactEtcd(t.Context()); err != nil {
		t.Fatal(err)
	}
	kubectl(t, c, "create", "configmap", "a", "-n", ns)
	i.await(t, "indexer.added", "key="+ns+"/a")
	if n := i.count("reflector.relist"); n != 0 {
		t.Errorf("%d relists", n)
	}
}

// A watch that comes back with a version which the server has forgotten gets 410 and lists again; what was deleted
// meanwhile becomes a tombstone.
func TestHistoryIsForgottenWhileAway(t *testing.T) {
	c := cluster.Shared(t)
	ns := namespace(t, c)
	kubectl(t, c, "create", "configmap", "gone", "-n", ns)
	kubectl(t, c, "create", "configmap", "kept", "-n", ns)
	i := inspect(t, c, cluster.Admin, "configmaps", "-n", ns)
	// While the inspector is stopped it does not see the server go, nor what happens before the server is back.
	resume := i.freeze(t)
	kubectl(t, c, "create", "configmap", "between", "-n", ns)
	restart(t, c, c.KillAPIServer, func() {})
	kubectl(t, c, "delete", "configmap", "gone", "-n", ns)
	kubectl(t, c, "create", "configmap", "new", "-n", ns)
	if _, err := c.CompactEtcd(t.Context()); err != nil {
		t.Fatal(err)
	}
	restart(t, c, c.KillAPIServer, func() {})
	resume()
	relist := i.await(t, "reflector.relist")
	if text(relist, "reason") == "" {
		t.Errorf("a relist without a reason: %v", relist)
	}
	i.await(t, "deltafifo.enqueued", "key="+ns+"/gone", "type=Deleted", "tombstone=true")
	i.await(t, "indexer.deleted", "key="+ns+"/gone")
	if n := i.count("reflector.watchError", "code=410"); n != 1 {
		t.Errorf("%d answers of 410, want 1", n)
	}
	kubectl(t, c, "create", "configmap", "last", "-n", ns)
	i.await(t, "indexer.added", "key="+ns+"/last")
	if n := i.count("indexer.added", "key="+ns+"/new"); n != 1 {
		t.Errorf("new was added %d times", n)
	}
}
