package ui

import (
	"slices"

	"informerscope/ui/view"
)

// stack are the views on the screen, the topmost one last. The first one is always
// there.
type stack struct {
	views  []view.View
	placed bool // views[1] is in the place of the first one
}

// top is the view that keys and the mouse go to.
func (s *stack) top() view.View { return s.views[len(s.views)-1] }

// atHome reports whether only the first view is there.
func (s *stack) atHome() bool { return len(s.views) == 1 }

// seen are the views that are to be drawn, in that order.
func (s *stack) seen() []view.View {
	for i := len(s.views) - 1; i > 0; i-- {
		if s.views[i].Covers() {
			return s.views[i:]
		}
	}
	return s.views
}

func (s *stack) open(v view.View) { s.views = append(s.views, v) }

// inPlace puts a view in the place of the first one, below all others.
func (s *stack) inPlace(v view.View) {
	if s.placed {
		s.views[1] = v
		return
	}
	s.views, s.placed = slices.Insert(s.views, 1, v), true
}

func (s *stack) remove(v view.View) {
	i := slices.Index(s.views, v)
	if i <= 0 {
		return
	}
	if i == 1 {
		s.placed = false
	}
	s.views = slices.Delete(s.views, i, i+1)
}

// shows reports whether a view of a name is there.
func (s *stack) shows(name string) bool {
	return slices.ContainsFunc(s.views, func(v view.View) bool { return v.Name() == name })
}

// tell tells all views of a change, the topmost one first.
func (s *stack) tell(c *view.Context, what view.Change) {
	for _, v := range slices.Backward(slices.Clone(s.views)) {
		if w, ok := v.(view.Watcher); ok {
			w.Changed(c, what)
		}
	}
}

// drawHead lets the topmost view that wants to draw the line above the body.
func (s *stack) drawHead(c *view.Context, lay *layout) bool {
	for _, v := range slices.Backward(s.views) {
		if h, ok := v.(view.Header); ok {
			return h.DrawHead(c, lay.flow, lay.body)
		}
	}
	return false
}

// moving reports whether a view changes by itself.
func (s *stack) moving() bool {
	return slices.ContainsFunc(s.views, func(v view.View) bool {
		a, ok := v.(view.Animated)
		return ok && a.Moving()
	})
}
