package life

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"informerscope/journal"
)

// Whatever is in a journal, also one that begins anywhere and whose clock was
// set: the times of a passage add up to its total, and each passage is in one
// place.
func TestTimesAddUp(t *testing.T) {
	kinds := []journal.Kind{journal.KindWatchEvent, journal.KindFIFOEnqueued, journal.KindFIFODropped, journal.KindFIFOPopped, journal.KindFIFOProcessed,
		journal.KindStoreUpdated, journal.KindStoreDeleted, journal.KindNotified, journal.KindHandlerStarted, journal.KindHandlerDone, journal.KindQueueAdded,
		journal.KindQueueAddAfter, journal.KindQueueAddLimited, journal.KindQueueWaitingReady, journal.KindQueueGot, journal.KindQueueDone,
		journal.KindQueueForgotten, journal.KindReconcileStarted, journal.KindReconcileDone, journal.KindReconcileFailed}
	types := map[journal.Kind][]string{
		journal.KindWatchEvent: {"ADDED", "MODIFIED"}, journal.KindFIFOPopped: {"", "Updated"},
		journal.KindQueueAdded: {journal.AddQueued, journal.AddCoalesced, journal.AddDirty, journal.AddShutDown, journal.AddRaised},
	}
	rapid.Check(t, func(t *rapid.T) {
		s, l := newScript(), New("pods", "shop/web")
		var total [NumStages]time.Duration
		for range rapid.IntRange(1, 80).Draw(t, "n") {
			k := rapid.SampledFrom(kinds).Draw(t, "kind")
			raw := journal.Raw{Name: rapid.SampledFrom([]string{"controller", "audit"}).Draw(t, "name")}
			e := journal.Event{Kind: k, RV: rapid.SampledFrom([]string{"1", "2", "3"}).Draw(t, "rv")}
			if ts := types[k]; ts != nil {
				raw.Type = rapid.SampledFrom(ts).Draw(t, "type")
			}
			if k.Stage() == journal.StageFIFO && rapid.IntRange(0, 3).Draw(t, "keyless") == 0 {
				e.Key = "-"
			}
			if rapid.Bool().Draw(t, "requeued") {
				e.Flags = journal.Requeued
			}
			s.after(time.Duration(rapid.IntRange(-2, 9).Draw(t, "ms")) * ms).on(e.WithRaw(raw))
			l.Apply(&s.events[len(s.events)-1])
		}
		total = [NumStages]time.Duration{}
		for _, p := range l.Passages {
			var sum time.Duration
			for _, x := range p.Spent {
				if x.For < 0 {
					t.Fatalf("%v in %v", x.For, x.Stage)
				}
				sum += x.For
				total[x.Stage] += x.For
			}
			if sum != p.Total() {
				t.Fatalf("passage %d: the stages are %v, the total %v", p.Number, sum, p.Total())
			}
			places := 0
			for _, group := range [][]*Passage{l.queue, l.dirty, l.working, l.waiting, l.fired} {
				for _, q := range group {
					if q == p {
						places++
					}
				}
			}
			if want := 0; p.Over() && places != want || !p.Over() && p.added && places != 1 {
				t.Fatalf("passage %d (over %v, stage %v) is in %d places", p.Number, p.Over(), p.Stage, places)
			}
			if p.Shared < 1 || p.Number > l.number {
				t.Fatalf("passage %+v", p)
			}
			for i := 1; i < len(p.Events); i++ {
				if p.Events[i-1].Seq >= p.Events[i].Seq {
					t.Fatalf("passage %d: event %d after %d", p.Number, p.Events[i].Seq, p.Events[i-1].Seq)
				}
			}
		}
		for stage, want := range total {
			if got := l.Totals[stage].Sum; got != want {
				t.Fatalf("%v: %v in all, the passages say %v", Stage(stage), got, want)
			}
		}
	})
}

// What is kept is bounded, whatever happens.
func TestOldPassagesAreLetGo(t *testing.T) {
	s := newScript()
	for range MaxPassages + 100 {
		s.arrives("MODIFIED", "Updated", "5").handles("5", journal.AddQueued).gets().after(ms).succeeds().done(0)
	}
	l := build(t, s)
	if len(l.Passages) != MaxPassages || l.Dropped != 100 || l.Reconciles != MaxPassages+100 {
		t.Errorf("%d kept, %d let go, %d reconciles", len(l.Passages), l.Dropped, l.Reconciles)
	}
}

func BenchmarkApply(b *testing.B) {
	s := newScript()
	for range 1000 {
		s.arrives("MODIFIED", "Updated", "5").handles("5", journal.AddQueued).gets().after(ms).succeeds().done(0)
	}
	b.ReportAllocs()
	for b.Loop() {
		l := New("pods", "shop/web")
		for i := range s.events {
			l.Apply(&s.events[i])
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(s.events)), "ns/event")
}
