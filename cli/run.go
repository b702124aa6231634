package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"informerscope/engine"
	"informerscope/journal/object"
	"informerscope/sandbox"
	"informerscope/scenario"
	"informerscope/ui"
)

// Run does what was asked for. It returns when the user quits, the condition
// is met, or ctx ends, with everything it started ended.
func (o *Options) Run(ctx context.Context) error {
	silenceClientGo()
	if o.expires() {
		ctx, cancel := o.expiring(ctx)
		defer cancel()
		err := o.within(ctx, func() error { return o.inspect(ctx) })
		var overdue *overdueError
		if errors.As(err, &overdue) {
			err = errors.Join(o.late(ctx), overdue)
		}
		return err
	}
	return o.inspect(ctx)
}

// expires reports whether --timeout counts.
func (o *Options) expires() bool {
	return o.headless() && o.Timeout > 0 && o.Until.what != "" && o.Until.what != untilDuration
}

// expiring is ctx until --timeout.
func (o *Options) expiring(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, time.Duration(o.Timeout), errTimeout)
}

func (o *Options) inspect(ctx context.Context) (err error) {
	c, end, err := o.open(ctx)
	if err != nil {
		return o.orLate(ctx, err)
	}
	defer func() { err = errors.Join(err, end()) }()

	sc := o.scope(c)
	targets, err := o.prepare(ctx, c, sc)
	if err != nil {
		return o.orLate(ctx, err)
	}
	s, err := engine.New(o.engineOptions(c, targets))
	if err != nil {
		return usagef("%s", oneLine(err.Error()))
	}
	if err := o.setBreaks(s); err != nil {
		return err
	}
	s.CaptureLogs() // to the end of the process: what comes late belongs nowhere else
	rec := o.recorder(s)
	o.rec.Store(rec)
	defer func() { err = errors.Join(err, rec.close(o)) }()
	cond := &condition{untilValue: o.Until, resources: s.Resources()}
	return running(ctx, s, func(ctx context.Context) error {
		if o.recording.path != "" {
			if err := rec.start(o.recording.path); err != nil {
				return failf(err, "%s", oneLine(err.Error()))
			}
		}
		switch {
		case o.Events:
			return o.printEvents(ctx, s, cond)
		case o.Output.word != "":
			return o.printSnapshot(ctx, s, cond)
		}
		return o.env.screen(func() error {
			return ui.Run(ctx, newScreenEngine(ctx, s, &scenario.Subject{Session: s, Server: c.server}, rec), ui.Options{
				Source: c.name,
				Scope:  sc.title(),
				Note:   c.note,
				Object: object.Options{Unmask: o.Unmask},
			})
		})
	})
}

// silenceClientGo keeps client-go from printing behind the screen's back, or
// beside our own errors: klog, the error handlers that log through it, and the
// server's warnings. The engine takes what matters to the journal.
func silenceClientGo() {
	rest.SetDefaultWarningHandlerWithContext(rest.NoWarnings{})
	klog.SetLogger(logr.Discard())
}

// open reaches for the cluster of the kubeconfig, or starts a sandbox. end
// closes what was opened.
func (o *Options) open(ctx context.Context) (c *cluster, end func() error, err error) {
	if !o.Sandbox {
		onDisk := o.changed["cache-dir"] || o.env.getenv("KUBECACHEDIR") != ""
		c, err := openCluster(o.Cluster, onDisk, int64(o.MaxResponse), o.Program)
		return c, func() error { return nil }, o.hintCommand(err)
	}
	server, err := sandbox.Start(ctx, o.sandbox.options(""))
	if err != nil {
		return nil, nil, failf(err, "the sandbox cannot be started: %s", oneLine(err.Error()))
	}
	c = &cluster{config: server.RESTConfig(), upstream: server.Delivered, name: "sandbox", namespace: *o.Cluster.Namespace}
	if err := c.discoverInMemory(); err != nil {
		return nil, nil, errors.Join(err, server.Close())
	}
	if c.server, err = scenario.NewServer(server); err != nil {
		return nil, nil, errors.Join(err, server.Close())
	}
	file := &kubeconfigFile{}
	// Without a screen nobody is told the path: nothing is written unasked.
	if !o.headless() || o.KubeconfigOut != "" {
		if file, err = o.writeKubeconfig(server, o.KubeconfigOut); err != nil {
			return nil, nil, errors.Join(err, server.Close())
		}
		c.note = "kubectl --kubeconfig " + file.path + " get pods -A"
	}
	return c, func() error { return errors.Join(file.remove(), server.Close()) }, nil
}

// prepare resolves what to watch and asks the server whether it may be.
func (o *Options) prepare(ctx context.Context, c *cluster, sc scope) ([]engine.Target, error) {
	done := o.announce("connecting to %s ...", c.host())
	defer done()
	r, err := c.resolver(ctx)
	if err != nil {
		return nil, err
	}
	targets, err := r.targets(o.refs, sc)
	if err != nil && !c.discovery.Fresh() {
		// A cache on disk may be older than the resource.
		c.discovery.Invalidate()
		if r, err = c.resolver(ctx); err != nil {
			return nil, err
		}
		targets, err = r.targets(o.refs, sc)
	}
	if err != nil {
		return nil, o.hintCommand(err)
	}
	return targets, c.preflight(ctx, targets)
}

func (o *Options) engineOptions(c *cluster, targets []engine.Target) engine.Options {
	return engine.Options{
		Config:   c.engineConfig(),
		Upstream: c.upstream,
		Targets:  targets,
		Workers:  o.Workers.n,
		Work:     time.Duration(o.Work),
		Fail:     float64(o.Fail),
		Resync:   time.Duration(o.Resync),
		Indexes:  o.Indexes,
		Handlers: o.Handlers.parsed,
		Pace:     o.Pace.perSecond,
		Paused:   o.Paused,
		History:  o.History.n,
		Past:     !o.headless(),
		Seed:     o.sandbox.seed,
		Limiter:  o.limiter(),
		Queue:    o.Queue.word,
		Stores:   o.Stores,

		Client: o.Client.word,
		FIFO:   o.fifo(),

		Compare: o.Compare,

		Thresholds: o.findings.thresholds,
		Unmask:     o.Unmask,

		DetectMutations: time.Duration(o.DetectMutations.durationValue),

		Reconcile: o.env.reconcile,
	}
}

// running runs body beside the session and returns when both have ended. A
// session that fails ends body, and its error is the one returned.
func running(ctx context.Context, s session, body func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ended := make(chan error, 1)
	go func() {
		err := s.Run(ctx)
		if err != nil {
			cancel(err)
		}
		ended <- err
	}()
	err := body(ctx)
	cancel(nil)
	if failed := <-ended; failed != nil {
		return &failure{code: exitFailure, text: "the engine stopped: " + failed.Error(), cause: failed}
	}
	return err
}

// kubeconfigFile is a kubeconfig on disk; the zero value is none.
type kubeconfigFile struct {
	path string
	dir  string // temporary directory that goes with it; "" for a path of the user's
	lock io.Closer
}

// writeKubeconfig writes to path, which must not exist, or for "" to a new
// directory that only the user can read.
func (o *Options) writeKubeconfig(server *sandbox.Server, path string) (*kubeconfigFile, error) {
	f := &kubeconfigFile{path: path}
	if path == "" {
		removeDead()
		dir, err := os.MkdirTemp("", temporaryPrefix)
		if err != nil {
			return nil, failf(err, "no place for the kubeconfig: %s", err)
		}
		o.temporary.Store(dir, true)
		f.dir, f.path, f.lock = dir, dir+"/kubeconfig", holdDir(dir)
	}
	if err := server.WriteKubeconfig(f.path); err != nil {
		if errors.Is(err, os.ErrExist) {
			return nil, failf(err, "%s exists already and is not overwritten", f.path).hint("remove it, or choose another path")
		}
		return nil, errors.Join(failf(err, "the kubeconfig cannot be written: %s", oneLine(err.Error())), f.remove())
	}
	return f, nil
}

// remove deletes what was written unasked; a path of the user's stays.
func (f *kubeconfigFile) remove() error {
	if f.dir == "" {
		return nil
	}
	err := os.RemoveAll(f.dir)
	if f.lock != nil {
		f.lock.Close()
	}
	return err
}
