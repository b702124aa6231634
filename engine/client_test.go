package engine_test

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"informerscope/engine"
	"informerscope/journal/object"
	"informerscope/journal/state"
)

// Each client works through the whole pipeline, and says what it costs.
func TestEveryClientFeedsThePipeline(t *testing.T) {
	perObject := map[string]float64{}
	for _, tt := range []struct {
		client, contentType, kind string
		hasData                   bool
	}{
		{engine.ClientDynamic, "application/json", "Secret", true},
		{engine.ClientTyped, "application/vnd.kubernetes.protobuf", "Secret", true},
		{engine.ClientMetadata, "application/vnd.kubernetes.protobuf", "PartialObjectMetadata", false},
		{engine.ClientREST, "application/json", "Secret", true},
	} {
		t.Run(tt.client, func(t *testing.T) {
			target := secrets
			target.Name = "configmaps" // as until and create name it
			r := start(t, engine.Options{Client: tt.client, Targets: []engine.Target{target}, Workers: 1, Indexes: []string{"label:app", "owner", "node", "jsonpath:.metadata.name"}})
			r.until("synced", func(res *state.Resource) bool { return res.Synced })
			c := r.client.CoreV1().Secrets("default")
			s := &corev1.Secret{
				ObjectMeta: metav1.ObjectMeta{Name: "s", Labels: map[string]string{"app": "web"}},
				Data:       map[string][]byte{"password": []byte(strings.Repeat("hush", 100))},
			}
			if _, err := c.Create(t.Context(), s, metav1.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
			r.until("stored", func(res *state.Resource) bool { return res.Indexer.Len() == 1 })
			if err := c.Delete(t.Context(), "s", metav1.DeleteOptions{}); err != nil {
				t.Fatal(err)
			}
			res := r.until("gone", func(res *state.Resource) bool { return res.Indexer.Deletes == 1 && res.Drained() })

			f := &res.Reflector
			if f.Client != tt.client || !strings.HasPrefix(f.ContentType, tt.contentType) || f.Bytes == 0 || f.Objects != 2 {
				t.Errorf("client %q, content type %q, %d bytes, %d objects", f.Client, f.ContentType, f.Bytes, f.Objects)
			}
			perObject[tt.client] = f.BytesPerObject()
			for v, i := r.Journal().View(), 0; i < v.Len(); i++ {
				e := v.At(i)
				if e.Kind.String() != "indexer.added" {
					continue
				}
				var values []string
				for _, c := range e.Changes {
					values = append(values, c.Index+"="+c.Value)
				}
				for _, want := range []string{"namespace=default", "label:app=web", "jsonpath:.metadata.name=s"} {
					if !slices.Contains(values, want) {
						t.Errorf("index values %q have no %s", values, want)
					}
				}
				yaml := strings.Join(object.YAML(e.Object, object.Options{}), "\n")
				if !strings.Contains(yaml, "kind: "+tt.kind) || !strings.Contains(yaml, "apiVersion: ") {
					t.Errorf("no kind in\n%s", yaml)
				}
				if strings.Contains(yaml, "aHVzaG") || strings.Contains(yaml, "(hidden, 400 bytes)") != tt.hasData {
					t.Errorf("data of a Secret:\n%s", yaml)
				}
			}
		})
	}
	if !(perObject[engine.ClientMetadata] < perObject[engine.ClientTyped] && perObject[engine.ClientTyped] < perObject[engine.ClientREST]) {
		t.Errorf("bytes per object %v: want metadata < typed < rest", perObject)
	}
}

func TestClientsThatCannotSayWhatToUse(t *testing.T) {
	custom := engine.Target{Name: "widgets.example.com", GVR: schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "widgets"}, Kind: "Widget"}
	server := start(t, engine.Options{})
	for client, want := range map[string]string{
		engine.ClientTyped: "use --client=dynamic, or --client=metadata",
		engine.ClientREST:  "use --client=dynamic, or --client=metadata",
		"typo":             "use dynamic, typed, metadata, rest",
	} {
		_, err := engine.New(engine.Options{Config: server.server.RESTConfig(), Client: client, Targets: []engine.Target{custom}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", client, err, want)
		}
	}
}
