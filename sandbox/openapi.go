package sandbox

import "net/http"

func serveOpenAPI(w http.ResponseWriter, r *http.Request, path string) bool {
	fail(w, notServed(r))
	return true
}
