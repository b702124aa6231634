package sandbox

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/pager"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/tree"
)

func TestTypedClientsCRUD(t *testing.T) {
	ctx, s := testContext(t), start(t, Options{})
	c := clientset(t, s).CoreV1().ConfigMaps("default")
	cm, err := c.Create(ctx, configMap("a", map[string]string{"n": "0"}), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	stale := cm.DeepCopy()
	cm.Data["n"] = "1"
	if _, err = c.Update(ctx, cm, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Update(ctx, stale, metav1.UpdateOptions{}); !apierrors.IsConflict(err) {
		t.Errorf("update of a stale object: %v", err)
	}
	if cm, err = c.Patch(ctx, "a", types.MergePatchType, []byte(`{"data":{"m":"2"}}`), metav1.PatchOptions{}); err != nil || cm.Data["m"] != "2" || cm.Data["n"] != "1" {
		t.Errorf("patch: %v %v", cm, err)
	}
	if err := c.Delete(ctx, "a", metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions("other")}); !apierrors.IsConflict(err) {
		t.Errorf("delete with another uid: %v", err)
	}
	if err := c.Delete(ctx, "a", *metav1.NewPreconditionDeleteOptions(string(cm.UID))); err != nil {
		t.Error(err)
	}
	if _, err := c.Get(ctx, "a", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("get after delete: %v", err)
	}
}

func TestConcurrentUpdatesLoseNothing(t *testing.T) {
	ctx, s := testContext(t), start(t, Options{})
	c := clientset(t, s).CoreV1().ConfigMaps("default")
	if _, err := c.Create(ctx, configMap("a", nil), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	const writers, each = 4, 10
	done := make(chan error)
	for i := range writers {
		go func() {
			for j := range each {
				var err error
				if i%2 == 0 { // patches need no retry by the client
					_, err = c.Patch(ctx, "a", types.MergePatchType, fmt.Appendf(nil, `{"data":{"%d-%d":"x"}}`, i, j), metav1.PatchOptions{})
				} else {
					for {
						var cm *corev1.ConfigMap
						if cm, err = c.Get(ctx, "a", metav1.GetOptions{}); err != nil {
							break
						}
						if cm.Data == nil {
							cm.Data = map[string]string{}
						}
						cm.Data[fmt.Sprintf("%d-%d", i, j)] = "x"
						if _, err = c.Update(ctx, cm, metav1.UpdateOptions{}); !apierrors.IsConflict(err) {
							break
						}
					}
				}
				if err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range writers {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	cm, err := c.Get(ctx, "a", metav1.GetOptions{})
	if err != nil || len(cm.Data) != writers*each {
		t.Errorf("%d keys, want %d: %v", len(cm.Data), writers*each, err)
	}
}

func TestPagerSeesOneStateWhileOthersWrite(t *testing.T) {
	ctx, s := testContext(t), start(t, Options{})
	c := clientset(t, s).CoreV1().ConfigMaps("default")
	var want []string
	for i := range 25 {
		name := fmt.Sprintf("c%02d", i)
		want = append(want, name)
		if _, err := c.Create(ctx, configMap(name, nil), metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	pages := 0
	p := pager.New(func(ctx context.Context, opts metav1.ListOptions) (runtime.Object, error) {
		pages++
		l, err := c.List(ctx, opts)
		if err == nil {
			if err := c.Delete(ctx, fmt.Sprintf("c%02d", 24-pages), metav1.DeleteOptions{}); err != nil {
				t.Error(err)
			}
			if _, err := c.Create(ctx, configMap(fmt.Sprintf("c%02d-new", 12+pages), nil), metav1.CreateOptions{}); err != nil {
				t.Error(err)
			}
		}
		return l, err
	})
	p.PageSize = 4
	var got []string
	if err := p.EachListItem(ctx, metav1.ListOptions{}, func(o runtime.Object) error {
		got = append(got, o.(*corev1.ConfigMap).Name)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) || pages != 7 {
		t.Errorf("%d pages gave %v", pages, got)
	}
}

// TestReflectorRelistsAfterCompaction cuts a reflector's watch, moves on, and compacts: the reflector must meet 410 and
// list again.
func TestReflectorRelistsAfterCompaction(t *testing.T) {
	t.Parallel()
	ctx, s := testContext(t), start(t, Options{})
	ctx, cancel := context.WithCancel(ctx)
	c := clientset(t, s).CoreV1().ConfigMaps("default")
	if _, err := c.Create(ctx, configMap("a", nil), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	watches, lists := make(chan watch.Interface, 16), make(chan string, 16)
	// Without WatchList, so that each list shows.
	lw := noWatchList{&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			l, err := c.List(ctx, o)
			lists <- o.ResourceVersion
			return l, err
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			if len(watches) == 0 && o.ResourceVersion != "" {
				w, err := c.Watch(ctx, o)
				if err == nil {
					watches <- w
				}
				return w, err
			}
			return c.Watch(ctx, o)
		},
	}}
	store := cache.NewStore(cache.MetaNamespaceKeyFunc)
	r := cache.NewReflectorWithOptions(lw, &corev1.ConfigMap{}, store, cache.ReflectorOptions{})
	ended := make(chan struct{})
	go func() { defer close(ended); r.RunWithContext(ctx) }()
	defer func() { cancel(); <-ended }()
	if rv := <-lists; rv != "0" {
		t.Fatalf("first list at %q", rv)
	}
	w := <-watches
	// Another kind moves the resourceVersion on, so that the reflector's own is old when history is gone.
	if _, err := clientset(t, s).CoreV1().Secrets("default").Create(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "s"}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	s.Compact()
	w.Stop()
	select {
	case <-lists:
	case <-ctx.Done():
		t.Fatal("the reflector did not list again")
	}
}

// noWatchList keeps a Reflector from using WatchList.
type noWatchList struct{ *cache.ListWatch }

func (noWatchList) IsWatchListSemanticsUnSupported() bool { return true }

func TestDiscoveryByClientGo(t *testing.T) {
	s := start(t, Options{})
	d := clientset(t, s).Discovery()
	v, err := d.ServerVersion()
	if err != nil || v.GitVersion != "v1.37.2+sandbox" {
		t.Errorf("version: %v %v", v, err)
	}
	describe := func(lists []*metav1.APIResourceList) []string {
		var out []string
		for _, l := range lists {
			for _, r := range l.APIResources {
				out = append(out, fmt.Sprint(l.GroupVersion, r.Name, r.Kind, r.Namespaced, r.ShortNames, r.Categories, len(r.Verbs)))
			}
		}
		slices.Sort(out)
		return out
	}
	_, aggregated, err := d.ServerGroupsAndResources()
	if err != nil {
		t.Fatal(err)
	}
	legacyClient, err := discovery.NewDiscoveryClientForConfig(s.RESTConfig())
	if err != nil {
		t.Fatal(err)
	}
	legacyClient.UseLegacyDiscovery = true
	_, legacy, err := legacyClient.ServerGroupsAndResources()
	if err != nil {
		t.Fatal(err)
	}
	a, l := describe(aggregated), describe(legacy)
	if !slices.Equal(a, l) {
		t.Errorf("aggregated and legacy discovery differ:\n%v\n%v", a, l)
	}
	for _, want := range []string{"v1pods Pod true [po] [all] 8", "apps/v1deployments/scale Scale true [] [] 3", "v1nodes Node false [no] [] 8"} {
		if !slices.ContainsFunc(a, func(s string) bool { return strings.ReplaceAll(s, " ", "") == strings.ReplaceAll(want, " ", "") }) {
			t.Errorf("discovery lacks %q in %v", want, a[:3])
		}
	}
	if _, err := d.OpenAPISchema(); err != nil {
		t.Errorf("OpenAPI v2: %v", err)
	}
	paths, err := d.OpenAPIV3().Paths()
	if err != nil || len(paths) != len(kinds.Builtin.GroupVersions()) {
		t.Fatalf("OpenAPI v3: %d paths, %v", len(paths), err)
	}
	for name, p := range paths {
		if doc, err := p.Schema(runtime.ContentTypeJSON); err != nil || len(doc) < 1000 {
			t.Errorf("OpenAPI v3 %s: %d bytes, %v", name, len(doc), err)
		}
	}
}

func TestMetadataClient(t *testing.T) {
	ctx, s := testContext(t), start(t, Options{Objects: 30, Seed: 1})
	c, err := metadata.NewForConfig(s.RESTConfig())
	if err != nil {
		t.Fatal(err)
	}
	l, err := c.Resource(appsv1.SchemeGroupVersion.WithResource("deployments")).List(ctx, metav1.ListOptions{})
	if err != nil || len(l.Items) == 0 || l.Items[0].UID == "" || l.ResourceVersion == "" {
		t.Errorf("%v %v", l, err)
	}
}

// TestEveryKindLivesItsLife creates, reads, lists and deletes one object of every kind through its discovery entry.
func TestEveryKindLivesItsLife(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	spec := map[string]string{
		"Pod":         `"spec":{"containers":[{"name":"c","image":"i"}]}`,
		"Deployment":  `"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}`,
		"Job":         `"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}`,
		"CronJob":     `"spec":{"schedule":"* * * * *","jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}}`,
		"Service":     `"spec":{"ports":[{"port":80}]}`,
		"RoleBinding": `"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"r"}`,
	}
	for _, k := range []string{"ReplicaSet", "StatefulSet", "DaemonSet"} {
		spec[k] = spec["Deployment"]
	}
	for _, k := range kinds.Builtin.Kinds() {
		if k == kinds.Definitions {
			continue // TestDefinitionIsServedAndGoes
		}
		t.Run(k.GVK().Group+"/"+k.GR().Resource, func(t *testing.T) {
			w := *w
			w.t = t
			base := "/apis/" + k.APIVersion()
			if k.GVK().Group == "" {
				base = "/api/" + k.APIVersion()
			}
			if k.Namespaced() {
				base += "/namespaces/default"
			}
			base += "/" + k.GR().Resource
			rest := spec[k.GVK().Kind]
			if rest != "" {
				rest = "," + rest
			}
			o := w.must("POST", base, `{"metadata":{"name":"x"}`+rest+`}`)
			if tree.String(o, "kind") != k.GVK().Kind || tree.String(o, "apiVersion") != k.APIVersion() {
				t.Errorf("created a %v %v", o["apiVersion"], o["kind"])
			}
			w.must("GET", base+"/x", "", "Accept", "application/json;as=Table;v=v1;g=meta.k8s.io")
			if l := w.must("GET", base, ""); tree.String(l, "kind") != k.GVK().Kind+"List" || len(tree.List(l, "items")) == 0 {
				t.Errorf("listed %v", l)
			}
			w.must("PATCH", base+"/x", `{"metadata":{"labels":{"x":"y"}}}`, "Content-Type", strategicPatch)
			w.must("DELETE", base+"/x", "")
		})
	}
}
