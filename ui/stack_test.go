package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"informerscope/ui/screen"
	"informerscope/ui/view"
)

// named is a view that is told of changes.
type named struct {
	view.Base
	name string
	box  bool
	told *[]string
}

func (v *named) Name() string                                   { return v.name }
func (v *named) Scope() view.Scope                              { return view.Everywhere }
func (v *named) Covers() bool                                   { return !v.box }
func (v *named) Draw(*view.Context, screen.Area, bool)          {}
func (v *named) Close(*view.Context)                            {}
func (v *named) Act(*view.Context, view.Action) (tea.Cmd, bool) { return nil, false }
func (v *named) Changed(*view.Context, view.Change)             { *v.told = append(*v.told, v.name) }

func names(vs []view.View) string {
	var out []string
	for _, v := range vs {
		out = append(out, v.Name())
	}
	return strings.Join(out, " ")
}

func TestStackDrawsFromTheTopmostViewThatCovers(t *testing.T) {
	told := []string{}
	at := func(name string, box bool) *named { return &named{name: name, box: box, told: &told} }
	home, place, page, box := at("home", false), at("place", false), at("page", false), at("box", true)
	s := stack{views: []view.View{home}}
	see := func(all, seen string) {
		t.Helper()
		if got := names(s.views); got != all {
			t.Errorf("the stack is %q, want %q", got, all)
		}
		if got := names(s.seen()); got != seen {
			t.Errorf("drawn is %q, want %q", got, seen)
		}
	}
	s.open(box)
	see("home box", "home box")
	s.inPlace(place) // below what is open
	see("home place box", "place box")
	s.inPlace(page) // one view is in place
	see("home page box", "page box")
	s.open(place)
	see("home page box place", "place")
	s.tell(nil, view.TimeMoved)
	if got := strings.Join(told, " "); got != "place box page home" {
		t.Errorf("told are %q", got)
	}
	s.remove(place)
	s.remove(page)
	see("home box", "home box")
	s.remove(home)
	s.remove(box)
	see("home", "home")
	if !s.atHome() || s.shows("box") || !s.shows("home") {
		t.Error("only the first view is there")
	}
}
