package engine_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"informerscope/engine"
	. "informerscope/internal/testing/apiscript"
	"informerscope/journal"
)

// tableAt is a meta.k8s.io Table, as a server sends it that takes every client
// for kubectl; continued says that there are more rows.
func tableAt(rv, continued string) string {
	return fmt.Sprintf(`{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":%q,"continue":%q},"columnDefinitions":[{"name":"Name","type":"string"}],"rows":[{"cells":["a"]}]}`, rv, continued)
}

// What each client makes of a Table (ran). The dynamic client decodes it as a
// list without items, which the Reflector refuses by its kind; the metadata
// client knows the type and did not ask for it; to the scheme of typed and rest
// it is unknown. In no discipline does anything reach the queue.
func TestE14ATableIsNoListAndTheErrorIsShown(t *testing.T) {
	for client, want := range map[string]struct{ list, watch string }{
		engine.ClientDynamic:  {"unsupported list gvk: meta.k8s.io/v1, Kind=Table", "Unexpected watch event object gvk"},
		engine.ClientMetadata: {"expected PartialObjectMetadata but got *v1.Table", "Unexpected watch event object type"},
		engine.ClientTyped:    {`no kind "Table" is registered`, `no kind \"Table\" is registered`},
		engine.ClientREST:     {`no kind "Table" is registered`, `no kind \"Table\" is registered`},
	} {
		t.Run(client+"/LIST", func(t *testing.T) {
			everywhere(t, engine.Options{Client: client}, func(r *run) {
				r.pass(3 * time.Second)
				r.nothingCame()
				if !strings.Contains(r.resource().Reflector.LastError, want.list) {
					t.Errorf("the Reflector says %q, want %q", r.resource().Reflector.LastError, want.list)
				}
				if len(r.of(journal.KindListFailed)) != 1 || len(r.of(journal.KindListDone)) != 0 || r.resource().Reflector.Relists != 0 {
					t.Errorf("not one failed list and no other:\n%s", r.text())
				}
				// client-go begins anew, after a backoff and without a resourceVersion.
				r.expect("requests", r.Seen(), "WATCHLIST rv=, LIST rv=0, WATCHLIST rv=")
				r.backedOff(2, firstBackoff)
			}, noWatchList, Body(200, tableAt("7", "")))
		})
		t.Run(client+"/WATCHLIST", func(t *testing.T) {
			everywhere(t, engine.Options{Client: client}, func(r *run) {
				r.pass(5 * time.Second)
				r.nothingCame()
				if !r.says(journal.KindLogLine, want.watch) && !r.says(journal.KindWatchError, want.watch) {
					t.Errorf("no error with %q is shown:\n%s", want.watch, r.text())
				}
			}, Stream(Raw(`{"type":"ADDED","object":`+tableAt("7", "")+"}\n"), Hold()))
		})
	}
}

// nothingCame checks an informer whose server sent nothing of use.
func (r *run) nothingCame() {
	r.t.Helper()
	r.expect("Indexer", r.stored(), "")
	r.expect("calls", r.calls(), "")
	r.expect("queue", r.queued(), "")
	r.synced(false)
	r.lastRV("")
}

// A Table in pages is what the Reflector does not notice (ran): its pager makes
// a list of the pages, and that has no kind. The informer has synced and is
// empty, and forgets what it held. Only the tap says why.
func TestE14ATableInPagesIsTakenForAnEmptyList(t *testing.T) {
	a := ConfigMap("a", "5")
	const warning = "the server answered a LIST with a Table of meta.k8s.io/v1, which has no items: client-go takes it for an empty list"
	everywhere(t, engine.Options{}, func(r *run) {
		r.pass(5 * time.Second)
		r.expect("requests", r.Seen(), "WATCHLIST rv=, LIST rv=0, WATCH rv=7, WATCHLIST rv=7, LIST rv=7, LIST rv=, WATCH rv=20")
		r.expect("calls", r.calls(), "OnAdd a@5, OnDelete T{a@5}")
		r.expect("Indexer", r.stored(), "")
		r.synced(true)
		if n := len(r.of(journal.KindListFailed)); n != 0 {
			t.Errorf("%d failed lists, but client-go took it", n)
		}
		if !r.says(journal.KindLogLine, warning) {
			t.Errorf("no warning:\n%s", r.text())
		}
	},
		noWatchList, Objects("7", a), Stream(Error(Internal)),
		noWatchList, Body(200, tableAt("20", "more")), Body(200, tableAt("20", "")), Stream(Hold()))
}

// Any JSON object is a list to the dynamic client, so also one object.
func TestE14AnObjectIsTakenForAnEmptyList(t *testing.T) {
	everywhere(t, engine.Options{}, func(r *run) {
		r.pass(time.Second)
		r.expect("requests", r.Seen(), "WATCHLIST rv=, LIST rv=0, WATCH rv=5")
		r.synced(true)
		r.expect("Indexer", r.stored(), "")
		if !r.says(journal.KindLogLine, "a ConfigMap of v1, which has no items") {
			t.Errorf("no warning:\n%s", r.text())
		}
	}, noWatchList, Body(200, ConfigMap("a", "5").JSON()), Stream(Hold()))
}

func TestE14AnEmptyListIsNoReasonToWarn(t *testing.T) {
	scripted(t, engine.Options{}, func(r *run) {
		r.pass(time.Second)
		r.synced(true)
		if r.says(journal.KindLogLine, "has no items") {
			t.Errorf("a warning:\n%s", r.text())
		}
	}, noWatchList, Objects("7"), Stream(Hold()))
}
