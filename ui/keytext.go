package ui

import (
	"strings"

	"informerscope/ui/screen"
)

// fitKey draws a key in at most w columns. The name tells keys apart, so the
// namespace is cut first, and of the name its beginning.
func fitKey(a screen.Area, x, y, w int, st screen.Style, key string) int {
	w = min(w, a.W-x)
	if screen.Width(a.Canvas(), key) <= w {
		return screen.Text(a, x, y, st, key)
	}
	ns, name, ok := strings.Cut(key, "/")
	if room := w - 1 - screen.Width(a.Canvas(), name); ok && room >= 2 {
		x = screen.Fit(a, x, y, room, st, ns)
		x = screen.Text(a, x, y, st, "/")
		return screen.Text(a, x, y, st, name)
	}
	return screen.FitEnd(a, x, y, w, st, key)
}
