package ui

import (
	"informerscope/ui/screen"
)

// failed reports whether the resource has a failure to tell in the Indexer.
func failing(c *Context) bool {
	return c.Resource.Failed != "" || c.Resource.Indexer.FailedIndex != "" || c.Resource.Indexer.Mutated > 0
}

// looksWrong reports whether there is something to see with w.
func looksWrong(c *Context) bool { return failing(c) || c.ActiveFindings() > 0 }

// drawFailure draws the most important failure of the resource in one line.
func drawFailure(c *Context, a screen.Area, y int) {
	x := &c.Resource.Indexer
	pen := a.Pen(1, y)
	pen.End = a.W - 1
	pen.Str(hotkey, "w ")
	switch ms := x.Mutations(); {
	case x.FailedIndex != "":
		pen.Str(alert, "index "+x.FailedIndex+" failed").Str(plain, " "+x.FailedKey+": "+x.FailedText)
	case c.Resource.Failed != "":
		pen.Str(alert, "stopped").Str(plain, " ")
		pen.Fit(plain, c.Resource.Failed, pen.Left())
	case len(ms) > 0:
		word := " changed in place "
		if a.W < 50 {
			word = " mutated "
		}
		pen.Int(alert, int64(x.Mutated)).Str(alert, word)
		pen.X = fitKey(a, pen.X, y, max(8, pen.Left()-len(ms[0].Field)-1), plain, ms[0].Key)
		pen.Str(plain, " ").Str(warn, ms[0].Field)
	}
}
