package engine

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"informerscope/engine/deltafifo"
	"informerscope/engine/gate"
	"informerscope/engine/indexer"
	"informerscope/engine/processor"
	"informerscope/engine/reflector"
	"informerscope/engine/stores"
	"informerscope/journal"
)

// pipeline is everything that one watched resource goes through, in the order
// of an event's way.
type pipeline struct {
	s      *Session
	target Target

	feed *feed // what its queue gets; of a lane that of all

	watchGate, popGate, handlerGate, getGate, doneGate *gate.Gate

	tap           *reflector.Tap
	fifo          deltafifo.Glass
	indexer       *indexer.Indexer
	processor     *processor.Processor
	queue         queue
	workers       *workerPool
	handlerFaults *handlerFaults
	indexFaults   indexFaults
	held          heldKeys
	stores        *stores.Set      // nil unless asked for
	config        *cache.Config    // of controller; complete when the listeners start
	controller    cache.Controller // set by start

	// blockDeltas is held while deltas are processed and while a listener joins
	// or leaves, as in sharedIndexInformer. It is taken with the FIFO's lock
	// held and before the Indexer's and the processor's.
	blockDeltas sync.Mutex

	synced atomic.Bool // Synced is written
	over   atomic.Bool // its controller has stopped

	// ended is set for a lane, and called when its controller has: its comparison
	// tells when the Reflector has stopped.
	ended  func()
	cancel context.CancelFunc // of this pipeline; set by start
	mu     sync.Mutex
	failed error // why the pipeline stopped by itself
}

// feed is what comes before the queue: the client and the tap of one Reflector,
// and the gate of its watch events.
type feed struct {
	s       *Session
	target  Target
	gate    *gate.Gate
	flight  *reflector.Flight // what is on its way to the queue
	tap     *reflector.Tap
	example runtime.Object // of the type that the Reflector expects
}

func newFeed(s *Session, t Target) (*feed, error) {
	f := &feed{s: s, target: t, gate: gate.New(s.o.Clock), flight: reflector.NewFlight(s.pulse, s.o.Upstream)}
	f.gate.Tell(s.pulse)
	config := rest.CopyConfig(s.o.Config)
	config.Wrap(f.flight.Below)
	config.Wrap(s.faults.Wrap) // below the tap, which sees what the client does
	received := new(reflector.Received)
	config.Wrap(reflector.WrapWith(reflector.WireOptions{Resource: t.Name, Journal: s.journal, Client: s.o.Client, Clock: s.o.Clock, Received: received, Flight: f.flight}))
	config.WarningHandlerWithContext = warnings{s.journal, t.Name}
	source, err := newSource(config, s.o.Client, t)
	if err != nil {
		return nil, err
	}
	f.tap = reflector.NewTap(source, reflector.TapOptions{Resource: t.Name, Journal: s.journal, Gate: f.gate, Clock: s.o.Clock, Received: received, Flight: f.flight, Secrets: secrets(t) && !s.o.Unmask})
	f.example = source.example
	return f, nil
}

// config is that of a Controller whose Reflector feeds queue.
func (f *feed) config(queue cache.Queue) *cache.Config {
	return &cache.Config{
		Queue:                        queue,
		ListerWatcher:                f.tap,
		ObjectType:                   f.example,
		ObjectDescription:            f.target.Name,
		WatchErrorHandlerWithContext: f.watchError,
	}
}

func (f *feed) watchError(ctx context.Context, r *cache.Reflector, err error) {
	f.s.journal.Append(journal.ReflectorError{Error: err.Error()}.Event(f.target.Name, ""))
	f.flight.BackOff()
}

// newPipeline builds what f feeds, with a queue of the given discipline. t is f's
// target, or has the name of a lane.
func newPipeline(s *Session, t Target, f *feed, discipline string, x indexes) (_ *pipeline, err error) {
	p := &pipeline{s: s, target: t, feed: f, watchGate: f.gate, tap: f.tap}
	for _, g := range []**gate.Gate{&p.popGate, &p.handlerGate, &p.getGate, &p.doneGate} {
		*g = gate.New(s.o.Clock)
		(*g).Tell(s.pulse)
	}
	p.indexer = indexer.New(indexer.Options{Resource: t.Name, Journal: s.journal, Indexers: p.indexFaults.wrap(x.masked(s.o.Unmask)), Order: x.order, TellRV: discipline == journal.DisciplineAtomic})
	logger := s.logger(t.Name)
	if p.fifo, err = deltafifo.Open(discipline, deltafifo.Options{
		Resource: t.Name, Journal: s.journal, Known: p.indexer, Gate: p.popGate, Logger: &logger, Unlock: unlockWhileProcessing(), Pulse: s.pulse,
	}); err != nil {
		return nil, err
	}
	p.processor = processor.New(processor.Options{Resource: t.Name, Journal: s.journal, Gate: p.handlerGate, Clock: s.o.Clock, Pulse: s.pulse, Resync: s.o.Resync, Go: s.spawn})
	if p.queue, err = p.newQueue(); err != nil {
		return nil, err
	}

	p.workers, p.handlerFaults, p.held.priority = newWorkerPool(p), newHandlerFaults(p), map[string]int{}

	p.config = f.config(p.besideStores(p.fifo))
	p.config.ShouldResync = p.processor.ShouldResync
	p.config.Process = p.blocking(p.process)
	p.config.ProcessBatch = p.blockingBatch(p.processBatch)
	if err := p.addHandlers(); err != nil {
		p.stop()
		return nil, fmt.Errorf("%s: %w", t.Name, err)
	}
	return p, nil
}

// start starts the goroutines; they end when ctx does, after stop.
func (p *pipeline) start(ctx context.Context) {
	ctx = p.guard(ctx)
	p.config.FullResyncPeriod = p.processor.Start()
	p.controller = cache.New(p.config)
	p.workers.start(ctx)
	p.s.spawn(p.target.Name+" synced", func() { p.waitSynced(ctx) })
	p.s.spawn(p.target.Name+" controller", func() {
		logger := p.s.logger(p.target.Name)
		p.controller.RunWithContext(klog.NewContext(ctx, logger))
		if p.ended == nil {
			p.tap.Wait()
			defer p.feed.flight.Stop()
		}
		defer p.s.pulse.Beat()
		defer p.over.Store(true)
		p.cancel()
		if p.failure() != nil {
			p.stop() // the session may go on for long
		}
		if p.ended != nil {
			p.ended()
			return
		}
		p.s.journal.Append(journal.ReflectorStopped{}.Event(p.target.Name, ""))
	})
}

// stop ends what does not listen to the context.
func (p *pipeline) stop() {
	p.fifo.Close()
	p.handlerFaults.stop()
	p.processor.Stop()
	p.queue.ShutDown()
}

func (p *pipeline) waitSynced(ctx context.Context) {
	select {
	case <-ctx.Done():
		return
	case <-p.fifo.HasSyncedChecker().Done():
	}
	// The channel closes inside the last Pop; asking waits for its process
	// function, so that "synced" means the Indexer holds everything.
	p.controller.HasSynced()
	p.processor.UpstreamHasSynced()
	p.s.journal.Append(journal.Synced{}.Event(p.target.Name, ""))
	p.synced.Store(true)
	p.s.pulse.Beat()
}

// gates lists all gates, from the server to the worker.
func (p *pipeline) gates() []*gate.Gate {
	return []*gate.Gate{p.watchGate, p.popGate, p.handlerGate, p.getGate, p.doneGate}
}

// setPace slows the two places at which a person watches things gather: the
// DeltaFIFO before its Pop and the workqueue before its Get.
func (p *pipeline) setPace(perSecond float64) {
	p.popGate.SetPace(perSecond)
	p.getGate.SetPace(perSecond)
}
