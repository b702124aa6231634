package conformance

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// transportChecks are about HTTP below the API.
var transportChecks = []check{
	{name: "transport: HTTP/2 is what clients get", run: func(t *T, s *server) {
		equal(t, "protocol", "HTTP/2.0", s.get(t, "/api/v1/namespaces/default").proto)
	}},
	{name: "transport: HTTP/1.1 works, watches included", run: func(t *T, s *server) {
		old := *s
		transport := s.client.Transport.(*http.Transport).Clone()
		transport.ForceAttemptHTTP2 = false
		transport.TLSClientConfig.NextProtos = []string{"http/1.1"}
		transport.Protocols = new(http.Protocols)
		transport.Protocols.SetHTTP1(true)
		defer transport.CloseIdleConnections()
		old.client = &http.Client{Transport: transport}
		ns, path := watched(t, &old)
		w := old.watch(t, path+"&timeoutSeconds=5")
		equal(t, "protocol", "HTTP/1.1", w.res.Proto)
		old.configMap(t, ns, "a")
		w.want(t, "ADDED a")
	}},
	{name: "transport: fifty watches on one connection", run: func(t *T, s *server) {
		ns, path := watched(t, s)
		var streams []*stream
		for range 50 {
			streams = append(streams, s.watch(t, path))
		}
		s.configMap(t, ns, "a")
		for _, w := range streams {
			w.want(t, "ADDED a")
		}
	}},
	{name: "transport: large lists are gzipped for who accepts it", run: func(t *T, s *server) {
		path := bigList(t, s)
		a := s.get(t, path, header{"Accept-Encoding", "gzip"})
		equal(t, "Content-Encoding", "gzip", a.Get("Content-Encoding"))
		equal(t, "Vary", "Accept-Encoding", a.Get("Vary"))
		z, err := gzip.NewReader(strings.NewReader(string(a.body)))
		if err != nil {
			t.Fatalf("%v", err)
		}
		var doc map[string]any
		if err := json.NewDecoder(z).Decode(&doc); err != nil {
			t.Fatalf("%v", err)
		}
		equal(t, "items", 4, len(items(doc)))
	}},
	{name: "transport: large lists are plain for others, and small ones for all", run: func(t *T, s *server) {
		path := bigList(t, s)
		equal(t, "Content-Encoding of a large one", "", s.get(t, path).Get("Content-Encoding"))
		equal(t, "Content-Encoding of a small one", "", s.get(t, path+"?limit=1", header{"Accept-Encoding", "gzip"}).Get("Content-Encoding"))
	}},
	{name: "transport: watches are never gzipped", run: func(t *T, s *server) {
		_, path := watched(t, s)
		equal(t, "Content-Encoding", "", s.watch(t, path, header{"Accept-Encoding", "gzip"}).res.Header.Get("Content-Encoding"))
	}},
	{name: "transport: a request without a token is anonymous, and forbidden", run: func(t *T, s *server) {
		a := s.get(t, configMaps("default"), header{"Authorization", ""})
		a.failed(t, 403, "Forbidden", `User "system:anonymous" cannot list resource`)
	}},
	{name: "transport: with a wrong token is 401", run: func(t *T, s *server) {
		s.get(t, configMaps("default"), header{"Authorization", "Bearer wrong"}).failed(t, 401, "Unauthorized", "^Unauthorized$")
	}},
	{name: "transport: health and version need no token", run: func(t *T, s *server) {
		for _, path := range []string{"/healthz", "/livez", "/readyz", "/version"} {
			equal(t, path, 200, s.get(t, path, header{"Authorization", ""}).code)
		}
	}},
	{name: "transport: twenty writers of one object all get through or a conflict", run: func(t *T, s *server) {
		ns := s.namespace(t)
		created := s.configMap(t, ns, "a")
		rv := str(created, "metadata.resourceVersion")
		codes := make([]int, 20)
		var all sync.WaitGroup
		for i := range codes {
			all.Go(func() {
				body := fmt.Sprintf(`{"metadata":{"name":"a","resourceVersion":%q},"data":{"writer":"%d"}}`, rv, i)
				req, err := http.NewRequestWithContext(t.Context(), "PUT", s.config.Host+configMaps(ns)+"/a", strings.NewReader(body))
				if err != nil {
					return
				}
				req.Header.Set("Authorization", "Bearer "+s.config.BearerToken)
				req.Header.Set("Content-Type", "application/json")
				if res, err := s.client.Do(req); err == nil {
					_, _ = io.Copy(io.Discard, res.Body)
					res.Body.Close()
					codes[i] = res.StatusCode
				}
			})
		}
		all.Wait()
		count := map[int]int{}
		for _, c := range codes {
			count[c]++
		}
		equal(t, "answers", "map[200:1 409:19]", fmt.Sprint(count))
	}},
	{name: "transport: twenty patches of one object all count", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.configMap(t, ns, "a")
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				inner := *t
				s.do(&inner, "PATCH", configMaps(ns)+"/a", fmt.Sprintf(`{"data":{"w%02d":"x"}}`, i), contentType(mergePatch))
			})
		}
		all.Wait()
		data, _ := at(s.get(t, configMaps(ns)+"/a").ok(t), "data").(map[string]any)
		equal(t, "keys", 21, len(data))
	}},
}

// bigList makes a list of over 128 kB, from which kube-apiserver compresses, in four objects.
func bigList(t *T, s *server) string {
	ns := s.namespace(t)
	for i := range 4 {
		s.must(t, "POST", configMaps(ns), fmt.Sprintf(`{"metadata":{"name":"big-%d"},"data":{"k":%q}}`, i, padding(60<<10)))
	}
	return configMaps(ns)
}
