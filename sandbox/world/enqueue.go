package world

import (
	"time"

	"informerscope/sandbox/store"
)

// settleTime is how long a controller waits before it looks at what changed, so that a flurry costs it one look.
const settleTime = 100 * time.Millisecond

func (w *World) enqueue(r store.Ref) {
	if w.queued[r] {
		return
	}
	w.queued[r] = true
	w.after(settleTime, func() {
		delete(w.queued, r)
		if o := w.store.Get(r); o != nil {
			w.controllers[r.Kind](o)
		}
	})
}
