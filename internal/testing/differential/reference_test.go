package differential

import (
	"context"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/cache"

	"informerscope/engine/indexer"
	"informerscope/internal/testing/apiscript"
)

var configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}

// indexes beside namespace, as Options.Indexes takes them.
var indexes = []string{"label:app"}

func indexers(t testing.TB) cache.Indexers {
	all := cache.Indexers{}
	for _, spec := range append([]string{cache.NamespaceIndex}, indexes...) {
		name, f, err := indexer.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = f
	}
	return all
}

func listWatch(t testing.TB, s *apiscript.Server) *cache.ListWatch {
	client, err := dynamic.NewForConfig(s.Config())
	if err != nil {
		t.Fatal(err)
	}
	resource := client.Resource(configMaps)
	return &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			return resource.List(ctx, o)
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			return resource.Watch(ctx, o)
		},
	}
}

func example() *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(configMaps.GroupVersion().WithKind("ConfigMap"))
	return u
}

// shared is client-go's SharedIndexInformer.
type shared struct {
	cache.SharedIndexInformer
	handles map[string]cache.ResourceEventHandlerRegistration
}

var _ informer = (*shared)(nil)

func newShared(t testing.TB, s *apiscript.Server, p *plan) informer {
	i := &shared{
		SharedIndexInformer: cache.NewSharedIndexInformerWithOptions(listWatch(t, s), example(), cache.SharedIndexInformerOptions{ResyncPeriod: p.resync, Indexers: indexers(t)}),
		handles:             map[string]cache.ResourceEventHandlerRegistration{},
	}
	// The engine's own handler, which feeds the workqueue.
	if _, err := i.AddEventHandler(cache.ResourceEventHandlerFuncs{}); err != nil {
		t.Fatal(err)
	}
	return i
}

func (i *shared) add(h *handlerPlan) (err error) {
	if h.resync == informersOwn {
		i.handles[h.name], err = i.AddEventHandler(h.recorder)
	} else {
		i.handles[h.name], err = i.AddEventHandlerWithResyncPeriod(h.recorder, h.resync)
	}
	return err
}

func (i *shared) remove(h *handlerPlan) error {
	handle := i.handles[h.name]
	delete(i.handles, h.name)
	return i.RemoveEventHandler(handle)
}

func (i *shared) run(ctx context.Context) { i.RunWithContext(ctx) }

func (i *shared) result() result {
	r := resultOf(i.GetIndexer())
	r.rv, r.synced = i.LastSyncResourceVersion(), i.HasSynced()
	for name, h := range i.handles {
		r.handlersSynced[name] = h.HasSynced()
	}
	return r
}

func resultOf(x cache.Indexer) result {
	r := result{store: map[string]string{}, indices: map[string]map[string][]string{}, handlersSynced: map[string]bool{}, storeRV: x.LastStoreSyncResourceVersion()}
	for _, obj := range x.List() {
		key, rv := of(obj)
		r.store[key] = rv
	}
	for name := range x.GetIndexers() {
		r.indices[name] = map[string][]string{}
		for _, v := range x.ListIndexFuncValues(name) {
			keys, err := x.IndexKeys(name, v)
			if err != nil {
				panic(err)
			}
			slices.Sort(keys)
			r.indices[name][v] = keys
		}
	}
	return r
}
