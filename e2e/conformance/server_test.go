package conformance

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"informerscope/e2e/cluster"
	"informerscope/sandbox"
)

// server is one API server under test.
type server struct {
	name   string
	config *rest.Config
	client *http.Client
	// compact drops the history that is stored; what the server has in its caches may stay.
	compact func(ctx context.Context) error
	// forget makes the server lose the history up to now; requests that run meanwhile may fail.
	forget func(ctx context.Context) error
}

// realServer is kube-apiserver, which says what is right.
func realServer(t *testing.T) *server {
	c := cluster.Shared(t)
	compact := func(ctx context.Context) error {
		_, err := c.CompactEtcd(ctx)
		return err
	}
	return newServer(t, "kube-apiserver", c.Config(cluster.Admin), compact, func(ctx context.Context) error {
		if err := compact(ctx); err != nil {
			return err
		}
		// Its watch cache and the snapshots there would remember what etcd has forgotten.
		if err := c.KillAPIServer(); err != nil {
			return err
		}
		return c.StartAPIServer(ctx)
	})
}

// sandboxServer is the sandbox without a workload.
func sandboxServer(t *testing.T) *server {
	s, err := sandbox.Start(t.Context(), sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	compact := func(context.Context) error { s.Compact(); return nil }
	return newServer(t, "sandbox", s.RESTConfig(), compact, compact)
}

func newServer(t *testing.T, name string, config *rest.Config, compact, forget func(context.Context) error) *server {
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(config.CAData) {
		t.Fatal("no CA in the configuration")
	}
	// Not the transport of client-go: checks want to see what is on the wire, gzip and redirects included.
	transport := &http.Transport{
		TLSClientConfig:   &tls.Config{RootCAs: roots},
		ForceAttemptHTTP2: true, DisableCompression: true, MaxIdleConnsPerHost: 16,
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &server{name: name, config: config, client: &http.Client{Transport: transport}, compact: compact, forget: forget}
}

// header is one field of a request.
type header struct{ name, value string }

func accept(v string) header      { return header{"Accept", v} }
func contentType(v string) header { return header{"Content-Type", v} }

// answer is a whole response.
type answer struct {
	what string
	code int
	http.Header
	proto string
	body  []byte
}

// open sends a request and returns the response with its body unread. Without a Content-Type, a body is JSON.
func (s *server) open(t *T, method, path, body string, headers ...header) *http.Response {
	var r io.Reader
	if body != "" {
		r = strings.NewReader(body)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, s.config.Host+path, r)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	req.Header.Set("Authorization", "Bearer "+s.config.BearerToken)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		if req.Header.Set(h.name, h.value); h.value == "" {
			req.Header.Del(h.name)
		}
	}
	res, err := s.client.Do(req)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return res
}

// do sends a request and reads the whole answer.
func (s *server) do(t *T, method, path, body string, headers ...header) *answer {
	res := s.open(t, method, path, body, headers...)
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("%s %s: read the answer: %v", method, path, err)
	}
	return &answer{what: method + " " + path, code: res.StatusCode, Header: res.Header, proto: res.Proto, body: data}
}

func (s *server) get(t *T, path string, headers ...header) *answer {
	return s.do(t, http.MethodGet, path, "", headers...)
}

// must is do for a request that has to succeed; it returns the decoded answer.
func (s *server) must(t *T, method, path, body string, headers ...header) map[string]any {
	a := s.do(t, method, path, body, headers...)
	if a.code/100 != 2 {
		t.Fatalf("%s: %d %s", a.what, a.code, bytes.TrimSpace(a.body))
	}
	return a.object(t)
}

// namespace makes a namespace for one check and returns its name.
func (s *server) namespace(t *T) string {
	ns := s.must(t, "POST", "/api/v1/namespaces", `{"apiVersion":"v1","kind":"Namespace","metadata":{"generateName":"check-"}}`)
	name := str(ns, "metadata.name")
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		// What a check leaves must not disturb the next one, but nobody waits for it to be gone.
		sweep := *t
		sweep.ctx = ctx
		for _, resource := range []string{"configmaps", "secrets", "pods", "services"} {
			res := s.open(&sweep, "DELETE", "/api/v1/namespaces/"+name+"/"+resource, "")
			res.Body.Close()
		}
	})
	return name
}

// configMap makes a ConfigMap with one label, app=NAME.
func (s *server) configMap(t *T, namespace, name string) map[string]any {
	return s.must(t, "POST", "/api/v1/namespaces/"+namespace+"/configmaps", fmt.Sprintf(
		`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":%q,"labels":{"app":%q}},"data":{"k":"v"}}`, name, name))
}
