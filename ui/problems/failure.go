package problems

import (
	"informerscope/ui/phrase"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/view"
)

// failed reports whether the resource has a failure to tell in the Indexer.
func Failing(c *view.Context) bool {
	return c.Resource.Failed != "" || c.Resource.Indexer.FailedIndex != "" || c.Resource.Indexer.Mutated > 0
}

// LooksWrong reports whether there is something to see with w.
func LooksWrong(c *view.Context) bool { return Failing(c) || c.ActiveFindings() > 0 }

// DrawFailure draws the most important failure of the resource in one line.
func DrawFailure(c *view.Context, a screen.Area, y int) {
	x := &c.Resource.Indexer
	pen := a.Pen(1, y)
	pen.End = a.W - 1
	pen.Str(theme.Hotkey, "w ")
	switch ms := x.Mutations(); {
	case x.FailedIndex != "":
		pen.Str(theme.Alert, "index "+x.FailedIndex+" failed").Str(theme.Plain, " "+x.FailedKey+": "+x.FailedText)
	case c.Resource.Failed != "":
		pen.Str(theme.Alert, "stopped").Str(theme.Plain, " ")
		pen.Fit(theme.Plain, c.Resource.Failed, pen.Left())
	case len(ms) > 0:
		word := " changed in place "
		if a.W < 50 {
			word = " mutated "
		}
		pen.Int(theme.Alert, int64(x.Mutated)).Str(theme.Alert, word)
		pen.X = phrase.FitKey(a, pen.X, y, max(8, pen.Left()-len(ms[0].Field)-1), theme.Plain, ms[0].Key)
		pen.Str(theme.Plain, " ").Str(theme.Warn, ms[0].Field)
	}
}
