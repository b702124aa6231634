package differential

import (
	"context"
	"testing"
	"time"

	"informerscope/engine"
	"informerscope/internal/testing/apiscript"
	"informerscope/journal/state/document"
)

// inspected is the engine.
type inspected struct {
	t testing.TB
	*engine.Session
}

var _ informer = (*inspected)(nil)

func newInspected(discipline string) func(testing.TB, *apiscript.Server, *plan) informer {
	return func(t testing.TB, s *apiscript.Server, p *plan) informer {
		session, err := engine.New(engine.Options{
			Config:  s.Config(),
			Targets: []engine.Target{{Name: "configmaps", GVR: configMaps, Kind: "ConfigMap"}},
			Resync:  p.resync,
			Indexes: indexes,
			FIFO:    discipline,
			History: 1 << 10,
		})
		if err != nil {
			t.Fatal(err)
		}
		return &inspected{t, session}
	}
}

func (i *inspected) add(h *handlerPlan) error {
	spec := engine.HandlerSpec{Name: h.name, Resync: h.resync, Delay: h.slow, Handler: h.recorder}
	h.busy = 0 // the engine takes the time
	if h.resync == informersOwn {
		spec.Resync = engine.DefaultResync
	}
	return i.AddHandler("configmaps", spec)
}

func (i *inspected) remove(h *handlerPlan) error { return i.RemoveHandler("configmaps", h.name) }

func (i *inspected) run(ctx context.Context) {
	if err := i.Run(ctx); err != nil {
		i.t.Error(err)
	}
	if s := i.Snapshot(); s.Divergences != 0 {
		i.t.Errorf("%d divergences: %s", s.Divergences, s.LastDivergence)
	}
}

func (i *inspected) result() result {
	res := i.Snapshot().Resource("configmaps")
	r := result{store: map[string]string{}, handlersSynced: map[string]bool{}, rv: res.Reflector.RV, synced: res.Synced, storeRV: res.Indexer.StoreRV}
	for n := range res.Indexer.Len() {
		key, e := res.Indexer.At(n)
		r.store[key] = e.RV
	}
	r.indices = document.Of(i.Snapshot(), time.Now()).Resources[0].Indexer.Indices
	for _, l := range res.Listeners {
		if !l.Removed && l.Name != "controller" {
			r.handlersSynced[l.Name] = l.Synced
		}
	}
	return r
}
