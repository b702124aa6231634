package phrase

import (
	"informerscope/ui/screen"
)

// keyTail is how many of a key's last columns are kept when it is cut: what
// tells the Pods of one ReplicaSet apart.
const keyTail = 6

// FitKey draws a key in at most w columns. What is cut is its middle, as keys
// differ at the beginning, by namespace and owner, and at the end.
func FitKey(a screen.Area, x, y, w int, st screen.Style, key string) int {
	w = min(w, a.W-x)
	if n := screen.Width(a.Canvas(), key); n <= w || n != len(key) || w < 5 {
		return screen.Fit(a, x, y, w, st, key)
	}
	tail := min(keyTail, (w-1)/2)
	x = screen.Text(a, x, y, st, key[:w-1-tail])
	a.Rune(x, y, st, '…')
	return screen.Text(a, x+1, y, st, key[len(key)-tail:])
}

// ShortKey is a key for the header.
func ShortKey(key string) string {
	const most = 28
	if r := []rune(key); len(r) > most {
		return string(r[:most-1-keyTail]) + "…" + string(r[len(r)-keyTail:])
	}
	return key
}
