package faults_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"informerscope/engine/faults"
	"informerscope/sandbox"
)

// live is a Reflector with a real client on a real server: HTTPS, HTTP/2.
type live struct {
	t      *testing.T
	ctx    context.Context
	server *sandbox.Server
	set    *faults.Set
	writer *kubernetes.Clientset // not through the faults
	lw     *cache.ListWatch      // through them
	wire   *wireLog
	store  *lookedAt
	hits   chan faults.Hit   // the first ones
	rv     map[string]string // of what was written, by name
}

// lookedAt is a log that can be waited for.
type lookedAt struct {
	log
	changed chan struct{} // has one after each change
}

func (l *lookedAt) noted(err error) error {
	select {
	case l.changed <- struct{}{}:
	default:
	}
	return err
}

func (l *lookedAt) Add(obj any) error    { return l.noted(l.log.Add(obj)) }
func (l *lookedAt) Update(obj any) error { return l.noted(l.log.Update(obj)) }
func (l *lookedAt) Delete(obj any) error { return l.noted(l.log.Delete(obj)) }
func (l *lookedAt) Replace(list []any, rv string) error {
	return l.noted(l.log.Replace(list, ""))
}

func (l *lookedAt) snapshot() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.lines)
}

// wireLog notes the requests as the client sends them, above the faults, and
// that they go over HTTP/2 in the encoding that is meant.
type wireLog struct {
	lookedAt
	next http.RoundTripper
	rv   string // of the last WATCH
}

func (w *wireLog) watched() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.rv
}

func (w *wireLog) RoundTrip(req *http.Request) (*http.Response, error) {
	q := req.URL.Query()
	verb := "LIST"
	switch {
	case q.Get("sendInitialEvents") == "true":
		verb = "WATCHLIST"
	case q.Get("watch") == "true":
		verb = "WATCH"
		w.mu.Lock()
		w.rv = q.Get("resourceVersion")
		w.mu.Unlock()
	}
	_ = w.noted(w.add("%s", verb))
	resp, err := w.next.RoundTrip(req)
	if err == nil && (resp.ProtoMajor != 2 || resp.Header.Get("Content-Type") == "") {
		_ = w.add("answered in %s, %q", resp.Proto, resp.Header.Get("Content-Type"))
	}
	return resp, err
}

// eachClient runs f with the typed client, which speaks protobuf, and with the
// dynamic one, which speaks JSON.
func eachClient(t *testing.T, f func(l *live)) {
	for _, client := range []string{"typed", "dynamic"} {
		t.Run(client, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			t.Cleanup(cancel)
			l := &live{t: t, ctx: ctx, rv: map[string]string{}, hits: make(chan faults.Hit, 100), store: &lookedAt{changed: make(chan struct{}, 1)}}
			var err error
			if l.server, err = sandbox.Start(ctx, sandbox.Options{BookmarkInterval: 20 * time.Millisecond}); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = l.server.Close() })
			l.set = faults.NewSet(faults.Options{Observe: func(h faults.Hit) {
				select {
				case l.hits <- h:
				default:
				}
			}})
			t.Cleanup(func() { disarmAll(l.set) })
			if l.writer, err = kubernetes.NewForConfig(l.server.RESTConfig()); err != nil {
				t.Fatal(err)
			}
			config := l.server.RESTConfig()
			config.Wrap(l.set.Wrap)
			config.Wrap(func(next http.RoundTripper) http.RoundTripper {
				l.wire = &wireLog{next: next, lookedAt: lookedAt{changed: make(chan struct{}, 1)}}
				return l.wire
			})
			l.connect(client, config)
			f(l)
		})
	}
}

func (l *live) connect(client string, config *rest.Config) {
	l.t.Helper()
	if client == "dynamic" {
		c, err := dynamic.NewForConfig(config)
		if err != nil {
			l.t.Fatal(err)
		}
		r := c.Resource(configmaps)
		l.lw = &cache.ListWatch{
			ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
				return r.List(ctx, o)
			},
			WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
				return r.Watch(ctx, o)
			},
		}
		return
	}
	config.ContentType = runtime.ContentTypeProtobuf
	config.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	c, err := kubernetes.NewForConfig(config)
	if err != nil {
		l.t.Fatal(err)
	}
	r := c.CoreV1().ConfigMaps("")
	l.lw = &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			return r.List(ctx, o)
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			return r.Watch(ctx, o)
		},
	}
}

// run starts a Reflector, whose backoff is short.
func (l *live) run() {
	var example runtime.Object = &corev1.ConfigMap{}
	if strings.HasSuffix(l.t.Name(), "/dynamic") {
		example = &unstructured.Unstructured{}
	}
	reflector := cache.NewReflectorWithOptions(l.lw, example, l.store, cache.ReflectorOptions{
		Backoff: &wait.Backoff{Duration: time.Millisecond, Factor: 1, Steps: 1}})
	ctx, cancel := context.WithCancel(l.ctx)
	var wg sync.WaitGroup
	wg.Go(func() { reflector.RunWithContext(ctx) })
	l.t.Cleanup(func() {
		cancel()
		disarmAll(l.set)
		wg.Wait()
	})
}

// synced starts a Reflector on one ConfigMap, a, and has it see an event, b.
func (l *live) synced() {
	l.t.Helper()
	l.write("a")
	l.run()
	l.stored("Replace [a]")
	l.write("b")
	l.stored("Replace [a]", "Add b")
	l.sent("WATCHLIST")
}

// write creates or updates a ConfigMap.
func (l *live) write(name string) {
	l.t.Helper()
	c := l.writer.CoreV1().ConfigMaps("default")
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, ResourceVersion: l.rv[name]}, Data: map[string]string{"after": l.rv[name]}}
	do := func() (*corev1.ConfigMap, error) { return c.Create(l.ctx, cm, metav1.CreateOptions{}) }
	if cm.ResourceVersion != "" {
		do = func() (*corev1.ConfigMap, error) { return c.Update(l.ctx, cm, metav1.UpdateOptions{}) }
	}
	written, err := do()
	if err != nil {
		l.t.Fatal(err)
	}
	l.rv[name] = written.ResourceVersion
}

// elsewhere changes what the Reflector does not watch.
func (l *live) elsewhere() {
	l.t.Helper()
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "s"}}
	if _, err := l.writer.CoreV1().Secrets("default").Create(l.ctx, secret, metav1.CreateOptions{}); err != nil {
		l.t.Fatal(err)
	}
}

// names of the objects in a list.
func (l *live) names(list runtime.Object) (names []string) {
	l.t.Helper()
	if err := meta.EachListItem(list, func(obj runtime.Object) error {
		names = append(names, at(obj))
		return nil
	}); err != nil {
		l.t.Fatal(err)
	}
	return names
}

func (l *live) arm(words string) int {
	l.t.Helper()
	return arm(l.t, l.set, words)
}

// hit waits for the next strike.
func (l *live) hit() faults.Hit {
	l.t.Helper()
	select {
	case h := <-l.hits:
		return h
	case <-l.ctx.Done():
		l.t.Fatal("no fault struck")
		return faults.Hit{}
	}
}

// stored waits until the Reflector did this to its store, all told, where
// names stand for objects; sent the same of its requests.
func (l *live) stored(want ...string) { l.t.Helper(); l.await(l.store, want) }
func (l *live) sent(want ...string)   { l.t.Helper(); l.await(&l.wire.lookedAt, want) }

func (l *live) await(at *lookedAt, want []string) {
	l.t.Helper()
	for {
		got := at.snapshot()
		for i, line := range got {
			got[i] = withoutRV(line)
		}
		if slices.Equal(got, want) {
			return
		}
		select {
		case <-at.changed:
		case <-l.ctx.Done():
			l.t.Fatalf("it did %q, want %q", got, want)
		}
	}
}

// withoutRV makes "Replace [a]" of "Replace [a@5 kube-root-ca.crt@2] rv=7".
func withoutRV(line string) string {
	line, _, _ = strings.Cut(line, " rv=")
	words := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' })
	for i, w := range words {
		name, rest, found := strings.Cut(w, "@")
		if found && strings.HasSuffix(rest, "]") {
			name += "]"
		}
		words[i] = name
	}
	return strings.Join(words, " ")
}
