// Package hostile has servers and files that attack the program, and a test that
// runs the program on each: how much memory it takes, how soon it ends, what it
// says, and that nothing leaks. make hostile writes docs/security.md. It is for
// tests only.
package hostile

import (
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
)

const (
	// password is the value of every Secret of these servers, and token what
	// clients prove themselves with: neither may come out anywhere.
	password = "correct-horse-battery-staple"
	token    = "t0ken-of-the-user-0123456789"
	// nasty is text that a terminal would obey.
	nasty = "\x1b]52;c;aGk=\x07\x1b]0;owned\x07\x9b31m\u009b2J\u202egnp\u200b\r"
)

var encoded = base64.StdEncoding.EncodeToString([]byte(password))

// door is one of the requests that a client makes.
type door string

// The doors, in the order in which the program comes to them.
const (
	versions  door = "/api"
	resources door = "/api/v1"
	list      door = "LIST"
	watch     door = "WATCH"
)

var doors = []door{versions, resources, list, watch}

// behaviour is what a server does to a request at a door.
type behaviour struct {
	name string
	do   http.HandlerFunc
}

// server is an API server of pods and secrets that behaves, but at the doors
// that it has a handler for.
type server map[door]http.HandlerFunc

func doorOf(r *http.Request) door {
	switch {
	case strings.HasPrefix(r.URL.Path, "/api/v1/") && r.URL.Query().Get("watch") != "":
		return watch
	case strings.HasPrefix(r.URL.Path, "/api/v1/"):
		return list
	}
	return door(r.URL.Path)
}

func (s server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	at := doorOf(r)
	if do := s[at]; do != nil {
		do(w, r)
		return
	}
	switch at {
	case versions:
		body(200, `{"kind":"APIVersions","versions":["v1"]}`)(w, r)
	case "/apis":
		body(200, `{"kind":"APIGroupList","apiVersion":"v1","groups":[]}`)(w, r)
	case resources:
		body(200, `{"kind":"APIResourceList","groupVersion":"v1","resources":[
			{"name":"pods","singularName":"pod","namespaced":true,"kind":"Pod","verbs":["get","list","watch"]},
			{"name":"secrets","singularName":"secret","namespaced":true,"kind":"Secret","verbs":["get","list","watch"]}]}`)(w, r)
	case list:
		kind := "PodList"
		if strings.Contains(r.URL.Path, "secrets") {
			kind = "SecretList"
		}
		body(200, fmt.Sprintf(`{"kind":%q,"apiVersion":"v1","metadata":{"resourceVersion":"5"},"items":[]}`, kind))(w, r)
	case watch:
		if r.URL.Query().Get("sendInitialEvents") == "true" {
			// As a server that has no WatchList.
			body(422, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Invalid","code":422,"message":"sendInitialEvents is forbidden"}`)(w, r)
			return
		}
		stream()(w, r)
	default:
		body(404, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}`)(w, r)
	}
}

func body(code int, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_, _ = io.WriteString(w, text)
	}
}

// stream is a watch that sends lines and stays open.
func stream(lines ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(200)
		for _, l := range lines {
			_, _ = io.WriteString(w, l+"\n")
		}
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
}

// endless writes piece until the client leaves.
func endless(w io.Writer, piece string) {
	for err := error(nil); err == nil; {
		_, err = io.WriteString(w, piece)
	}
}

func status(code int, message string) http.HandlerFunc {
	return body(code, fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","status":"Failure","code":%d,"message":%s}`, code, quoted(message)))
}

func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		if r < 0x20 || r == '"' || r == '\\' {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}

// behaviours are tried at each door. elsewhere is another server, which must not
// be asked.
func behaviours(elsewhere string) []behaviour {
	return []behaviour{
		{"an endless body", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			endless(w, strings.Repeat(" ", 1<<16))
		}},
		{"a gzip bomb", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			endless(z, strings.Repeat(" ", 1<<20))
		}},
		{"an endless body of an error 500", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(500)
			endless(w, strings.Repeat("x", 1<<16))
		}},
		{"a message of 50 MB", func(w http.ResponseWriter, r *http.Request) {
			status(500, strings.Repeat("x", 50<<20))(w, r)
		}},
		{"terminal controls in a message", status(403, nasty)},
		{"a login page in HTML", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<html><title>"+nasty+"</title>please log in")
		}},
		{"a list of strings", body(200, `["a","b"]`)},
		{"a redirect to another server", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere+r.URL.RequestURI(), http.StatusFound)
		}},
		{"a redirect to itself", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.RequestURI(), http.StatusFound)
		}},
		{"a million nested objects", func(w http.ResponseWriter, r *http.Request) {
			body(200, strings.Repeat(`{"a":`, 1_000_000))(w, r)
		}},
		{"random bytes", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			dice := rand.New(rand.NewPCG(1, 2))
			b := make([]byte, 1<<20)
			for i := range b {
				b[i] = byte(dice.Uint32())
			}
			_, _ = w.Write(b)
		}},
		{"no body", body(200, "")},
		{"protobuf that is none", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/vnd.kubernetes.protobuf")
			_, _ = io.WriteString(w, "k8s\x00"+strings.Repeat("\xff", 1000))
		}},
		{"headers of 20 MB", func(w http.ResponseWriter, _ *http.Request) {
			for i := range 20 {
				w.Header().Set(fmt.Sprint("X-", i), strings.Repeat("h", 1<<20))
			}
			w.WriteHeader(200)
		}},
		{"no answer", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }},
	}
}

// secret is a Secret that calls itself kind.
func secret(kind string) string {
	named := ""
	if kind != "" {
		named = fmt.Sprintf(`"kind":%q,"apiVersion":"v1",`, kind)
	}
	applied := quoted(fmt.Sprintf(`{"kind":%q,"data":{"password":%q}}`, kind, encoded))
	return fmt.Sprintf(`{%s"metadata":{"name":"db","namespace":"shop","resourceVersion":"7","annotations":{"kubectl.kubernetes.io/last-applied-configuration":%s}},"data":{"password":%q},"stringData":{"plain":%q},"items":[{"data":{"password":%q}}]}`,
		named, applied, encoded, password, encoded)
}

// disclosures are servers whose answers hold a Secret in places where nobody
// looks for one.
func disclosures() []behaviour {
	event := func(typ, object string) http.HandlerFunc {
		return stream(fmt.Sprintf(`{"type":%q,"object":%s}`, typ, object))
	}
	var bs []behaviour
	for _, kind := range []string{"Secret", "ConfigMap", "secret", "SecretList", "Pod", ""} {
		bs = append(bs, behaviour{fmt.Sprintf("a watch event of kind %q", kind), event("ADDED", secret(kind))})
	}
	return append(bs,
		behaviour{"an ERROR event that is a Secret", event("ERROR", secret("Secret"))},
		behaviour{"a BOOKMARK that is a Secret", event("BOOKMARK", secret("Secret"))},
		behaviour{"an event without an object", stream(`{"type":"ADDED"}`, `{"type":"ADDED","object":null}`)},
		behaviour{"an event that is cut", stream(`{"type":"ADDED","object":` + secret("Secret")[:300])},
		behaviour{"a Status that quotes a Secret", event("ERROR", fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","code":500,"message":%s}`, quoted("cannot decode "+secret("Secret"))))},
	)
}
