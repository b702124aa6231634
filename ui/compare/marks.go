package compare

import (
	"informerscope/journal/state"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
)

// markSign is how a mark is drawn in front of a notice.
func markSign(mk state.Mark) (rune, screen.Style) {
	switch mk {
	case state.MarkPending:
		return '…', theme.Dim
	case state.MarkAcross:
		return '~', theme.Accent
	case state.MarkReordered:
		return '%', theme.Warn
	case state.MarkMissing:
		return '≠', theme.Alert
	}
	return ' ', theme.Plain
}

// drawLegend says what the marks mean, in as many words as fit.
func drawLegend(a screen.Area) {
	texts := [...][]string{
		{"not in another lane", "another order of this key", "another order across keys", "not yet in another lane"},
		{"not elsewhere", "key's order", "order across keys", "not yet elsewhere"},
		{"missing", "key order", "order", "pending"},
	}
	marks := [...]state.Mark{state.MarkMissing, state.MarkReordered, state.MarkAcross, state.MarkPending}
	for f, words := range texts {
		w := 1
		for _, t := range words {
			w += len(t) + 4
		}
		if w > a.W && f < len(texts)-1 {
			continue
		}
		pen := a.Pen(1, 0)
		for i, mk := range marks {
			sign, st := markSign(mk)
			a.Rune(pen.X, 0, st, sign)
			pen.X += 2
			pen.Str(theme.Dim, words[i]).Str(theme.Plain, "  ")
		}
		return
	}
}
