package conformance

import (
	"fmt"
	"strings"
	"sync/atomic"
)

// crdChecks are about CustomResourceDefinitions and the objects that they bring.
var crdChecks = []check{
	{name: "crd: becomes established, and is in discovery", run: func(t *T, s *server) {
		c := newCRD(t, s, `{}`)
		doc := s.get(t, crds+"/"+c.name).ok(t)
		equal(t, "accepted names", c.plural, str(doc, "status.acceptedNames.plural"))
		equal(t, "stored versions", "[v1]", str(doc, "status.storedVersions"))
		equal(t, "conversion", "None", str(doc, "spec.conversion.strategy"))
		group := s.get(t, "/apis/"+c.group).ok(t)
		equal(t, "preferred version", c.group+"/v1", str(group, "preferredVersion.groupVersion"))
		found := false
		for _, r := range list(s.get(t, "/apis/"+c.group+"/v1").ok(t), "resources") {
			if str(r, "name") == c.plural {
				found = true
				equal(t, "kind", c.kind, str(r, "kind"))
				equal(t, "short names", "["+c.short+"]", str(r, "shortNames"))
				equal(t, "verbs", "[create delete deletecollection get list patch update watch]", sorted(strings.Fields(strings.Trim(str(r, "verbs"), "[]"))))
			}
		}
		if !found {
			t.Errorf("%s is not in discovery", c.plural)
		}
	}},
	{name: "crd: objects are created, listed, watched, patched and deleted", run: func(t *T, s *server) {
		c := newCRD(t, s, `{}`)
		ns := s.namespace(t)
		w := s.watch(t, c.path(ns)+"?watch=1")
		doc := s.must(t, "POST", c.path(ns), c.object("a", `{"colour":"blue"}`))
		equal(t, "generation", 1, str(doc, "metadata.generation"))
		s.must(t, "PATCH", c.path(ns)+"/a", `{"spec":{"colour":"red"}}`, contentType(mergePatch))
		doc = s.get(t, c.path(ns)).ok(t)
		equal(t, "kind of the list", c.kind+"List", str(doc, "kind"))
		equal(t, "colour", "red", str(doc, "items.0.spec.colour"))
		// Unlike those of built-in kinds, they say what they are.
		equal(t, "kind of an element", c.kind, str(doc, "items.0.kind"))
		s.must(t, "DELETE", c.path(ns)+"/a", "")
		w.want(t, "ADDED a, MODIFIED a, DELETED a")
	}},
	{name: "crd: fields that the schema does not know are pruned", run: func(t *T, s *server) {
		c := newCRD(t, s, `{}`)
		ns := s.namespace(t)
		doc := s.must(t, "POST", c.path(ns), c.object("a", `{"colour":"blue","nope":1}`))
		equal(t, "spec", "map[colour:blue size:3]", at(doc, "spec"))
	}},
	{name: "crd: defaults are set, and are back when a field is removed", run: func(t *T, s *server) {
		c := newCRD(t, s, `{}`)
		ns := s.namespace(t)
		equal(t, "size", 3, str(s.must(t, "POST", c.path(ns), c.object("a", `{"colour":"blue"}`)), "spec.size"))
		equal(t, "size", 4, str(s.must(t, "PATCH", c.path(ns)+"/a", `{"spec":{"size":4}}`, contentType(mergePatch)), "spec.size"))
		equal(t, "size", 3, str(s.must(t, "PATCH", c.path(ns)+"/a", `{"spec":{"size":null}}`, contentType(mergePatch)), "spec.size"))
	}},
	{name: "crd: values that the schema forbids are 422 with their paths", run: func(t *T, s *server) {
		c := newCRD(t, s, `{}`)
		ns := s.namespace(t)
		for spec, want := range map[string]string{
			`{"colour":"mauve"}`:           `spec.colour: Unsupported value: "mauve": supported values: "blue", "red"`,
			`{"colour":"blue","size":-1}`:  `spec.size: Invalid value: -1: spec.size in body should be greater than or equal to 0`,
			`{"colour":"blue","size":"x"}`: `spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"`,
			`{}`:                           `spec.colour: Required value`,
		} {
			status := s.do(t, "POST", c.path(ns), c.object("a", spec)).failed(t, 422, "Invalid", "^"+c.kind+`\.`+c.group+` "a" is invalid: `)
			if got := str(status, "message"); !strings.Contains(got, want) {
				t.Errorf("spec %s: want %q in %q", spec, want, got)
			}
		}
	}},
	{name: "crd: unknown fields with fieldValidation=Strict are 400", run: func(t *T, s *server) {
		c := newCRD(t, s, `{}`)
		ns := s.namespace(t)
		s.do(t, "POST", c.path(ns)+"?fieldValidation=Strict", c.object("a", `{"colour":"blue","nope":1}`)).
			failed(t, 400, "BadRequest", `strict decoding error: unknown field "spec.nope"`)
	}},
	{name: "crd: the status subresource is apart", run: func(t *T, s *server) {
		c := newCRD(t, s, `{"status":{}}`)
		ns := s.namespace(t)
		s.must(t, "POST", c.path(ns), strings.Replace(c.object("a", `{"colour":"blue"}`), `"spec"`, `"status":{"ready":true},"spec"`, 1))
		equal(t, "status after create", nil, at(s.get(t, c.path(ns)+"/a").ok(t), "status"))
		doc := s.must(t, "PATCH", c.path(ns)+"/a/status", `{"status":{"ready":true},"spec":{"colour":"red"}}`, contentType(mergePatch))
		equal(t, "status", true, at(doc, "status.ready"))
		equal(t, "colour", "blue", str(doc, "spec.colour"))
		equal(t, "generation", 1, str(doc, "metadata.generation"))
	}},
	{name: "crd: without a status subresource, /status is 404", run: func(t *T, s *server) {
		c := newCRD(t, s, `{}`)
		ns := s.namespace(t)
		s.must(t, "POST", c.path(ns), c.object("a", `{"colour":"blue"}`))
		equal(t, "code", 404, s.get(t, c.path(ns)+"/a/status").code)
	}},
	{name: "crd: a second version has the same objects", run: func(t *T, s *server) {
		c := newCRD(t, s, `{}`)
		ns := s.namespace(t)
		s.must(t, "POST", c.path(ns), c.object("a", `{"colour":"blue"}`))
		doc := s.get(t, strings.Replace(c.path(ns), "/v1/", "/v1beta1/", 1)+"/a").ok(t)
		equal(t, "apiVersion", c.group+"/v1beta1", str(doc, "apiVersion"))
		equal(t, "colour", "blue", str(doc, "spec.colour"))
	}},
	{name: "crd: additionalPrinterColumns are the columns of tables", run: func(t *T, s *server) {
		c := newCRD(t, s, `{}`)
		ns := s.namespace(t)
		s.must(t, "POST", c.path(ns), c.object("a", `{"colour":"blue"}`))
		doc := s.get(t, c.path(ns), accept(table)).ok(t)
		equal(t, "columns", "Name Colour", str(doc, "columnDefinitions.0.name")+" "+str(doc, "columnDefinitions.1.name"))
		equal(t, "cells", "[a blue]", at(doc, "rows.0.cells"))
	}},
	{name: "crd: metadata only", run: func(t *T, s *server) {
		c := newCRD(t, s, `{}`)
		ns := s.namespace(t)
		s.must(t, "POST", c.path(ns), c.object("a", `{"colour":"blue"}`))
		doc := s.get(t, c.path(ns), accept(partialObjectList)).ok(t)
		equal(t, "name", "a", str(doc, "items.0.metadata.name"))
		equal(t, "spec", nil, at(doc, "items.0.spec"))
	}},
	{name: "crd: protobuf is not served for custom objects", run: func(t *T, s *server) {
		c := newCRD(t, s, `{}`)
		ns := s.namespace(t)
		equal(t, "code", 406, s.get(t, c.path(ns), accept(protobufType)).code)
		a := s.get(t, c.path(ns), accept(protobufType+",application/json"))
		a.ok(t)
		equal(t, "Content-Type for who takes JSON too", "application/json", a.Get("Content-Type"))
	}},
	{name: "crd: server-side apply of custom objects", run: func(t *T, s *server) {
		c := newCRD(t, s, `{}`)
		ns := s.namespace(t)
		doc := s.must(t, "PATCH", c.path(ns)+"/a?fieldManager=one", c.object("a", `{"colour":"blue"}`), contentType(applyPatch))
		equal(t, "manager", "one", str(doc, "metadata.managedFields.0.manager"))
		s.do(t, "PATCH", c.path(ns)+"/a?fieldManager=two", c.object("a", `{"colour":"red"}`), contentType(applyPatch)).
			failed(t, 409, "Conflict", `conflict with "one": \.spec\.colour`)
	}},
	{name: "crd: strategic merge patches are not for custom objects", run: func(t *T, s *server) {
		c := newCRD(t, s, `{}`)
		ns := s.namespace(t)
		s.must(t, "POST", c.path(ns), c.object("a", `{"colour":"blue"}`))
		s.do(t, "PATCH", c.path(ns)+"/a", `{"spec":{"colour":"red"}}`, contentType(strategicPatch)).failed(t, 415, "UnsupportedMediaType",
			"the body of the request was in an unknown format - accepted media types include: ")
	}},
	{name: "crd: a watch ends when its CRD is deleted, and the path is 404 then", run: func(t *T, s *server) {
		c := newCRD(t, s, `{}`)
		ns := s.namespace(t)
		s.must(t, "POST", c.path(ns), c.object("a", `{"colour":"blue"}`))
		w := s.watch(t, c.path(ns)+"?watch=1")
		w.want(t, "ADDED a")
		s.must(t, "DELETE", crds+"/"+c.name, "")
		equal(t, "the last events", "DELETED a", eventsText(w.rest(t)))
		for t.Context().Err() == nil {
			if s.get(t, c.path(ns)).code == 404 {
				return
			}
		}
		t.Errorf("it is still served")
	}},
	{name: "crd: a wrong one is 422", run: func(t *T, s *server) {
		s.do(t, "POST", crds, `{"metadata":{"name":"wrong"},"spec":{"group":"e2e.example.com","scope":"Namespaced","names":{"plural":"wrongs","kind":"Wrong"},`+
			`"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}`).
			failed(t, 422, "Invalid", `metadata.name: Invalid value: "wrong": must be spec.names.plural\+"."\+spec.group`)
		s.do(t, "POST", crds, `{"metadata":{"name":"wrongs.e2e.example.com"},"spec":{"group":"e2e.example.com","scope":"Namespaced","names":{"plural":"wrongs","kind":"Wrong"},`+
			`"versions":[{"name":"v1","served":true,"storage":true}]}}`).
			failed(t, 422, "Invalid", `schemas? (are|is) required|spec.versions\[0\].schema.openAPIV3Schema: Required value`)
	}},
}

const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"

// crd is an established CustomResourceDefinition of its own group.
type crd struct{ group, plural, kind, short, name string }

var crdNumber atomic.Int64

// newCRD makes a CRD with versions v1 and v1beta1, a colour and a size, and waits until its objects are served.
func newCRD(t *T, s *server, subresources string) crd {
	n := crdNumber.Add(1)
	c := crd{group: fmt.Sprintf("g%d.example.com", n), plural: fmt.Sprintf("lamps%d", n), kind: fmt.Sprintf("Lamp%d", n), short: fmt.Sprintf("lp%d", n)}
	c.name = c.plural + "." + c.group
	c.establish(t, s, subresources)
	t.Cleanup(func() {
		sweep := *t
		s.open(&sweep, "DELETE", crds+"/"+c.name, "").Body.Close()
	})
	return c
}

// establish creates the CRD.
func (c crd) establish(t *T, s *server, subresources string) {
	version := func(name string, storage bool) string {
		return fmt.Sprintf(`{"name":%q,"served":true,"storage":%t,"subresources":%s,"additionalPrinterColumns":[{"name":"Colour","type":"string","jsonPath":".spec.colour"}],`+
			`"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","required":["colour"],"properties":{`+
			`"colour":{"type":"string","enum":["blue","red"]},"size":{"type":"integer","minimum":0,"default":3}}},`+
			`"status":{"type":"object","properties":{"ready":{"type":"boolean"}}}}}}}`, name, storage, subresources)
	}
	s.must(t, "POST", crds, fmt.Sprintf(`{"metadata":{"name":%q},"spec":{"group":%q,"scope":"Namespaced","names":{"plural":%q,"kind":%q,"shortNames":[%q]},"versions":[%s,%s]}}`,
		c.name, c.group, c.plural, c.kind, c.short, version("v1", true), version("v1beta1", false)))
	for t.Context().Err() == nil {
		for _, cond := range list(s.get(t, crds+"/"+c.name).ok(t), "status.conditions") {
			if str(cond, "type") == "Established" && str(cond, "status") == "True" && s.served(t, c) {
				return
			}
		}
	}
	t.Fatalf("%s is not established in time", c.name)
}

// served says whether the objects and the discovery document of c are there.
func (s *server) served(t *T, c crd) bool {
	return s.get(t, "/apis/"+c.group+"/v1/"+c.plural).code == 200 && s.get(t, "/apis/"+c.group+"/v1").code == 200 && s.get(t, "/apis/"+c.group).code == 200
}

func (c crd) path(ns string) string {
	return "/apis/" + c.group + "/v1/namespaces/" + ns + "/" + c.plural
}

func (c crd) object(name, spec string) string {
	return fmt.Sprintf(`{"apiVersion":"%s/v1","kind":%q,"metadata":{"name":%q},"spec":%s}`, c.group, c.kind, name, spec)
}
