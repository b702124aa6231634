package ui

import (
	"strings"
	"testing"
	"time"

	"k8s.io/utils/clock"

	"informerscope/internal/testing/scripted"
	"informerscope/journal"
)

func TestHeaderAlwaysSaysHowTimeRunsAndWhatIsShown(t *testing.T) {
	for _, name := range []string{"pods", "leases.coordination.k8s.io"} {
		e := scripted.NewEngine(clock.RealClock{}, 0)
		e.Resource(name).Synced(1234567890)
		e.SetPace(0.5)
		e.Pause()
		m := newModel(e, Options{Source: "a-long-context-name", Scope: "namespace kube-system", Environ: []string{"NO_COLOR=1"}})
		for m.w = minWidth; m.w < 210; m.w++ {
			m.h = 24
			header, _, _ := strings.Cut(m.compose(), "\n")
			for _, want := range []string{"PAUSED", "[" + name + "]"} {
				if m.w >= 48 && !strings.Contains(header, want) || m.w < 48 && name == "pods" && !strings.Contains(header, want) {
					t.Errorf("%d columns: %q lacks %q", m.w, header, want)
				}
			}
		}
	}
}

// The idle screen composes nothing: it looks at the state and goes to sleep.
func TestTickComposesOnlyWhatChanged(t *testing.T) {
	m, e, c := largeModel(t)
	tick := func() string {
		m.Update(tickMsg(time.Time{}))
		before := m.frame.Content
		dirty := m.dirty
		m.View()
		if !dirty && m.frame.Content != before {
			t.Fatal("a clean frame changed")
		}
		if dirty {
			return "drawn"
		}
		return "skipped"
	}
	tick()
	if got := tick(); got != "skipped" {
		t.Errorf("nothing happened: %s", got)
	}
	c.SetTime(c.Now().Add(110 * time.Millisecond))
	if got := tick(); got != "drawn" {
		t.Errorf("a key is being processed and 0.1 s passed: %s", got)
	}
	e.Resource("pods").Done("ns-000/web-000000", "1", false)
	e.Resource("pods").Event(journal.QueueWaitingReady{}.Event("", "ns-001/web-000001"))
	if got := tick(); got != "drawn" {
		t.Errorf("an event was folded: %s", got)
	}
	c.SetTime(c.Now().Truncate(time.Second).Add(1100 * time.Millisecond))
	tick()
	c.SetTime(c.Now().Add(110 * time.Millisecond))
	if got := tick(); got != "skipped" {
		t.Errorf("nothing on the screen changes each 0.1 s: %s", got)
	}
	c.SetTime(c.Now().Add(time.Second))
	if got := tick(); got != "drawn" {
		t.Errorf("a second passed: %s", got)
	}
}
