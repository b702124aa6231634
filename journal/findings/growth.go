package findings

// growth tells what grows from a burst that is being worked off. It looks at parts
// of time, a third of a threshold long: a length grows in one when it is longer at
// the end than at the start and never was shorter in between. Three of these in a
// row are growth. It goes on until half of it is gone.
type growth struct {
	Len   int64  `json:"len"`
	Peak  int64  `json:"peak,omitempty"`
	Start int64  `json:"start"`          // at the start of this part
	Least int64  `json:"least"`          // in this part
	From  int64  `json:"from"`           // when the part began, in running time
	Grew  int    `json:"grew,omitempty"` // so many parts before this one
	Low   int64  `json:"low,omitempty"`  // where that began
	Seq   uint64 `json:"seq"`            // of what made it longer last
	Time  int64  `json:"time"`
	Told  bool   `json:"told,omitempty"` // reported, and not over
}

// parts is how many parts of time must have seen growth.
const parts = 3

// longer notes one more, by the event of seq.
func (g *growth) longer(f *fold, part int64, seq uint64) {
	if g.asleep() {
		g.begin(f, part, f.run) // nothing to look at before
	}
	g.Len++
	g.Seq, g.Time, g.Peak = seq, f.now, max(g.Peak, g.Len)
}

// shorter notes that n are left, and reports whether what was told is over with
// that, and with which peak.
func (g *growth) shorter(n int64) (over bool, peak int64) {
	g.Len = max(0, n)
	g.Least = min(g.Least, g.Len)
	peak = g.Peak
	if g.Told && g.Len <= g.Peak/2 {
		g.Told, over = false, true
	}
	if g.Len == 0 {
		g.Peak = 0
	}
	return over, peak
}

// asleep: until something comes there is nothing to look at.
func (g *growth) asleep() bool { return g.Start == 0 && g.Len == 0 && g.Grew == 0 }

// begin starts a part of time.
func (g *growth) begin(f *fold, part, at int64) {
	g.From, g.Start, g.Least = at, g.Len, g.Len
	f.sooner(at + part)
}

// ripen ends parts of time that are over, reports whether enough of them saw it
// grow, to least or more, and returns when it is to be called next.
func (g *growth) ripen(f *fold, part, least int64) (grown bool, next int64) {
	switch {
	case g.asleep():
		return false, never
	case f.run-g.From < part:
		return false, g.From + part
	}
	grown = g.ended(least)
	g.Told = g.Told || grown
	// Nothing has happened in the parts that went by since.
	began := g.From + (f.run-g.From)/part*part
	if began-g.From >= 2*part {
		g.Grew = 0
	}
	g.begin(f, part, began)
	if g.Len > 0 || g.Grew > 0 {
		return grown, g.From + part
	}
	return grown, never
}

// ended ends a part of time.
func (g *growth) ended(least int64) bool {
	if g.Len <= g.Start || g.Least < g.Start {
		g.Grew = 0
		return false
	}
	if g.Grew == 0 {
		g.Low = g.Start
	}
	g.Grew++
	return g.Grew >= parts && g.Len >= least
}
