package ui

import (
	"fmt"
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"
	"k8s.io/utils/clock"

	"informerscope/internal/testing/scripted"
	"informerscope/journal"
	"informerscope/journal/state"
)

// keyMsg is the message of a key by the name that bindings use.
func keyMsg(name string) tea.KeyPressMsg {
	special := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "backspace": tea.KeyBackspace, "tab": tea.KeyTab, "space": tea.KeySpace}
	if code, ok := special[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	if name == "shift+tab" {
		return tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// everything is an engine with something to see in each view: pods in two
// lanes, and configmaps with stores.
func everything() *scripted.Engine {
	e := scripted.NewEngine(clock.RealClock{}, 0)
	for _, name := range []string{"pods@delta", "pods@atomic", "configmaps", "secrets"} {
		_, d, lane := (&state.Resource{Name: name}).Lane()
		if !lane {
			d = journal.DisciplineDelta
		}
		r := e.Resource(name).Made(d, state.QueueFIFO).Synced(900, "shop/a", "shop/b")
		r.Event(journal.KindNotified, journal.Event{Name: "handler", Type: journal.OnAdd, Key: "shop/a", RV: "898"})
		r.Event(journal.KindHandlerStarted, journal.Event{Name: "handler", Type: journal.OnAdd, Key: "shop/a", RV: "898"})
		r.Queued("shop/a", "Updated", 901, 1).Queued("shop/b", "Updated", 902, 1)
		r.Added("shop/a", journal.AddQueued).Added("shop/b", journal.AddQueued)
		r.Event(journal.KindStoreOpened, journal.Event{Name: "Store", Type: journal.OpenedStore})
		r.Event(journal.KindStoreOpened, journal.Event{Name: "FIFO", Type: journal.OpenedQueue})
		r.Event(journal.KindStorePut, journal.Event{Name: "Store", Key: "shop/a", RV: "898", Object: scripted.Object("shop/a", 898)})
	}
	e.Append(journal.Event{Kind: journal.KindBreakpointSet, N: 1, Text: "type=Deleted"})
	return e
}

// A key that the footer or the help names does something that can be seen, or
// says why it does not, wherever it may be pressed.
func TestEveryKeyActsOrSaysWhyNot(t *testing.T) {
	places := map[string]struct {
		scope scope
		keys  []string
	}{
		"queue of a lane":   {inCompare, nil},
		"handler of a lane": {inCompare, []string{"tab"}},
		"stores":            {inStores, []string{"t"}},
		"empty store":       {inStores, []string{"t", "tab"}},
		"object":            {inViewer, []string{"c", "2", "enter", "j", "enter"}},
		"handler":           {inViewer, []string{"c", "6", "enter"}},
		"resources":         {inResources, []string{"c", "r"}},
		"wrong":             {inWrong, []string{"w"}},
		"breakpoint":        {inBreaks, []string{"b"}},
		"no breakpoint":     {inBreaks, []string{"b", "j", "j"}},
		"help":              {inHelp, []string{"?"}},
	}
	for p := paneFIFO; p < numPanes; p++ {
		places[p.name()] = struct {
			scope scope
			keys  []string
		}{inPanes, []string{"c", fmt.Sprint(int(p))}}
	}
	for name, at := range places {
		for _, paused := range []bool{false, true} {
			for i := range bindings {
				b := &bindings[i]
				if b.scope&at.scope == 0 || b.group == groupMove && b.act != actNextPane && b.act != actPrevPane || b.act == actNow || b.act == actSuspend || b.act == actInterrupt {
					continue // at the end of a list nothing moves, and that can be seen
				}
				for _, k := range b.keys {
					m := newModel(everything(), Options{Environ: []string{}})
					m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
					m.View()
					for _, before := range at.keys {
						m.Update(keyMsg(before))
						m.View()
					}
					if m.scope() != at.scope {
						t.Fatalf("%s is in scope %b, not %b", name, m.scope(), at.scope)
					}
					if paused {
						m.togglePause()
					}
					m.message = ""
					m.dirty = true
					was := m.View().Content
					_, cmd := m.Update(keyMsg(k))
					if cmd == nil && m.View().Content == was {
						t.Errorf("%s, paused %v: %s (%s) does nothing and says nothing", name, paused, k, b.help)
					}
				}
			}
		}
	}
}

// What the footer offers can act now.
func TestTheFooterOffersNothingThatIsRefused(t *testing.T) {
	for _, keys := range [][]string{nil, {"tab"}, {"t"}, {"w"}, {"b"}, {"b", "j", "j"}, {"c", "1"}, {"c", "2"}, {"c", "3"}, {"c", "4"}, {"c", "5"}, {"c", "6"}, {"c", "6", "enter"}, {"c", "2", "enter", "j", "enter"}} {
		for _, paused := range []bool{false, true} {
			for i := range bindings {
				m := newModel(everything(), Options{Environ: []string{}})
				m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
				m.View()
				for _, k := range keys {
					m.Update(keyMsg(k))
					m.View()
				}
				if paused {
					m.togglePause()
				}
				b, in := &bindings[i], m.scope()
				if b.hint == "" || b.scope&in == 0 || (b.pane != 0 && in == inPanes && b.pane != m.focus) || m.hintText(b) == "" {
					continue
				}
				m.message, m.messageWarns = "", false
				_, cmd := m.Update(keyMsg(b.hintKey()))
				if cmd != nil && b.act == actStep {
					continue // the engine answers
				}
				if m.messageWarns && !slices.Contains([]action{actQuit}, b.act) {
					t.Errorf("after %q, paused %v: the footer offers %s %s, which says %q", keys, paused, b.hintKey(), m.hintText(b), m.message)
				}
			}
		}
	}
}
