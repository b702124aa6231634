package ui

import (
	"strconv"
	"strings"

	"informerscope/journal"
	"informerscope/journal/state"
	"informerscope/ui/screen"
	"informerscope/ui/vlist"
)

// reflectorPane says what the Reflector does and what it got from the server.
// It is a page, not a list: the cursor only scrolls.
type reflectorPane struct {
	list  vlist.List
	lines int // of the page as it was drawn last
}

var _ pane = (*reflectorPane)(nil)

// compactBelow is the height under which facts share lines, narrowBelow the
// width.
const compactBelow, narrowBelow = 7, 44

func (p *reflectorPane) title(c *Context, b []byte, w int) []byte {
	b = append(b, c.Resource.Reflector.Status()...)
	if w < 16 {
		return b // the header says synced or not
	}
	if c.Resource.Synced {
		return append(b, ", synced"...)
	}
	return append(b, ", not synced"...)
}

func (p *reflectorPane) foot(c *Context, b []byte, w int) []byte { return b }

// page writes lines from list.Top on; lines outside the area are only counted.
type page struct {
	a    screen.Area
	top  int
	n    int
	wide int // width of the labels
}

// line begins the next line.
func (g *page) line(label string) screen.Pen {
	y := g.n - g.top
	g.n++
	pen := g.a.Pen(1, y)
	if y < 0 || y >= g.a.H {
		pen.End = 0
		return pen
	}
	pen.Str(dim, label)
	if label != "" {
		pen.X++
	}
	pen.X = max(pen.X, 1+g.wide)
	return pen
}

func (p *reflectorPane) draw(c *Context, a screen.Area, focused bool) {
	p.list.Resize(max(p.lines, a.H), a.H)
	// A page has no selected row: the cursor is the last visible line when it
	// moves down, and the first one when it moves up.
	g := &page{a: a, top: p.list.Top()}
	if a.H < compactBelow || a.W < narrowBelow {
		p.compact(c, g)
	} else {
		g.wide = 11
		p.full(c, g)
	}
	p.lines = g.n
	p.list.Resize(p.lines, a.H)
}

// compact is the page for few and short lines.
func (p *reflectorPane) compact(c *Context, g *page) {
	r := &c.Resource.Reflector
	pen := g.line("")
	pen.Str(plain, string(r.Phase)).Str(dim, "  rv ").Str(plain, dash(r.RV))
	if !r.WatchSince.IsZero() {
		pen.Str(dim, "  open ")
		c.PutAge(&pen, plain, r.WatchSince)
	}
	if r.LastError != "" {
		pen = g.line("")
		pen.Fit(warn, "error: "+r.LastError, pen.Left()-1)
	}
	if r.RVBackwards > 0 {
		pen = g.line("")
		p.backwards(&pen, r)
	}
	pen = g.line("")
	pen.Int(typeAdded, int64(r.Added)).Str(dim, " added ")
	pen.Int(typeUpdated, int64(r.Modified)).Str(dim, " modified ")
	pen.Int(typeDeleted, int64(r.Deleted)).Str(dim, " deleted")
	if r.ListVerb != "" {
		pen = g.line("")
		p.lastList(&pen, r)
	}
	if r.Client != "" {
		pen = g.line("")
		p.received(&pen, r)
	}
	pen = g.line("")
	pen.Int(plain, int64(r.Bookmarks)).Str(dim, " bookmarks ")
	pen.Int(plain, int64(r.Relists)).Str(dim, " relists ").Int(plain, int64(r.Resyncs)).Str(dim, " resyncs")
	p.reasons(c, g, 0, 2)
	pen = g.line("")
	p.requests(&pen, r)
}

// full is the page with a line for each fact.
func (p *reflectorPane) full(c *Context, g *page) {
	r := &c.Resource.Reflector
	pen := g.line("state")
	pen.Str(plain, r.Status())
	if !r.Since.IsZero() {
		pen.Str(dim, " for ")
		c.PutAge(&pen, plain, r.Since)
	}
	if !r.WatchSince.IsZero() {
		pen.Str(dim, "  watch open ")
		c.PutAge(&pen, plain, r.WatchSince).Str(dim, ", ").Int(plain, int64(r.WatchEvents)).Str(dim, " events")
	}
	pen = g.line("rv")
	pen.Str(plain, dash(r.RV))
	if !r.LastEvent.IsZero() {
		pen.Str(dim, "  last event ")
		c.PutAge(&pen, plain, r.LastEvent).Str(dim, " ago")
	}
	if r.RVBackwards > 0 {
		pen.Str(plain, "  ")
		p.backwards(&pen, r)
	}
	if r.Client != "" {
		pen = g.line("client")
		p.received(&pen, r)
	}
	pen = g.line("events")
	count := func(st screen.Style, name string, n uint64) {
		pen.Str(dim, name).Str(dim, " ").Int(st, int64(n)).Str(dim, "  ")
	}
	count(typeAdded, "ADDED", r.Added)
	count(typeUpdated, "MODIFIED", r.Modified)
	count(typeDeleted, "DELETED", r.Deleted)
	if r.Errors > 0 {
		count(warn, "ERROR", r.Errors)
	}
	pen = g.line("bookmarks")
	pen.Int(plain, int64(r.Bookmarks))
	if r.LastBookmarkRV != "" {
		pen.Str(dim, "  last rv ").Str(plain, r.LastBookmarkRV).Str(dim, ", ")
		c.PutAge(&pen, plain, r.LastBookmark).Str(dim, " ago")
	}
	pen = g.line("last list")
	if r.ListVerb == "" {
		pen.Str(dim, "none complete yet")
	} else {
		p.lastList(&pen, r)
	}
	pen = g.line("relists")
	pen.Int(plain, int64(r.Relists))
	if l := r.RecentRelists(); len(l) > 0 {
		pen.Str(dim, "  last ")
		c.PutAge(&pen, plain, l[0].Time).Str(dim, " ago: ")
		pen.Fit(plain, l[0].Reason, pen.Left()-1)
	}
	pen = g.line("resyncs")
	pen.Int(plain, int64(r.Resyncs))
	if !r.LastResync.IsZero() {
		pen.Str(dim, "  last ")
		c.PutAge(&pen, plain, r.LastResync).Str(dim, " ago")
	}
	pen = g.line("last error")
	if r.LastError == "" {
		pen.Str(dim, "none")
	} else {
		c.PutAge(&pen, dim, r.LastErrorTime).Str(dim, " ago: ")
		pen.Fit(warn, r.LastError, pen.Left()-1)
	}
	pen = g.line("requests")
	p.requests(&pen, r)
	if l := r.RecentRelists(); len(l) > 1 {
		g.line("relists before the last one")
		p.reasons(c, g, 1, len(l))
	}
}

func (p *reflectorPane) lastList(pen *screen.Pen, r *state.Reflector) {
	pen.Str(plain, r.ListVerb).Str(plain, " ").Int(plain, r.ListItems)
	if r.ListItems == 1 {
		pen.Str(dim, " item ")
	} else {
		pen.Str(dim, " items ")
	}
	pen.Dur(plain, r.ListTook).Str(dim, " rv ").Str(plain, dash(r.ListRV))
}

func (p *reflectorPane) requests(pen *screen.Pen, r *state.Reflector) {
	pen.Str(dim, journal.VerbList+" ").Int(plain, int64(r.Lists))
	pen.Str(dim, "  "+journal.VerbWatchList+" ").Int(plain, int64(r.WatchLists))
	pen.Str(dim, "  "+journal.VerbWatch+" ").Int(plain, int64(r.Watches))
	if r.LastStatus != 0 {
		st := plain
		if r.LastStatus >= 400 {
			st = warn
		}
		pen.Str(dim, "  HTTP ").Str(st, strconv.FormatInt(r.LastStatus, 10))
	}
}

// received says what the client cost: bytes of bodies, with gzip undone, and
// what that is an object.
func (p *reflectorPane) received(pen *screen.Pen, r *state.Reflector) {
	var buf [32]byte
	pen.Str(plain, r.Client).Str(dim, " ").Bytes(plain, appendBytes(buf[:0], float64(r.Bytes)))
	if r.Objects > 0 {
		pen.Str(dim, ", ").Bytes(plain, appendBytes(buf[:0], r.BytesPerObject())).Str(dim, "/object")
	}
	if r.ContentType != "" {
		pen.Str(dim, "  ")
		pen.Fit(dim, strings.TrimPrefix(r.ContentType, "application/"), pen.Left()-1)
	}
}

func (p *reflectorPane) backwards(pen *screen.Pen, r *state.Reflector) {
	pen.Str(alert, "rv went back ").Int(alert, int64(r.RVBackwards)).Str(alert, "x")
	pen.Str(dim, ": ").Fit(warn, r.LastBackwards, pen.Left()-1)
}

// appendBytes appends 812 B, 2.7 kB, 14 MB.
func appendBytes(b []byte, n float64) []byte {
	unit, digits := " B", 0
	for _, u := range [...]string{" kB", " MB", " GB"} {
		if n < 999.5 {
			break
		}
		n, unit = n/1000, u
		if digits = 0; n < 9.95 {
			digits = 1
		}
	}
	return append(strconv.AppendFloat(b, n, 'f', digits, 64), unit...)
}

// reasons lists relists from to end with their reasons.
func (p *reflectorPane) reasons(c *Context, g *page, from, end int) {
	l := c.Resource.Reflector.RecentRelists()
	for i := from; i < min(end, len(l)); i++ {
		pen := g.line("")
		pen.To(3)
		c.PutAge(&pen, dim, l[i].Time).Str(dim, " ago: ")
		pen.Fit(plain, l[i].Reason, pen.Left()-1)
	}
}

func dash(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func (p *reflectorPane) act(c *Context, a Action) (chose string) {
	switch a {
	case actUp:
		p.list.Scroll(-1)
	case actDown:
		p.list.Scroll(+1)
	case actOpen:
		c.Refuse("nothing to open here; the Timeline has the Reflector's events")
	default:
		moveList(&p.list, a)
	}
	return ""
}

func (p *reflectorPane) click(*Context, int) (string, bool) { return "", false }
func (p *reflectorPane) scroll(_ *Context, _, rows int)     { p.list.Scroll(rows) }
func (p *reflectorPane) position() *vlist.List              { return &p.list }
func (p *reflectorPane) selected(*Context) string           { return "" }
func (p *reflectorPane) reveal(*Context, string)            {}
func (p *reflectorPane) filter() *filter                    { return nil }
func (p *reflectorPane) reset()                             { *p = reflectorPane{} }
func (p *reflectorPane) stage(*Context) (s journal.Stage, handler, why string) {
	return journal.StageReflector, "", ""
}

func (p *reflectorPane) clone() pane {
	other := *p
	return &other
}
