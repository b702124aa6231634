package conformance

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
)

// Representations that a client may ask for.
const (
	table             = "application/json;as=Table;v=v1;g=meta.k8s.io"
	partialObject     = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"
	partialObjectList = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"
	protobufType      = "application/vnd.kubernetes.protobuf"
	cborType          = "application/cbor"
)

// protobufMagic starts every protobuf body.
var protobufMagic = []byte{'k', '8', 's', 0}

// viewChecks are about representations other than plain JSON.
var viewChecks = []check{
	{name: "views: a list as a Table", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.configMap(t, ns, "a")
		doc := s.get(t, configMaps(ns), accept(table)).ok(t)
		equal(t, "kind", "Table", str(doc, "kind"))
		equal(t, "apiVersion", "meta.k8s.io/v1", str(doc, "apiVersion"))
		rvOf(t, doc)
		equal(t, "cells", "[a 1 ", str(doc, "rows.0.cells")[:5])
		equal(t, "object", "PartialObjectMetadata", str(doc, "rows.0.object.kind"))
		equal(t, "object's name", "a", str(doc, "rows.0.object.metadata.name"))
		equal(t, "data in it", "", str(doc, "rows.0.object.data"))
	}},
	{name: "views: one object as a Table", run: func(t *T, s *server) {
		ns := s.namespace(t)
		created := s.configMap(t, ns, "a")
		doc := s.get(t, configMaps(ns)+"/a", accept(table)).ok(t)
		equal(t, "rows", 1, len(list(doc, "rows")))
		equal(t, "resourceVersion", rvOf(t, created), rvOf(t, doc))
	}},
	{name: "views: includeObject=Object and None", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.configMap(t, ns, "a")
		doc := s.get(t, configMaps(ns)+"?includeObject=Object", accept(table)).ok(t)
		equal(t, "data", "v", str(doc, "rows.0.object.data.k"))
		equal(t, "kind", "ConfigMap", str(doc, "rows.0.object.kind"))
		doc = s.get(t, configMaps(ns)+"?includeObject=None", accept(table)).ok(t)
		equal(t, "object", nil, at(doc, "rows.0.object"))
	}},
	{name: "views: pages of a Table", run: func(t *T, s *server) {
		path := fiveConfigMaps(t, s)
		first := s.get(t, path+"?limit=2", accept(table)).ok(t)
		equal(t, "rows", 2, len(list(first, "rows")))
		equal(t, "remainingItemCount", 3, str(first, "metadata.remainingItemCount"))
		second := s.get(t, path+"?limit=2&continue="+token(t, first), accept(table)).ok(t)
		equal(t, "third row", "c", str(second, "rows.0.cells.0"))
		if len(list(second, "columnDefinitions")) == 0 {
			t.Errorf("a later page lacks the columns")
		}
	}},
	{name: "views: an empty Table has columns and rows", run: func(t *T, s *server) {
		doc := s.get(t, configMaps(s.namespace(t)), accept(table)).ok(t)
		if len(list(doc, "columnDefinitions")) == 0 || at(doc, "rows") == nil {
			t.Errorf("got %v", doc)
		}
	}},
	{name: "views: metadata of a list", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.configMap(t, ns, "a")
		doc := s.get(t, configMaps(ns), accept(partialObjectList)).ok(t)
		equal(t, "kind", "PartialObjectMetadataList", str(doc, "kind"))
		equal(t, "apiVersion", "meta.k8s.io/v1", str(doc, "apiVersion"))
		equal(t, "labels", "a", str(doc, "items.0.metadata.labels.app"))
		equal(t, "data", nil, at(doc, "items.0.data"))
	}},
	{name: "views: metadata of an object", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.configMap(t, ns, "a")
		doc := s.get(t, configMaps(ns)+"/a", accept(partialObject)).ok(t)
		equal(t, "kind", "PartialObjectMetadata", str(doc, "kind"))
		equal(t, "data", nil, at(doc, "data"))
	}},
	{name: "views: metadata in the answer to a write", run: func(t *T, s *server) {
		ns := s.namespace(t)
		doc := s.must(t, "POST", configMaps(ns), `{"metadata":{"name":"a"},"data":{"k":"v"}}`, accept(partialObject))
		equal(t, "kind", "PartialObjectMetadata", str(doc, "kind"))
		equal(t, "name", "a", str(doc, "metadata.name"))
	}},
	{name: "views: metadata of a watch", run: func(t *T, s *server) {
		ns, path := watched(t, s)
		w := s.watch(t, path, accept(partialObject))
		s.configMap(t, ns, "a")
		e := w.next(t)
		equal(t, "kind", "PartialObjectMetadata", str(e.Object, "kind"))
		equal(t, "apiVersion", "meta.k8s.io/v1", str(e.Object, "apiVersion"))
		equal(t, "data", nil, at(e.Object, "data"))
	}},
	{name: "views: the first representation that is served wins", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.configMap(t, ns, "a")
		doc := s.get(t, configMaps(ns), accept("application/json;as=Wonder;v=v1;g=meta.k8s.io,"+table+",application/json")).ok(t)
		equal(t, "kind", "Table", str(doc, "kind"))
	}},
	{name: "views: an object in protobuf", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.configMap(t, ns, "a")
		a := s.get(t, configMaps(ns)+"/a", accept(protobufType))
		equal(t, "Content-Type", protobufType, a.Get("Content-Type"))
		got, ok := decodeProtobuf(t, a.body).(*corev1.ConfigMap)
		if !ok || got.Name != "a" || got.Data["k"] != "v" || got.Labels["app"] != "a" || got.UID == "" {
			t.Errorf("got %v", got)
		}
	}},
	{name: "views: a list in protobuf", run: func(t *T, s *server) {
		path := fiveConfigMaps(t, s)
		got, ok := decodeProtobuf(t, s.get(t, path+"?limit=2", accept(protobufType)).body).(*corev1.ConfigMapList)
		if !ok || len(got.Items) != 2 || got.Continue == "" || got.ResourceVersion == "" || *got.RemainingItemCount != 3 {
			t.Errorf("got %v", got)
		}
	}},
	{name: "views: metadata of a list in protobuf", run: func(t *T, s *server) {
		path := fiveConfigMaps(t, s)
		a := s.get(t, path, accept(strings.Replace(partialObjectList, "application/json", protobufType, 1)))
		got, ok := decodeProtobuf(t, a.body).(*metav1.PartialObjectMetadataList)
		if !ok || len(got.Items) != 5 || got.Items[4].Name != "e" {
			t.Errorf("got %v", got)
		}
	}},
	{name: "views: a watch in protobuf", run: func(t *T, s *server) {
		ns, path := watched(t, s)
		w := s.watch(t, path, accept(protobufType+";stream=watch"))
		equal(t, "Content-Type", protobufType+";stream=watch", w.res.Header.Get("Content-Type"))
		s.configMap(t, ns, "a")
		e := protobufEvent(t, w.res.Body)
		equal(t, "type", "ADDED", e.Type)
		if got, ok := decodeProtobuf(t, e.Object.Raw).(*corev1.ConfigMap); !ok || got.Name != "a" {
			t.Errorf("got %v", got)
		}
	}},
	{name: "views: a create in protobuf", run: func(t *T, s *server) {
		ns := s.namespace(t)
		var body bytes.Buffer
		cm := &corev1.ConfigMap{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
			ObjectMeta: metav1.ObjectMeta{Name: "a"}, Data: map[string]string{"k": "v"}}
		if err := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme).Encode(cm, &body); err != nil {
			t.Fatalf("%v", err)
		}
		doc := s.must(t, "POST", configMaps(ns), body.String(), contentType(protobufType))
		equal(t, "data", "v", str(doc, "data.k"))
	}},
	{name: "views: an error in protobuf", run: func(t *T, s *server) {
		a := s.get(t, configMaps("default")+"/no-such-thing", accept(protobufType))
		equal(t, "code", 404, a.code)
		if got, ok := decodeProtobuf(t, a.body).(*metav1.Status); !ok || got.Reason != metav1.StatusReasonNotFound {
			t.Errorf("got %v", got)
		}
	}},
	{name: "views: an object as YAML", run: func(t *T, s *server) {
		a := s.get(t, "/api/v1/namespaces/default", accept("application/yaml"))
		equal(t, "Content-Type", "application/yaml", a.Get("Content-Type"))
		if !strings.Contains(string(a.body), "\nkind: Namespace\n") {
			t.Errorf("got %s", a.body)
		}
	}},
	{name: "views: an object as CBOR", run: func(t *T, s *server) {
		a := s.get(t, "/api/v1/namespaces/default", accept(cborType+",application/json"))
		// Off by default in this version: JSON it is.
		equal(t, "Content-Type", "application/json", a.Get("Content-Type"))
	}},
}

func decodeProtobuf(t *T, body []byte) runtime.Object {
	if !bytes.HasPrefix(body, protobufMagic) {
		t.Fatalf("not protobuf: %.100q", body)
	}
	s := runtime.NewScheme()
	metav1.AddToGroupVersion(s, corev1.SchemeGroupVersion)
	if err := metav1.AddMetaToScheme(s); err != nil {
		t.Fatalf("%v", err)
	}
	for _, sch := range []*runtime.Scheme{scheme.Scheme, s} {
		obj, _, err := protobuf.NewSerializer(sch, sch).Decode(body, nil, nil)
		if err == nil {
			return obj
		}
		if sch == s {
			t.Fatalf("decode protobuf: %v", err)
		}
	}
	return nil
}

// protobufEvent reads one event: a length of four bytes and a WatchEvent.
func protobufEvent(t *T, r io.Reader) *metav1.WatchEvent {
	var size uint32
	if err := binary.Read(r, binary.BigEndian, &size); err != nil {
		t.Fatalf("read an event: %v", err)
	}
	frame := make([]byte, size)
	if _, err := io.ReadFull(r, frame); err != nil {
		t.Fatalf("read an event: %v", err)
	}
	e := &metav1.WatchEvent{}
	if err := e.Unmarshal(frame); err != nil {
		t.Fatalf("decode an event: %v", err)
	}
	return e
}
