package scenario_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"informerscope/engine"
	"informerscope/internal/testing/session"
	"informerscope/journal"
	"informerscope/journal/state"
	"informerscope/sandbox"
	"informerscope/scenario"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		// client-go caches transports and keeps their idle connections.
		goleak.IgnoreTopFunction("internal/poll.runtime_pollWait"),
		goleak.IgnoreAnyFunction("net/http.(*http2ClientConn).readLoop"),
	)
}

// bench is a session on a real sandbox, with the verbs.
type bench struct {
	t *testing.T
	*scenario.Subject
	rig *session.Rig
}

func start(t *testing.T, o engine.Options) *bench {
	t.Helper()
	server := session.Sandbox(t, sandbox.Options{})
	rig := session.Start(t, session.On(server, o))
	hands, err := scenario.NewServer(server)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t, &scenario.Subject{Session: rig.Session, Server: hands}, rig}
	b.until("synced", func(r *state.Resource) bool { return r.Synced })
	return b
}

// until waits for a state, be it in passing.
func (b *bench) until(what string, f func(*state.Resource) bool) *state.Resource {
	b.t.Helper()
	return b.rig.Await("configmaps", what, f)
}

// say runs a line that must be answered so.
func (b *bench) say(line, want string) {
	b.t.Helper()
	got, err := b.Run(b.t.Context(), "configmaps", line)
	if err != nil {
		b.t.Errorf("%s: %v", line, err)
	} else if got != want {
		b.t.Errorf("%s: %q, want %q", line, got, want)
	}
}

// eventually says a line until it is taken: what it waits for is on its way.
func (b *bench) eventually(line string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), patience)
	defer cancel()
	err := errors.New("not said")
	if b.rig.Until(ctx, func(engine.InFlight) bool {
		if err != nil {
			_, err = b.Run(ctx, "configmaps", line)
		}
		return err == nil
	}) != nil {
		b.t.Fatalf("%s: %v", line, err)
	}
}

// refuse runs a line that must fail so.
func (b *bench) refuse(line, want string) {
	b.t.Helper()
	got, err := b.Run(b.t.Context(), "configmaps", line)
	if err == nil {
		b.t.Errorf("%s: %q, want the error %q", line, got, want)
	} else if err.Error() != want {
		b.t.Errorf("%s: %q, want %q", line, err, want)
	}
}

func TestQueueVerbs(t *testing.T) {
	b := start(t, engine.Options{})
	b.say("add shop/a", "Add(shop/a): queued, and dirty")
	b.say("add shop/a", "Add(shop/a): dirty already, nothing changes")
	b.say("get", "Get: shop/a")
	b.say("add shop/a", "Add(shop/a): it is being processed: dirty only, and queued at its Done")
	b.say("done", "Done(shop/a)")
	b.say("get", "Get: shop/a")
	b.say("reconcile shop/a error", "reconciled shop/a by hand: error")
	b.until("it comes back", func(r *state.Resource) bool { return r.Queue.Len() == 1 })
	b.say("get", "Get: shop/a")
	b.say("forget", "Forget(shop/a)")
	b.say("done shop/a", "Done(shop/a)")
	b.refuse("get", "get: the queue is empty: add a key first")
	b.refuse("done", "done: no key is in your hand: get one, or name a KEY")
	b.say("add-after shop/b 1h", "AddAfter(shop/b, 1h0m0s)")
	b.refuse("add-after shop/b soon", `add-after: "soon" is no duration: use one such as 200ms or 5s`)
	b.say("add-rate-limited shop/c", "AddRateLimited(shop/c)")
	b.say("shutdown", "ShutDown")
	b.say("add shop/d", "Add(shop/d): ignored, the queue is shutting down")
	b.refuse("drain", "drain: the workqueue is shutting down already")

	var said []string
	for v, i := b.Session.Journal().View(), 0; i < v.Len(); i++ {
		if e := v.At(i); e.Kind == journal.KindCommanded {
			said = append(said, e.Commanded().Command)
		}
	}
	if len(said) != 14 || said[0] != "add shop/a" || said[13] != "add shop/d" {
		t.Errorf("the journal has the commands %q", said)
	}
}

func TestEngineVerbs(t *testing.T) {
	b := start(t, engine.Options{Workers: 1})
	b.refuse("pop", "pop: the engine is running: pause it before stepping")
	b.say("pause", "paused")
	b.say("create configmap a", "created configmap default/a at rv "+b.rvAfter(1))
	b.eventually("step reflector")
	b.until("a key is queued", func(r *state.Resource) bool { return r.FIFO.Depth() == 1 })
	b.eventually("pop")
	b.until("it is stored", func(r *state.Resource) bool { return r.Indexer.Len() == 1 })
	b.refuse("step indexes", `step: there is no stage "indexes": use one of reflector, deltafifo, listener, workqueue`)
	b.refuse("step deltafifo controller", "step: only notifications are stepped by handler: step listener controller")
	b.eventually("step listener controller")
	b.say("resume", "resumed")
	b.until("reconciled", func(r *state.Resource) bool { return r.Workers[0].Done == 1 })
	b.say("resync", "Sync deltas are queued for what is stored")
	b.until("OnUpdate", func(r *state.Resource) bool { return r.Listeners[0].Updates == 1 })
	b.say("pace 2", "2 items a second")
	b.say("pace 0", "real time")
	b.refuse("pace fast", `pace: "fast" is no pace: use items a second up to 100000, such as 4 or 0.5; 0 is real time`)
	before := b.Session.Snapshot().Resource("configmaps").Reflector.Relists
	b.say("relist", "the next event of the watch is ERROR 410; client-go backs off for a second or two and lists again")
	b.say("update configmap a", "changed configmap default/a at rv "+b.rvAfter(1))
	b.until("relisted", func(r *state.Resource) bool { return r.Reflector.Relists > before })
}

// rvAfter is the resourceVersion after n more writes.
func (b *bench) rvAfter(n int) string {
	b.t.Helper()
	list, err := b.Server.Client().Resource(session.ConfigMaps.GVR).List(b.t.Context(), metaList)
	if err != nil {
		b.t.Fatal(err)
	}
	return next(list.GetResourceVersion(), n)
}

func TestIndexVerbs(t *testing.T) {
	b := start(t, engine.Options{Indexes: []string{"label:app"}})
	b.refuse("index", "index: say what to do: fail, panic")
	b.refuse("index fail", "index fail: INDEX is missing: index fail INDEX [KEY]")
	b.refuse("index fail pod", `index fail: configmaps has no index "pod": use one of label:app, namespace`)
	b.say("index panic label:app default/c", "index label:app panics on default/c")
	b.say("index fail namespace default/b", "index namespace fails on default/b")
	if _, words := b.Complete("configmaps", "index fail na"); len(words) != 1 || words[0].Word != "namespace" {
		t.Errorf("completed to %v", words)
	}
	if _, err := b.Run(t.Context(), "configmaps", "create configmap a"); err != nil {
		t.Fatal(err)
	}
	b.until("another object is stored", func(r *state.Resource) bool { return r.Indexer.Len() == 1 && r.Failed == "" })
	if _, err := b.Run(t.Context(), "configmaps", "create configmap b"); err != nil {
		t.Fatal(err)
	}
	r := b.until("stopped", func(r *state.Resource) bool { return r.Failed != "" })
	if x := &r.Indexer; x.FailedIndex != "namespace" || x.FailedKey != "default/b" || !strings.Contains(x.FailedText, "told to fail (index fail namespace)") {
		t.Errorf("index %s failed on %s: %s", x.FailedIndex, x.FailedKey, x.FailedText)
	}
	b.refuse("index fail namespace", "index fail: configmaps has stopped: "+r.Failed)
}

func TestWorkerAndHandlerVerbs(t *testing.T) {
	b := start(t, engine.Options{})
	b.say("worker add", "worker-1 starts")
	b.say("worker block", "all workers: blocked")
	b.say("worker unblock worker-1", "worker-1: free again")
	b.refuse("worker block worker-7", "worker block: there is no worker-7")
	b.say("worker fail 100%", "100% of reconciles fail")
	b.refuse("worker fail often", `worker fail: "often" is no share: use one from 0 to 1, or 0% to 100%`)
	b.say("worker slow 1ms", "a reconcile takes 1ms")
	b.say("worker remove", "worker-1 leaves")
	b.refuse("worker", "worker: say what to do: add, remove, block, unblock, fail, slow, write")
	b.refuse("reconcile a", "reconcile: OUTCOME is missing: reconcile KEY OUTCOME [after DURATION]")
	b.refuse("reconcile a ok after", "reconcile: DURATION is missing: reconcile KEY OUTCOME [after DURATION]")
	b.refuse("reconcile a error after 3s", "reconcile: after is for ok, which makes the key come back by AddAfter: error has its own way")
	b.refuse("reconcile a well", `reconcile: "well" is no way to end a reconcile: use one of [ok error panic no-forget no-done]`)

	b.say("handler add audit,delay=1ms", "audit is registered")
	b.refuse("handler add audit", "handler add: configmaps has a handler audit already: choose another name, or remove it first")
	b.say("handler block audit", "audit: its calls do not return")
	b.say("handler unblock audit", "audit: its calls return again")
	b.say("handler slow audit 1ms", "audit: each call takes 1ms longer")
	b.say("handler panic audit", "audit: the next call panics")
	b.say("create configmap a", "created configmap default/a at rv "+b.rvAfter(1))
	b.until("it panicked", func(r *state.Resource) bool { return r.Listeners[1].Panics == 1 })
	b.say("handler remove audit", "audit is removed")
	b.refuse("handler slow audit 1s", "handler slow: configmaps has no handler audit")
}

func TestServerAndWireVerbs(t *testing.T) {
	b := start(t, engine.Options{})
	b.say("create namespace shop", "created namespace shop at rv "+b.rvAfter(1))
	b.say("create cm shop/a app=web", "created configmap shop/a at rv "+b.rvAfter(1))
	b.say("label configmaps shop/a app=db tier-", "changed configmap shop/a at rv "+b.rvAfter(1))
	b.until("the label", func(r *state.Resource) bool {
		x, ok := r.Indexer.Get("shop/a")
		return ok && x.RV != ""
	})
	b.say("delete configmap shop/a", "deleted configmap shop/a")
	b.refuse("delete configmap shop/a", `delete: configmaps "a" not found`)
	b.refuse("create spaceship a", `create: the server has no resource "spaceship"`)
	b.refuse("create namespace shop/a", "create: namespaces have no namespace: name only a")
	b.refuse("label configmap shop/a", "label: LABEL=VALUE is missing: label RESOURCE KEY LABEL=VALUE...")

	b.say("compact", "the history is gone")
	b.say("revoke", "new requests get 403 until grant; an open watch goes on")
	got, err := b.Run(t.Context(), "configmaps", "cut")
	if err != nil || !strings.HasPrefix(got, "done: ") {
		t.Errorf("cut: %q %v", got, err)
	}
	b.until("403", func(r *state.Resource) bool { return strings.Contains(r.Reflector.LastError, "forbidden") })
	b.say("grant", "requests are answered again")
	got, err = b.Run(t.Context(), "configmaps", "drop times=3")
	if err != nil || !strings.HasPrefix(got, "armed as number 2: ") {
		t.Errorf("drop: %q %v", got, err)
	}
	b.say("faults", "2: drop configmaps times=3 (0 hits)")
	if f := b.Session.Snapshot().Faults(time.Now()); len(f) != 1 || f[0].Text != "drop configmaps times=3" || f[0].Left != 3 {
		t.Errorf("the state has the faults %+v", f)
	}
	b.refuse("clear 9", "clear: no fault has the number 9: faults lists them")
	b.say("clear", "1 fault cleared")
	b.say("faults", "no fault is armed")
	b.say("bookmark", "bookmarks are sent")
}

func TestWrongLines(t *testing.T) {
	b := start(t, engine.Options{})
	b.refuse("", "type a verb; tab shows what there is")
	b.refuse("pasue", `there is no verb "pasue"; do you mean pause?`)
	b.refuse("launch", `there is no verb "launch"; tab shows what there is`)
	b.refuse("pause now", `pause: "now" is too much: pause`)
	b.refuse("-r", "-r: name a resource")
	b.refuse("-r pods add a", `-r: no resource "pods" is watched: use one of configmaps`)
	b.say("-r configmaps add a", "Add(a): queued, and dirty")
	b.refuse(`add "a`, `no quotation mark ends "a`)
	b.Server = nil
	b.refuse("create configmap a", "create: only with --sandbox: on a cluster this program only reads")
	b.refuse("compact", "compact: only with --sandbox: on a cluster this program only reads")
}

func TestCompletion(t *testing.T) {
	b := start(t, engine.Options{Workers: 1})
	b.say("create namespace shop", "created namespace shop at rv "+b.rvAfter(1))
	b.say("create configmap shop/a", "created configmap shop/a at rv "+b.rvAfter(1))
	b.until("stored", func(r *state.Resource) bool { return r.Indexer.Len() == 1 })
	for line, want := range map[string]string{
		"":                    "0: pause resume step pop ...",
		"re":                  "0: resume resync relist reconcile repeat refused revoke",
		"handler ":            "8: add remove block unblock slow panic mutate",
		"handler b":           "8: block",
		"step ":               "5: reflector deltafifo listener workqueue",
		"step listener ":      "14: controller",
		"add ":                "4: shop/a",
		"-r ":                 "3: configmaps",
		"-r configmaps add s": "18: shop/a",
		"reconcile shop/a ":   "17: ok error panic no-forget no-done",
		"worker block ":       "13: worker-1",
		"cut ":                "4: configmaps all ...",
		"nonsense ":           "9: ",
		"pause ":              "6: ",
	} {
		from, cs := b.Complete("configmaps", line)
		var words []string
		for _, c := range cs {
			words = append(words, c.Word)
		}
		got := strings.TrimSpace(strings.Join(words, " "))
		n, wantWords, _ := strings.Cut(want, ": ")
		if begin, more := strings.CutSuffix(wantWords, " ..."); more {
			if !strings.HasPrefix(got, begin+" ") {
				t.Errorf("%q: %s, want %s", line, got, want)
			}
		} else if got != wantWords {
			t.Errorf("%q: %s, want %s", line, got, want)
		}
		if n != itoa(from) {
			t.Errorf("%q: from %d, want %s", line, from, n)
		}
	}
}

// L9: a reconcile that writes each time feeds itself, and one that writes only
// what is not there yet does not.
func TestReconcilesThatWrite(t *testing.T) {
	b := start(t, engine.Options{Workers: 1})
	b.say("worker write always", "each reconcile writes the time into annotation informerscope/reconciled")
	b.say("create configmap a", "created configmap default/a at rv "+b.rvAfter(1))
	b.until("it feeds itself", func(r *state.Resource) bool { return r.Workers[0].Done >= 10 && r.Listeners[0].Updates >= 5 })
	b.say("worker write changed", "a reconcile writes annotation informerscope/reconciled if it is not there")
	b.until("it ends", func(r *state.Resource) bool { return r.Drained() })
	b.say("worker write off", "reconciles write nothing")
	b.refuse("worker write often", `worker write: "often" is not accepted: use always, changed or off`)
}

// Every verb has help, is in a group, and cannot hide behind another.
func TestRegistry(t *testing.T) {
	seen := map[string]bool{}
	for i := range scenario.Verbs {
		v := &scenario.Verbs[i]
		if v.Help == "" || strings.HasSuffix(v.Help, ".") || seen[v.Name] {
			t.Errorf("%q: help %q, seen %v", v.Name, v.Help, seen[v.Name])
		}
		seen[v.Name] = true
		first, _, two := strings.Cut(v.Name, " ")
		if two && seen[first] {
			t.Errorf("%q hides behind %q", v.Name, first)
		}
		known := false
		for _, g := range scenario.Groups {
			known = known || g.Group == v.Group
		}
		if !known {
			t.Errorf("%q is in no group", v.Name)
		}
	}
}
