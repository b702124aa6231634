package ui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	testclock "k8s.io/utils/clock/testing"

	"informerscope/internal/testing/scripted"
	"informerscope/journal"
	"informerscope/journal/state"
	"informerscope/ui/phrase"
)

// fullRing is the screen over a session whose ring is full: 10,000 stored
// objects, of which some change all the time.
func fullRing(tb testing.TB) *model {
	c := testclock.NewFakePassiveClock(time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC))
	e := scripted.NewEngine(c, 0)
	e.KeepPast(journal.DefaultCapacity / 16)
	r := e.Resource("pods").Made(journal.DisciplineDelta, state.QueueFIFO)
	key := func(i int) string { return "ns-" + phrase.Count(uint64(i%50)) + "/web-" + phrase.Count(uint64(i)) }
	for i := range 10_000 {
		r.Stored(key(i), 1000)
	}
	for i := range journal.DefaultCapacity {
		c.SetTime(c.Now().Add(time.Millisecond))
		switch k := key(i / 4 % 3000); i % 4 {
		case 0:
			r.Queued(k, "Updated", 2000+i, 1)
		case 1:
			r.Event(journal.FIFOPopped{Deltas: 1}.Event("", k))
		case 2:
			r.Updated(k, 2000+i, nil, nil)
		case 3:
			r.Added(k, journal.AddQueued)
		}
	}
	m := newModel(e, Options{Now: c.Now, Environ: []string{"TERM=xterm-256color"}})
	m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
	m.View()
	return m
}

// BenchmarkJump goes to a place in a full ring and draws it.
func BenchmarkJump(b *testing.B) {
	m := fullRing(b)
	m.travel.MoveEvent(-1)
	first, last := m.c.Past.First.Seq, m.c.Past.Last.Seq
	seq, worst := first, time.Duration(0)
	b.ReportAllocs()
	for b.Loop() {
		seq = first + (seq-first+7919)%(last-first)
		began := time.Now()
		if !m.travel.GoToEvent(seq) {
			b.Fatal(m.foot.message)
		}
		m.View()
		worst = max(worst, time.Since(began))
	}
	b.ReportMetric(float64(worst.Microseconds()), "worst-us")
}

// BenchmarkEventBack goes back by one event and draws it.
func BenchmarkEventBack(b *testing.B) {
	m := fullRing(b)
	m.travel.MoveEvent(-1)
	b.ReportAllocs()
	for b.Loop() {
		if m.c.Past.Seq <= m.c.Past.First.Seq {
			m.travel.GoToEvent(m.c.Past.Last.Seq)
		}
		m.travel.MoveEvent(-1)
		m.View()
	}
}
