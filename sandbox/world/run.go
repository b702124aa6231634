package world

import (
	"container/heap"
	"context"
	"math/rand/v2"
	"time"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/rest"
	"informerscope/sandbox/store"
)

// New is a world that acts on s, through a where a client would. It does nothing before Populate.
func New(s *store.Store, a *rest.API, o Options) *World {
	w := &World{
		api:     a,
		store:   s,
		clock:   o.Clock,
		options: o,
		rng:     rand.New(rand.NewPCG(uint64(o.Seed), 0x696e666f726d6572)),
		queued:  map[store.Ref]bool{},
		waiting: map[string][]store.Ref{},
		own:     map[uint64]bool{},
		refused: map[store.Ref]bool{},
		ctx:     context.Background(),
		wake:    make(chan struct{}, 1),
	}
	w.controllers = map[*kinds.Kind]func(*store.Object){
		kinds.Namespaces:             w.finalizeNamespace,
		kinds.Deployments:            w.reconcileDeployment,
		kinds.ReplicaSets:            w.reconcileReplicas,
		kinds.ReplicationControllers: w.reconcileReplicas,
		kinds.StatefulSets:           w.reconcileStateful,
		kinds.DaemonSets:             w.reconcileDaemons,
		kinds.Jobs:                   w.reconcileJob,
		kinds.Definitions:            w.reconcileDefinition,
		kinds.PersistentVolumeClaims: w.releaseClaim,
	}
	return w
}

// Run drives the simulation until ctx is done. Populate comes first.
func (w *World) Run(ctx context.Context) {
	w.ctx = ctx
	epoch := w.clock.Now()
	if w.options.Churn > 0 && w.options.Objects > 0 {
		w.after(0, w.burst)
	}
	for ctx.Err() == nil {
		elapsed := w.clock.Since(epoch)
		w.catchUp(elapsed)
		if len(w.agenda) == 0 {
			select {
			case <-w.wake:
			case <-ctx.Done():
			}
			continue
		}
		next := w.agenda[0]
		if wait := next.due - elapsed; wait > 0 {
			timer := w.clock.NewTimer(wait)
			select {
			case <-timer.C():
			case <-w.wake:
			case <-ctx.Done():
			}
			timer.Stop()
			continue
		} else if wait < -time.Second {
			// The machine cannot keep up, or slept: go on from here and do not hurry after what was missed.
			epoch = epoch.Add(-wait)
		}
		heap.Pop(&w.agenda)
		w.now = max(w.now, next.due)
		next.do()
	}
}

// catchUp takes note of what was committed. A write of somebody else moves the world's clock on to the present.
func (w *World) catchUp(elapsed time.Duration) {
	for {
		w.mu.Lock()
		news := w.news
		w.news = nil
		w.mu.Unlock()
		if len(news) == 0 {
			return
		}
		for _, e := range news {
			if w.own[e.Object.RV()] {
				delete(w.own, e.Object.RV())
			} else {
				w.now = max(w.now, elapsed)
			}
			w.notice(e)
		}
	}
}
