package scenario_test

import (
	"strings"
	"testing"

	"informerscope/engine"
	"informerscope/journal/state"
)

func TestBreakVerbs(t *testing.T) {
	b := start(t, engine.Options{})
	b.refuse("run", "run: no breakpoint is set: break EXPR sets one")
	b.say("break list", "no breakpoint is set")
	b.refuse("break", "break: WORD is missing: break WORD...")
	b.refuse("break tombston", `break: there is no word "tombston"; do you mean tombstone?`)
	b.refuse("break lists", `break: there is no word "lists"; do you mean break list?`)
	b.refuse("break resource=pods", "break: nothing of that resource is watched: use one of configmaps")
	b.say(`break kind=workqueue.added "key=/a |b/"`, "breakpoint 1 is set")
	b.say("break dirty", "breakpoint 2 is set")
	b.say("add b", "Add(b): queued, and dirty")
	b.until("it stops", func(*state.Resource) bool { return b.Session.Snapshot().Paused })
	hit := b.Session.Breakpoints()[0].LastSeq
	b.say("break list", `1: kind=workqueue.added "key=/a |b/" (1 hit, the last at event `+itoa(int(hit))+`); 2: dirty (0 hits)`)
	b.say("break disable 2", "breakpoint 2 is kept, and stops nothing")
	b.say("get", "Get: b")
	b.say("run", "running to the next hit")
	b.say("break remove 1", "breakpoint 1 is removed")
	b.say("add b", "Add(b): it is being processed: dirty only, and queued at its Done")
	b.refuse("run", "run: every breakpoint is disabled: break enable N")
	b.say("break list", "2: dirty (disabled, 0 hits)")
	b.say("break enable 2", "breakpoint 2 counts")
	b.refuse("break enable 7", "break enable: there is no breakpoint 7")
	b.refuse("break remove two", `break remove: "two" is no number of a breakpoint: break list shows them`)
	b.say("break remove all", "1 breakpoint removed")
	if b.Session.Snapshot().Paused {
		t.Error("paused without a breakpoint")
	}
}

func TestBreakIsCompleted(t *testing.T) {
	b := start(t, engine.Options{Workers: 1})
	b.say("break dirty", "breakpoint 1 is set")
	for line, want := range map[string]string{
		"bre":                 "break",
		"break ":              "list remove enable disable stage= kind= type= key= ...",
		"break st":            "stage=",
		"break type=Del":      "type=Deleted",
		"break dirty resour":  "resource=",
		"break resource=":     "resource=configmaps",
		"break name=w":        "name=worker-1",
		"break remove ":       "1 all",
		"break enable ":       "1",
		"break kind=workqu":   "kind=workqueue.added kind=workqueue.addAfter ...",
		"break dirty finding": "finding finding=",
	} {
		_, cs := b.Complete("configmaps", line)
		var words []string
		for _, c := range cs {
			words = append(words, c.Word)
		}
		got := strings.Join(words, " ")
		if begin, more := strings.CutSuffix(want, " ..."); got != want && !(more && strings.HasPrefix(got, begin+" ")) {
			t.Errorf("%q: %s, want %s", line, got, want)
		}
	}
}
