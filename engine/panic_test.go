package engine

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"informerscope/sandbox"
)

// A panic in a goroutine of the engine ends the session with an error, not the
// process: the screen can be restored and the trace printed after it.
func TestPanicInAGoroutineEndsTheSessionWithItsTrace(t *testing.T) {
	server, err := sandbox.Start(t.Context(), sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	s, err := New(Options{Config: server.RESTConfig(), Workers: 1,
		Targets: []Target{{Name: "pods", GVR: schema.GroupVersionResource{Version: "v1", Resource: "pods"}, Kind: "Pod"}}})
	if err != nil {
		t.Fatal(err)
	}
	s.spawn("test", func() { panic("on purpose") })
	err = s.Run(t.Context())
	if err == nil || !strings.HasPrefix(err.Error(), "test panicked: on purpose\n") || !strings.Contains(err.Error(), "panic_test.go") {
		t.Errorf("Run: %v", err)
	}
}
