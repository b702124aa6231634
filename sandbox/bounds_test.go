package sandbox

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

// What hostile clients try: each is refused before it is worked out, as kube-apiserver refuses it.

const applyPatch = "application/apply-patch+yaml"

// doubling is a JSON patch that copies annotations into themselves n times, which doubles them each time.
func doubling(n int) string {
	ops := []string{`{"op":"add","path":"/metadata/annotations","value":{"a":"` + strings.Repeat("x", 200) + `"}}`}
	for i := range n {
		ops = append(ops, fmt.Sprintf(`{"op":"copy","from":"/metadata/annotations","path":"/metadata/annotations/k%d"}`, i))
	}
	return "[" + strings.Join(ops, ",") + "]"
}

// aliases is YAML that names one text of 64 kB n times.
func aliases(n int) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bomb}\nx: &x " + strings.Repeat("x", 64<<10) + "\ndata: [" +
		strings.TrimSuffix(strings.Repeat("*x,", n), ",") + "]\n"
}

func TestRequestsThatGrowAreRefused(t *testing.T) {
	s := start(t, Options{})
	w := newWire(t, s)
	w.createConfigMap("a", "")
	var containers []string
	for i := range 9_000 {
		containers = append(containers, fmt.Sprintf(`{"name":"c%d","image":"i"}`, i))
	}
	const cronjobs = "/apis/batch/v1/namespaces/default/cronjobs" // nothing acts on them
	inCronJob := func(containers string) string {
		return `{"metadata":{"name":"many"},"spec":{"schedule":"* * * * *","jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[` + containers + `]}}}}}}`
	}
	w.must("POST", cronjobs, inCronJob(strings.Join(containers, ",")))
	const tooLarge = "etcdserver: request is too large"
	nodes := "/api/v1/nodes"
	w.must("POST", nodes, `{"metadata":{"name":"n"}}`)
	conditions := func(n int) string {
		return `{"status":{"conditions":[{"type":"A","status":"True","message":"` + strings.Repeat("x", n) + `"}]}}`
	}
	for _, tc := range []struct {
		name, method, path, body, contentType string
		code                                  int
		message                               string
	}{
		{"copies", "PATCH", cms + "/a", doubling(18), jsonPatch, 422, "the server rejected our request due to an error in our request"},
		{"more copies", "PATCH", cms + "/a", doubling(40), jsonPatch, 422, "the server rejected our request due to an error in our request"},
		{"a large result that is no ConfigMap", "PATCH", cms + "/a", doubling(11), jsonPatch, 422, ` "" is invalid: patch: Invalid value`},
		{"operations", "PATCH", cms + "/a", "[" + strings.Repeat(`{"op":"test","path":"/data","value":1},`, 10000) + `{"op":"test","path":"/x"}]`,
			jsonPatch, 413, "The allowed maximum operations in a JSON patch is 10000, got 10001"},
		{"aliases", "POST", cms, aliases(20000), "application/yaml", 413, "limit is 3145728"},
		{"aliases of an apply", "PATCH", cms + "/b?fieldManager=m", aliases(20000), applyPatch, 413, "limit is 3145728"},
		{"many objects", "POST", podsURL, `{"metadata":{"name":"p"},"spec":{"containers":[` + strings.Repeat("{},", 900_000) + `{}]}}`, "application/json",
			413, "at most 100000 objects and lists in one body, got 900005"},
		{"many errors", "POST", podsURL, `{"metadata":{"name":"p"},"spec":{"containers":[` + strings.Repeat("{},", 90_000) + `{}]}}`, "application/json",
			422, "spec.containers[0].image: Required value"},
		{"a patch of many objects", "PATCH", cms + "/a", `[{"op":"add","path":"/x","value":[` + strings.Repeat("[],", 900_000) + `[]]}]`, jsonPatch,
			413, "at most 100000 objects and lists in one body"},
		{"an apply of many objects", "PATCH", cms + "/b?fieldManager=m", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\ndata:\n" + strings.Repeat("- - 0\n", 120_000), applyPatch,
			413, "at most 100000 objects and lists in one body"},
		{"a patch that compares all with all", "PATCH", cronjobs + "/many", inCronJob(strings.Repeat(`{"name":"a"},`, 9_000) + `{"name":"a"}`),
			strategicPatch, 413, "a strategic merge patch with 9009 objects and lists"},
		{"a long name", "POST", cms, `{"metadata":{"name":"` + strings.Repeat("Q", 1<<20) + `"}}`, "application/json", 422, `ConfigMap "QQQ`},
		{"many invalid labels", "POST", cms, `{"metadata":{"name":"l","labels":{"x":"` + strings.Repeat("?", 1<<20) + `"}}}`, "application/json", 422, "metadata.labels"},
		{"a body over the limit", "POST", cms, strings.Repeat(" ", 3<<20+1), "application/json", 413, "limit is 3145728"},
		{"a new object", "POST", nodes, `{"metadata":{"name":"m"},` + conditions(1600 << 10)[1:], "application/json", 500, tooLarge},
		{"a status by a merge patch", "PATCH", nodes + "/n/status", conditions(1600 << 10), mergePatch, 500, tooLarge},
		{"a status by a strategic patch", "PATCH", nodes + "/n/status", conditions(1600 << 10), strategicPatch, 500, tooLarge},
		{"a status by a JSON patch", "PATCH", nodes + "/n/status", `[{"op":"add","path":"/status","value":` + strings.TrimSuffix(strings.TrimPrefix(conditions(1600<<10), `{"status":`), "}") + `}]`, jsonPatch, 500, tooLarge},
		{"a status by an apply", "PATCH", nodes + "/n/status?fieldManager=m&force=true", `{"apiVersion":"v1","kind":"Node","metadata":{"name":"n"},` + conditions(1600 << 10)[1:], applyPatch, 500, tooLarge},
		{"a new object by an apply", "PATCH", nodes + "/o?fieldManager=m", `{"apiVersion":"v1","kind":"Node","metadata":{"name":"o"},` + conditions(1600 << 10)[1:], applyPatch, 500, tooLarge},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := *w
			w.t = t
			before := s.ResourceVersion()
			resp := w.send(tc.method, tc.path, tc.body, "Content-Type", tc.contentType)
			defer resp.Body.Close()
			data, err := io.ReadAll(resp.Body)
			if err != nil || resp.StatusCode != tc.code || !strings.Contains(string(data), strings.ReplaceAll(tc.message, `"`, `\"`)) {
				t.Errorf("got %d %.200q %v\nwant %d %q", resp.StatusCode, data, err, tc.code, tc.message)
			}
			if len(data) > 64<<10 {
				t.Errorf("the refusal has %d bytes", len(data))
			}
			if after := s.ResourceVersion(); after != before {
				t.Errorf("a refused request moved the resourceVersion from %d to %d", before, after)
			}
		})
	}
}

// A patch that moves a list all the time is worked out no longer than a request may take.
func TestAPatchThatTakesTooLongEnds(t *testing.T) {
	w := newWire(t, start(t, Options{RequestTimeout: 200 * time.Millisecond}))
	w.createConfigMap("a", "")
	patch := `[{"op":"add","path":"/x","value":[` + strings.Repeat("0,", 60_000) + `0]}` + strings.Repeat(`,{"op":"add","path":"/x/0","value":0}`, 9_999) + `]`
	if code, m := w.do("PATCH", cms+"/a", patch, "Content-Type", jsonPatch); code != 504 || tree.String(m, "message") != "Timeout: request did not complete within the allotted timeout" {
		t.Errorf("got %d %.200v", code, m["message"])
	}
}

// A status that grows by one patch after the other stops at etcd's limit, and the object is still there.
func TestStatusGrowsOnlyToTheLimitOfAnObject(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	w.must("POST", podsURL, `{"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}}`)
	refused := 0
	for i := range 6 {
		patch := fmt.Sprintf(`{"status":{"conditions":[{"type":"T%d","status":"True","message":%q}]}}`, i, strings.Repeat("x", 500<<10))
		code, m := w.do("PATCH", podsURL+"/p/status", patch, "Content-Type", strategicPatch)
		if code != 200 {
			refused++
			if code != 500 || tree.String(m, "message") != "etcdserver: request is too large" {
				t.Errorf("patch %d: %d %v", i, code, m["message"])
			}
		}
	}
	if refused != 3 {
		t.Errorf("%d of 6 patches of 500 kB were refused, want 3", refused)
	}
	w.must("GET", podsURL+"/p", "")
}

// An object that fits only without managedFields is stored without them, as in kube-apiserver.
func TestManagedFieldsGiveWayToALargeObject(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	var labels []string
	for i := range 4000 {
		labels = append(labels, fmt.Sprintf(`"x%058d":"1"`, i))
	}
	body := `{"metadata":{"name":"n","labels":{` + strings.Join(labels, ",") + `}},"status":{"conditions":[{"type":"A","status":"True","message":"` + strings.Repeat("x", 1150<<10) + `"}]}}`
	if m := w.must("POST", "/api/v1/nodes", body); tree.Meta(m)["managedFields"] != nil {
		t.Error("it has managedFields")
	}
}

func TestHistoryIsBoundedInBytes(t *testing.T) {
	s := start(t, Options{})
	w := newWire(t, s)
	w.must("POST", cms, `{"metadata":{"name":"big"},"data":{"x":"`+strings.Repeat("x", 1000<<10)+`"}}`)
	first := rvOf(w.must("GET", cms+"/big", ""))
	var recent string
	for i := range 80 {
		m := w.must("PATCH", cms+"/big", fmt.Sprintf(`{"metadata":{"labels":{"i":"%d"}}}`, i), "Content-Type", mergePatch)
		if i == 60 {
			recent = rvOf(m)
		}
	}
	if typ, status := w.watch(cms + "?watch=1&resourceVersion=" + first).next(); typ != "ERROR" || tree.Int(status, "code") != 410 {
		t.Errorf("a watch from before the history: %s %v, want 410", typ, status)
	}
	resp := w.send("GET", cms+"?watch=1&resourceVersion="+recent, "")
	defer resp.Body.Close()
	if line, err := bufio.NewReader(io.LimitReader(resp.Body, 20)).ReadString(':'); err != nil || !strings.HasPrefix(line, `{"type"`) {
		t.Errorf("a watch from within the history: %q %v", line, err)
	}
}

func TestFullServerRefusesWhatGrowsAndTakesDeletions(t *testing.T) {
	s := start(t, Options{})
	w := newWire(t, s)
	secrets := "/api/v1/namespaces/default/secrets"
	// Filled through the store, which is quicker.
	for i := 0; ; i++ {
		_, err := s.store.Create(kinds.ConfigMaps, map[string]any{"metadata": map[string]any{"namespace": "default", "name": fmt.Sprint("c", i)},
			"data": map[string]any{"x": strings.Repeat("x", 1<<20)}})
		if err == store.ErrNoSpace {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	big := `{"metadata":{"name":"s"},"stringData":{"x":"` + strings.Repeat("x", 1<<19) + strings.Repeat("y", 1<<18) + `"}}`
	code, m := w.do("POST", secrets, big)
	if code == 201 {
		code, m = w.do("POST", secrets, strings.Replace(big, `"s"`, `"t"`, 1))
	}
	if code != 500 || tree.String(m, "message") != "etcdserver: mvcc: database space exceeded" {
		t.Errorf("a write to a full server: %d %v", code, m["message"])
	}
	for i := range 2 {
		w.must("DELETE", fmt.Sprintf("%s/c%d", cms, i), "")
	}
	w.must("POST", secrets, strings.Replace(big, `"s"`, `"u"`, 1))
}
