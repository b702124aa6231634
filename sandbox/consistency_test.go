package sandbox

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"informerscope/sandbox/tree"
)

// TestWatchUnderChurnFoldsToExactLists follows a busy server over the wire, with several selections at once, and
// compares what each watch adds up to with the exact list at the resourceVersion of its last event. The churn waits for
// nobody: a watch that fell too far behind, and was ended for it, goes on where it was, and nothing is forgotten.
func TestWatchUnderChurnFoldsToExactLists(t *testing.T) {
	s := start(t, Options{Objects: 200, Churn: 2000, Seed: 7, History: 1 << 22})
	for sel, events := range map[string]int{"/api/v1/pods?": 400, "/api/v1/namespaces/shop/pods?": 300, "/api/v1/pods?labelSelector=app%3Dweb&": 60,
		"/api/v1/pods?fieldSelector=status.phase%3DRunning&": 400, "/api/v1/configmaps?": 300} {
		t.Run(strings.NewReplacer("/", "_", "?", "").Replace(sel), func(t *testing.T) {
			t.Parallel()
			w := newWire(t, s)
			e := w.watch(sel + "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true")
			state, last, synced := map[string]string{}, "", false
			for n := 0; n < events || !synced; n++ {
				typ, o := e.next()
				meta := tree.Map(o, "metadata")
				key := tree.Key(tree.String(meta, "namespace"), tree.String(meta, "name"))
				_, had := state[key]
				switch typ {
				case "ADDED", "MODIFIED":
					if had != (typ == "MODIFIED") {
						t.Fatalf("%s %s, while present is %v", typ, key, had)
					}
					state[key] = rvOf(o)
				case "DELETED":
					if !had {
						t.Fatalf("DELETED %s, which is not there", key)
					}
					delete(state, key)
				case "BOOKMARK":
					synced = true
				case "":
					if err := e.scan.Err(); err != nil || !synced {
						t.Fatalf("the watch ended after %d events, synced %v: %v", n, synced, err)
					}
					e = w.watch(sel + "watch=1&allowWatchBookmarks=true&resourceVersion=" + last)
					continue
				default:
					t.Fatalf("the watch ended after %d events: %s %v", n, typ, o)
				}
				if synced {
					last = rvOf(o)
				}
				if synced && n%20 == 0 {
					compareExact(t, w, sel, last, state)
				}
			}
			compareExact(t, w, sel, last, state)
		})
	}
}

func compareExact(t *testing.T, w *wire, sel, rv string, state map[string]string) {
	t.Helper()
	listed := map[string]string{}
	token := ""
	for {
		path := fmt.Sprintf("%slimit=50&resourceVersionMatch=Exact&resourceVersion=%s", sel, rv)
		if token != "" {
			path = sel + "limit=50&continue=" + token
		}
		page := w.must("GET", path, "")
		for _, o := range tree.List(page, "items") {
			meta := tree.Map(o.(map[string]any), "metadata")
			listed[tree.Key(tree.String(meta, "namespace"), tree.String(meta, "name"))] = tree.String(meta, "resourceVersion")
		}
		if token = tree.String(tree.Map(page, "metadata"), "continue"); token == "" {
			break
		}
	}
	if diff := cmp.Diff(listed, state); diff != "" {
		t.Fatalf("at %s (-list +watch):\n%s", rv, diff)
	}
}
