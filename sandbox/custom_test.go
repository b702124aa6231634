package sandbox

import (
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/tree"
)

const crdPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"

// shirtSchema is the schema of the kind that these tests define.
const shirtSchema = `{"type":"object","properties":{
	"spec":{"type":"object","required":["color"],"properties":{
		"color":{"type":"string","description":"The color of the shirt.","enum":["red","green","blue"]},
		"size":{"type":"string","default":"M"},
		"replicas":{"type":"integer","minimum":0,"maximum":10},
		"extra":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
		"buttons":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],"items":{"type":"object","required":["name"],
			"properties":{"name":{"type":"string"},"holes":{"type":"integer","default":4}}}}}},
	"status":{"type":"object","properties":{"replicas":{"type":"integer"},"worn":{"type":"boolean"}}}}}`

func shirtVersion(name string, storage bool, more string) string {
	return fmt.Sprintf(`{"name":%q,"served":true,"storage":%v,"schema":{"openAPIV3Schema":%s}%s}`, name, storage, shirtSchema, more)
}

const shirtExtras = `,"subresources":{"status":{},"scale":{"specReplicasPath":".spec.replicas","statusReplicasPath":".status.replicas"}},
	"selectableFields":[{"jsonPath":".spec.color"}],
	"additionalPrinterColumns":[{"name":"Color","type":"string","jsonPath":".spec.color"},{"name":"Count","type":"integer","jsonPath":".spec.replicas"},
		{"name":"Born","type":"date","jsonPath":".metadata.creationTimestamp"}]`

func shirts(versions ...string) string {
	return `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"shirts.stable.example.com"},"spec":{
		"group":"stable.example.com","scope":"Namespaced","names":{"plural":"shirts","kind":"Shirt","shortNames":["sh"],"categories":["all"]},
		"versions":[` + strings.Join(versions, ",") + `]}}`
}

// define creates a definition and waits until it is established.
func (w *wire) define(definition string) map[string]any {
	w.t.Helper()
	created := w.must("POST", crdPath, definition)
	name := tree.String(tree.Meta(created), "name")
	e := w.watch(crdPath + "?watch=1&fieldSelector=metadata.name%3D" + name)
	for {
		typ, o := e.next()
		if typ == "" {
			w.t.Fatal("the watch of the definition ended")
		}
		if kinds.Established(o) {
			return o
		}
	}
}

const shirtsV1 = "/apis/stable.example.com/v1/namespaces/default/shirts"

func shirt(name, spec string) string {
	return fmt.Sprintf(`{"apiVersion":"stable.example.com/v1","kind":"Shirt","metadata":{"name":%q},"spec":{%s}}`, name, spec)
}

func TestDefinitionIsServedAndGoes(t *testing.T) {
	s := start(t, Options{})
	w := newWire(t, s)
	crd := w.define(shirts(shirtVersion("v1", true, shirtExtras)))
	status := tree.Map(crd, "status")
	if !tree.ConditionIs(status, "NamesAccepted", "True") || fmt.Sprint(status["storedVersions"]) != "[v1]" || tree.String(tree.Map(status, "acceptedNames"), "listKind") != "ShirtList" {
		t.Errorf("status: %v", status)
	}
	d := discovery.NewDiscoveryClientForConfigOrDie(s.RESTConfig())
	resources, err := d.ServerResourcesForGroupVersion("stable.example.com/v1")
	if err != nil || len(resources.APIResources) != 3 || resources.APIResources[0].ShortNames[0] != "sh" {
		t.Fatalf("discovery: %+v %v", resources, err)
	}
	created := w.must("POST", shirtsV1, shirt("a", `"color":"red","wrong":1,"buttons":[{"name":"top"}],"extra":{"any":{"thing":1}}`))
	spec := tree.Map(created, "spec")
	if spec["wrong"] != nil || tree.String(spec, "size") != "M" || tree.Map(spec, "extra", "any")["thing"] == nil {
		t.Errorf("pruned and defaulted: %v", spec)
	}
	if b := tree.List(spec, "buttons")[0].(map[string]any); tree.Int(b, "holes") != 4 {
		t.Errorf("no default in a list: %v", b)
	}
	e := w.watch(shirtsV1 + "?watch=1&resourceVersion=" + rvOf(created))
	w.must("DELETE", crdPath+"/shirts.stable.example.com", "")
	e.expect("DELETED a", "")
	gone := w.watch(crdPath + "?watch=1&resourceVersion=" + rvOf(created))
	for {
		typ, o := gone.next()
		if typ == "DELETED" {
			if !tree.ConditionIs(tree.Map(o, "status"), "Terminating", "True") {
				t.Errorf("the last state: %v", tree.Map(o, "status"))
			}
			break
		}
	}
	if code, _ := w.do("GET", shirtsV1, ""); code != 404 {
		t.Errorf("the resource is still served: %d", code)
	}
	if _, err := d.ServerResourcesForGroupVersion("stable.example.com/v1"); err == nil {
		t.Error("discovery still has the group")
	}
	// The same name again is another definition, without the old objects.
	w.define(shirts(shirtVersion("v1", true, "")))
	if l := w.must("GET", shirtsV1, ""); len(tree.List(l, "items")) != 0 || tree.String(l, "kind") != "ShirtList" {
		t.Errorf("objects of the definition before: %v", l)
	}
}

func TestCustomObjectsAreValidated(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	w.define(shirts(shirtVersion("v1", true, shirtExtras)))
	w.must("POST", shirtsV1, shirt("a", `"color":"red"`))
	for _, tc := range []struct {
		name, method, path, body string
		code                     int
		reason, message          string
	}{
		{"enum", "POST", "", shirt("b", `"color":"pink"`), 422, "Invalid", `Shirt.stable.example.com "b" is invalid: spec.color: Unsupported value: "pink": supported values: "red", "green", "blue"`},
		{"required", "POST", "", shirt("b", ``), 422, "Invalid", "spec.color: Required value"},
		{"type", "POST", "", shirt("b", `"color":1`), 422, "Invalid", `spec.color: Invalid value: "integer": spec.color in body must be of type string: "integer"`},
		{"maximum", "POST", "", shirt("b", `"color":"red","replicas":11`), 422, "Invalid", "spec.replicas: Invalid value: 11: spec.replicas in body should be less than or equal to 10"},
		{"map list", "POST", "", shirt("b", `"color":"red","buttons":[{"name":"x"},{"name":"x"}]`), 422, "Invalid", "spec.buttons[1]: Duplicate value"},
		{"unknown, strict", "POST", "?fieldValidation=Strict", shirt("b", `"color":"red","colour":"red"`), 400, "BadRequest", `Shirt in version "v1" cannot be handled as a Shirt: strict decoding error: unknown field "spec.colour"`},
		{"twice, strict", "POST", "?fieldValidation=Strict", shirt("b", `"color":"red","color":"red"`), 400, "BadRequest", `duplicate field "spec.color"`},
		{"unknown metadata, strict", "POST", "?fieldValidation=Strict", `{"apiVersion":"stable.example.com/v1","kind":"Shirt","metadata":{"name":"b","nam":"c"},"spec":{"color":"red"}}`, 400, "BadRequest", `unknown field "metadata.nam"`},
		{"no kind", "POST", "", `{"metadata":{"name":"b"}}`, 400, "BadRequest", `the object provided is unrecognized (must be of type Shirt): Object 'Kind' is missing in`},
		{"kind", "POST", "", `{"apiVersion":"stable.example.com/v1","kind":"Coat","metadata":{"name":"b"}}`, 422, "Invalid", `kind: Invalid value: "Coat": must be Shirt`},
		{"version", "POST", "", `{"apiVersion":"stable.example.com/v2","kind":"Shirt","metadata":{"name":"b"}}`, 400, "BadRequest", "does not match the expected API version (stable.example.com/v1)"},
		{"PUT without version", "PUT", "/a", shirt("a", `"color":"blue"`), 422, "Invalid", `metadata.resourceVersion: Invalid value: 0: must be specified for an update`},
		{"strategic patch", "PATCH", "/a", `{}`, 415, "UnsupportedMediaType", "application/merge-patch+json, application/apply-patch+yaml"},
		{"field selector", "GET", "?fieldSelector=spec.size=M", "", 400, "BadRequest", "field label not supported: spec.size"},
	} {
		header := []string{}
		if tc.method == "PATCH" {
			header = []string{"Content-Type", strategicPatch}
		}
		code, m := w.do(tc.method, shirtsV1+tc.path, tc.body, header...)
		if code != tc.code || tree.String(m, "reason") != tc.reason || !strings.Contains(tree.String(m, "message"), tc.message) {
			t.Errorf("%s: got %d %s %q\nwant %d %s %q", tc.name, code, m["reason"], m["message"], tc.code, tc.reason, tc.message)
		}
	}
	resp := w.send("POST", shirtsV1, shirt("warned", `"color":"red","colour":"red"`))
	resp.Body.Close()
	if got := resp.Header.Get("Warning"); !strings.Contains(got, `unknown field \"spec.colour\"`) {
		t.Errorf("Warning %q", got)
	}
}

func TestCustomSubresourcesTablesAndSelectors(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	w.define(shirts(shirtVersion("v1", true, shirtExtras)))
	w.must("POST", shirtsV1, shirt("a", `"color":"red","replicas":2`))
	w.must("POST", shirtsV1, shirt("b", `"color":"blue"`))
	merge := []string{"Content-Type", "application/merge-patch+json"}
	o := w.must("PATCH", shirtsV1+"/a", `{"spec":{"replicas":3},"status":{"worn":true}}`, merge...)
	if o["status"] != nil || tree.Int(tree.Meta(o), "generation") != 2 {
		t.Errorf("a write of the main resource: %v", o)
	}
	o = w.must("PATCH", shirtsV1+"/a/status", `{"spec":{"replicas":9},"status":{"worn":true,"replicas":3}}`, merge...)
	if !tree.Bool(tree.Map(o, "status"), "worn") || tree.Int(tree.Map(o, "spec"), "replicas") != 3 || tree.Int(tree.Meta(o), "generation") != 2 {
		t.Errorf("a write of the status: %v", o)
	}
	code, refusal := w.do("PATCH", shirtsV1+"/a/status", `{"status":{"worn":"yes"}}`, merge...)
	if code != 422 || !strings.Contains(tree.String(refusal, "message"), `status.worn: Invalid value: "string": worn in body must be of type boolean: "string"`) {
		t.Errorf("a status that does not fit: %d %v", code, refusal["message"])
	}
	sc := w.must("GET", shirtsV1+"/a/scale", "")
	if tree.Int(tree.Map(sc, "spec"), "replicas") != 3 || tree.Int(tree.Map(sc, "status"), "replicas") != 3 {
		t.Errorf("scale: %v", sc)
	}
	w.must("PATCH", shirtsV1+"/a/scale", `{"spec":{"replicas":5}}`, merge...)
	if o = w.must("GET", shirtsV1+"/a", ""); tree.Int(tree.Map(o, "spec"), "replicas") != 5 {
		t.Errorf("scaled to %v", o["spec"])
	}
	table := w.must("GET", shirtsV1, "", "Accept", "application/json;as=Table;v=v1;g=meta.k8s.io")
	var names []string
	for _, c := range tree.List(table, "columnDefinitions") {
		names = append(names, tree.String(c.(map[string]any), "name"))
	}
	cells := tree.List(tree.List(table, "rows")[0].(map[string]any), "cells")
	if fmt.Sprint(names) != "[Name Color Count Born]" || cells[1] != "red" || cells[2] != 5.0 {
		t.Errorf("table: %v %v", names, cells)
	}
	if l := w.must("GET", shirtsV1+"?fieldSelector=spec.color%3Dblue", ""); len(tree.List(l, "items")) != 1 {
		t.Errorf("selected %v", l)
	}
	meta := w.must("GET", shirtsV1, "", "Accept", "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io")
	if tree.String(meta, "kind") != "PartialObjectMetadataList" || len(tree.List(meta, "items")) != 2 {
		t.Errorf("metadata: %v", meta)
	}
}

func TestVersionsShareObjects(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	w.define(shirts(shirtVersion("v1", true, ""), shirtVersion("v2", false, "")))
	v2 := strings.Replace(shirtsV1, "/v1/", "/v2/", 1)
	e := w.watch(v2 + "?watch=1")
	w.must("POST", shirtsV1, shirt("a", `"color":"red"`))
	if _, o := e.next(); tree.String(o, "apiVersion") != "stable.example.com/v2" {
		t.Errorf("watched at v2: %v", o)
	}
	o := w.must("PATCH", v2+"/a", `{"spec":{"color":"blue"}}`, "Content-Type", "application/merge-patch+json")
	if tree.String(o, "apiVersion") != "stable.example.com/v2" {
		t.Errorf("patched at v2: %v", o)
	}
	if o = w.must("GET", shirtsV1+"/a", ""); tree.String(o, "apiVersion") != "stable.example.com/v1" || tree.String(tree.Map(o, "spec"), "color") != "blue" {
		t.Errorf("read at v1: %v", o)
	}
	groups := w.must("GET", "/apis/stable.example.com", "")
	if v := tree.String(tree.Map(groups, "preferredVersion"), "version"); v != "v2" || len(tree.List(groups, "versions")) != 2 {
		t.Errorf("the group: %v", groups)
	}
	// A version that is no longer served goes; the objects stay.
	crd := w.must("GET", crdPath+"/shirts.stable.example.com", "")
	tree.List(tree.Map(crd, "spec"), "versions")[0].(map[string]any)["storage"] = false
	second := tree.List(tree.Map(crd, "spec"), "versions")[1].(map[string]any)
	second["storage"] = true
	tree.List(tree.Map(crd, "spec"), "versions")[0].(map[string]any)["served"] = false
	w.must("PUT", crdPath+"/shirts.stable.example.com", string(tree.MustMarshal(crd)))
	for {
		if code, _ := w.do("GET", shirtsV1, ""); code == 404 {
			break
		}
	}
	if o := w.must("GET", v2+"/a", ""); tree.String(tree.Map(o, "spec"), "color") != "blue" {
		t.Errorf("after the change: %v", o)
	}
	w.must("PATCH", v2+"/a", `{"spec":{"color":"red"}}`, "Content-Type", "application/merge-patch+json")
	if got := fmt.Sprint(tree.Map(w.must("GET", crdPath+"/shirts.stable.example.com", ""), "status")["storedVersions"]); got != "[v1 v2]" {
		t.Errorf("stored versions: %s", got)
	}
}

func TestInformerFollowsCustomObjects(t *testing.T) {
	s := start(t, Options{})
	w := newWire(t, s)
	w.define(shirts(shirtVersion("v1", true, "")))
	c := dynamic.NewForConfigOrDie(s.RESTConfig())
	gvr := schema.GroupVersionResource{Group: "stable.example.com", Version: "v1", Resource: "shirts"}
	f := dynamicinformer.NewDynamicSharedInformerFactory(c, 0)
	informer := f.ForResource(gvr).Informer()
	seen := make(chan string, 10)
	if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { seen <- "add " + o.(*unstructured.Unstructured).GetName() },
		DeleteFunc: func(any) { seen <- "delete" },
	}); err != nil {
		t.Fatal(err)
	}
	ctx := testContext(t)
	stop := make(chan struct{})
	f.Start(stop)
	defer f.Shutdown()
	defer close(stop)
	cache.WaitForCacheSync(ctx.Done(), informer.HasSynced)
	o := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "stable.example.com/v1", "kind": "Shirt",
		"metadata": map[string]any{"name": "a"}, "spec": map[string]any{"color": "red"}}}
	if _, err := c.Resource(gvr).Namespace("default").Apply(ctx, "a", o, metav1.ApplyOptions{FieldManager: "m"}); err != nil {
		t.Fatal(err)
	}
	if err := c.Resource(gvr).Namespace("default").Delete(ctx, "a", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"add a", "delete"} {
		select {
		case got := <-seen:
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		case <-ctx.Done():
			t.Fatal("nothing came")
		}
	}
}

func TestBadDefinitionsAreRefused(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	good := shirts(shirtVersion("v1", true, ""))
	for _, tc := range []struct{ name, old, new, message string }{
		{"name", `"name":"shirts.stable`, `"name":"trousers.stable`, `metadata.name: Invalid value: "trousers.stable.example.com": must be spec.names.plural+"."+spec.group`},
		{"scope", `"Namespaced"`, `"Everywhere"`, `spec.scope: Unsupported value: "Everywhere"`},
		{"storage", `"storage":true`, `"storage":false`, "must have exactly one version marked as storage version"},
		{"structural", `"size":{"type":"string",`, `"size":{`, "spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[size].type: Required value: must not be empty for specified object fields"},
		{"no schema", `"schema":`, `"schemata":`, "spec.versions[0].schema.openAPIV3Schema: Required value: schemas are required"},
		{"kind", `"kind":"Shirt"`, `"kind":""`, "spec.names.kind: Required value"},
	} {
		code, m := w.do("POST", crdPath, strings.Replace(good, tc.old, tc.new, 1))
		if code != 422 || tree.String(m, "reason") != "Invalid" || !strings.Contains(tree.String(m, "message"), tc.message) {
			t.Errorf("%s: got %d %q, want %q", tc.name, code, m["message"], tc.message)
		}
	}
}

// A definition cannot take the place of a built-in kind, nor can its deletion.
func TestDefinitionsLeaveBuiltInKindsAlone(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	w.must("POST", "/apis/networking.k8s.io/v1/namespaces/default/ingresses", `{"metadata":{"name":"i"},"spec":{"defaultBackend":{"service":{"name":"a","port":{"number":80}}}}}`)
	mine := strings.NewReplacer("shirts.stable.example.com", "ingresses.networking.k8s.io", "stable.example.com", "networking.k8s.io",
		`"plural":"shirts"`, `"plural":"ingresses"`, `"v1"`, `"v9"`).Replace(shirts(shirtVersion("v1", true, "")))
	code, m := w.do("POST", crdPath, mine)
	if code != 422 || !strings.Contains(tree.String(m, "message"), `metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation`) {
		t.Errorf("without approval: %d %v", code, m["message"])
	}
	created := w.must("POST", crdPath, strings.Replace(mine, `"metadata":{`, `"metadata":{"annotations":{"api-approved.kubernetes.io":"unapproved, a test"},`, 1))
	e := w.watch(crdPath + "?watch=1&resourceVersion=" + rvOf(created))
	for {
		if _, o := e.next(); tree.ConditionIs(tree.Map(o, "status"), "NamesAccepted", "False") {
			break
		}
	}
	w.must("DELETE", crdPath+"/ingresses.networking.k8s.io", "")
	for typ := ""; typ != "DELETED"; {
		typ, _ = e.next()
	}
	w.must("GET", "/apis/networking.k8s.io/v1/namespaces/default/ingresses/i", "")
}

func TestNamesThatAreTakenAreNotAccepted(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	w.define(shirts(shirtVersion("v1", true, "")))
	second := strings.NewReplacer(`"name":"shirts.`, `"name":"blouses.`, `"plural":"shirts"`, `"plural":"blouses"`).Replace(shirts(shirtVersion("v1", true, "")))
	w.must("POST", crdPath, second)
	e := w.watch(crdPath + "?watch=1&fieldSelector=metadata.name%3Dblouses.stable.example.com")
	for {
		_, o := e.next()
		if tree.ConditionIs(tree.Map(o, "status"), "NamesAccepted", "False") {
			break
		}
	}
	w.must("DELETE", crdPath+"/shirts.stable.example.com", "")
	for {
		typ, o := e.next()
		if typ == "" {
			t.Fatal("the names were never accepted")
		}
		if kinds.Established(o) {
			return
		}
	}
}

func TestChangedDescriptionEndsTheWatchesOfItsObjects(t *testing.T) {
	t.Parallel()
	w := newWire(t, start(t, Options{}))
	w.define(shirts(shirtVersion("v1", true, "")))
	const path = "/apis/stable.example.com/v1/namespaces/default/shirts"
	open := w.watch(path + "?watch=1")
	w.must("POST", path, `{"apiVersion":"stable.example.com/v1","kind":"Shirt","metadata":{"name":"a"},"spec":{"color":"red"}}`)
	open.expect("ADDED a")
	w.must("PATCH", crdPath+"/shirts.stable.example.com",
		`[{"op":"add","path":"/spec/versions/0/schema/openAPIV3Schema/description","value":"A shirt."}]`, "Content-Type", jsonPatch)
	after := w.watch(path + "?watch=1&resourceVersion=" + rvOf(w.must("GET", path, "")))
	open.expect("")
	w.must("DELETE", path+"/a", "")
	after.expect("DELETED a")
}
