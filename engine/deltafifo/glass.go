package deltafifo

import (
	"sync"

	"k8s.io/client-go/tools/cache"

	"informerscope/engine/gate"
	"informerscope/journal"
)

// inside is what both glasses need of the queue that they stand around.
type inside interface {
	cache.Queue
	cache.DoneChecker
}

// glass is what FIFO and RealFIFO have in common: the lock, the gate before Pop,
// and the watch on how far the first list has come.
type glass struct {
	resource  string
	journal   *journal.Journal
	keyFunc   cache.KeyFunc
	transform cache.TransformFunc // the caller's; the real queue has it wrapped
	gate      *gate.Gate
	done      chan struct{} // closed by Close: nobody waits at the gate any more

	mu   sync.Mutex
	cond sync.Cond // on mu; something was queued, or the queue was closed

	inner  inside                 // the real queue
	queued interface{ len() int } // the shadow
	// calls is what the real queue asked during the operation under way, keep how
	// many more keys it takes.
	calls    calls
	keep     int
	progress progress
	closed   bool
}

// progress follows HasSynced.
type progress struct {
	populated bool // something was queued, or Replace was called
	initial   int  // what of the first Replace is still to come out
	synced    bool // populated and initial was 0 at some time since
}

// prepare fills in all but inner, and returns the transformer that the real
// queue is to have.
func (g *glass) prepare(o Options) (transform cache.TransformFunc) {
	if o.KeyFunc == nil {
		o.KeyFunc = cache.MetaNamespaceKeyFunc
	}
	g.resource, g.journal, g.gate = o.Resource, o.Journal, o.Gate
	g.keyFunc, g.transform = o.KeyFunc, o.Transformer
	g.done = make(chan struct{})
	g.cond.L = &g.mu
	if o.Transformer == nil {
		return nil
	}
	return g.watchedTransform
}

// begin locks the queue for one operation, of which the first keys are kept.
func (g *glass) begin(keys int) {
	g.mu.Lock()
	g.keep = keys
}

// end is deferred by every operation but Pop.
func (g *glass) end() {
	g.keep = 0
	g.calls.reset()
	g.mu.Unlock()
}

// waitLocked waits until the shadow holds something and the gate lets it through,
// and returns true, also for a queue that is closed and empty: the real one is to
// say so. It returns false when the queue was closed while the gate was.
func (g *glass) waitLocked() bool {
	for passed := false; ; {
		for g.queued.len() == 0 && !g.closed {
			g.cond.Wait()
		}
		if passed || g.queued.len() == 0 {
			return true
		}
		if !g.passGateLocked() {
			return false
		}
		passed = true // but another Pop may have taken what there was
	}
}

// write is Append for the rare events; the frequent ones fill in their place in
// the journal instead.
func (g *glass) write(e journal.Event) {
	e.Resource = g.resource
	g.journal.Append(e)
}

// endLocked closes an operation other than Pop: wantErr is whether the shadow
// foresaw an error, err what the real queue returned.
func (g *glass) endLocked(operation string, wantErr bool, err error) {
	if err != nil {
		g.write(journal.FIFOError{Error: operation + ": " + errorText(err)}.Event("", ""))
	}
	if wantErr != (err != nil) {
		g.divergedLocked("", operation+": "+expected(wantErr)+", got "+gotError(err))
	}
	g.checkSyncedLocked()
	if g.queued.len() > 0 {
		g.cond.Broadcast()
	}
}

// checkSyncedLocked follows HasSynced, which never turns back. It also runs while
// the real queue is locked (inside Pop), hence it asks the channel.
func (g *glass) checkSyncedLocked() {
	p := &g.progress
	if p.synced {
		return
	}
	p.synced = p.populated && p.initial == 0
	real := false
	select {
	case <-g.inner.Done():
		real = true
	default:
	}
	if real != p.synced {
		g.divergedLocked("", "HasSynced: expected "+yesNo(p.synced)+", got "+yesNo(real))
		p.synced = real
	}
	if real {
		g.write(journal.FIFOSynced{}.Event("", ""))
	}
}

func (g *glass) divergedLocked(key, text string) {
	g.write(journal.Divergence{Where: "deltafifo", Message: text}.Event("", key))
}

// passGateLocked waits at the gate without the lock. After Close the pace no
// longer counts, but what a closed gate held is not let out.
func (g *glass) passGateLocked() bool {
	if g.gate.Free() {
		return true
	}
	g.mu.Unlock()
	defer g.mu.Lock()
	return g.gate.Wait(g.done) || !g.gate.Closed()
}

// HasSynced reports whether everything of the first Replace came out (a DeltaFIFO
// pops it, a RealFIFO has processed it too), or something was queued before any
// Replace.
func (g *glass) HasSynced() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.inner.HasSynced()
}

// Name is the real queue's name.
func (g *glass) Name() string { return g.inner.Name() }

// Done is closed when HasSynced turns true.
func (g *glass) Done() <-chan struct{} { return g.inner.Done() }

// HasSyncedChecker is done when HasSynced turns true.
func (g *glass) HasSyncedChecker() cache.DoneChecker { return g }

// Transformer is the transformer of the options.
func (g *glass) Transformer() cache.TransformFunc { return g.transform }

// Close lets Pop return ErrFIFOClosed once the queue is empty, and at once
// while the gate is closed.
func (g *glass) Close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return
	}
	g.closed = true
	close(g.done)
	g.write(journal.FIFOClosed{}.Event("", ""))
	g.cond.Broadcast()
}

// IsClosed reports whether Close was called.
func (g *glass) IsClosed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.closed
}
