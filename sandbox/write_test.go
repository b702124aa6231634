package sandbox

import (
	"strings"
	"testing"

	"informerscope/sandbox/tree"
)

const (
	deploys = "/apis/apps/v1/namespaces/default/deployments"
	podsURL = "/api/v1/namespaces/default/pods"

	jsonPatch      = "application/json-patch+json"
	mergePatch     = "application/merge-patch+json"
	strategicPatch = "application/strategic-merge-patch+json"

	webDeployment = `{"metadata":{"name":"web"},"spec":{"replicas":2,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"web","image":"web:1"}]}}}}`
	nodeOne       = `{"metadata":{"name":"n1"},"status":{"conditions":[{"type":"Ready","status":"True"}]}}`
)

func TestPatchKinds(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	// Pods of a Deployment would come between: a controller's template is patched, with no replicas.
	w.must("POST", deploys, strings.Replace(webDeployment, `"replicas":2`, `"replicas":0`, 1))
	containers := func() string {
		var names []string
		for _, c := range tree.List(tree.Map(w.must("GET", deploys+"/web", ""), "spec", "template", "spec"), "containers") {
			m := c.(map[string]any)
			names = append(names, tree.String(m, "name")+"="+tree.String(m, "image"))
		}
		return strings.Join(names, " ")
	}
	for _, tc := range []struct{ contentType, body, want string }{
		{strategicPatch, `{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"side:1"}]}}}}`, "side=side:1 web=web:1"},
		{strategicPatch, `{"spec":{"template":{"spec":{"containers":[{"name":"web","image":"web:2"}]}}}}`, "side=side:1 web=web:2"},
		{strategicPatch, `{"spec":{"template":{"spec":{"containers":[{"name":"side","$patch":"delete"}]}}}}`, "web=web:2"},
		{jsonPatch, `[{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"web:3"}]`, "web=web:3"},
		{mergePatch, `{"spec":{"template":{"spec":{"containers":[{"name":"only","image":"only:1"}]}}}}`, "only=only:1"},
	} {
		w.must("PATCH", deploys+"/web", tc.body, "Content-Type", tc.contentType)
		if got := containers(); got != tc.want {
			t.Errorf("%s %s: containers are %s, want %s", tc.contentType, tc.body, got, tc.want)
		}
	}
}

func TestSystemFieldsBelongToTheServer(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	o := w.must("POST", deploys, `{"metadata":{"uid":"mine","generation":7,"creationTimestamp":"2001-01-01T00:00:00Z","deletionTimestamp":"2001-01-01T00:00:00Z",`+
		`"managedFields":[],"name":"web"},"status":{"replicas":9},`+webDeployment[strings.Index(webDeployment, `"spec"`):])
	meta := tree.Map(o, "metadata")
	if tree.String(meta, "uid") == "mine" || tree.Int(meta, "generation") != 1 || strings.HasPrefix(tree.String(meta, "creationTimestamp"), "2001") ||
		meta["deletionTimestamp"] != nil || tree.Int(tree.Map(o, "status"), "replicas") != 0 {
		t.Errorf("a create set what is the server's: %v", o)
	}
	patch := func(path, body string) map[string]any {
		return w.must("PATCH", path, body, "Content-Type", mergePatch)
	}
	o = patch(deploys+"/web", `{"metadata":{"uid":null,"generation":9,"labels":{"a":"b"}},"status":{"replicas":9}}`)
	if tree.Map(o, "metadata")["uid"] != meta["uid"] || tree.Int(tree.Map(o, "metadata"), "generation") != 1 || tree.Int(tree.Map(o, "status"), "replicas") == 9 {
		t.Errorf("an update set what is the server's: %v", o)
	}
	o = patch(deploys+"/web", `{"spec":{"replicas":0}}`)
	if tree.Int(tree.Map(o, "metadata"), "generation") != 2 {
		t.Errorf("generation after a change of spec: %v", tree.Map(o, "metadata")["generation"])
	}
	o = patch(deploys+"/web/status", `{"spec":{"replicas":5},"status":{"collisionCount":3}}`)
	if tree.Int(tree.Map(o, "spec"), "replicas") != 0 || tree.Int(tree.Map(o, "status"), "collisionCount") != 3 || tree.Int(tree.Map(o, "metadata"), "generation") != 2 {
		t.Errorf("a status update changed more, or less: %v", o)
	}
}

func TestWriteThatChangesNothingWritesNothing(t *testing.T) {
	s := start(t, Options{})
	w := newWire(t, s)
	w.createConfigMap("a", `"k":"v"`)
	before := s.ResourceVersion()
	w.must("PATCH", cms+"/a", `{"metadata":{"labels":{"k":"v"}}}`, "Content-Type", mergePatch)
	w.must("PUT", cms+"/a", `{"metadata":{"name":"a","labels":{"k":"v"}}}`)
	if after := s.ResourceVersion(); after != before {
		t.Errorf("resourceVersion went from %d to %d", before, after)
	}
}

func TestDryRunWritesNothing(t *testing.T) {
	s := start(t, Options{})
	w := newWire(t, s)
	w.createConfigMap("a", "")
	before := s.ResourceVersion()
	w.must("POST", cms+"?dryRun=All", `{"metadata":{"name":"b"}}`)
	o := w.must("PATCH", cms+"/a?dryRun=All", `{"data":{"x":"y"}}`, "Content-Type", mergePatch)
	if tree.String(tree.Map(o, "data"), "x") != "y" {
		t.Errorf("a dry run answered %v", o)
	}
	w.must("DELETE", cms+"/a?dryRun=All", "")
	if code, _ := w.do("POST", cms+"?dryRun=All", `{"metadata":{"name":"a"}}`); code != 409 {
		t.Errorf("dry create of what exists: %d", code)
	}
	if after := s.ResourceVersion(); after != before {
		t.Errorf("resourceVersion went from %d to %d", before, after)
	}
	w.must("GET", cms+"/a", "")
}

func TestGenerateName(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	seen := map[string]bool{}
	for range 3 {
		name := tree.String(tree.Map(w.must("POST", cms, `{"metadata":{"generateName":"x-"}}`), "metadata"), "name")
		if !strings.HasPrefix(name, "x-") || len(name) != 7 || seen[name] {
			t.Errorf("generated %q", name)
		}
		seen[name] = true
	}
}

func TestFinalizersHoldADeletionUp(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	o := w.must("POST", cms, `{"metadata":{"name":"a","finalizers":["example.com/hold"]}}`)
	e := w.watch(cms + "?watch=1&resourceVersion=" + rvOf(o))
	o = w.must("DELETE", cms+"/a", "")
	if tree.String(tree.Map(o, "metadata"), "deletionTimestamp") == "" {
		t.Errorf("the answer is not the object that stays: %v", o)
	}
	again := w.must("DELETE", cms+"/a", "")
	if rvOf(again) != rvOf(o) {
		t.Errorf("a second delete changed it: %v", again)
	}
	if code, _ := w.do("PATCH", cms+"/a", `{"metadata":{"finalizers":["example.com/more"]}}`, "Content-Type", mergePatch); code != 422 {
		t.Errorf("a finalizer was added to what is being deleted: %d", code)
	}
	w.must("PATCH", cms+"/a", `{"metadata":{"finalizers":null}}`, "Content-Type", mergePatch)
	e.expect("MODIFIED a", "DELETED a")
	if code, _ := w.do("GET", cms+"/a", ""); code != 404 {
		t.Errorf("it is still there: %d", code)
	}
}

func TestPodOnANodeIsTerminatedGracefully(t *testing.T) {
	t.Parallel()
	w := newWire(t, start(t, Options{}))
	w.must("POST", podsURL, `{"metadata":{"name":"unscheduled"},"spec":{"containers":[{"name":"c","image":"i"}]}}`)
	o := w.must("POST", podsURL, `{"metadata":{"name":"p"},"spec":{"nodeName":"n1","containers":[{"name":"c","image":"i"}]}}`)
	e := w.watch(podsURL + "?watch=1&fieldSelector=metadata.name%3Dp&resourceVersion=" + rvOf(o))
	w.must("DELETE", podsURL+"/unscheduled", "")
	if code, _ := w.do("GET", podsURL+"/unscheduled", ""); code != 404 {
		t.Errorf("a pod on no node waited: %d", code)
	}
	o = w.must("DELETE", podsURL+"/p", "")
	if tree.Int(tree.Map(o, "metadata"), "deletionGracePeriodSeconds") != 30 {
		t.Errorf("no grace: %v", o["metadata"])
	}
	for {
		typ, o := e.next()
		if typ == "DELETED" {
			break
		}
		if typ != "MODIFIED" {
			t.Fatalf("got %s %v", typ, o)
		}
	}
	w.must("POST", podsURL, `{"metadata":{"name":"q"},"spec":{"nodeName":"n1","containers":[{"name":"c","image":"i"}]}}`)
	w.must("DELETE", podsURL+"/q?gracePeriodSeconds=0", "")
	if code, _ := w.do("GET", podsURL+"/q", ""); code != 404 {
		t.Errorf("a pod without grace waited: %d", code)
	}
}

func TestNamespaceTakesItsContentAlong(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	ns := w.must("POST", "/api/v1/namespaces", `{"metadata":{"name":"n"}}`)
	if tree.String(tree.Map(ns, "metadata", "labels"), "kubernetes.io/metadata.name") != "n" || tree.String(tree.Map(ns, "status"), "phase") != "Active" {
		t.Errorf("a new namespace: %v", ns)
	}
	w.must("POST", "/api/v1/namespaces/n/configmaps", `{"metadata":{"name":"a","finalizers":["example.com/hold"]}}`)
	w.must("POST", "/api/v1/namespaces/n/secrets", `{"metadata":{"name":"b"}}`)
	e := w.watch("/api/v1/namespaces?watch=1&fieldSelector=metadata.name%3Dn&resourceVersion=" + rvOf(ns))
	held := w.watch("/api/v1/configmaps?watch=1")
	held.expect("ADDED a")
	if o := w.must("DELETE", "/api/v1/namespaces/n", ""); tree.String(tree.Map(o, "status"), "phase") != "Terminating" {
		t.Errorf("a namespace being deleted: %v", o)
	}
	e.expect("MODIFIED n")
	code, refusal := w.do("POST", "/api/v1/namespaces/n/configmaps", `{"metadata":{"name":"c"}}`)
	if code != 403 || !strings.Contains(tree.String(refusal, "message"), "being terminated") {
		t.Errorf("create in a namespace being deleted: %d %v", code, refusal["message"])
	}
	held.expect("MODIFIED a")
	w.must("PATCH", "/api/v1/namespaces/n/configmaps/a", `{"metadata":{"finalizers":null}}`, "Content-Type", mergePatch)
	held.expect("DELETED a")
	e.expect("DELETED n")
	if code, _ := w.do("GET", "/api/v1/namespaces/n/secrets/b", ""); code != 404 {
		t.Errorf("its secret is still there: %d", code)
	}
}

func TestScaleIsASubresource(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	w.must("POST", deploys, webDeployment)
	scale := w.must("GET", deploys+"/web/scale", "")
	if tree.String(scale, "kind") != "Scale" || tree.Int(tree.Map(scale, "spec"), "replicas") != 2 || tree.String(tree.Map(scale, "status"), "selector") != "app=web" {
		t.Errorf("scale is %v", scale)
	}
	w.must("PATCH", deploys+"/web/scale", `{"spec":{"replicas":3}}`, "Content-Type", mergePatch)
	if n := tree.Int(tree.Map(w.must("GET", deploys+"/web", ""), "spec"), "replicas"); n != 3 {
		t.Errorf("replicas are %d, want 3", n)
	}
	if code, _ := w.do("PUT", deploys+"/web/scale", `{"metadata":{"name":"web","resourceVersion":"1"},"spec":{"replicas":1}}`); code != 409 {
		t.Errorf("a stale scale: %d", code)
	}
	if code, _ := w.do("PUT", deploys+"/web/scale", `{"metadata":{"name":"web"},"spec":{"replicas":-1}}`); code != 422 {
		t.Errorf("a negative scale: %d", code)
	}
}

func TestDeletingAnOwner(t *testing.T) {
	for policy, survives := range map[string]bool{"Background": false, "Orphan": true} {
		t.Run(policy, func(t *testing.T) {
			w := newWire(t, start(t, Options{}))
			owner := w.createConfigMap("owner", "")
			uid := tree.String(tree.Map(owner, "metadata"), "uid")
			child := w.must("POST", "/api/v1/namespaces/default/secrets",
				`{"metadata":{"name":"child","ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"owner","uid":"`+uid+`"}]}}`)
			e := w.watch("/api/v1/namespaces/default/secrets?watch=1&resourceVersion=" + rvOf(child))
			w.must("DELETE", cms+"/owner?propagationPolicy="+policy, "")
			if !survives {
				e.expect("DELETED child")
				return
			}
			e.expect("MODIFIED child")
			if o := w.must("GET", "/api/v1/namespaces/default/secrets/child", ""); tree.Map(o, "metadata")["ownerReferences"] != nil {
				t.Errorf("an orphan still names its owner: %v", o)
			}
		})
	}
}

func TestDeleteCollectionHonoursSelectors(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	w.createConfigMap("a", `"k":"v"`)
	w.createConfigMap("b", ``)
	w.createConfigMap("c", `"k":"v"`)
	w.must("DELETE", cms+"?labelSelector=k%3Dv", "")
	items := tree.List(w.must("GET", cms, ""), "items")
	if len(items) != 1 || tree.String(tree.Map(items[0].(map[string]any), "metadata"), "name") != "b" {
		t.Errorf("left are %v", items)
	}
}

func TestPutCreatesWhereKubernetesAllowsIt(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	const lease = "/apis/coordination.k8s.io/v1/namespaces/default/leases/l"
	if code, _ := w.do("PUT", lease, `{"metadata":{"name":"l"},"spec":{"holderIdentity":"me"}}`); code != 201 {
		t.Errorf("PUT of a new lease: %d", code)
	}
}

func TestFieldSelectorsOfPods(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	for name, node := range map[string]string{"p": `"nodeName":"n1",`, "q": ""} {
		w.must("POST", podsURL, `{"metadata":{"name":"`+name+`"},"spec":{`+node+`"containers":[{"name":"c","image":"i"}]}}`)
	}
	for selector, want := range map[string]string{
		"spec.nodeName%3Dn1": "p", "spec.nodeName%3D": "q", "spec.nodeName%21%3Dn1": "q", "metadata.name%3Dp": "p",
		"status.phase%3DRunning": "", "spec.restartPolicy%3DAlways,metadata.namespace%3Ddefault,spec.nodeName%3Dn1": "p",
	} {
		var names []string
		for _, o := range tree.List(w.must("GET", "/api/v1/pods?fieldSelector="+selector, ""), "items") {
			names = append(names, tree.String(tree.Map(o.(map[string]any), "metadata"), "name"))
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s selects %q, want %q", selector, got, want)
		}
	}
}

// TestUsersSeeReactions is what a user of kubectl counts on: workloads get pods, and lost pods are replaced.
func TestUsersSeeReactions(t *testing.T) {
	t.Parallel()
	w := newWire(t, start(t, Options{}))
	w.must("POST", "/api/v1/nodes", nodeOne)
	w.must("POST", deploys, webDeployment)
	e := w.watch(deploys + "?watch=1&fieldSelector=metadata.name%3Dweb&resourceVersion=0")
	ready := func(want, of int64) {
		t.Helper()
		for {
			typ, o := e.next()
			if typ == "" {
				t.Fatalf("the watch ended before %d were ready", want)
			}
			status := tree.Map(o, "status")
			if tree.Int(status, "readyReplicas") == want && tree.Int(status, "replicas") == of &&
				tree.Int(status, "observedGeneration") == tree.Int(tree.Map(o, "metadata"), "generation") {
				return
			}
		}
	}
	ready(2, 2)
	running := tree.List(w.must("GET", podsURL+"?labelSelector=app%3Dweb&fieldSelector=status.phase%3DRunning", ""), "items")
	if len(running) != 2 {
		t.Fatalf("%d pods run, want 2", len(running))
	}
	w.must("PATCH", deploys+"/web/scale", `{"spec":{"replicas":3}}`, "Content-Type", mergePatch)
	ready(3, 3)
	victim := tree.String(tree.Map(running[0].(map[string]any), "metadata"), "name")
	w.must("DELETE", podsURL+"/"+victim, "")
	ready(2, 3)
	ready(3, 3)
	w.must("PATCH", deploys+"/web", `{"spec":{"template":{"spec":{"containers":[{"name":"web","image":"web:2"}]}}}}`, "Content-Type", strategicPatch)
	ready(3, 3)
	p := w.watch(podsURL + "?watch=1&resourceVersion=0")
	w.must("DELETE", deploys+"/web", "")
	for gone := 0; gone < 3; {
		typ, _ := p.next()
		if typ == "" {
			t.Fatalf("the watch ended with %d pods gone", gone)
		}
		if typ == "DELETED" {
			gone++
		}
	}
}

func TestJobRunsToCompletionAndExpires(t *testing.T) {
	t.Parallel()
	w := newWire(t, start(t, Options{}))
	w.must("POST", "/api/v1/nodes", nodeOne)
	const jobsURL = "/apis/batch/v1/namespaces/default/jobs"
	o := w.must("POST", jobsURL, `{"metadata":{"name":"j"},"spec":{"ttlSecondsAfterFinished":0,"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}`)
	e := w.watch(jobsURL + "?watch=1&resourceVersion=" + rvOf(o))
	complete := false
	for {
		typ, o := e.next()
		if typ == "" {
			t.Fatal("the watch ended first")
		}
		complete = complete || tree.Int(tree.Map(o, "status"), "succeeded") == 1 && tree.String(tree.Map(o, "status"), "completionTime") != ""
		if typ == "DELETED" {
			break
		}
	}
	if !complete {
		t.Error("the job was deleted before it was complete")
	}
}

// The write that takes the last finalizer is answered, but what watchers see deleted is the object before it.
func TestWatchersSeeTheObjectBeforeItsLastWrite(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	o := w.must("POST", cms, `{"metadata":{"name":"a","finalizers":["example.com/hold"]}}`)
	w.must("DELETE", cms+"/a", "")
	e := w.watch(cms + "?watch=1&resourceVersion=" + rvOf(o))
	e.expect("MODIFIED a")
	code, refusal := w.do("POST", cms, `{"metadata":{"name":"a"}}`)
	if code != 409 || tree.String(refusal, "message") != `object is being deleted: configmaps "a" already exists` {
		t.Errorf("created over an object that is being deleted: %d %v", code, refusal["message"])
	}
	written := w.must("PATCH", cms+"/a", `{"metadata":{"finalizers":null},"data":{"late":"1"}}`, "Content-Type", mergePatch)
	if tree.String(tree.Map(written, "data"), "late") != "1" || len(tree.List(tree.Meta(written), "finalizers")) != 0 {
		t.Errorf("the answer: %v", written)
	}
	typ, gone := e.next()
	if typ != "DELETED" || gone["data"] != nil || len(tree.List(tree.Meta(gone), "finalizers")) != 1 || rvOf(gone) <= rvOf(written) {
		t.Errorf("watchers see %s %v", typ, gone)
	}
}
