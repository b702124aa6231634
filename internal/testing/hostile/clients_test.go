package hostile

import (
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// clients are attacks on the sandbox.
func clients() []attack {
	on := func(name string, strike func(t *testing.T, do func(method, path, contentType, body string) (int, string))) attack {
		return attack{"client", name, func(t *testing.T) call {
			path := filepath.Join(t.TempDir(), "config")
			return call{
				args: []string{"sandbox", "--objects", "50", "--write-kubeconfig", path}, kubeconfig: path,
				strike: func(t *testing.T, client *http.Client, url string) {
					strike(t, func(method, path, contentType, body string) (int, string) {
						return send(t, client, method, url+path, contentType, strings.NewReader(body))
					})
				},
			}
		}}
	}
	const maps = "/api/v1/namespaces/default/configmaps"
	const json, jsonPatch, mergePatch = "application/json", "application/json-patch+json", "application/merge-patch+json"
	refused := func(t *testing.T, code int, text string) {
		t.Helper()
		if code < 400 || len(text) > 100<<10 {
			t.Errorf("%d, %d bytes: %.300s", code, len(text), text)
		}
	}
	return []attack{
		on("a JSON patch that copies an object into itself 21 times", func(t *testing.T, do func(string, string, string, string) (int, string)) {
			do("POST", maps, json, `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","annotations":{"k":"v"}}}`)
			ops := make([]string, 21)
			for i := range ops {
				ops[i] = fmt.Sprintf(`{"op":"copy","from":"/metadata/annotations","path":"/metadata/annotations/x%d"}`, i)
			}
			code, text := do("PATCH", maps+"/a", jsonPatch, "["+strings.Join(ops, ",")+"]")
			refused(t, code, text)
		}),
		on("an object of 2 MB", func(t *testing.T, do func(string, string, string, string) (int, string)) {
			code, text := do("POST", maps, json, `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{"k":"`+strings.Repeat("x", 2<<20)+`"}}`)
			refused(t, code, text)
		}),
		on("a body of 100 MB", func(t *testing.T, do func(string, string, string, string) (int, string)) {
			code, text := do("POST", maps, json, `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{"k":"`+strings.Repeat("x", 100<<20)+`"}}`)
			refused(t, code, text)
		}),
		on("300 versions of an object of 1 MB", func(t *testing.T, do func(string, string, string, string) (int, string)) {
			do("POST", maps, json, `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{"k":"`+strings.Repeat("x", 1_000_000)+`"}}`)
			for i := range 300 {
				if code, text := do("PATCH", maps+"/a", mergePatch, fmt.Sprintf(`{"data":{"n":"%d"}}`, i)); code != 200 {
					t.Fatalf("%d: %.300s", code, text)
				}
			}
		}),
		on("a Deployment of 2,000,000,000 replicas", func(t *testing.T, do func(string, string, string, string) (int, string)) {
			code, text := do("POST", "/apis/apps/v1/namespaces/default/deployments", json, `{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"a"},"spec":{"replicas":2000000000,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}`)
			if code != 201 {
				t.Errorf("%d: %.300s", code, text)
			}
			<-time.After(patience) // the world works on it
		}),
		{"client", "200 bodies that do not come, half of them without a token", func(t *testing.T) call {
			path := filepath.Join(t.TempDir(), "config")
			return call{args: []string{"sandbox", "--objects", "50", "--write-kubeconfig", path}, kubeconfig: path, strike: func(t *testing.T, client *http.Client, url string) {
				var slow sync.WaitGroup
				r, w := io.Pipe()
				defer slow.Wait()
				defer w.Close()
				bare := &http.Client{Transport: client.Transport.(interface{ WrappedRoundTripper() http.RoundTripper }).WrappedRoundTripper()}
				for i := range 200 {
					by := client
					if i%2 == 0 {
						by = bare
					}
					slow.Go(func() {
						if resp, err := by.Post(url+maps, json, r); err == nil {
							resp.Body.Close()
						}
					})
				}
				if code, text := send(t, client, "GET", url+"/api/v1/namespaces", "", nil); code != 200 {
					t.Errorf("meanwhile another client gets %d: %.300s", code, text)
				}
			}}
		}},
		{"user", "a sandbox of 1,000,000 objects, ended while it is filled", func(t *testing.T) call {
			return call{args: []string{"sandbox", "--objects", "1000000"}}
		}},
	}
}

func send(t *testing.T, client *http.Client, method, url, contentType string, body io.Reader) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", contentType)
	resp, err := client.Do(req)
	if err != nil {
		return 599, err.Error() // a body that is refused may not be read to its end
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	return resp.StatusCode, string(text)
}
