package sandbox

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

func TestStartRefuses(t *testing.T) {
	for _, o := range []Options{
		{Addr: "0.0.0.0:0"}, {Addr: ":0"}, {Addr: "192.0.2.1:0"}, {Addr: "example.com:0"}, {Addr: "127.0.0.1"}, {Addr: "[::]:0"},
		{Objects: -1}, {Churn: -1}, {History: -1},
	} {
		s, err := Start(context.Background(), o)
		if err == nil {
			s.Close()
			t.Errorf("started with %+v", o)
		}
	}
}

func TestAddressInUse(t *testing.T) {
	s := start(t, Options{})
	other, err := Start(context.Background(), Options{Addr: strings.TrimPrefix(s.URL(), "https://")})
	if err == nil {
		other.Close()
		t.Fatal("two servers on one address")
	}
}

func TestCloseEndsWatchesAndMayBeRepeated(t *testing.T) {
	s := start(t, Options{Objects: 30, Churn: 50})
	e := newWire(t, s).watch("/api/v1/pods?watch=1")
	e.next()
	for range 2 {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	for typ := "ADDED"; typ != ""; typ, _ = e.next() {
		// Until the stream ends.
	}
}

func TestEndOfTheContextClosesTheServer(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s, err := Start(ctx, Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := newWire(t, s).watch("/api/v1/pods?watch=1")
	cancel()
	e.expect("")
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestKubeconfig(t *testing.T) {
	s := start(t, Options{})
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := s.WriteKubeconfig(path); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || (runtime.GOOS != "windows" && info.Mode().Perm() != 0o600) {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if err := s.WriteKubeconfig(path); err == nil {
		t.Error("it replaced a file")
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(left) > 0 {
		t.Errorf("it left %v behind", left)
	}
	loader := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(&clientcmd.ClientConfigLoadingRules{ExplicitPath: path}, nil)
	raw, err := loader.RawConfig()
	if err != nil || raw.CurrentContext != "informerscope-sandbox" {
		t.Errorf("current context %q, %v", raw.CurrentContext, err)
	}
	if ns, _, err := loader.Namespace(); ns != "default" {
		t.Errorf("namespace %q, %v", ns, err)
	}
	config, err := loader.ClientConfig()
	if err != nil {
		t.Fatal(err)
	}
	c, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.CoreV1().Namespaces().Get(testContext(t), "default", metav1.GetOptions{}); err != nil {
		t.Error(err)
	}
}

func TestRESTConfigIsACopy(t *testing.T) {
	s := start(t, Options{})
	c := s.RESTConfig()
	c.BearerToken, c.CAData[0] = "", 0
	if d := s.RESTConfig(); d.BearerToken == "" || d.CAData[0] == 0 || d.QPS != -1 || !strings.HasPrefix(d.Host, "https://127.0.0.1:") {
		t.Error("a change of one copy reached the next")
	}
}

func TestHealthNeedsNoToken(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	for _, path := range []string{"/healthz", "/livez", "/readyz"} {
		resp := w.send("GET", path, "", "Authorization", "")
		data, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != 200 || string(data) != "ok" {
			t.Errorf("%s: %d %q", path, resp.StatusCode, data)
		}
	}
}
