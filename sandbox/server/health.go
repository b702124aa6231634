package server

import (
	"fmt"
	"net/http"
	"strings"

	"informerscope/sandbox/kinds"
)

// serveHealth answers what needs no token: whether the server works, and which it is. It reports false for other paths.
func serveHealth(w http.ResponseWriter, r *http.Request) bool {
	path := strings.TrimSuffix(r.URL.Path, "/")
	name, check, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	switch {
	case path == "/version", name == "healthz", name == "livez", name == "readyz":
	default:
		return false
	}
	ignoreBody(w, r)
	if path == "/version" {
		if r.Method == http.MethodGet {
			writeJSON(w, http.StatusOK, kinds.ServerVersion)
		} else {
			fail(w, r, notAllowed(r))
		}
		return true
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, verbose := r.URL.Query()["verbose"]
	switch {
	case check == "" && verbose:
		fmt.Fprintf(w, "[+]ping ok\n%s check passed\n", name)
	case check == "", check == "ping":
		fmt.Fprint(w, "ok")
	default:
		http.NotFound(w, r)
	}
	return true
}
