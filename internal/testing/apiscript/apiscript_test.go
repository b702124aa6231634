package apiscript

import (
	"context"
	"errors"
	"io"
	"net/http"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func client(t *testing.T, s *Server) dynamic.ResourceInterface {
	t.Helper()
	c, err := dynamic.NewForConfig(s.Config())
	if err != nil {
		t.Fatal(err)
	}
	return c.Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"})
}

// script checks that client-go understands what the server says.
func script(t *testing.T, s *Server) {
	c := client(t, s)
	a := ConfigMap("x/a", "5").Label("app", "web")
	s.Enqueue(
		Objects("7", a, ConfigMap("x/b", "6")),
		Page("7", "next", a),
		Stream(Added(a), Wait(time.Millisecond), Modified(a.At("8")), Deleted(a.At("9")), Bookmark("10"), InitialEventsEnd("11"), Error(Expired)),
		Status(TooLargeRV), Status(Forbidden),
		Stream(Half(a), Abort()),
	)
	list, err := c.List(t.Context(), metav1.ListOptions{ResourceVersion: "0"})
	if err != nil || len(list.Items) != 2 || list.GetResourceVersion() != "7" || list.Items[0].GetLabels()["app"] != "web" {
		t.Errorf("list %v, %v", list, err)
	}
	list, err = c.List(t.Context(), metav1.ListOptions{ResourceVersion: "0", Limit: 1})
	if err != nil || len(list.Items) != 1 || list.GetContinue() != "next" {
		t.Errorf("page %v, %v", list, err)
	}
	w, err := c.Watch(t.Context(), metav1.ListOptions{ResourceVersion: "7"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for e := range w.ResultChan() {
		text := string(e.Type)
		if u, ok := e.Object.(*unstructured.Unstructured); ok {
			text += " " + u.GetName() + "@" + u.GetResourceVersion()
		} else if !apierrors.IsResourceExpired(apierrors.FromObject(e.Object)) {
			text += " not expired"
		}
		got = append(got, text)
	}
	if want := []string{"ADDED a@5", "MODIFIED a@8", "DELETED a@9", "BOOKMARK @10", "BOOKMARK @11", "ERROR"}; !reflect.DeepEqual(got, want) {
		t.Errorf("stream %q, want %q", got, want)
	}
	if _, err := c.List(t.Context(), metav1.ListOptions{}); !apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge) {
		t.Errorf("504: %v", err)
	}
	if _, err := c.List(t.Context(), metav1.ListOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("403: %v", err)
	}
	if _, err := c.List(t.Context(), metav1.ListOptions{}); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("abort: %v", err)
	}
	if got, want := s.Seen(), []string{"LIST rv=0", "LIST rv=0", "WATCH rv=7", "LIST rv=", "LIST rv=", "LIST rv="}; !reflect.DeepEqual(got, want) {
		t.Errorf("requests %q, want %q", got, want)
	}
}

func TestAnswersComeInOrderOverLoopback(t *testing.T) { script(t, Start(t)) }

func TestAnswersComeInOrderInMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { script(t, StartInMemory(t)) })
}

func TestWaitTakesOnlyTheBubblesTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := StartInMemory(t, Stream(Wait(time.Hour), Added(ConfigMap("x/a", "1"))))
		start := time.Now()
		w, err := client(t, s).Watch(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		<-w.ResultChan()
		w.Stop()
		if d := time.Since(start); d != time.Hour {
			t.Errorf("%v passed, want an hour", d)
		}
	})
}

func TestAfterTheScriptRequestsAreHeld(t *testing.T) {
	s := Start(t)
	ctx, cancel := context.WithCancel(t.Context())
	w, err := client(t, s).Watch(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Await(ctx, 1); err != nil {
		t.Error(err)
	}
	select {
	case e := <-w.ResultChan():
		t.Errorf("a held stream sent %v", e)
	default:
	}
	cancel()
	for range w.ResultChan() {
	}
	s.Otherwise(func(r Request) Answer {
		return Body(http.StatusOK, `{"kind":"ConfigMapList","metadata":{"resourceVersion":"`+r.RV+`1"}}`)
	})
	if list, err := client(t, s).List(t.Context(), metav1.ListOptions{ResourceVersion: "4"}); err != nil || list.GetResourceVersion() != "41" {
		t.Errorf("%v, %v", list, err)
	}
	if err := s.Await(ctx, 9); !errors.Is(err, context.Canceled) {
		t.Errorf("await of what never comes: %v", err)
	}
}
