package findings

// growth tells what grows from a burst that is being worked off. It looks at parts
// of time, a quarter of a threshold long, and at the least length in each: bursts
// come and go above it, and it rises only when more comes than is worked off. When
// it has risen in enough parts, that is growth, until half of it is gone.
type growth struct {
	Len   int64  `json:"len"`
	Peak  int64  `json:"peak,omitempty"`
	Prev  int64  `json:"prev"`           // the least in the part before this one
	Least int64  `json:"least"`          // in this part
	From  int64  `json:"from"`           // when the part began, in running time
	Grew  int    `json:"grew,omitempty"` // parts in which the least rose, less those in which it fell
	Flat  int    `json:"flat,omitempty"` // parts since it rose last
	Low   int64  `json:"low,omitempty"`  // the least before the first of them
	Rose  int64  `json:"rose,omitempty"` // and after it: a burst may be the first
	Seq   uint64 `json:"seq"`            // of what made it longer last
	Time  int64  `json:"time"`
	Told  bool   `json:"told,omitempty"` // reported, and not over
	Top   int64  `json:"top,omitempty"`  // the most that the least has been while told
}

// A threshold is parts parts of time. The least must have risen from each to the
// next; a rise is forgotten when none follows within as many.
const parts = 4

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
	if g.Told && g.Len <= g.Top/2 {
		g.Told, g.Top, g.Grew, over = false, 0, 0, true
	}
	if g.Len == 0 {
		g.Peak = 0
	}
	return over, peak
}

// asleep: until something comes there is nothing to look at.
func (g *growth) asleep() bool { return g.Prev == 0 && g.Len == 0 && g.Grew == 0 }

// begin starts a part of time.
func (g *growth) begin(f *fold, part, at int64) {
	g.From, g.Least = at, g.Len
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
	over := (f.run - g.From) / part
	for range min(over, 2*parts) { // after that many in which nothing happens, no more changes
		g.ended()
		g.Least = g.Len
	}
	grown = g.Grew >= parts-1 && g.Len >= least && g.Prev-g.Rose >= g.Rose/8
	if g.Told = g.Told || grown; g.Told {
		g.Top = max(g.Top, g.Prev)
	}
	g.begin(f, part, g.From+over*part)
	if g.Len > 0 || g.Grew > 0 {
		return grown, g.From + part
	}
	return grown, never
}

// ended ends a part of time.
func (g *growth) ended() {
	switch {
	case g.Least > g.Prev:
		if g.Grew == 0 {
			g.Low, g.Rose = g.Prev, g.Least
		}
		g.Grew, g.Flat = min(g.Grew+1, parts-1), 0
	case g.Least < g.Prev:
		g.Grew = max(0, g.Grew-1)
		fallthrough
	default:
		if g.Flat++; g.Flat >= parts {
			g.Grew = 0
		}
	}
	g.Prev = g.Least
}
