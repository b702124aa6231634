package ui_test

import (
	"testing"

	"informerscope/internal/testing/uitest"
)

func TestTheScrubberFollowsTheMouse(t *testing.T) {
	for _, s := range sizes {
		t.Run(s.name, func(t *testing.T) {
			w := pastWorld()
			first, last := w.Past().Range()
			u := w.start(t, uitest.Size(s.w, s.h))
			y := s.h - 2
			u.Press(",").Screen().Contains("┃", "▁")
			u.Drag(s.w/2, y, 9, y)
			u.Press("m", "a").Footer().Contains("mark a is event " + itoa(first.Seq) + " ")
			u.Drag(9, y, s.w-1, y)
			u.Press("m", "b").Footer().Contains("mark b is event " + itoa(last.Seq) + " ")
			// The mouse off the bar does nothing, and without the past there is no bar.
			u.Press("G").Header().Contains("LIVE")
			u.Screen().Lacks("┃")
			u.Drag(9, y, s.w/2, y)
			u.Press("m", "c").Footer().Contains("mark c is event " + itoa(last.Seq) + " ")
		})
	}
}
