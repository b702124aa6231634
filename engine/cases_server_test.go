package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/client-go/tools/cache"

	"informerscope/engine"
	"informerscope/engine/deltafifo"
	"informerscope/internal/testing/apiscript"
	"informerscope/internal/testing/session"
	"informerscope/journal"
	"informerscope/journal/state"
)

// run is a session of the whole engine on a scripted API server, over HTTP in
// memory: client-go's real backoffs pass in no time.
type run struct {
	t *testing.T
	*apiscript.Server
	*engine.Session
	stop func() // ends the session and waits for it; may be called twice
}

// scripted runs body in a bubble beside a session that watches configmaps, and
// ends the session after it.
func scripted(t *testing.T, o engine.Options, body func(r *run), answers ...apiscript.Answer) {
	t.Helper()
	scriptedBy(t, o, nil, body, answers...)
}

// everywhere is scripted under each discipline in turn: the case is the same in
// all. What differs is run by inEach.
func everywhere(t *testing.T, o engine.Options, body func(r *run), answers ...apiscript.Answer) {
	t.Helper()
	everywhereBy(t, o, nil, body, answers...)
}

// everywhereBy is everywhere with a rule for the requests after the last answer.
func everywhereBy(t *testing.T, o engine.Options, rule func(apiscript.Request) apiscript.Answer, body func(r *run), answers ...apiscript.Answer) {
	t.Helper()
	eachDiscipline(t, o, func(t *testing.T, o engine.Options) { scriptedBy(t, o, rule, body, answers...) })
}

// everywhereAfter is everywhere with something to do before the session runs.
func everywhereAfter(t *testing.T, o engine.Options, before func(*engine.Session), body func(r *run), answers ...apiscript.Answer) {
	t.Helper()
	eachDiscipline(t, o, func(t *testing.T, o engine.Options) { scriptedAfter(t, o, before, nil, body, answers...) })
}

func eachDiscipline(t *testing.T, o engine.Options, f func(*testing.T, engine.Options)) {
	t.Helper()
	for _, discipline := range deltafifo.Disciplines {
		t.Run(discipline, func(t *testing.T) {
			o := o
			o.FIFO = discipline
			f(t, o)
		})
	}
}

// scriptedBy is scripted with a rule for the requests after the last answer.
func scriptedBy(t *testing.T, o engine.Options, rule func(apiscript.Request) apiscript.Answer, body func(r *run), answers ...apiscript.Answer) {
	t.Helper()
	scriptedAfter(t, o, func(*engine.Session) {}, rule, body, answers...)
}

// scriptedAfter is scriptedBy with something to do before the session runs.
func scriptedAfter(t *testing.T, o engine.Options, before func(*engine.Session), rule func(apiscript.Request) apiscript.Answer, body func(r *run), answers ...apiscript.Answer) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		server := apiscript.StartInMemory(t, answers...)
		if rule != nil {
			server.Otherwise(rule)
		}
		o.Config = server.Config()
		if o.Targets == nil {
			o.Targets = []engine.Target{configMaps}
		}
		rig := session.Start(t, o, before)
		defer rig.Stop()
		r := &run{t, server, rig.Session, rig.Stop}
		synctest.Wait()
		body(r)
	})
}

// pass lets time pass, and then everything come to rest.
func (r *run) pass(d time.Duration) {
	time.Sleep(d) // of the bubble
	synctest.Wait()
}

func (r *run) resource() *state.Resource { return r.Snapshot().Resource("configmaps") }

// events are those for which keep is true.
func (r *run) events(keep func(*journal.Event) bool) []journal.Event {
	var es []journal.Event
	for v, i := r.Journal().View(), 0; i < v.Len(); i++ {
		if e := v.At(i); keep(e) {
			es = append(es, *e)
		}
	}
	return es
}

func (r *run) of(k journal.Kind) []journal.Event {
	return r.events(func(e *journal.Event) bool { return e.Kind == k })
}

// calls are what the handler that feeds the workqueue saw: "OnAdd a@5",
// "OnUpdate a@5->10", "OnDelete T{a@10}".
func (r *run) calls() []string {
	var calls []string
	for _, e := range r.events(func(e *journal.Event) bool {
		return e.Kind == journal.KindHandlerStarted && e.HandlerStarted().Listener == "controller"
	}) {
		calls = append(calls, call(&e))
	}
	return calls
}

func call(e *journal.Event) string {
	what := e.Key + "@" + e.RV
	if e.Raw().Type == journal.OnUpdate {
		what = fmt.Sprintf("%s@%s->%s", e.Key, rv(e.Old), e.RV)
	}
	if e.Has(journal.Tombstone) {
		what = "T{" + what + "}"
	}
	return e.Raw().Type + " " + what
}

func rv(obj any) string {
	m, ok := obj.(interface{ GetResourceVersion() string })
	if !ok {
		return "?"
	}
	return m.GetResourceVersion()
}

// stored is the Indexer: "a@5".
func (r *run) stored() []string {
	var all []string
	x := &r.resource().Indexer
	for i := range x.Len() {
		key, e := x.At(i)
		all = append(all, key+"@"+e.RV)
	}
	return all
}

// letIn lets n watch events through the closed gate, one by one.
func (r *run) letIn(n int) {
	r.t.Helper()
	r.let("configmaps", n)
}

// let is letIn for a resource, or for the lanes beside the one given.
func (r *run) let(resource string, n int) {
	r.t.Helper()
	for i := range n {
		if _, err := r.Step(resource, journal.StageReflector); err != nil {
			r.t.Fatalf("event %d of %d: %v\n%s", i+1, n, err, r.text())
		}
		synctest.Wait()
	}
}

// queued lists what the FIFO holds, key by key or, in a RealFIFO, in order of
// arrival: "Updated a@10".
func (r *run) queued() []string {
	var all []string
	show := func(key string, d state.Delta) {
		what := key
		switch d.Type {
		case string(cache.ReplacedAll):
			var keys []string
			for _, o := range d.Object.([]any) {
				key, _ := cache.MetaNamespaceKeyFunc(o)
				keys = append(keys, key+"@"+rv(o))
			}
			what = "(" + strings.Join(keys, " ") + ")"
		case string(cache.Bookmark):
			what = "@" + d.RV
		default:
			what += "@" + d.RV
		}
		if d.Tombstone {
			what = "T{" + what + "}"
		}
		all = append(all, strings.TrimSpace(d.Type+" "+what))
	}
	q := &r.resource().FIFO
	if q.Arrival() {
		for i := range q.Items() {
			item := q.ItemAt(i)
			show(item.Key, item.Delta)
		}
		return all
	}
	for i := range q.Depth() {
		k := q.At(i)
		for _, d := range k.Deltas {
			show(k.Key, d)
		}
	}
	return all
}

// expect compares lists of words; want is separated by ", ".
func (r *run) expect(what string, got []string, want string) {
	r.t.Helper()
	if g := strings.Join(got, ", "); g != want {
		r.t.Errorf("%s: %s\nwant: %s\n%s", what, g, want, r.text())
	}
}

func (r *run) text() string {
	var b strings.Builder
	for v, i := r.Journal().View(), 0; i < v.Len(); i++ {
		e := v.At(i)
		fmt.Fprintf(&b, "%s %v %s %s\n", e.Time.Format("05.000"), e.Kind, e.Key, e.Details())
	}
	return b.String()
}

func (r *run) lastRV(want string) {
	r.t.Helper()
	if got := r.resource().Reflector.RV; got != want {
		r.t.Errorf("last resourceVersion %q, want %q", got, want)
	}
}

func (r *run) synced(want bool) {
	r.t.Helper()
	if got := r.resource().Synced; got != want {
		r.t.Errorf("HasSynced %v, want %v\n%s", got, want, r.text())
	}
}

// gap is the time between request i-1 and request i.
func (r *run) gap(i int) time.Duration {
	r.t.Helper()
	all := r.Requests()
	if len(all) <= i {
		r.t.Fatalf("only %d requests:\n%s", len(all), r.text())
	}
	return all[i].At.Sub(all[i-1].At)
}

func (r *run) atOnce(i int) {
	r.t.Helper()
	if d := r.gap(i); d != 0 {
		r.t.Errorf("request %d came after %v, not at once", i, d)
	}
}

// backedOff checks a wait of client-go's Reflector: from least to twice that,
// as the jitter has it.
func (r *run) backedOff(i int, least time.Duration) {
	r.t.Helper()
	if d := r.gap(i); d < least || d > 2*least {
		r.t.Errorf("request %d came after %v, want %v to %v", i, d, least, 2*least)
	}
}

// says reports whether an event's text holds what is looked for.
func (r *run) says(k journal.Kind, text string) bool {
	return slices.ContainsFunc(r.of(k), func(e journal.Event) bool { return strings.Contains(e.Raw().Text, text) })
}
