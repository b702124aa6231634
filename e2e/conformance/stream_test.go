package conformance

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"
)

// event is one event of a watch.
type event struct {
	Type   string         `json:"type"`
	Object map[string]any `json:"object"`
}

// stream is an open watch with JSON events.
type stream struct {
	what   string
	res    *http.Response
	events *json.Decoder
}

// watch opens a watch, which must be answered with 200.
func (s *server) watch(t *T, path string, headers ...header) *stream {
	res := s.open(t, http.MethodGet, path, "", headers...)
	t.Cleanup(func() { res.Body.Close() })
	if res.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(io.LimitReader(res.Body, 300))
		t.Fatalf("GET %s: want a watch, got %d %s", path, res.StatusCode, body)
	}
	return &stream{what: "GET " + path, res: res, events: json.NewDecoder(bufio.NewReader(res.Body))}
}

// next is the next event; the end of the stream is a failure.
func (w *stream) next(t *T) event {
	e, err := w.read()
	if err != nil {
		t.Fatalf("%s: want an event, got %v", w.what, err)
	}
	return e
}

// nextObject skips bookmarks.
func (w *stream) nextObject(t *T) event {
	for {
		if e := w.next(t); e.Type != "BOOKMARK" {
			return e
		}
	}
}

func (w *stream) read() (event, error) {
	var e event
	err := w.events.Decode(&e)
	return e, err
}

// rest reads to the end of the stream, which must be a clean one.
func (w *stream) rest(t *T) []event {
	var out []event
	for {
		e, err := w.read()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatalf("%s: want a clean end, got %v", w.what, err)
		}
		out = append(out, e)
	}
}

// want reads as many events as are named, such as "ADDED a, BOOKMARK", and compares them.
func (w *stream) want(t *T, events string) []event {
	var got []event
	var text []string
	for range strings.Split(events, ", ") {
		e := w.next(t)
		got, text = append(got, e), append(text, e.String())
	}
	if g := strings.Join(text, ", "); g != events {
		t.Fatalf("%s: want %s, got %s", w.what, events, g)
	}
	return got
}

func (e event) String() string {
	return strings.TrimSpace(e.Type + " " + str(e.Object, "metadata.name"))
}

func eventsText(events []event) string {
	var out []string
	for _, e := range events {
		out = append(out, e.String())
	}
	return strings.Join(out, ", ")
}

// firstEvents are those that arrive within d; the stream cannot be used after that.
func firstEvents(w *stream, d time.Duration) []event {
	timer := time.AfterFunc(d, func() { w.res.Body.Close() })
	defer timer.Stop()
	var out []event
	for {
		e, err := w.read()
		if err != nil {
			return out
		}
		out = append(out, e)
	}
}
