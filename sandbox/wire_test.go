package sandbox

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"informerscope/sandbox/tree"
)

// wire is a plain HTTP client of a server: what it gets is what is on the wire.
type wire struct {
	t      testing.TB
	ctx    context.Context
	client *http.Client
	base   string
	token  string
}

func newWire(t testing.TB, s *Server) *wire {
	t.Helper()
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(s.ca)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &wire{t: t, ctx: testContext(t), client: &http.Client{Transport: transport}, base: s.url, token: s.token}
}

// send makes a request. headers are pairs.
func (w *wire) send(method, path, body string, headers ...string) *http.Response {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.ctx, method, w.base+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+w.token)
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := w.client.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	return resp
}

// do is send, and returns the code and the decoded body.
func (w *wire) do(method, path, body string, headers ...string) (int, map[string]any) {
	w.t.Helper()
	resp := w.send(method, path, body, headers...)
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil && !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/plain") {
		w.t.Fatalf("%s %s: %d %q: %v", method, path, resp.StatusCode, data, err)
	}
	return resp.StatusCode, m
}

// must is do for what has to succeed.
func (w *wire) must(method, path, body string, headers ...string) map[string]any {
	w.t.Helper()
	code, m := w.do(method, path, body, headers...)
	if code >= 300 {
		w.t.Fatalf("%s %s: %d %v", method, path, code, m["message"])
	}
	return m
}

func (w *wire) createConfigMap(name string, labels string) map[string]any {
	w.t.Helper()
	return w.must("POST", "/api/v1/namespaces/default/configmaps", fmt.Sprintf(`{"metadata":{"name":%q,"labels":{%s}}}`, name, labels))
}

// events is an open watch.
type events struct {
	*wire
	body io.ReadCloser
	scan *bufio.Scanner
}

func (w *wire) watch(path string, headers ...string) *events {
	w.t.Helper()
	resp := w.send("GET", path, "", headers...)
	w.t.Cleanup(func() { resp.Body.Close() })
	if resp.StatusCode != 200 {
		data, _ := io.ReadAll(resp.Body)
		w.t.Fatalf("watch %s: %d %s", path, resp.StatusCode, data)
	}
	scan := bufio.NewScanner(resp.Body)
	scan.Buffer(nil, 1<<20)
	return &events{w, resp.Body, scan}
}

// next waits for an event: its type and object. It reports "" at the end of the stream.
func (e *events) next() (string, map[string]any) {
	e.t.Helper()
	if !e.scan.Scan() {
		return "", nil
	}
	var ev struct {
		Type   string
		Object map[string]any
	}
	if err := json.Unmarshal(e.scan.Bytes(), &ev); err != nil {
		e.t.Fatalf("%q: %v", e.scan.Bytes(), err)
	}
	return ev.Type, ev.Object
}

// expect checks the next events, each as TYPE name.
func (e *events) expect(want ...string) {
	e.t.Helper()
	for _, w := range want {
		typ, o := e.next()
		if got := strings.TrimSpace(typ + " " + tree.String(tree.Meta(orEmpty(o)), "name")); got != w {
			e.t.Fatalf("got event %q, want %q (%v)", got, w, o)
		}
	}
}

func orEmpty(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

func rvOf(o map[string]any) string { return tree.String(tree.Map(o, "metadata"), "resourceVersion") }

const cms = "/api/v1/namespaces/default/configmaps"

func TestWatchWithInitialEventsEndsThemWithABookmark(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	w.createConfigMap("a", `"k":"v"`)
	w.createConfigMap("b", ``)
	last := rvOf(w.createConfigMap("c", `"k":"v"`))
	e := w.watch(cms + "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&labelSelector=k%3Dv")
	e.expect("ADDED a", "ADDED c")
	typ, o := e.next()
	meta := tree.Map(o, "metadata")
	if typ != "BOOKMARK" || tree.String(tree.Map(meta, "annotations"), "k8s.io/initial-events-end") != "true" || rvOf(o) != last || tree.String(o, "kind") != "ConfigMap" {
		t.Fatalf("got %s %v, want the bookmark that ends the initial events at %s", typ, o, last)
	}
	w.createConfigMap("d", `"k":"v"`)
	e.expect("ADDED d")
}

func TestWatchFollowsSelectors(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	first := rvOf(w.createConfigMap("a", `"k":"v"`))
	e := w.watch(cms + "?watch=1&labelSelector=k%3Dv&resourceVersion=" + first)
	named := w.watch(cms + "?watch=1&fieldSelector=metadata.name%3Db&resourceVersion=" + first)
	patch := func(name, body string) string {
		return rvOf(w.must("PATCH", cms+"/"+name, body, "Content-Type", "application/merge-patch+json"))
	}
	w.createConfigMap("b", ``)
	patch("b", `{"metadata":{"labels":{"k":"v"}}}`)
	left := patch("a", `{"metadata":{"labels":{"k":"w"}}}`)
	patch("a", `{"data":{"unseen":"1"}}`)
	w.must("DELETE", cms+"/b", "")
	e.expect("ADDED b")
	typ, o := e.next()
	if typ != "DELETED" || rvOf(o) != left || tree.String(tree.Map(o, "metadata", "labels"), "k") != "v" {
		t.Errorf("an object that left got %s %v, want DELETED, its last matching state, version %s", typ, o, left)
	}
	e.expect("DELETED b")
	named.expect("ADDED b", "MODIFIED b", "DELETED b")
}

func TestWatchStarts(t *testing.T) {
	s := start(t, Options{})
	w := newWire(t, s)
	first := rvOf(w.createConfigMap("a", ""))
	w.createConfigMap("b", "")
	w.watch(cms+"?watch=true").expect("ADDED a", "ADDED b")
	w.watch(cms+"?watch=true&resourceVersion=0").expect("ADDED a", "ADDED b")
	w.watch("/api/v1/watch/namespaces/default/configmaps?resourceVersion=" + first).expect("ADDED b")
	w.watch("/api/v1/configmaps?watch=true&resourceVersion=" + first).expect("ADDED b")
	now := w.watch(cms + "?watch=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan")
	w.createConfigMap("c", "")
	now.expect("ADDED c")
	s.Compact()
	e := w.watch(cms + "?watch=true&resourceVersion=" + first)
	typ, status := e.next()
	if typ != "ERROR" || tree.Int(status, "code") != 410 || tree.String(status, "reason") != "Expired" || tree.String(status, "kind") != "Status" {
		t.Errorf("watch from before a compaction got %s %v", typ, status)
	}
	e.expect("")
	w.createConfigMap("d", "")
	now.expect("ADDED d") // a compaction does not disturb running watches
}

func TestWatchEndsAtItsTimeout(t *testing.T) {
	t.Parallel()
	w := newWire(t, start(t, Options{}))
	w.createConfigMap("a", "")
	w.watch(cms+"?watch=true&timeoutSeconds=1").expect("ADDED a", "")
}

func TestBookmarksCome(t *testing.T) {
	s := start(t, Options{BookmarkInterval: 1})
	w := newWire(t, s)
	e := w.watch("/api/v1/namespaces/kube-system/configmaps?watch=true&allowWatchBookmarks=true&resourceVersion=" + fmt.Sprint(s.ResourceVersion()))
	last := rvOf(w.createConfigMap("a", ""))
	for {
		typ, o := e.next()
		if typ != "BOOKMARK" {
			t.Fatalf("got %s %v", typ, o)
		}
		// The bookmark of a quiet watch moves on with the whole server.
		if rvOf(o) == last {
			return
		}
	}
}

func TestPagesComeFromOneState(t *testing.T) {
	s := start(t, Options{})
	w := newWire(t, s)
	for i := range 5 {
		w.createConfigMap(fmt.Sprintf("c%d", i), "")
	}
	page := w.must("GET", cms+"?limit=2", "")
	first := rvOf(page)
	var names []string
	take := func() {
		for _, o := range tree.List(page, "items") {
			names = append(names, tree.String(tree.Map(o.(map[string]any), "metadata"), "name"))
		}
	}
	take()
	if n := tree.Int(tree.Map(page, "metadata"), "remainingItemCount"); n != 3 {
		t.Errorf("remainingItemCount is %d, want 3", n)
	}
	w.must("DELETE", cms+"/c3", "")
	w.createConfigMap("c2b", "")
	next := tree.String(tree.Map(page, "metadata"), "continue")
	page = w.must("GET", cms+"?limit=2&continue="+next, "")
	take()
	last := tree.String(tree.Map(page, "metadata"), "continue")
	page = w.must("GET", cms+"?limit=2&continue="+last, "")
	take()
	if got := strings.Join(names, " "); got != "c0 c1 c2 c3 c4" || rvOf(page) != first || tree.String(tree.Map(page, "metadata"), "continue") != "" {
		t.Errorf("pages gave %s at %s, want c0 to c4 at %s", got, rvOf(page), first)
	}
	if got := w.must("GET", cms+"?resourceVersionMatch=Exact&resourceVersion="+first, ""); len(tree.List(got, "items")) != 5 {
		t.Errorf("the exact list at %s has %d items, want 5", first, len(tree.List(got, "items")))
	}
	s.Compact()
	code, status := w.do("GET", cms+"?limit=2&continue="+next, "")
	fresh := tree.String(tree.Map(status, "metadata"), "continue")
	if code != 410 || tree.String(status, "reason") != "Expired" || fresh == "" {
		t.Fatalf("an expired page got %d %v", code, status)
	}
	page, names = w.must("GET", cms+"?continue="+fresh, ""), nil
	take()
	if got := strings.Join(names, " "); got != "c2 c2b c4" {
		t.Errorf("the inconsistent rest is %s, want c2 c2b c4", got)
	}
}

func TestRepresentations(t *testing.T) {
	w := newWire(t, start(t, Options{Objects: 40, Seed: 1}))
	const asTable = "application/json;as=Table;v=v1;g=meta.k8s.io"
	table := w.must("GET", "/api/v1/pods", "", "Accept", asTable)
	if tree.String(table, "kind") != "Table" || len(tree.List(table, "rows")) == 0 || len(tree.List(table, "columnDefinitions")) != 9 {
		t.Errorf("not a table of pods: %v", table)
	}
	row := tree.List(table, "rows")[0].(map[string]any)
	if len(tree.List(row, "cells")) != 9 || tree.String(tree.Map(row, "object"), "kind") != "PartialObjectMetadata" {
		t.Errorf("not a row: %v", row)
	}
	e := w.watch("/api/v1/pods?watch=1", "Accept", asTable)
	_, first := e.next()
	_, second := e.next()
	if len(tree.List(first, "columnDefinitions")) == 0 || len(tree.List(second, "columnDefinitions")) != 0 || len(tree.List(second, "rows")) != 1 {
		t.Errorf("a watched table defines its columns once: %v, %v", first, second)
	}
	partial := w.must("GET", "/api/v1/pods", "", "Accept", "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io")
	item := tree.List(partial, "items")[0].(map[string]any)
	if tree.String(partial, "kind") != "PartialObjectMetadataList" || item["spec"] != nil || rvOf(item) == "" {
		t.Errorf("not a metadata list: %v", item)
	}
	plain := w.must("GET", "/api/v1/pods", "", "Accept", "application/cbor, application/json;q=0.5")
	if item := tree.List(plain, "items")[0].(map[string]any); tree.String(plain, "kind") != "PodList" || item["kind"] != nil || item["spec"] == nil {
		t.Errorf("not a typed list: %v", item)
	}
	resp := w.send("GET", "/api/v1/namespaces/default", "", "Accept", "application/yaml")
	defer resp.Body.Close()
	if data, _ := io.ReadAll(resp.Body); !bytes.Contains(data, []byte("\nkind: Namespace\n")) {
		t.Errorf("not YAML: %s", data)
	}
	if resp.ProtoMajor != 2 {
		t.Errorf("served over %s, want HTTP/2", resp.Proto)
	}
}

func TestLargeAnswersAreCompressedForThoseWhoAsk(t *testing.T) {
	w := newWire(t, start(t, Options{Objects: 500, Seed: 1}))
	for accept, want := range map[string]string{"gzip": "gzip", "identity": ""} {
		resp := w.send("GET", "/api/v1/pods", "", "Accept-Encoding", accept)
		resp.Body.Close()
		if got := resp.Header.Get("Content-Encoding"); got != want {
			t.Errorf("Accept-Encoding %s: Content-Encoding %q, want %q", accept, got, want)
		}
	}
	resp := w.send("GET", cms, "", "Accept-Encoding", "gzip")
	resp.Body.Close()
	if got := resp.Header.Get("Content-Encoding"); got != "" {
		t.Errorf("a small answer has Content-Encoding %q", got)
	}
}

func TestUnknownFieldsAreDroppedWithAWarning(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	resp := w.send("POST", cms, `{"metadata":{"name":"a"},"datta":{"x":"y"}}`)
	resp.Body.Close()
	if got := resp.Header.Get("Warning"); resp.StatusCode != 201 || !strings.Contains(got, `unknown field \"datta\"`) {
		t.Errorf("got %d, Warning %q", resp.StatusCode, got)
	}
	if o := w.must("GET", cms+"/a", ""); o["datta"] != nil {
		t.Errorf("kept the unknown field: %v", o)
	}
}
