package sandbox

import (
	"context"
	"testing"
	"time"

	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start runs a server for the length of a test. Bookmarks do not come by themselves, unless o says so: how many would
// depend on how long the test takes.
func start(t testing.TB, o Options) *Server {
	t.Helper()
	if o.BookmarkInterval == 0 {
		o.BookmarkInterval = 24 * time.Hour
	}
	s, err := Start(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

func clientset(t testing.TB, s *Server) *kubernetes.Clientset {
	t.Helper()
	c, err := kubernetes.NewForConfig(s.RESTConfig())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// testContext ends the test's requests when something hangs.
func testContext(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func configMap(name string, data map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: data}
}

func TestInformerSyncsAndFollows(t *testing.T) {
	s := start(t, Options{})
	ctx := testContext(t)
	c := clientset(t, s)
	if _, err := c.CoreV1().ConfigMaps("default").Create(ctx, configMap("before", nil), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	d, err := dynamic.NewForConfig(s.RESTConfig())
	if err != nil {
		t.Fatal(err)
	}
	informers := dynamicinformer.NewDynamicSharedInformerFactory(d, 0)
	informer := informers.ForResource(corev1.SchemeGroupVersion.WithResource("configmaps")).Informer()
	seen := make(chan string, 16)
	name := func(obj any) string { key, _ := cache.DeletionHandlingMetaNamespaceKeyFunc(obj); return key }
	if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { seen <- "add " + name(obj) },
		UpdateFunc: func(_, obj any) { seen <- "update " + name(obj) },
		DeleteFunc: func(obj any) { seen <- "delete " + name(obj) },
	}); err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	informers.Start(stop)
	defer informers.Shutdown()
	defer close(stop)
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		t.Fatal("informer did not sync")
	}
	expect := func(want string) {
		t.Helper()
		select {
		case got := <-seen:
			if got != want {
				t.Fatalf("got %q, want %q", got, want)
			}
		case <-ctx.Done():
			t.Fatalf("waiting for %q: %v", want, ctx.Err())
		}
	}
	expect("add default/before")
	cm, err := c.CoreV1().ConfigMaps("default").Create(ctx, configMap("a", nil), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	expect("add default/a")
	cm.Data = map[string]string{"x": "y"}
	if _, err := c.CoreV1().ConfigMaps("default").Update(ctx, cm, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	expect("update default/a")
	if err := c.CoreV1().ConfigMaps("default").Delete(ctx, "a", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	expect("delete default/a")
}
