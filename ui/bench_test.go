package ui

import (
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	testclock "k8s.io/utils/clock/testing"

	"informerscope/internal/testing/scripted"
	"informerscope/journal"
	"informerscope/journal/state"
)

// largeModel is the screen at 200x60 over 100,000 stored objects and 10,000
// queued keys.
func largeModel(tb testing.TB) (*model, *scripted.Engine, *testclock.FakePassiveClock) {
	c := testclock.NewFakePassiveClock(time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC))
	e := scripted.NewEngine(c, 0)
	r := e.Resource("pods")
	r.Synced(1)
	obj := scripted.Object("shop/web", 1)
	for i := range 100_000 {
		key := fmt.Sprintf("ns-%03d/web-%06d", i%200, i)
		r.Event(journal.StoreAdded{RV: "1000"}.Event("", key).With(obj, nil).Indexed([]journal.IndexChange{{Index: "namespace", Value: key[:6], Added: true}}))
	}
	for i := range 10_000 {
		key := fmt.Sprintf("ns-%03d/web-%06d", i%200, i)
		r.Queued(key, "Updated", 2000+i, 1)
		if i%3 == 0 {
			r.Queued(key, "Updated", 3000+i, 2)
		}
		r.Added(key, journal.AddQueued)
	}
	r.Got("ns-000/web-000000", "1")
	r.Added("ns-000/web-000000", journal.AddDirty)
	r.Waits("ns-001/web-000001", 3, 5*time.Second)
	m := newModel(e, Options{Source: "sandbox", Scope: "all namespaces", Now: c.Now, Environ: []string{"TERM=xterm-256color"}})
	m.w, m.h = 200, 60
	m.compose()
	press(m, "2", "enter", "1") // opens the first value of the index
	return m, e, c
}

// press presses keys, and draws a frame after each.
func press(m *model, keys ...string) {
	for _, k := range keys {
		m.Update(keyMsg(k))
		m.View()
	}
}

func typeText(m *model, text string) { m.Update(tea.PasteMsg{Content: text}) }

// BenchmarkFrame composes the frame anew each time, with nothing cached from
// the state: one more event was folded and the clock moved.
func BenchmarkFrame(b *testing.B) {
	m, e, c := largeModel(b)
	r := e.Resource("pods")
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		b.StopTimer()
		r.Updated("ns-000/web-000000", 5000+i, nil, nil)
		c.SetTime(c.Now().Add(time.Second / 30))
		m.Pull()
		b.StartTimer()
		m.dirty = true
		if len(m.View().Content) < 200*60 {
			b.Fatal("short frame")
		}
	}
}

// BenchmarkFrameFiltered is BenchmarkFrame with a filter in every pane.
func BenchmarkFrameFiltered(b *testing.B) {
	m, e, c := largeModel(b)
	began, at := time.Now(), c.Now()
	m.c.Clock = func() time.Time { return at.Add(time.Since(began)) } // sees what looking costs
	for _, pane := range []string{"5", "3", "2", "1"} {
		press(m, pane, "/")
		typeText(m, "web-0[0-9]*5")
		press(m, "enter")
	}
	r := e.Resource("pods")
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		b.StopTimer()
		r.Updated("ns-000/web-000000", 5000+i, nil, nil)
		c.SetTime(c.Now().Add(time.Second / 30))
		m.Pull()
		b.StartTimer()
		m.dirty = true
		m.View()
	}
}

// BenchmarkSnapshot is what each tick pays when something changed.
func BenchmarkSnapshot(b *testing.B) {
	m, e, _ := largeModel(b)
	r := e.Resource("pods")
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		r.Updated("ns-000/web-000000", 5000+i, nil, nil)
		m.Pull()
	}
}

// TestFrameAllocates guards the budget of one frame.
func TestFrameAllocates(t *testing.T) {
	m, _, _ := largeModel(t)
	got := testing.AllocsPerRun(20, func() { m.compose() })
	if got > 200 {
		t.Errorf("one frame makes %v allocations, the budget is 200", got)
	}
}

// BenchmarkFrameOfLanes composes the comparison of three lanes at 200x60 anew,
// with 10,000 keys queued in each; their handlers saw the same but for the order.
func BenchmarkFrameOfLanes(b *testing.B) {
	for _, text := range []string{"", "web-0[0-9]*5"} {
		b.Run("filter="+text, func(b *testing.B) {
			c := testclock.NewFakePassiveClock(time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC))
			e := scripted.NewEngine(c, 0)
			saw := func(r scripted.Resource, i int) {
				r.Event(journal.HandlerStarted{Listener: "handler", Type: journal.OnUpdate, RV: fmt.Sprint(i)}.Event("", fmt.Sprintf("ns-000/web-%06d", i%50)))
			}
			var lanes []scripted.Resource
			for n, d := range []string{journal.DisciplineDelta, journal.DisciplineInOrder, journal.DisciplineAtomic} {
				r := e.Resource("pods@"+d).Made(d, state.QueueFIFO).Synced(1)
				for i := range 10_000 {
					r.Queued(fmt.Sprintf("ns-%03d/web-%06d", i%200, i), "Updated", 2000+i, 1)
				}
				for i := range 200 {
					saw(r, (i*(1+2*n))%200)
				}
				lanes = append(lanes, r)
			}
			m := newModel(e, Options{Now: c.Now, Environ: []string{"TERM=xterm-256color"}})
			m.w, m.h = 200, 60
			if text != "" {
				press(m, "/")
				typeText(m, text)
				press(m, "enter")
			}
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				b.StopTimer()
				saw(lanes[i%3], 1000+i)
				c.SetTime(c.Now().Add(time.Second / 30))
				m.Pull()
				b.StartTimer()
				m.dirty = true
				m.View()
			}
		})
	}
}
