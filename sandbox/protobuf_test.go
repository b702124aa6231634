package sandbox

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	"informerscope/sandbox/kinds"
)

// contentTypes notes what each answer came in.
type contentTypes struct {
	next http.RoundTripper
	mu   sync.Mutex
	seen []string
}

func (c *contentTypes) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := c.next.RoundTrip(r)
	if err == nil {
		c.mu.Lock()
		c.seen = append(c.seen, resp.Header.Get("Content-Type"))
		c.mu.Unlock()
	}
	return resp, err
}

func (c *contentTypes) all(t *testing.T, want string) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, got := range c.seen {
		if !strings.HasPrefix(got, want) {
			t.Errorf("an answer came as %q, want %q", got, want)
		}
	}
	if len(c.seen) == 0 {
		t.Error("no answer was seen")
	}
}

// protobufConfig is a client's that takes nothing but protobuf, so that an
// answer in JSON cannot pass for one.
func protobufConfig(s *Server) (*rest.Config, *contentTypes) {
	types := &contentTypes{}
	config := s.RESTConfig()
	config.ContentType, config.AcceptContentTypes = runtime.ContentTypeProtobuf, runtime.ContentTypeProtobuf
	config.Wrap(func(rt http.RoundTripper) http.RoundTripper {
		types.next = rt
		return types
	})
	return config, types
}

func TestProtobufGetListAndErrors(t *testing.T) {
	ctx, s := testContext(t), start(t, Options{})
	config, types := protobufConfig(s)
	set, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	c := set.CoreV1().ConfigMaps("default")
	for _, name := range []string{"a", "b", "c"} {
		cm, err := c.Create(ctx, configMap(name, map[string]string{"n": name}), metav1.CreateOptions{})
		if err != nil || cm.Data["n"] != name || cm.UID == "" {
			t.Fatalf("create %s: %v %v", name, cm, err)
		}
	}
	cm, err := c.Get(ctx, "a", metav1.GetOptions{})
	if err != nil || cm.Data["n"] != "a" || cm.ResourceVersion == "" || cm.CreationTimestamp.IsZero() {
		t.Errorf("get: %v %v", cm, err)
	}
	list, err := c.List(ctx, metav1.ListOptions{Limit: 2})
	if err != nil || len(list.Items) != 2 || list.Items[1].Data["n"] != "b" || list.Continue == "" || list.RemainingItemCount == nil || *list.RemainingItemCount != 1 {
		t.Fatalf("first page: %v %v", list, err)
	}
	if list, err = c.List(ctx, metav1.ListOptions{Limit: 2, Continue: list.Continue}); err != nil || len(list.Items) != 1 || list.ResourceVersion == "" {
		t.Errorf("second page: %v %v", list, err)
	}
	if _, err := c.Get(ctx, "missing", metav1.GetOptions{}); !apierrors.IsNotFound(err) || !strings.Contains(err.Error(), `configmaps "missing" not found`) {
		t.Errorf("get of what is missing: %v", err)
	}
	types.all(t, runtime.ContentTypeProtobuf)
}

// Every kind that is served has its list type and survives the way through
// protobuf.
func TestEveryKindListsInProtobuf(t *testing.T) {
	ctx, s := testContext(t), start(t, Options{Objects: 80})
	config, types := protobufConfig(s)
	set, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range kinds.Builtin.Kinds() {
		path := "/apis/" + k.GVK().Group + "/" + k.GVK().Version + "/" + k.GR().Resource
		if k.GVK().Group == "" {
			path = "/api/" + k.GVK().Version + "/" + k.GR().Resource
		}
		if err := set.CoreV1().RESTClient().Get().AbsPath(path).Do(ctx).Error(); err != nil {
			t.Errorf("list %s: %v", k.GR().Resource, err)
		}
	}
	types.all(t, runtime.ContentTypeProtobuf)
}

func nextEvent(t *testing.T, w watch.Interface) watch.Event {
	t.Helper()
	e, ok := <-w.ResultChan()
	if !ok {
		t.Fatal("the watch ended")
	}
	return e
}

func TestProtobufWatchAndWatchList(t *testing.T) {
	ctx, s := testContext(t), start(t, Options{})
	config, types := protobufConfig(s)
	set, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	c := set.CoreV1().ConfigMaps("default")
	if _, err := c.Create(ctx, configMap("a", map[string]string{"n": "0"}), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	yes := true
	w, err := c.Watch(ctx, metav1.ListOptions{SendInitialEvents: &yes, AllowWatchBookmarks: true, ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	e := nextEvent(t, w)
	if cm, ok := e.Object.(*corev1.ConfigMap); !ok || e.Type != watch.Added || cm.Data["n"] != "0" {
		t.Fatalf("initial event %v", e)
	}
	e = nextEvent(t, w)
	if cm, ok := e.Object.(*corev1.ConfigMap); !ok || e.Type != watch.Bookmark || cm.Annotations[metav1.InitialEventsAnnotationKey] != "true" || cm.ResourceVersion == "" {
		t.Fatalf("end bookmark %v", e)
	}
	if _, err := c.Update(ctx, configMap("a", map[string]string{"n": "1"}), metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	if e = nextEvent(t, w); e.Type != watch.Modified || e.Object.(*corev1.ConfigMap).Data["n"] != "1" {
		t.Errorf("after an update: %v", e)
	}
	if err := c.Delete(ctx, "a", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if e = nextEvent(t, w); e.Type != watch.Deleted {
		t.Errorf("after a delete: %v", e)
	}

	s.store.Compact()
	expired, err := c.Watch(ctx, metav1.ListOptions{ResourceVersion: "1"})
	if err != nil {
		t.Fatal(err)
	}
	defer expired.Stop()
	e = nextEvent(t, expired)
	if err := apierrors.FromObject(e.Object); e.Type != watch.Error || !apierrors.IsResourceExpired(err) {
		t.Errorf("an expired watch: %v", e)
	}
	types.mu.Lock()
	defer types.mu.Unlock()
	if types.seen[1] != runtime.ContentTypeProtobuf+";stream=watch" {
		t.Errorf("the stream is %q", types.seen[1])
	}
}

func TestMetadataClientGetsProtobuf(t *testing.T) {
	ctx, s := testContext(t), start(t, Options{})
	if _, err := clientset(t, s).CoreV1().ConfigMaps("default").Create(ctx, configMap("a", map[string]string{"n": "0"}), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	config, types := protobufConfig(s)
	m, err := metadata.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	c := m.Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace("default")
	list, err := c.List(ctx, metav1.ListOptions{})
	if err != nil || len(list.Items) != 1 || list.Items[0].Name != "a" || list.ResourceVersion == "" {
		t.Fatalf("list: %v %v", list, err)
	}
	if o, err := c.Get(ctx, "a", metav1.GetOptions{}); err != nil || o.Name != "a" || o.UID == "" {
		t.Errorf("get: %v %v", o, err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w, err := c.Watch(ctx, metav1.ListOptions{ResourceVersion: "0"})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	if e := nextEvent(t, w); e.Type != watch.Added || e.Object.(*metav1.PartialObjectMetadata).Name != "a" {
		t.Errorf("watch: %v", e)
	}
	types.all(t, runtime.ContentTypeProtobuf)
}

// A Table has no protobuf form: who asks for one with that first gets the next
// in its list.
func TestTableIsNeverProtobuf(t *testing.T) {
	ctx, s := testContext(t), start(t, Options{})
	config := s.RESTConfig()
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, config.Host+"/api/v1/namespaces", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1,application/json;as=Table;g=meta.k8s.io;v=v1")
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK || !strings.Contains(string(body), `"kind":"Table"`) {
		t.Errorf("%d %s %v", resp.StatusCode, body, err)
	}
}
