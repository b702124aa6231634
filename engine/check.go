package engine

import (
	"context"
	"fmt"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"informerscope/engine/check"
	"informerscope/journal"
	"informerscope/journal/state"
)

// CheckWait is for how long a check waits at most for a watch that lags. A watch
// on which nothing happens comes past what others wrote with its next bookmark,
// which kube-apiserver sends about once a minute.
const CheckWait = 5 * time.Second

const (
	// checkAgain is the time between two looks at a cache that differs.
	checkAgain = 50 * time.Millisecond
	// checkRounds is how often a LIST is taken, when the informer lists anew
	// meanwhile or the journal forgets what came since.
	checkRounds = 3
	// checkGone is how many of the keys that were lost are asked for.
	checkGone = 20
	// checkTells is how many differences the journal gets of one cache.
	checkTells = state.DifferencesKept
)

// CheckResult is what a check found.
type CheckResult struct {
	Objects int           // that the server has
	RV      string        // at which it had them
	Took    time.Duration // of the LIST
	Caches  []CheckedCache
	// Left are objects that the watch has told as DELETED and the server still has:
	// they left the selection. Of those that are not known to be gone, the newest
	// few are asked for.
	Left []check.Left
	// LeftErr is why that could not be told, nil when it could.
	LeftErr error
}

// CheckedCache is the Indexer of a pipeline, or of one lane.
type CheckedCache struct {
	Resource string
	Differ   []check.Difference // for certain, by key
	Open     []check.Difference // that may be lag
	Why      string             // why those are open; "" when there are none
}

// Same reports whether the cache has what the server has.
func (c *CheckedCache) Same() bool { return len(c.Differ) == 0 && len(c.Open) == 0 }

// CheckCache compares the Indexer of a resource with a LIST of the server; in a
// comparison of disciplines, that of each running lane. It sends one request a
// page, for metadata alone, with the selectors and the namespace of the watch.
// Armed faults do not touch it: they are between the informer and the server.
//
// A cache lags, so that a difference counts when the Reflector has come past
// what the server has, nothing of the key is in the FIFO, and the cache still
// differs. Under a selector, a request each asks for the newest keys that the cache
// has lost: whether they are gone, or left the selection. wait bounds how long that is waited for, on the session's clock and in
// real time, whichever is over first; what is open then is told as such. The
// journal gets a CacheChecked for each cache, and a CacheDiffers for each of its
// first differences, and before them a CacheLeft for what left. The error is of the LIST, and then in the journal too, of
// the resource, or ctx's.
func (s *Session) CheckCache(ctx context.Context, resource string, wait time.Duration) (CheckResult, error) {
	ps, err := s.beside(resource)
	if err != nil {
		return CheckResult{}, err
	}
	c := &cacheCheck{s: s, base: journal.BaseOf(ps[0].target.Name)}
	for _, p := range ps {
		c.lanes = append(c.lanes, &laneCheck{p: p})
	}
	if err := c.run(ctx, wait); err != nil {
		if ctx.Err() == nil {
			for _, l := range c.lanes {
				s.journal.Append(journal.CacheChecked{Error: err.Error()}.Event(l.p.target.Name, ""))
			}
		}
		return CheckResult{}, err
	}
	left, err := c.left(ctx)
	if ctx.Err() != nil {
		return CheckResult{}, ctx.Err()
	}
	res := c.tell(left)
	res.LeftErr = err
	return res, nil
}

// cacheCheck is one check under way.
type cacheCheck struct {
	s      *Session
	base   string // the resource as the events of its Reflector name it
	lanes  []*laneCheck
	listed *check.Listed
	took   time.Duration
	since  uint64 // the newest event before the LIST
}

// laneCheck is what it knows of one cache.
type laneCheck struct {
	p      *pipeline
	open   []check.Difference
	differ []check.Difference
	// before has the keys that differed for certain at the look before: only
	// what does so twice counts, as a Replace is not queued in one step.
	before map[string]bool
	why    string
	awaits string // the newest version of an open one that the watch has not come to
}

// run takes a LIST and waits for the caches. A list of the informer meanwhile is
// as good as ours and tells no event for what is gone: then it begins anew.
func (c *cacheCheck) run(ctx context.Context, wait time.Duration) error {
	var within context.Context
	for range checkRounds {
		if err := c.list(ctx); err != nil {
			return err
		}
		if within == nil {
			var stop func()
			within, stop = c.s.within(ctx, wait)
			defer stop()
		}
		for {
			done, overtaken := c.look()
			if done {
				return nil
			}
			if overtaken && within.Err() == nil {
				break
			}
			if !sleep(within, checkAgain) {
				return ctx.Err()
			}
		}
	}
	for _, l := range c.lanes {
		l.why = "the informer takes lists of its own all the time"
	}
	return nil
}

// within ends after d of the session's clock, and at the latest after d.
func (s *Session) within(ctx context.Context, d time.Duration) (context.Context, func()) {
	ctx, cancel := context.WithTimeout(ctx, d)
	timer := s.o.Clock.NewTimer(d)
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-timer.C():
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		cancel()
		timer.Stop()
		<-done
	}
}

// sleep reports whether the whole time passed.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

func (c *cacheCheck) config() *rest.Config {
	config := rest.CopyConfig(c.s.o.Config)
	config.WarningHandlerWithContext = warnings{c.s.journal, c.base}
	return config
}

func scope(t Target) check.Scope {
	return check.Scope{GVR: t.GVR, Namespace: t.Namespace, LabelSelector: t.LabelSelector, FieldSelector: t.FieldSelector}
}

// left asks for what the cache has lost: without a selector all of it is gone.
func (c *cacheCheck) left(ctx context.Context) ([]check.Left, error) {
	p := c.lanes[0].p
	if p.target.LabelSelector == "" && p.target.FieldSelector == "" {
		return nil, nil
	}
	return check.StillThere(klog.NewContext(ctx, c.s.logger(c.base)), c.config(), scope(p.target), c.gone())
}

func (c *cacheCheck) list(ctx context.Context) error {
	t, config := c.lanes[0].p.target, c.config()
	c.since = c.s.journal.View().Last()
	start := c.s.o.Clock.Now()
	listed, err := check.List(klog.NewContext(ctx, c.s.logger(c.base)), config, scope(t))
	if err != nil {
		return err
	}
	c.listed, c.took = listed, c.s.o.Clock.Since(start)
	for _, l := range c.lanes {
		l.open, l.differ, l.before, l.why = listed.Compare(l.p.versions()), nil, nil, ""
	}
	return nil
}

// look judges what is open. done says that nothing is any more, overtaken that
// the LIST can no longer decide it.
func (c *cacheCheck) look() (done, overtaken bool) {
	done = true
	for _, l := range c.lanes {
		if len(l.open) == 0 {
			continue
		}
		snapshot := c.s.Snapshot()
		stored := map[string]string{}
		for _, d := range l.open {
			if rv, ok := l.p.version(d.Key); ok {
				stored[d.Key] = rv
			}
		}
		news, over := c.news(c.s.journal.View())
		overtaken = overtaken || over
		r := snapshot.Resource(l.p.target.Name)
		l.judge(c.listed, check.Look{
			RV:      r.Reflector.RV,
			Pending: c.pending(r, snapshot.Journal),
			Stored: func(key string) (string, bool) {
				rv, ok := stored[key]
				return rv, ok
			},
			News: func(key string) (string, bool, bool) {
				n, ok := news[key]
				return n.rv, n.deleted, ok
			},
		})
		if !r.Synced && l.why != "" {
			l.why = "the informer has not synced"
		}
		done = done && len(l.open) == 0
	}
	return done, overtaken && !done
}

func (l *laneCheck) judge(listed *check.Listed, look check.Look) {
	open, certain := l.open[:0:0], map[string]bool{}
	l.why, l.awaits = "", ""
	for _, d := range l.open {
		d, verdict := listed.Judge(d, look)
		switch verdict {
		case check.Settled:
			continue
		case check.Certain:
			if l.before[d.Key] {
				l.differ = append(l.differ, d)
				continue
			}
			certain[d.Key] = true
		case check.Underway:
			l.why = "something of it waits in the FIFO"
		case check.Behind:
			if l.why == "" {
				l.why = fmt.Sprintf("the watch is at rv %s, and neither an event nor a bookmark has come past rv %s", look.RV, d.RV)
			}
			// When an extra one was deleted is not known, and so no version of it.
			if d.How != journal.CacheExtra && !journal.OlderRV(d.RV, l.awaits) {
				l.awaits = d.RV
			}
		}
		open = append(open, d)
	}
	l.open, l.before = open, certain
}

// tell writes what was found into the journal, and returns it.
func (c *cacheCheck) tell(left []check.Left) CheckResult {
	res := CheckResult{Objects: len(c.listed.Versions), RV: c.listed.RV, Took: c.took, Left: left}
	for _, l := range c.lanes {
		found := CheckedCache{Resource: l.p.target.Name, Differ: l.differ, Open: l.open}
		e := journal.CacheChecked{RV: res.RV, Took: c.took, Objects: int64(res.Objects), Differ: int64(len(l.differ))}
		if len(l.open) > 0 {
			if found.Why = l.why; found.Why == "" {
				found.Why = "the time was over"
			}
			e.Uncertain, e.Awaited = check.Names(l.open)+": "+found.Why, l.awaits
		}
		for _, x := range left {
			c.s.journal.Append(journal.CacheLeft{Why: x.Why, RV: x.RV}.Event(found.Resource, x.Key))
		}
		c.s.journal.Append(e.Event(found.Resource, ""))
		for _, d := range l.differ[:min(len(l.differ), checkTells)] {
			c.s.journal.Append(journal.CacheDiffers{How: d.How, RV: d.RV, Stored: d.Stored}.Event(found.Resource, d.Key))
		}
		res.Caches = append(res.Caches, found)
	}
	return res
}
