package server

import (
	"net/http"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/utils/clock"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/openapi"
	"informerscope/sandbox/rest"
	"informerscope/sandbox/store"
)

// Handler serves the API over HTTP. Its methods may be called from any goroutine.
type Handler struct {
	options Options
	store   *store.Store
	api     *rest.API
	rights  rights
	flows   flows
	docs    lastDocuments
	load    load
}

// Options say how a handler serves.
type Options struct {
	// Token is what clients must send as their bearer token.
	Token string
	// Clock is the time of ages in tables, and of timeouts and bookmarks of watches.
	Clock clock.WithTicker
	// BookmarkInterval is how often watches that allow bookmarks get one.
	BookmarkInterval time.Duration
	// MinWatch is how long a watch lasts at least, also when it asks for less.
	MinWatch time.Duration
	// RequestTimeout is how long a request that is no watch may take, with its body.
	RequestTimeout time.Duration
}

// New serves what s holds, and writes through a.
func New(s *store.Store, a *rest.API, o Options) *Handler {
	return &Handler{options: o, store: s, api: a, load: newLoad()}
}

// Revoke takes list and watch of a resource from every user until Grant: requests are answered with 403. A watch that is open
// goes on to its end, as in kube-apiserver, which asks for rights only once.
func (h *Handler) Revoke(resource schema.GroupResource) { h.rights.set(resource, true) }

// Grant undoes Revoke.
func (h *Handler) Grant(resource schema.GroupResource) { h.rights.set(resource, false) }

var _ http.Handler = (*Handler)(nil)

// lastDocuments keeps the documents of the catalog that was asked for last. Its zero value has none yet.
type lastDocuments struct {
	mu      sync.Mutex
	catalog *kinds.Catalog
	docs    *openapi.Documents
}

func (l *lastDocuments) of(c *kinds.Catalog) *openapi.Documents {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.catalog != c {
		l.catalog, l.docs = c, openapi.Of(c)
	}
	return l.docs
}
