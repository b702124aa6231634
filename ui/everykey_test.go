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
	"informerscope/ui/view"
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
		r.Event(journal.Notified{Listener: "handler", Type: journal.OnAdd, RV: "898"}.Event("", "shop/a"))
		r.Event(journal.HandlerStarted{Listener: "handler", Type: journal.OnAdd, RV: "898"}.Event("", "shop/a"))
		r.Queued("shop/a", "Updated", 901, 1).Queued("shop/b", "Updated", 902, 1)
		r.Added("shop/a", journal.AddQueued).Added("shop/b", journal.AddQueued)
		r.Event(journal.StoreOpened{Store: "Store", Type: journal.OpenedStore}.Event("", ""))
		r.Event(journal.StoreOpened{Store: "FIFO", Type: journal.OpenedQueue}.Event("", ""))
		r.Event(journal.StorePut{Store: "Store", RV: "898"}.Event("", "shop/a").With(scripted.Object("shop/a", 898), nil))
	}
	e.Append(journal.BreakpointSet{ID: 1, Breakpoint: "type=Deleted"}.Event("", ""))
	return e
}

// A key that the footer or the help names does something that can be seen, or
// says why it does not, wherever it may be pressed.
func TestEveryKeyActsOrSaysWhyNot(t *testing.T) {
	places := map[string]struct {
		view string
		keys []string
	}{
		"queue of a lane":   {"comparison", nil},
		"handler of a lane": {"comparison", []string{"tab"}},
		"stores":            {"stores", []string{"t"}},
		"empty store":       {"stores", []string{"t", "tab"}},
		"object":            {"object", []string{"c", "2", "enter", "j", "enter"}},
		"handler":           {"object", []string{"c", "6", "enter"}},
		"resources":         {"resources", []string{"c", "r"}},
		"wrong":             {"problems", []string{"w"}},
		"breakpoint":        {"breakpoints", []string{"b"}},
		"no breakpoint":     {"breakpoints", []string{"b", "j", "j"}},
		"help":              {"help", []string{"?"}},
	}
	for p := 1; p <= 6; p++ {
		places["pane "+fmt.Sprint(p)] = struct {
			view string
			keys []string
		}{"panes", []string{"c", fmt.Sprint(p)}}
	}
	for name, at := range places {
		start := func() *model {
			m := newModel(everything(), Options{Environ: []string{}})
			m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
			m.View()
			press(m, at.keys...)
			return m
		}
		top := start().views.top()
		if top.Name() != at.view {
			t.Fatalf("%s is in the view %s, not %s", name, top.Name(), at.view)
		}
		for _, paused := range []bool{false, true} {
			for i := range bindings {
				b := &bindings[i]
				if b.Scope&top.Scope() == 0 || b.Group == groupMove && b.Act != view.ActNextPane && b.Act != view.ActPrevPane || b.Act == view.ActNow || b.Act == view.ActSuspend || b.Act == view.ActInterrupt {
					continue // at the end of a list nothing moves, and that can be seen
				}
				for _, k := range b.Keys {
					m := start()
					if paused {
						m.togglePause()
					}
					m.foot.message = ""
					m.dirty = true
					was := m.View().Content
					_, cmd := m.Update(keyMsg(k))
					if cmd == nil && m.View().Content == was {
						t.Errorf("%s, paused %v: %s (%s) does nothing and says nothing", name, paused, k, b.Help)
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
			start := func() (*model, view.View) {
				m := newModel(everything(), Options{Environ: []string{}})
				m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
				m.View()
				press(m, keys...)
				if paused {
					m.togglePause()
				}
				return m, m.views.top()
			}
			untouched, top := start()
			for i := range bindings {
				b := &bindings[i]
				if b.Hint == "" || b.Scope&top.Scope() == 0 || untouched.hint(top, b) == "" {
					continue
				}
				m, top := start()
				m.foot.message, m.foot.warns = "", false
				_, cmd := m.Update(keyMsg(b.HintKey()))
				if cmd != nil && b.Act == view.ActStep {
					continue // the engine answers
				}
				if m.foot.warns && !slices.Contains([]view.Action{view.ActQuit}, b.Act) {
					t.Errorf("after %q, paused %v: the footer offers %s %s, which says %q", keys, paused, b.HintKey(), m.hint(top, b), m.foot.message)
				}
			}
		}
	}
}
