package breakpoint_test

import (
	"strings"
	"testing"

	"informerscope/journal"
	"informerscope/journal/breakpoint"
)

// failer is a test, a benchmark or a property.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

func parse(t failer, expr string) *breakpoint.Breakpoint {
	t.Helper()
	b, err := breakpoint.Parse(expr)
	if err != nil {
		t.Fatalf("%s: %v", expr, err)
	}
	return b
}

func TestWordsMatchWhatTheySay(t *testing.T) {
	type event = journal.Event
	for _, c := range []struct {
		expr    string
		yes, no []event
	}{
		{"stage=deltafifo", []event{{Kind: journal.KindFIFOEnqueued}, {Kind: journal.KindFIFOSynced}}, []event{{Kind: journal.KindWatchEvent}, {Kind: journal.KindQueueAdded}}},
		{"stage=indexer,worker", []event{{Kind: journal.KindStoreAdded}, {Kind: journal.KindReconcileDone}}, []event{{Kind: journal.KindFIFOPopped}}},
		{"stage=control", []event{{Kind: journal.KindSynced}, {Kind: journal.KindLogLine}}, []event{{Kind: journal.KindPaused}, {Kind: journal.KindResumed}, {Kind: journal.KindBreakpointHit}, {Kind: journal.KindStepped}}},
		{"kind=workqueue.added", []event{{Kind: journal.KindQueueAdded}}, []event{{Kind: journal.KindStoreAdded}, {Kind: journal.KindQueueAddAfter}}},
		{"kind=*.added", []event{{Kind: journal.KindQueueAdded}, {Kind: journal.KindStoreAdded}}, []event{{Kind: journal.KindStoreUpdated}}},
		{"kind=listener.handler*", []event{{Kind: journal.KindHandlerStarted}, {Kind: journal.KindHandlerPanicked}}, []event{{Kind: journal.KindNotified}}},
		{"type=Deleted", []event{journal.FIFOEnqueued{Type: "Deleted"}.Event("", ""), journal.FIFOPopped{Type: "Deleted"}.Event("", "")}, []event{journal.FIFOEnqueued{Type: "Updated"}.Event("", ""), journal.WatchEvent{Type: "DELETED"}.Event("", ""), {Kind: journal.KindStoreDeleted}}},
		{"type=OnDelete,DELETED", []event{journal.Notified{Type: "OnDelete"}.Event("", ""), journal.WatchEvent{Type: "DELETED"}.Event("", "")}, []event{journal.Notified{Type: "OnAdd"}.Event("", "")}},
		{"key=shop/*", []event{{Kind: journal.KindStoreAdded, Key: "shop/web"}}, []event{{Kind: journal.KindStoreAdded, Key: "web"}, {Kind: journal.KindStoreAdded, Key: "workshop/web"}, {Kind: journal.KindStoreAdded}}},
		{"key=*ab*b", []event{{Kind: journal.KindStoreAdded, Key: "abb"}, {Kind: journal.KindStoreAdded, Key: "xab/b"}}, []event{{Kind: journal.KindStoreAdded, Key: "ab"}}},
		{"key=*", []event{{Kind: journal.KindStoreAdded, Key: "a"}}, []event{{Kind: journal.KindFIFOSynced}}},
		{"key=/web-[0-9]+$/", []event{{Kind: journal.KindStoreAdded, Key: "shop/web-10"}}, []event{{Kind: journal.KindStoreAdded, Key: "shop/web-x"}}},
		{`"key=/a b/"`, []event{{Kind: journal.KindStoreAdded, Key: "a b"}}, []event{{Kind: journal.KindStoreAdded, Key: "ab"}}},
		{"resource=pods", []event{{Kind: journal.KindStoreAdded, Resource: "pods"}, {Kind: journal.KindStoreAdded, Resource: "pods@atomic"}}, []event{{Kind: journal.KindStoreAdded, Resource: "podsets"}, {Kind: journal.KindLogLine}}},
		{"resource=pods@atomic", []event{{Kind: journal.KindStoreAdded, Resource: "pods@atomic"}}, []event{{Kind: journal.KindStoreAdded, Resource: "pods"}, {Kind: journal.KindStoreAdded, Resource: "pods@delta"}}},
		{"resource=*@delta", []event{{Kind: journal.KindStoreAdded, Resource: "pods@delta"}}, []event{{Kind: journal.KindStoreAdded, Resource: "pods@atomic"}}},
		{"name=worker-1", []event{journal.QueueGot{Worker: "worker-1"}.Event("", "")}, []event{journal.QueueGot{Worker: "worker-10"}.Event("", ""), {Kind: journal.KindQueueGot}}},
		{"tombstone", []event{{Kind: journal.KindNotified, Flags: journal.Tombstone | journal.Initial}, {Kind: journal.KindFIFOEnqueued, Flags: journal.Tombstone}}, []event{{Kind: journal.KindNotified}}},
		{"dirty", []event{journal.QueueAdded{Result: journal.AddDirty}.Event("", "")}, []event{journal.QueueAdded{Result: journal.AddQueued}.Event("", ""), {Kind: journal.KindQueueDone}}},
		{"requeues>5", []event{journal.QueueAddLimited{Requeues: 6}.Event("", "")}, []event{journal.QueueAddLimited{Requeues: 5}.Event("", ""), journal.QueueForgotten{Requeues: 9}.Event("", "")}},
		{"requeues=5", []event{journal.QueueAddLimited{Requeues: 5}.Event("", "")}, []event{journal.QueueAddLimited{Requeues: 6}.Event("", "")}},
		{"requeues<=5", []event{journal.QueueAddLimited{Requeues: 5}.Event("", "")}, []event{journal.QueueAddLimited{Requeues: 6}.Event("", "")}},
		{"relist", []event{{Kind: journal.KindRelistRequested}}, []event{{Kind: journal.KindListStarted}}},
		{"code=410", []event{journal.WatchError{Code: 410}.Event("", ""), journal.WireResponse{Code: 410}.Event("", "")}, []event{journal.WireResponse{Code: 200}.Event("", ""), journal.FIFOPopped{Depth: 410}.Event("", "")}},
		{"code>=500 stage=wire", []event{journal.WireResponse{Code: 503}.Event("", "")}, []event{journal.WireResponse{Code: 499}.Event("", ""), journal.WatchError{Code: 500}.Event("", "")}},
		{"error", []event{
			{Kind: journal.KindWireError}, journal.WireResponse{Code: 403}.Event("", ""), journal.WireStreamEnd{Error: "cut"}.Event("", ""), {Kind: journal.KindListFailed}, {Kind: journal.KindWatchError},
			{Kind: journal.KindFIFOError}, {Kind: journal.KindReconcileFailed}, {Kind: journal.KindReconcilePanicked}, {Kind: journal.KindHandlerPanicked}, journal.LogLine{Level: "error"}.Event("", ""), {Kind: journal.KindPipelineFailed},
		}, []event{journal.WireResponse{Code: 200}.Event("", ""), {Kind: journal.KindWireStreamEnd}, journal.LogLine{Level: "info"}.Event("", ""), {Kind: journal.KindReconcileDone}}},
		{"kind=deltafifo.enqueued type=Deleted key=shop/* tombstone resource=pods",
			[]event{journal.FIFOEnqueued{Type: "Deleted", Tombstone: true}.Event("pods", "shop/a")},
			[]event{
				journal.FIFOPopped{Type: "Deleted", Tombstone: true}.Event("pods", "shop/a"),
				journal.FIFOEnqueued{Type: "Added", Tombstone: true}.Event("pods", "shop/a"),
				journal.FIFOEnqueued{Type: "Deleted", Tombstone: true}.Event("pods", "a"),
				journal.FIFOEnqueued{Type: "Deleted"}.Event("pods", "shop/a"),
				journal.FIFOEnqueued{Type: "Deleted", Tombstone: true}.Event("nodes", "shop/a"),
			}},
	} {
		b := parse(t, c.expr)
		for _, e := range c.yes {
			if !b.Match(&e) {
				t.Errorf("%s does not match %s", c.expr, e.AppendJSON(nil))
			}
		}
		for _, e := range c.no {
			if b.Match(&e) {
				t.Errorf("%s matches %s", c.expr, e.AppendJSON(nil))
			}
		}
		if again := parse(t, b.String()); again.String() != b.String() {
			t.Errorf("%s reads %s, and then %s", c.expr, b, again)
		}
	}
}

func TestWrongWordsAreExplained(t *testing.T) {
	for expr, want := range map[string]string{
		"":                               "say what to stop at",
		"tombston":                       `there is no word "tombston"; do you mean tombstone?`,
		"stagee=worker":                  "do you mean stage?",
		"rvbackwards":                    "do you mean rv-backwards?",
		"deltafifo":                      "do you mean stage=deltafifo?",
		"Deleted":                        "do you mean type=Deleted?",
		"workqueue.added":                "do you mean kind=workqueue.added?",
		"shop/web":                       "do you mean key=shop/web?",
		"gibberish":                      `there is no word "gibberish": use stage, kind, type`,
		"stage=workque":                  "stage: there is no \"workque\"; do you mean workqueue?",
		"stage=kitchen":                  "use one of wire, reflector, deltafifo",
		"kind=workqueue.aded":            "do you mean workqueue.added?",
		"kind=popped":                    "do you mean deltafifo.popped?",
		"kind=nothing.at.all":            "docs/events.md lists them",
		"kind=control.resumed":           "stopping there would stop each resume",
		"kind=control.breakpointHit":     "written by the controls of the engine",
		"type=updated":                   "do you mean Updated?",
		"type=Delted":                    "do you mean Deleted?",
		"type=Gone":                      "use one of LIST, WATCH",
		"key=":                           "key needs a value: key=KEY",
		"key":                            "key needs a value: key=KEY",
		"key=/a(/":                       "missing closing )",
		"key=/a":                         "a regular expression ends with /",
		"key>5":                          "key: > is for numbers: use key=",
		"tombstone=yes":                  "tombstone stands alone",
		"requeues":                       "requeues needs a value: requeues>N",
		"requeues>many":                  `requeues: "many" is no whole number`,
		"requeues>=-1":                   `"-1" is no whole number`,
		"finding=hotloop":                "do you mean hot-loop?",
		"finding=":                       "finding needs a value: finding[=KIND]",
		"stage=workqueue type=Deleted":   "no event is all of this: stage=workqueue type=Deleted",
		"dirty relist":                   "no event is all of this",
		"stage=indexer stage=deltafifo":  "no event is all of this",
		"rv-backwards stage=deltafifo":   "no event is all of this",
		`"key=shop/a`:                    "no quotation mark ends",
		"kind=listener.notified code=10": "no event is all of this",
	} {
		_, err := breakpoint.Parse(expr)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", expr, err, want)
		}
	}
}

func TestCompletion(t *testing.T) {
	known := map[string][]string{"key": {"shop/a"}, "resource": {"pods"}, "name": {"worker-1"}}
	for begun, want := range map[string]string{
		"":          "stage= kind= type= key= resource= name= tombstone dirty requeues> rv-backwards relist code> error finding finding=",
		"st":        "stage= kind= type= key= resource= name= tombstone dirty requeues> rv-backwards relist code> error finding finding=",
		"stage=":    "stage=wire stage=reflector stage=deltafifo stage=indexer stage=listener stage=workqueue stage=worker stage=stores stage=control",
		"key=s":     "key=shop/a",
		"resource=": "resource=pods",
		"name=":     "name=worker-1",
		"requeues>": "requeues>1 requeues>5 requeues>10",
		"nothing=":  "",
	} {
		var words []string
		for _, c := range breakpoint.Complete(begun, known) {
			words = append(words, c.Word)
		}
		if got := strings.Join(words, " "); got != want {
			t.Errorf("%q: %s", begun, got)
		}
	}
	// What is offered is taken.
	for _, begun := range []string{"stage=", "kind=", "type=", "code>=", "requeues>", "finding=", "key=", "resource=", "name="} {
		for _, c := range breakpoint.Complete(begun, known) {
			if _, err := breakpoint.Parse(c.Word); err != nil {
				t.Errorf("%s: %v", c.Word, err)
			}
		}
	}
}

func TestResourcesThatAreWatched(t *testing.T) {
	lanes := []string{"pods", "pods@delta", "pods@atomic"}
	for expr, want := range map[string]bool{
		"dirty": true, "resource=pods": true, "resource=p*": true, "resource=pods@atomic": true,
		"resource=pod": false, "resource=pods@inorder": false, "resource=pods resource=nodes": false,
	} {
		if got := parse(t, expr).Resources(lanes); got != want {
			t.Errorf("%s: %v", expr, got)
		}
	}
}
