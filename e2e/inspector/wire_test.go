package inspector

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"informerscope/e2e/cluster"
)

// auditEvent is a line of the API server's audit log.
type auditEvent struct {
	Verb       string
	RequestURI string
	UserAgent  string
	User       struct{ Username string }
	ObjectRef  *struct{ Resource, Subresource string }
}

// auditMark is the present end of the audit log.
func auditMark(t *testing.T, c *cluster.Cluster) int64 {
	t.Helper()
	info, err := os.Stat(c.AuditLog())
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// auditSince reads the audit log from mark on.
func auditSince(t *testing.T, c *cluster.Cluster, mark int64) []auditEvent {
	t.Helper()
	data, err := os.ReadFile(c.AuditLog())
	if err != nil {
		t.Fatal(err)
	}
	var out []auditEvent
	for line := range bytes.Lines(data[mark:]) {
		var e auditEvent
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("audit log: %v: %s", err, line)
		}
		out = append(out, e)
	}
	return out
}

// checkHarmless reports a request other than list and watch of resources, all if none are named, and get of discovery.
func (e auditEvent) checkHarmless(t *testing.T, resources ...string) {
	t.Helper()
	switch {
	case e.ObjectRef == nil && e.Verb == "get" && isDiscovery(e.RequestURI):
	case e.ObjectRef != nil && (e.Verb == "list" || e.Verb == "watch") && e.ObjectRef.Subresource == "" &&
		(len(resources) == 0 || strings.Contains(strings.Join(resources, " "), e.ObjectRef.Resource)):
	default:
		t.Errorf("%s %s by %s", e.Verb, e.RequestURI, e.UserAgent)
	}
}

func isDiscovery(uri string) bool {
	path, _, _ := strings.Cut(uri, "?")
	parts := strings.Split(strings.Trim(path, "/"), "/")
	return parts[0] == "api" && len(parts) <= 2 || parts[0] == "apis" && len(parts) <= 3 || path == "/version"
}

// Whatever the tests of this package made the inspector do, with whatever rights: it has only ever listed, watched, and
// read discovery. It stands in the last file, since it looks at what the other tests have left in the audit log.
func TestWireHasOnlyListAndWatch(t *testing.T) {
	c := cluster.Shared(t)
	n := 0
	for _, e := range auditSince(t, c, 0) {
		if strings.HasPrefix(e.UserAgent, "informerscope") {
			n++
			e.checkHarmless(t)
		}
	}
	if n == 0 {
		t.Skip("no inspector has run: nothing to look at")
	}
	cluster.Report(t, "inspector: %d requests in the audit log, all list, watch or discovery", n)
}
