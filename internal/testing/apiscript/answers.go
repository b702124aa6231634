package apiscript

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Objects answers a LIST: the objects at a resourceVersion.
func Objects(rv string, objects ...Object) Answer { return Page(rv, "", objects...) }

// Page answers a LIST with some of the objects: the rest is asked for with
// continued as the continue parameter, unless it is "".
func Page(rv, continued string, objects ...Object) Answer {
	items := make([]string, len(objects))
	for i, o := range objects {
		items[i] = o.JSON()
	}
	return Body(http.StatusOK, fmt.Sprintf(`{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":%q,"continue":%q},"items":[%s]}`, rv, continued, strings.Join(items, ",")))
}

// Body answers with a status code and JSON as it is given.
func Body(code int, json string) Answer {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_, _ = io.WriteString(w, json)
	}
}

// Status answers with a metav1.Status as the API server does.
func Status(f Failure) Answer {
	return func(w http.ResponseWriter, r *http.Request) {
		if f.RetryAfter > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(f.RetryAfter))
		}
		Body(f.Code, f.JSON())(w, r)
	}
}

// Refuse tears the connection before any answer.
func Refuse() Answer {
	return func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
}

// Silence sends not even headers until the client leaves.
func Silence() Answer {
	return func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
}

// Stream answers a WATCH or WATCHLIST: headers, then step after step. After the
// last one it ends as a server ends a watch whose time is up.
func Stream(steps ...Step) Answer {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusOK)
		flush(w)
		for _, step := range steps {
			step(w, r)
			if r.Context().Err() != nil {
				return
			}
		}
	}
}

func flush(w http.ResponseWriter) { _ = http.NewResponseController(w).Flush() }

// Step is one thing that a stream does.
type Step func(w http.ResponseWriter, r *http.Request)

// Raw sends text as it is.
func Raw(text string) Step {
	return func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, text)
		flush(w)
	}
}

// frame sends one watch event.
func frame(typ, object string) Step {
	return Raw(fmt.Sprintf("{\"type\":%q,\"object\":%s}\n", typ, object))
}

// Added sends ADDED.
func Added(o Object) Step { return frame("ADDED", o.JSON()) }

// Modified sends MODIFIED.
func Modified(o Object) Step { return frame("MODIFIED", o.JSON()) }

// Deleted sends DELETED.
func Deleted(o Object) Step { return frame("DELETED", o.JSON()) }

// Bookmark sends BOOKMARK.
func Bookmark(rv string) Step { return frame("BOOKMARK", bookmark(rv, "")) }

// InitialEventsEnd sends the BOOKMARK that ends the initial events of a
// WATCHLIST.
func InitialEventsEnd(rv string) Step {
	return frame("BOOKMARK", bookmark(rv, `,"annotations":{"k8s.io/initial-events-end":"true"}`))
}

func bookmark(rv, annotations string) string {
	return fmt.Sprintf(`{"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":%q%s}}`, rv, annotations)
}

// Error sends an ERROR event.
func Error(f Failure) Step { return frame("ERROR", f.JSON()) }

// Malformed sends what is not JSON in the place of an event.
func Malformed() Step { return Raw("{\"type\":\"MODIFIED\",]\n") }

// Half sends the first half of an event, as a stream that is cut does.
func Half(o Object) Step {
	text := `{"type":"MODIFIED","object":` + o.JSON()
	return Raw(text[:len(text)/2])
}

// Abort tears the connection; what is under way does not end as HTTP says.
func Abort() Step {
	return func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
}

// Hold keeps the stream open until the client leaves.
func Hold() Step {
	return func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
}

// Wait lets time pass.
func Wait(d time.Duration) Step {
	return func(_ http.ResponseWriter, r *http.Request) {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
		case <-r.Context().Done():
		}
	}
}

// Until waits for a channel to be closed or to have something.
func Until[T any](c <-chan T) Step {
	return func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-c:
		case <-r.Context().Done():
		}
	}
}

// Do calls f.
func Do(f func()) Step { return func(http.ResponseWriter, *http.Request) { f() } }
