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
		{"stage=deltafifo", []event{{Kind: journal.FIFOEnqueued}, {Kind: journal.FIFOSynced}}, []event{{Kind: journal.WatchEvent}, {Kind: journal.QueueAdded}}},
		{"stage=indexer,worker", []event{{Kind: journal.StoreAdded}, {Kind: journal.ReconcileDone}}, []event{{Kind: journal.FIFOPopped}}},
		{"stage=control", []event{{Kind: journal.Synced}, {Kind: journal.LogLine}}, []event{{Kind: journal.Paused}, {Kind: journal.Resumed}, {Kind: journal.BreakpointHit}, {Kind: journal.Stepped}}},
		{"kind=workqueue.added", []event{{Kind: journal.QueueAdded}}, []event{{Kind: journal.StoreAdded}, {Kind: journal.QueueAddAfter}}},
		{"kind=*.added", []event{{Kind: journal.QueueAdded}, {Kind: journal.StoreAdded}}, []event{{Kind: journal.StoreUpdated}}},
		{"kind=listener.handler*", []event{{Kind: journal.HandlerStarted}, {Kind: journal.HandlerPanicked}}, []event{{Kind: journal.Notified}}},
		{"type=Deleted", []event{{Kind: journal.FIFOEnqueued, Type: "Deleted"}, {Kind: journal.FIFOPopped, Type: "Deleted"}}, []event{{Kind: journal.FIFOEnqueued, Type: "Updated"}, {Kind: journal.WatchEvent, Type: "DELETED"}, {Kind: journal.StoreDeleted}}},
		{"type=OnDelete,DELETED", []event{{Kind: journal.Notified, Type: "OnDelete"}, {Kind: journal.WatchEvent, Type: "DELETED"}}, []event{{Kind: journal.Notified, Type: "OnAdd"}}},
		{"key=shop/*", []event{{Kind: journal.StoreAdded, Key: "shop/web"}}, []event{{Kind: journal.StoreAdded, Key: "web"}, {Kind: journal.StoreAdded, Key: "workshop/web"}, {Kind: journal.StoreAdded}}},
		{"key=*ab*b", []event{{Kind: journal.StoreAdded, Key: "abb"}, {Kind: journal.StoreAdded, Key: "xab/b"}}, []event{{Kind: journal.StoreAdded, Key: "ab"}}},
		{"key=*", []event{{Kind: journal.StoreAdded, Key: "a"}}, []event{{Kind: journal.FIFOSynced}}},
		{"key=/web-[0-9]+$/", []event{{Kind: journal.StoreAdded, Key: "shop/web-10"}}, []event{{Kind: journal.StoreAdded, Key: "shop/web-x"}}},
		{`"key=/a b/"`, []event{{Kind: journal.StoreAdded, Key: "a b"}}, []event{{Kind: journal.StoreAdded, Key: "ab"}}},
		{"resource=pods", []event{{Kind: journal.StoreAdded, Resource: "pods"}, {Kind: journal.StoreAdded, Resource: "pods@atomic"}}, []event{{Kind: journal.StoreAdded, Resource: "podsets"}, {Kind: journal.LogLine}}},
		{"resource=pods@atomic", []event{{Kind: journal.StoreAdded, Resource: "pods@atomic"}}, []event{{Kind: journal.StoreAdded, Resource: "pods"}, {Kind: journal.StoreAdded, Resource: "pods@delta"}}},
		{"resource=*@delta", []event{{Kind: journal.StoreAdded, Resource: "pods@delta"}}, []event{{Kind: journal.StoreAdded, Resource: "pods@atomic"}}},
		{"name=worker-1", []event{{Kind: journal.QueueGot, Name: "worker-1"}}, []event{{Kind: journal.QueueGot, Name: "worker-10"}, {Kind: journal.QueueGot}}},
		{"tombstone", []event{{Kind: journal.Notified, Flags: journal.Tombstone | journal.Initial}, {Kind: journal.FIFOEnqueued, Flags: journal.Tombstone}}, []event{{Kind: journal.Notified}}},
		{"dirty", []event{{Kind: journal.QueueAdded, Type: journal.AddDirty}}, []event{{Kind: journal.QueueAdded, Type: journal.AddQueued}, {Kind: journal.QueueDone}}},
		{"requeues>5", []event{{Kind: journal.QueueAddLimited, N: 6}}, []event{{Kind: journal.QueueAddLimited, N: 5}, {Kind: journal.QueueForgotten, N: 9}}},
		{"requeues=5", []event{{Kind: journal.QueueAddLimited, N: 5}}, []event{{Kind: journal.QueueAddLimited, N: 6}}},
		{"requeues<=5", []event{{Kind: journal.QueueAddLimited, N: 5}}, []event{{Kind: journal.QueueAddLimited, N: 6}}},
		{"relist", []event{{Kind: journal.RelistRequested}}, []event{{Kind: journal.ListStarted}}},
		{"code=410", []event{{Kind: journal.WatchError, M: 410}, {Kind: journal.WireResponse, M: 410}}, []event{{Kind: journal.WireResponse, M: 200}, {Kind: journal.FIFOPopped, M: 410}}},
		{"code>=500 stage=wire", []event{{Kind: journal.WireResponse, M: 503}}, []event{{Kind: journal.WireResponse, M: 499}, {Kind: journal.WatchError, M: 500}}},
		{"error", []event{
			{Kind: journal.WireError}, {Kind: journal.WireResponse, M: 403}, {Kind: journal.WireStreamEnd, Text: "cut"}, {Kind: journal.ListFailed}, {Kind: journal.WatchError},
			{Kind: journal.FIFOError}, {Kind: journal.ReconcileFailed}, {Kind: journal.ReconcilePanicked}, {Kind: journal.HandlerPanicked}, {Kind: journal.LogLine, Name: "error"}, {Kind: journal.PipelineFailed},
		}, []event{{Kind: journal.WireResponse, M: 200}, {Kind: journal.WireStreamEnd}, {Kind: journal.LogLine, Name: "info"}, {Kind: journal.ReconcileDone}}},
		{"kind=deltafifo.enqueued type=Deleted key=shop/* tombstone resource=pods",
			[]event{{Kind: journal.FIFOEnqueued, Type: "Deleted", Key: "shop/a", Flags: journal.Tombstone, Resource: "pods"}},
			[]event{
				{Kind: journal.FIFOPopped, Type: "Deleted", Key: "shop/a", Flags: journal.Tombstone, Resource: "pods"},
				{Kind: journal.FIFOEnqueued, Type: "Added", Key: "shop/a", Flags: journal.Tombstone, Resource: "pods"},
				{Kind: journal.FIFOEnqueued, Type: "Deleted", Key: "a", Flags: journal.Tombstone, Resource: "pods"},
				{Kind: journal.FIFOEnqueued, Type: "Deleted", Key: "shop/a", Resource: "pods"},
				{Kind: journal.FIFOEnqueued, Type: "Deleted", Key: "shop/a", Flags: journal.Tombstone, Resource: "nodes"},
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
