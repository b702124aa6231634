package conformance

import (
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/pager"
	"k8s.io/client-go/util/retry"
)

// clientChecks are what programs do with client-go.
var clientChecks = []check{
	{name: "client-go: a typed informer in JSON follows the server", run: informerCheck("application/json")},
	{name: "client-go: a typed informer in protobuf follows the server", run: informerCheck(protobufType)},
	{name: "client-go: a metadata informer follows the server", run: func(t *T, s *server) {
		ns := s.namespace(t)
		client, err := metadata.NewForConfig(s.config)
		must(t, err)
		factory := metadatainformer.NewFilteredSharedInformerFactory(client, 0, ns, nil)
		informer := factory.ForResource(corev1.SchemeGroupVersion.WithResource("configmaps")).Informer()
		followed(t, s, ns, informer)
	}},
	{name: "client-go: the dynamic client does the round of verbs", run: func(t *T, s *server) {
		ns := s.namespace(t)
		all, err := dynamic.NewForConfig(s.config)
		must(t, err)
		client := all.Resource(corev1.SchemeGroupVersion.WithResource("configmaps")).Namespace(ns)
		obj := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "a"}}}
		created, err := client.Create(t.Context(), obj, metav1.CreateOptions{})
		must(t, err)
		must(t, unstructured.SetNestedField(created.Object, "v", "data", "k"))
		_, err = client.Update(t.Context(), created, metav1.UpdateOptions{})
		must(t, err)
		_, err = client.Patch(t.Context(), "a", types.MergePatchType, []byte(`{"data":{"l":"w"}}`), metav1.PatchOptions{})
		must(t, err)
		got, err := client.Get(t.Context(), "a", metav1.GetOptions{})
		must(t, err)
		equal(t, "data", "map[k:v l:w]", got.Object["data"])
		list, err := client.List(t.Context(), metav1.ListOptions{})
		must(t, err)
		equal(t, "items", 1, len(list.Items))
		must(t, client.Delete(t.Context(), "a", metav1.DeleteOptions{}))
		_, err = client.Get(t.Context(), "a", metav1.GetOptions{})
		equal(t, "not found", true, apierrors.IsNotFound(err))
	}},
	{name: "client-go: errors are those that its predicates know", run: func(t *T, s *server) {
		ns := s.namespace(t)
		client := typed(t, s.config).CoreV1().ConfigMaps(ns)
		_, err := client.Get(t.Context(), "nope", metav1.GetOptions{})
		equal(t, "IsNotFound", true, apierrors.IsNotFound(err))
		cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
		created, err := client.Create(t.Context(), cm, metav1.CreateOptions{})
		must(t, err)
		_, err = client.Create(t.Context(), cm, metav1.CreateOptions{})
		equal(t, "IsAlreadyExists", true, apierrors.IsAlreadyExists(err))
		_, err = client.Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "A_B"}}, metav1.CreateOptions{})
		equal(t, "IsInvalid", true, apierrors.IsInvalid(err))
		stale := created.DeepCopy()
		created.Data = map[string]string{"k": "v"}
		_, err = client.Update(t.Context(), created, metav1.UpdateOptions{})
		must(t, err)
		stale.Data = map[string]string{"k": "w"}
		_, err = client.Update(t.Context(), stale, metav1.UpdateOptions{})
		equal(t, "IsConflict", true, apierrors.IsConflict(err))
		// Without MaxRetries it would try again for a long time, as the answer asks for.
		err = typed(t, s.config).CoreV1().RESTClient().Get().Namespace(ns).Resource("configmaps").Param("resourceVersion", farFuture).
			MaxRetries(0).Do(t.Context()).Error()
		equal(t, "IsTimeout", true, apierrors.IsTimeout(err))
	}},
	{name: "client-go: RetryOnConflict wins against another writer", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.configMap(t, ns, "a")
		client := typed(t, s.config).CoreV1().ConfigMaps(ns)
		tries := 0
		must(t, retry.RetryOnConflict(retry.DefaultRetry, func() error {
			cm, err := client.Get(t.Context(), "a", metav1.GetOptions{})
			if err != nil {
				return err
			}
			if tries++; tries < 3 {
				s.must(t, "PATCH", configMaps(ns)+"/a", fmt.Sprintf(`{"data":{"other":"%d"}}`, tries), contentType(mergePatch))
			}
			cm.Data["mine"] = "yes"
			_, err = client.Update(t.Context(), cm, metav1.UpdateOptions{})
			return err
		}))
		equal(t, "tries", 3, tries)
		equal(t, "data", "map[k:v mine:yes other:2]", at(s.get(t, configMaps(ns)+"/a").ok(t), "data"))
	}},
	{name: "client-go: the pager reads pages of 100", run: func(t *T, s *server) {
		ns := s.namespace(t)
		for i := range 250 {
			s.must(t, "POST", configMaps(ns), fmt.Sprintf(`{"metadata":{"name":"p%03d"}}`, i))
		}
		client := typed(t, s.config).CoreV1().ConfigMaps(ns)
		p := pager.New(pager.SimplePageFunc(func(o metav1.ListOptions) (obj runtime.Object, err error) { return client.List(t.Context(), o) }))
		p.PageSize = 100
		seen := 0
		must(t, p.EachListItem(t.Context(), metav1.ListOptions{}, func(runtime.Object) error { seen++; return nil }))
		equal(t, "objects", 250, seen)
	}},
	{name: "client-go: typed server-side apply", run: func(t *T, s *server) {
		ns := s.namespace(t)
		client := typed(t, s.config).CoreV1().ConfigMaps(ns)
		got, err := client.Apply(t.Context(), applycorev1.ConfigMap("a", ns).WithData(map[string]string{"k": "v"}), metav1.ApplyOptions{FieldManager: "one"})
		must(t, err)
		equal(t, "data", "map[k:v]", got.Data)
		extracted, err := applycorev1.ExtractConfigMap(got, "one")
		must(t, err)
		equal(t, "extracted", "map[k:v]", extracted.Data)
	}},
	{name: "client-go: discovery and RESTMapper find kinds, short names and preferred versions", run: func(t *T, s *server) {
		client, err := discovery.NewDiscoveryClientForConfig(s.config)
		must(t, err)
		groups, err := restmapper.GetAPIGroupResources(client)
		must(t, err)
		mapper := restmapper.NewDiscoveryRESTMapper(groups)
		gvk, err := mapper.KindFor(schema.GroupVersionResource{Group: "apps", Resource: "deployments"})
		must(t, err)
		equal(t, "kind", "apps/v1, Kind=Deployment", gvk)
		mapping, err := mapper.RESTMapping(schema.GroupKind{Kind: "Node"})
		must(t, err)
		equal(t, "scope of nodes", "root", mapping.Scope.Name())
		lists, err := client.ServerPreferredResources()
		must(t, err)
		if len(lists) < 10 {
			t.Errorf("preferred resources of %d groups", len(lists))
		}
	}},
	{name: "client-go: leader election's lock on a Lease", run: func(t *T, s *server) {
		ns := s.namespace(t)
		client := typed(t, s.config)
		lock := func(id string) resourcelock.Interface {
			return &resourcelock.LeaseLock{LeaseMeta: metav1.ObjectMeta{Name: "lock", Namespace: ns}, Client: client.CoordinationV1(),
				LockConfig: resourcelock.ResourceLockConfig{Identity: id}}
		}
		one, two := lock("one"), lock("two")
		record := resourcelock.LeaderElectionRecord{HolderIdentity: "one", LeaseDurationSeconds: 15, AcquireTime: metav1.Now(), RenewTime: metav1.Now()}
		must(t, one.Create(t.Context(), record))
		if err := two.Create(t.Context(), record); !apierrors.IsAlreadyExists(err) {
			t.Errorf("a second lock: %v", err)
		}
		got, _, err := two.Get(t.Context())
		must(t, err)
		equal(t, "holder", "one", got.HolderIdentity)
		record.LeaderTransitions++
		must(t, one.Update(t.Context(), record))
		if err := two.Update(t.Context(), record); !apierrors.IsConflict(err) {
			t.Errorf("a stale update: %v", err)
		}
	}},
	{name: "client-go: an informer with a field selector", run: func(t *T, s *server) {
		ns := s.namespace(t)
		factory := informers.NewSharedInformerFactoryWithOptions(typed(t, s.config), 0, informers.WithNamespace(ns),
			informers.WithTweakListOptions(func(o *metav1.ListOptions) { o.FieldSelector = "metadata.name=b" }))
		informer := factory.Core().V1().ConfigMaps().Informer()
		s.configMap(t, ns, "a")
		s.configMap(t, ns, "b")
		run(t, informer)
		equal(t, "keys", "["+ns+"/b]", informer.GetStore().ListKeys())
	}},
}

func must(t *T, err error) {
	if err != nil {
		t.Fatalf("%v", err)
	}
}

func typed(t *T, config *rest.Config) kubernetes.Interface {
	client, err := kubernetes.NewForConfig(config)
	must(t, err)
	return client
}

func informerCheck(contentType string) func(t *T, s *server) {
	return func(t *T, s *server) {
		ns := s.namespace(t)
		config := rest.CopyConfig(s.config)
		config.ContentType = contentType
		factory := informers.NewSharedInformerFactoryWithOptions(typed(t, config), 0, informers.WithNamespace(ns))
		lister := factory.Core().V1().ConfigMaps()
		followed(t, s, ns, lister.Informer())
		got, err := lister.Lister().ConfigMaps(ns).List(labels.Everything())
		must(t, err)
		equal(t, "left in the cache", 1, len(got))
	}
}

// run runs an informer to the end of the check and returns when it has synced.
func run(t *T, informer cache.SharedIndexInformer) {
	stop := make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() { informer.Run(stop) })
	t.Cleanup(func() {
		close(stop)
		running.Wait()
	})
	if !cache.WaitForCacheSync(t.Context().Done(), informer.HasSynced) {
		t.Fatalf("not synced in time")
	}
}

// followed makes changes in ns while informer runs and checks that its handler is told of each; b is left.
func followed(t *T, s *server, ns string, informer cache.SharedIndexInformer) {
	s.configMap(t, ns, "before")
	told := make(chan string, 100)
	name := func(obj any) string {
		m, ok := obj.(metav1.Object)
		if !ok {
			return fmt.Sprintf("%T", obj)
		}
		return m.GetName()
	}
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { told <- "add " + name(obj) },
		UpdateFunc: func(_, obj any) { told <- "update " + name(obj) },
		DeleteFunc: func(obj any) { told <- "delete " + name(obj) },
	})
	must(t, err)
	run(t, informer)
	s.configMap(t, ns, "b")
	s.must(t, "PATCH", configMaps(ns)+"/b", `{"data":{"k":"w"}}`, contentType(mergePatch))
	s.must(t, "DELETE", configMaps(ns)+"/before", "")
	for _, want := range []string{"add before", "add b", "update b", "delete before"} {
		select {
		case got := <-told:
			equal(t, "notification", want, got)
		case <-t.Context().Done():
			t.Fatalf("no %s", want)
		}
	}
}
