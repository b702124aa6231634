package sandbox

import (
	"strconv"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

func TestClientThatDoesNotReadIsCutAndHoldsUpNobody(t *testing.T) {
	s := start(t, Options{})
	w := newWire(t, s)
	// The stalled watch reads nothing at all, so that its flow-control window fills.
	stalled := w.send("GET", cms+"?watch=1", "")
	defer stalled.Body.Close()
	reader := w.watch(cms + "?watch=1")
	c := clientset(t, s).CoreV1().ConfigMaps("default")
	data := map[string]string{"x": strings.Repeat("x", 16<<10)}
	cm, err := c.Create(testContext(t), configMap("a", data), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	reader.expect("ADDED a")
	o := s.store.Get(store.Ref{Kind: kinds.ConfigMaps, Namespace: "default", Name: "a"})
	deadline := time.Now().Add(4 * time.Minute)
	for i := 0; s.store.Watching(kinds.ConfigMaps) == 2; i++ {
		if time.Now().After(deadline) {
			t.Fatal("the stalled watch was not cut")
		}
		content := o.Content()
		tree.Map(content, "data")["i"] = cm.Name + time.Duration(i).String()
		if o, err = s.store.Swap(o, content); err != nil {
			t.Fatal(err)
		}
		reader.expect("MODIFIED a")
	}
	// The handler of the stalled watch gives up too: what is left is that of the reader.
	serving := func() int {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.serving
	}
	for serving() > 1 {
		if time.Now().After(deadline) {
			t.Fatalf("%d requests are still being served", serving())
		}
		w.createConfigMap("probe", "")
		w.must("DELETE", cms+"/probe", "")
		reader.expect("ADDED probe", "DELETED probe")
	}
}

// A reader that falls behind is ended after what was buffered for it, without an error, and resumes where it was. Only
// when that is no longer in the history does it hear 410.
func TestSlowReaderIsEndedAndResumes(t *testing.T) {
	s := start(t, Options{})
	w := newWire(t, s)
	slow := w.watch(cms + "?watch=1&resourceVersion=" + strconv.FormatUint(s.ResourceVersion(), 10))
	content := map[string]any{"metadata": map[string]any{"namespace": "default", "name": "a"},
		"data": map[string]any{"x": strings.Repeat("x", 16<<10)}}
	o, err := s.store.Create(kinds.ConfigMaps, content)
	if err != nil {
		t.Fatal(err)
	}
	first := o.RV()
	for s.store.Watching(kinds.ConfigMaps) > 0 {
		if o, err = s.store.Swap(o, o.Content()); err != nil {
			t.Fatal(err)
		}
	}
	var last uint64
	n := 0
	for {
		typ, ev := slow.next()
		if typ == "" {
			break
		}
		rv, err := strconv.ParseUint(rvOf(ev), 10, 64)
		if err != nil || typ == "ERROR" || rv != first+uint64(n) {
			t.Fatalf("event %d is %s at %s, want the one at %d", n, typ, rvOf(ev), first+uint64(n))
		}
		last = rv
		n++
	}
	if err := slow.scan.Err(); err != nil || n < store.WatchBuffer || last >= o.RV() {
		t.Fatalf("the stream ended after %d events, at %d of %d: %v", n, last, o.RV(), err)
	}
	from := cms + "?watch=1&resourceVersion=" + strconv.FormatUint(last, 10)
	if typ, ev := w.watch(from).next(); typ != "MODIFIED" || rvOf(ev) != strconv.FormatUint(last+1, 10) {
		t.Errorf("resumed with %s at %s, want MODIFIED at %d", typ, rvOf(ev), last+1)
	}
	s.Compact()
	if typ, status := w.watch(from).next(); typ != "ERROR" || tree.Int(status, "code") != 410 {
		t.Errorf("resumed from before a compaction with %s %v, want 410", typ, status)
	}
}
