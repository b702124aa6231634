package ui_test

import (
	"context"
	"testing"

	"informerscope/internal/testing/scripted"
	"informerscope/internal/testing/uitest"
	"informerscope/journal"
	"informerscope/journal/history"
	"informerscope/ui"
)

// slow is an engine whose past takes for ever to look through.
type slow struct {
	*scripted.Engine
	stopped chan struct{} // gets one for each search that was cancelled
}

type slowHistory struct {
	history.History
	stopped chan struct{}
}

func (e slow) Past() history.History { return slowHistory{e.Engine.Past(), e.stopped} }

func (h slowHistory) Scan(ctx context.Context, _, _ uint64, _ func(*journal.Event) bool) error {
	<-ctx.Done()
	h.stopped <- struct{}{}
	return ctx.Err()
}

func TestLookingForAHitEndsWithEscAndWithThePast(t *testing.T) {
	w := pastWorld()
	e := slow{w.Engine, make(chan struct{}, 10)}
	u := uitest.Start(t, e, uitest.Size(120, 40), uitest.With(func(o *ui.Options) { o.Now = w.clock.Now }))
	u.Press("ctrl+p").Footer().Contains("looking for an event that a breakpoint matches")
	u.Press("esc").Footer().Contains("no longer looking")
	<-e.stopped
	u.Press("{").Header().Contains("PAST")
	u.Press("ctrl+p").Footer().Contains("looking for an event that a breakpoint matches")
	u.Press("G").Footer().Contains("back at now")
	<-e.stopped // the search,
	<-e.stopped // and the overview
	u.Press("esc").Footer().Lacks("no longer looking")
}
