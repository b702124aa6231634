package scenario_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"informerscope/engine"
	"informerscope/internal/testing/session"
	"informerscope/journal"
)

// What update names is an annotation, a datum or a field of the spec.
func TestUpdateVerb(t *testing.T) {
	b := start(t, engine.Options{})
	field := func(resource schema.GroupVersionResource, name, field string) any {
		t.Helper()
		obj, err := b.Server.Client().Resource(resource).Namespace("default").Get(t.Context(), name, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return obj.Object[field]
	}
	b.say("create configmap a", "created configmap default/a at rv "+b.rvAfter(1))
	b.say("update configmap a data.x.properties=1 data.y=2 note=3", "changed configmap default/a at rv "+b.rvAfter(1))
	if diff := cmp.Diff(map[string]any{"x.properties": "1", "y": "2"}, field(session.ConfigMaps.GVR, "a", "data")); diff != "" {
		t.Errorf("data (-want +got):\n%s", diff)
	}
	b.say("update configmap a data.y- note-", "changed configmap default/a at rv "+b.rvAfter(1))
	if diff := cmp.Diff(map[string]any{"x.properties": "1"}, field(session.ConfigMaps.GVR, "a", "data")); diff != "" {
		t.Errorf("data (-want +got):\n%s", diff)
	}
	if m := field(session.ConfigMaps.GVR, "a", "metadata").(map[string]any); m["annotations"] != nil && len(m["annotations"].(map[string]any)) > 0 {
		t.Errorf("annotations %v", m["annotations"])
	}
	secrets := schema.GroupVersionResource{Version: "v1", Resource: "secrets"}
	b.eventually("create secret s")
	b.eventually("update secret s data.password=hunter2")
	if diff := cmp.Diff(map[string]any{"password": "aHVudGVyMg=="}, field(secrets, "s", "data")); diff != "" {
		t.Errorf("data (-want +got):\n%s", diff)
	}
	v := b.Session.Journal().View()
	for i := range v.Len() {
		if e := v.At(i); e.Kind == journal.KindCommanded && strings.Contains(e.Commanded().Command, "hunter2") {
			t.Errorf("the journal has %q", e.Commanded().Command)
		}
	}
	deployments := schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	b.eventually("create deployment d")
	b.eventually("update deployment d spec.replicas=3 spec.paused=true")
	if spec := field(deployments, "d", "spec").(map[string]any); spec["replicas"] != int64(3) || spec["paused"] != true {
		t.Errorf("spec %v", spec)
	}
	b.refuse("update configmap a data.y", `update: "data.y" is not accepted: use NAME=VALUE, or NAME- to take it off`)
}
