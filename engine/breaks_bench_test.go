package engine_test

import (
	"context"
	"fmt"
	"testing"

	"k8s.io/client-go/rest"

	"informerscope/engine"
	"informerscope/journal"
)

// What an event costs a session, all of its fold, by breakpoints that do not
// match it.
func BenchmarkEventWithBreakpoints(b *testing.B) {
	for _, exprs := range [][]string{
		{},
		{"kind=deltafifo.popped type=Deleted", "dirty", "requeues>5"},
		{"stage=workqueue key=shop/*", "kind=workqueue.* name=worker-9", "key=/^db-[0-9]+$/"},
		{"finding=hot-loop"},
	} {
		b.Run(fmt.Sprint(len(exprs), " ", exprs), func(b *testing.B) {
			s, err := engine.New(engine.Options{Config: &rest.Config{Host: "https://127.0.0.1:1"}, Targets: []engine.Target{configMaps}})
			if err != nil {
				b.Fatal(err)
			}
			for _, x := range exprs {
				if _, err := s.Break(x); err != nil {
					b.Fatal(err)
				}
			}
			j := s.Journal()
			b.ReportAllocs()
			for b.Loop() {
				j.Append(journal.QueueForgotten{Requeues: 1}.Event("configmaps", "default/web-7f9c"))
			}
			if s.Snapshot().Paused {
				b.Error("a breakpoint was hit")
			}
			ctx, cancel := context.WithCancel(b.Context())
			cancel()
			if err := s.Run(ctx); err != nil { // ends what New has started
				b.Error(err)
			}
		})
	}
}
