package check_test

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"informerscope/engine/check"
	. "informerscope/internal/testing/apiscript"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var configMaps = check.Scope{GVR: schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}}

func TestListPutsItsPagesTogether(t *testing.T) {
	s := Start(t,
		Page("7", "next", ConfigMap("x/a", "5"), ConfigMap("x/b", "6")),
		Page("9", "", ConfigMap("c", "7")))
	scope := configMaps
	scope.Namespace, scope.LabelSelector, scope.FieldSelector = "x", "app=web", "metadata.name!=z"
	l, err := check.List(t.Context(), s.Config(), scope)
	if err != nil {
		t.Fatal(err)
	}
	want := &check.Listed{RV: "7", Pages: 2, Versions: map[string]string{"x/a": "5", "x/b": "6", "c": "7"}}
	if !reflect.DeepEqual(l, want) {
		t.Errorf("got %+v, want %+v", l, want)
	}
	for i, r := range s.Requests() {
		q := r.Query
		if r.Path != "/api/v1/namespaces/x/configmaps" || r.Verb != List || r.RV != "" || q.Get("limit") != "500" ||
			q.Get("labelSelector") != "app=web" || q.Get("fieldSelector") != "metadata.name!=z" {
			t.Errorf("request %d is %s %s?%s", i, r.Verb, r.Path, q.Encode())
		}
	}
	if c := s.Requests()[1].Query.Get("continue"); c != "next" {
		t.Errorf("the second page is asked for with continue=%q", c)
	}
}

func TestListOfAGroupAsksForMetadataAlone(t *testing.T) {
	var accept string
	s := Start(t, func(w http.ResponseWriter, r *http.Request) {
		accept = r.Header.Get("Accept")
		Body(200, `{"kind":"PartialObjectMetadataList","metadata":{"resourceVersion":"3"},"items":[{"metadata":{"name":"a","namespace":"x","resourceVersion":"2"}}]}`)(w, r)
	})
	l, err := check.List(t.Context(), s.Config(), check.Scope{GVR: schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}})
	if err != nil || l.Versions["x/a"] != "2" {
		t.Errorf("%+v, %v", l, err)
	}
	if p := s.Requests()[0].Path; p != "/apis/apps/v1/deployments" {
		t.Errorf("path %s", p)
	}
	if !strings.HasPrefix(accept, "application/json;as=PartialObjectMetadataList;") {
		t.Errorf("accept %q", accept)
	}
}

func TestListWhosePagesExpireIsTakenInOne(t *testing.T) {
	s := Start(t, Page("7", "next", ConfigMap("x/a", "5")), Status(Expired), Objects("9", ConfigMap("x/b", "8")))
	l, err := check.List(t.Context(), s.Config(), configMaps)
	if err != nil || l.RV != "9" || len(l.Versions) != 1 || l.Versions["x/b"] != "8" {
		t.Errorf("%+v, %v", l, err)
	}
	if q := s.Requests()[2].Query; q.Has("limit") || q.Has("continue") {
		t.Errorf("the last request is %s", q.Encode())
	}
}

func TestAnEmptyListIsOne(t *testing.T) {
	for _, body := range []string{
		`{"kind":"ConfigMapList","metadata":{"resourceVersion":"4"},"items":null}`,
		`{"kind":"Things","metadata":{"resourceVersion":"4"},"items":[]}`,
	} {
		l, err := check.List(t.Context(), Start(t, Body(200, body)).Config(), configMaps)
		if err != nil || l.RV != "4" || len(l.Versions) != 0 {
			t.Errorf("%s: %+v, %v", body, l, err)
		}
	}
}

func TestListErrorsSayWhatToDo(t *testing.T) {
	for name, tt := range map[string]struct {
		answer Answer
		want   string
		is     func(error) bool
	}{
		"forbidden": {Status(Forbidden), "list configmaps: 403 Forbidden: configmaps is forbidden; the check needs the right to list, as the informer does", apierrors.IsForbidden},
		"cut": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte(`{"kind":"ConfigMapList","items":[`))
			panic(http.ErrAbortHandler)
		}, "list configmaps: the connection was cut before the answer was complete; try again", nil},
		"no answer":   {Refuse(), "list configmaps: the connection was cut before the answer was complete; try again", nil},
		"server":      {Status(Internal), "list configmaps: 500 InternalError: an error on the server", apierrors.IsInternalError},
		"no list":     {Body(200, `{"kind":"Table","metadata":{"resourceVersion":"4"},"rows":[]}`), `list configmaps: the server answered with a "Table", which is no list`, nil},
		"broken JSON": {Body(200, `{"kind":"ConfigMapList",`), "list configmaps: the answer is no JSON that can be read: unexpected end of JSON input", nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // client-go tries again and again
				s := StartInMemory(t)
				s.Otherwise(func(Request) Answer { return tt.answer })
				_, err := check.List(t.Context(), s.Config(), configMaps)
				if err == nil || err.Error() != tt.want {
					t.Errorf("got  %v\nwant %s", err, tt.want)
				}
				if tt.is != nil && !tt.is(err) {
					t.Errorf("%v does not wrap the status", err)
				}
			})
		})
	}
}

func TestListDoesNotWaitForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, err := check.List(t.Context(), StartInMemory(t, Silence()).Config(), configMaps)
		if err == nil || !strings.Contains(err.Error(), "the server has not answered within 30s") {
			t.Errorf("got %v", err)
		}
	})
}

func TestListEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := StartInMemory(t, Silence())
		go func() {
			synctest.Wait()
			cancel()
		}()
		if _, err := check.List(ctx, s.Config(), configMaps); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}
