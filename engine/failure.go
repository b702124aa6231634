package engine

import (
	"context"
	"fmt"

	"k8s.io/client-go/tools/cache"

	"informerscope/journal"
)

// An index function that fails or panics makes client-go panic, with the locks
// of the FIFO and of the store held: a program with such a function dies. Here
// the pipeline of that resource stops, as it was at that moment, and the others
// go on.

// guard wraps the process functions so that such a panic ends the pipeline
// instead of the session. It must be outside of everything that takes a lock.
func (p *pipeline) guard(ctx context.Context) context.Context {
	ctx, p.cancel = context.WithCancel(ctx)
	if process := p.config.Process; process != nil {
		p.config.Process = func(obj any, initial bool) (err error) {
			defer p.recovered(&err)
			return process(obj, initial)
		}
	}
	if process := p.config.ProcessBatch; process != nil {
		p.config.ProcessBatch = func(deltas []cache.Delta, initial bool) (err error) {
			defer p.recovered(&err)
			return process(deltas, initial)
		}
	}
	return ctx
}

// recovered is deferred. The controller looks at its context before the next
// Pop, so that nothing more leaves the FIFO; its locks are free once the error
// has been returned.
func (p *pipeline) recovered(err *error) {
	r := recover()
	if r == nil {
		return
	}
	failed := p.indexer.Failed()
	if failed == nil {
		panic(r) // a fault of ours: the session ends with its trace
	}
	*err = fmt.Errorf("index function %q on %s: %v", failed.Index, failed.Key, r)
	p.mu.Lock()
	p.failed = *err
	p.mu.Unlock()
	p.s.journal.Append(journal.PipelineFailed{Error: (*err).Error()}.Event(p.target.Name, failed.Key))
	p.cancel()
}

// failure is why the pipeline stopped by itself; nil while it runs.
func (p *pipeline) failure() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failed
}
