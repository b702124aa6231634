package faults_test

import (
	"errors"
	"syscall"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/pager"
)

// Each kind on a real server, with the typed and the dynamic client: what
// reaches the Reflector's store, and what is asked of the server.
func TestLiveStreams(t *testing.T) {
	for words, c := range map[string]struct {
		stored, sent []string // after a, b and a write of b
	}{
		"cut":           {[]string{"Update b"}, []string{"WATCH"}},
		"goaway":        {[]string{"Update b"}, []string{"WATCH"}},
		"cut-mid-json":  {[]string{"Update b"}, []string{"WATCH"}},
		"malformed":     {[]string{"Replace [a b]"}, []string{"WATCHLIST"}},
		"error-429":     {[]string{"Update b"}, []string{"WATCH"}},
		"repeat":        {[]string{"Update b", "Update b"}, nil},
		"delay 1ms":     {[]string{"Update b"}, nil},
		"drop services": {[]string{"Update b"}, nil},
	} {
		t.Run(words, func(t *testing.T) {
			eachClient(t, func(l *live) {
				l.synced()
				l.arm(words)
				l.write("b")
				l.stored(append([]string{"Replace [a]", "Add b"}, c.stored...)...)
				l.sent(append([]string{"WATCHLIST"}, c.sent...)...)
			})
		})
	}
}

func TestLiveRelists(t *testing.T) {
	for _, words := range []string{"error-410", "error-500"} {
		t.Run(words, func(t *testing.T) {
			eachClient(t, func(l *live) {
				l.synced()
				l.arm(words)
				l.stored("Replace [a]", "Add b", "Replace [a b]")
				l.sent("WATCHLIST", "WATCHLIST")
			})
		})
	}
}

func TestLiveDrop(t *testing.T) {
	eachClient(t, func(l *live) {
		l.synced()
		l.arm("drop key=default/a")
		l.write("a")
		l.write("b")
		l.write("a")
		l.stored("Replace [a]", "Add b", "Update b", "Update a")
	})
}

func TestLiveStale(t *testing.T) {
	eachClient(t, func(l *live) {
		l.synced()
		l.arm("stale")
		l.write("b")
		l.write("a")
		l.write("b")
		l.stored("Replace [a]", "Add b", "Update b", "Update a", "Update b", "Update b")
		l.sent("WATCHLIST")
	})
}

func TestLiveFreeze(t *testing.T) {
	eachClient(t, func(l *live) {
		l.synced()
		id := l.arm("freeze configmaps")
		l.write("b")
		if _, err := l.lw.ListWithContextFunc(l.ctx, metav1.ListOptions{}); err != nil {
			t.Fatal(err)
		}
		l.stored("Replace [a]", "Add b")
		l.set.Disarm(id)
		l.stored("Replace [a]", "Add b", "Update b")
	})
}

// Without the bookmark the Reflector goes on from a resourceVersion that is
// gone.
func TestLiveWithheldBookmarkExpires(t *testing.T) {
	eachClient(t, func(l *live) {
		l.synced()
		l.arm("withhold-bookmarks")
		l.elsewhere()
		h := l.hit()
		for h.RV == l.rv["b"] { // sent before the change elsewhere
			h = l.hit()
		}
		if h.Type != "BOOKMARK" || h.RV == "" {
			t.Errorf("hit %+v, want a BOOKMARK after %s", h, l.rv["b"])
		}
		l.server.Compact()
		l.arm("cut")
		l.sent("WATCHLIST", "WATCH", "WATCHLIST") // 410 in the stream of the WATCH
		l.stored("Replace [a]", "Add b", "Replace [a b]")
		if rv := l.wire.watched(); rv != l.rv["b"] {
			t.Errorf("watched from %s, not from %s, that of b", rv, l.rv["b"])
		}
	})
}

func TestLiveWithheldInitialEnd(t *testing.T) {
	eachClient(t, func(l *live) {
		l.write("a")
		l.arm("withhold-initial-end")
		l.run()
		if h := l.hit(); h.Type != "BOOKMARK" {
			t.Errorf("hit %+v, want a BOOKMARK", h)
		}
		l.write("a") // goes into the Reflector's temporary store
		l.stored()
		l.arm("cut") // and the list begins again
		l.sent("WATCHLIST", "WATCHLIST")
		l.stored("Replace [a]")
	})
}

func TestLiveSlowList(t *testing.T) {
	eachClient(t, func(l *live) {
		l.write("a")
		id := l.arm("slow-list 1h")
		l.run()
		l.sent("WATCHLIST")
		l.stored()
		l.set.Disarm(id)
		l.stored("Replace [a]")
	})
}

func TestLiveExpiredContinue(t *testing.T) {
	eachClient(t, func(l *live) {
		l.write("a")
		l.write("b")
		l.arm("expired-continue")
		p := pager.New(pager.ListPageFunc(l.lw.ListWithContextFunc))
		p.PageSize = 1
		list, paged, err := p.List(l.ctx, metav1.ListOptions{})
		if err != nil || !paged {
			t.Fatalf("list: %v, in pages: %v", err, paged)
		}
		if n := len(l.names(list)); n != 2 {
			t.Errorf("%d objects, want 2", n)
		}
		l.sent("LIST", "LIST", "LIST")
	})
}

// The error is what the client makes of the Status in its own encoding.
func TestLiveStatus(t *testing.T) {
	tooLarge := func(err error) bool {
		return apierrors.IsTimeout(err) && apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge)
	}
	for words, is := range map[string]func(error) bool{
		"http 401":                apierrors.IsUnauthorized,
		"http 403":                apierrors.IsForbidden,
		"http 404":                apierrors.IsNotFound,
		"http 404 text=gone":      apierrors.IsNotFound,
		"http 405":                apierrors.IsMethodNotSupported,
		"http 410":                apierrors.IsResourceExpired,
		"http 422":                apierrors.IsInvalid,
		"http 429":                apierrors.IsTooManyRequests,
		"http 500":                apierrors.IsInternalError,
		"http 503":                apierrors.IsServiceUnavailable,
		"http 504":                tooLarge,
		"refused":                 func(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) },
		"http 503 configmaps p=1": apierrors.IsServiceUnavailable,
	} {
		t.Run(words, func(t *testing.T) {
			eachClient(t, func(l *live) {
				l.arm(words)
				if _, err := l.lw.ListWithContextFunc(l.ctx, metav1.ListOptions{}); !is(err) {
					t.Errorf("list: %v", err)
				}
				l.arm(words)
				if _, err := l.lw.WatchFuncWithContext(l.ctx, metav1.ListOptions{ResourceVersion: "1"}); !is(err) {
					t.Errorf("watch: %v", err)
				}
				list, err := l.lw.ListWithContextFunc(l.ctx, metav1.ListOptions{})
				if err != nil {
					t.Errorf("list after it: %v, %v", list, err)
				}
			})
		})
	}
}

// The REST client itself takes a Retry-After, and a GOAWAY, and tries again.
func TestLiveRetriedByRESTClient(t *testing.T) {
	for words, verbs := range map[string][]string{
		"http 429 retry-after=1s": {"LIST", "LIST"},
		"goaway":                  {"LIST", "LIST"},
	} {
		t.Run(words, func(t *testing.T) {
			t.Parallel() // a second of real time each
			eachClient(t, func(l *live) {
				start := time.Now()
				l.arm(words)
				if _, err := l.lw.ListWithContextFunc(l.ctx, metav1.ListOptions{}); err != nil {
					t.Error(err)
				}
				l.sent(verbs...)
				if d := time.Since(start); d < time.Second {
					t.Errorf("the second request came after %v", d)
				}
			})
		})
	}
}
