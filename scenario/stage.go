package scenario

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"informerscope/engine"
	"informerscope/engine/faults"
	"informerscope/engine/stores"
	"informerscope/journal/findings"
	"informerscope/sandbox"
)

// stage is where a scenario plays: a sandbox, and a session that watches it.
type stage struct {
	sandbox   *sandbox.Server
	session   *engine.Session
	subject   *Subject
	resources []string
	clock     *fakeClock // nil when time is real

	cancel context.CancelFunc
	ended  sync.WaitGroup
	err    error // of the session's Run; after ended
}

// open sets the stage; nothing is sent before run. The session does not end
// with ctx, but with close.
func open(ctx context.Context, f *File) (_ *stage, err error) {
	st := &stage{}
	// No bookmark comes by itself, and no watch ends: when they do decides what
	// happens.
	if st.sandbox, err = sandbox.Start(context.WithoutCancel(ctx), sandbox.Options{BookmarkInterval: 24 * time.Hour, MinWatch: 24 * time.Hour}); err != nil {
		return nil, fmt.Errorf("the sandbox cannot be started: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, st.sandbox.Close())
		}
	}()
	server, err := NewServer(st.sandbox)
	if err != nil {
		return nil, err
	}
	o, err := f.Settings.options(server)
	if err != nil {
		return nil, f.wrongSettings(err)
	}
	o.Config, o.Upstream = st.sandbox.RESTConfig(), st.sandbox.Delivered
	o.Config.Timeout = f.Settings.Timeout
	if f.Settings.FakeClock {
		st.clock = newFakeClock()
		o.Clock = st.clock
	}
	if st.session, err = engine.New(o); err != nil {
		return nil, f.wrongSettings(err)
	}
	st.resources = st.session.Resources()
	st.subject = &Subject{Session: st.session, Server: server}
	if w := f.Settings.WatchList; w != nil && !*w {
		refusal, err := faults.Parse([]string{string(faults.HTTP), "422", faults.All, "on=watchlist", "times=0"})
		if err != nil {
			return nil, err
		}
		id, err := st.session.Arm(refusal)
		if err != nil {
			return nil, err
		}
		st.subject.kept = []int{id}
	}
	return st, nil
}

// wrongSettings is what only the engine or the server finds.
func (f *File) wrongSettings(err error) error {
	return Mistakes{{f.Name, max(1, f.Settings.line), "settings: " + err.Error()}}
}

// options are the settings as the engine takes them.
func (s *Settings) options(server Server) (engine.Options, error) {
	o := engine.Options{
		FIFO: s.FIFO, Compare: s.Compare, Client: s.Client,
		Workers: s.Workers, Work: s.Work, Fail: s.Fail, Resync: s.Resync,
		Limiter: s.Limiter, Queue: s.Queue, Indexes: s.Indexes,
		DetectMutations: s.DetectMutations, Paused: s.Paused, Pace: s.Pace,
		Past: true, // a lesson's screen goes back in it
	}
	o.Thresholds = findings.Default()
	for _, spec := range s.Thresholds {
		if err := o.Thresholds.Parse(spec); err != nil {
			return o, err
		}
	}
	for _, spec := range s.Handlers {
		h, err := engine.ParseHandler(spec)
		if err != nil {
			return o, err
		}
		o.Handlers = append(o.Handlers, h)
	}
	if s.Stores != "" {
		specs, err := stores.Parse(s.Stores)
		if err != nil {
			return o, err
		}
		o.Stores = specs
	}
	for _, name := range s.Resources {
		t, err := s.target(server.Mapper(), name)
		if err != nil {
			return o, err
		}
		o.Targets = append(o.Targets, t)
	}
	return o, nil
}

func (s *Settings) target(mapper meta.RESTMapper, name string) (engine.Target, error) {
	gvr, err := mapper.ResourceFor(schema.ParseGroupResource(name).WithVersion(""))
	if err != nil {
		return engine.Target{}, fmt.Errorf("the sandbox has no resource %q", name)
	}
	kind, err := mapper.KindFor(gvr)
	if err != nil {
		return engine.Target{}, err
	}
	mapping, err := mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return engine.Target{}, err
	}
	t := engine.Target{Name: name, GVR: gvr, Kind: kind.Kind, LabelSelector: s.Selector, FieldSelector: s.Fields}
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		t.Namespace = s.Namespace
	}
	return t, nil
}

// create puts one of the file's objects there, and its namespace if need be.
func (st *stage) create(ctx context.Context, o Object) error {
	if o.Manifest == nil {
		return st.withNamespace(ctx, func() error {
			_, err := st.subject.Run(ctx, st.resources[0], "create "+o.Short)
			return err
		})
	}
	u := &unstructured.Unstructured{Object: o.Manifest}
	kind := u.GroupVersionKind()
	mapping, err := st.subject.Server.Mapper().RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return fmt.Errorf("the sandbox has no kind %s of %s", kind.Kind, kind.GroupVersion())
	}
	client := dynamic.ResourceInterface(st.subject.Server.Client().Resource(mapping.Resource))
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		if u.GetNamespace() == "" {
			u.SetNamespace(metav1.NamespaceDefault)
		}
		client = st.subject.Server.Client().Resource(mapping.Resource).Namespace(u.GetNamespace())
	}
	return st.withNamespace(ctx, func() error {
		_, err := client.Create(ctx, u, metav1.CreateOptions{})
		return err
	})
}

// withNamespace makes the namespace that f misses and calls f again.
func (st *stage) withNamespace(ctx context.Context, f func() error) error {
	err := f()
	var status apierrors.APIStatus
	if !apierrors.IsNotFound(err) || !errors.As(err, &status) || status.Status().Details == nil || status.Status().Details.Kind != "namespaces" {
		return err
	}
	namespaces := st.subject.Server.Client().Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"})
	u := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Namespace"}}
	u.SetName(status.Status().Details.Name)
	if _, err := namespaces.Create(ctx, u, metav1.CreateOptions{}); err != nil {
		return err
	}
	return f()
}

// run starts the informers.
func (st *stage) run(ctx context.Context) {
	ctx, st.cancel = context.WithCancel(context.WithoutCancel(ctx))
	st.ended.Go(func() { st.err = st.session.Run(ctx) })
}

// close ends everything, and returns how the session ended.
func (st *stage) close() error {
	if st.cancel == nil { // New has made goroutines; only Run ends them
		st.run(context.Background())
	}
	st.cancel()
	st.ended.Wait()
	return errors.Join(st.err, st.sandbox.Close())
}
