package guard

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// list asks a server of handler for pods with a bearer token.
func list(t *testing.T, g *Guard, handler http.HandlerFunc) error {
	t.Helper()
	server := httptest.NewServer(handler)
	defer server.Close()
	config := &rest.Config{Host: server.URL, BearerToken: "s3cr3t"}
	config.Wrap(g.Wrap)
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "pods"}).List(t.Context(), metav1.ListOptions{})
	return err
}

const empty = `{"kind":"PodList","apiVersion":"v1","items":[]}`

func none(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, empty)
}

func TestAnEndlessAnswerEndsAtTheBound(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"endless": func(w http.ResponseWriter, _ *http.Request) {
			for err := error(nil); err == nil; {
				_, err = io.WriteString(w, strings.Repeat(" ", 1<<16))
			}
		},
		"gzip": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			for err := error(nil); err == nil; {
				_, err = io.WriteString(z, strings.Repeat(" ", 1<<20))
			}
		},
	} {
		var large *TooLargeError
		if err := list(t, New(8<<20), handler); !errors.As(err, &large) || !strings.Contains(err.Error(), "larger than 8Mi,") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestABodyOfTheBoundIsRead(t *testing.T) {
	if err := list(t, New(int64(len(empty))), none); err != nil {
		t.Error(err)
	}
	var large *TooLargeError
	if err := list(t, New(int64(len(empty))-1), none); !errors.As(err, &large) {
		t.Error(err)
	}
}

func TestAnErrorIsReadToItsBound(t *testing.T) {
	err := list(t, New(1<<30), func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
		for err := error(nil); err == nil; {
			_, err = io.WriteString(w, strings.Repeat("x", 1<<16))
		}
	})
	if err == nil || len(err.Error()) > 2*MaxError {
		t.Errorf("%d bytes: %v", len(err.Error()), err)
	}
}

func TestNoOtherServerGetsCredentials(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("it was asked, with %q", r.Header.Get("Authorization"))
	}))
	defer other.Close()
	for _, code := range []int{301, 302, 303, 307, 308} {
		var elsewhere *RedirectError
		g := New(1 << 20)
		err := list(t, g, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL+r.URL.Path, code) })
		if !errors.As(err, &elsewhere) || elsewhere.To != other.URL {
			t.Errorf("%d: %v", code, err)
		}
		if a := g.Last(); a == nil || a.Code != code {
			t.Errorf("%d: %+v", code, a)
		}
	}
	// On the same server a redirect is followed.
	err := list(t, New(1<<20), func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("to") == "" {
			http.Redirect(w, r, r.URL.Path+"?to=here", http.StatusFound)
			return
		}
		none(w, r)
	})
	if err != nil {
		t.Error(err)
	}
}

func TestAnEventOfAWatchHasABound(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"1"}}}`+"\n")
		for err := error(nil); err == nil; {
			_, err = io.WriteString(w, strings.Repeat(" ", 1<<16))
		}
	}))
	defer server.Close()
	config := &rest.Config{Host: server.URL}
	config.Wrap(New(1 << 30).Wrap)
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	w, err := client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "pods"}).Watch(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if e := <-w.ResultChan(); e.Type != watch.Bookmark {
		t.Errorf("first %v", e)
	}
	e, ok := <-w.ResultChan()
	if ok && (e.Type != watch.Error || !strings.Contains(fmt.Sprint(e.Object), "larger than 16 MiB")) {
		t.Errorf("then %v", e)
	}
	for range w.ResultChan() { // it ends
	}
}
