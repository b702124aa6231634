package panes

import (
	"strconv"
	"strings"

	"informerscope/journal"
	"informerscope/journal/state"
	"informerscope/ui/filter"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/view"
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

func (p *reflectorPane) title(c *view.Context, b []byte, w int) []byte {
	b = append(b, c.Resource.Reflector.Status()...)
	if w < 16 {
		return b // the header says synced or not
	}
	if c.Resource.Synced {
		return append(b, ", synced"...)
	}
	return append(b, ", not synced"...)
}

func (p *reflectorPane) foot(c *view.Context, b []byte, w int) []byte { return b }

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
	pen.Str(theme.Dim, label)
	if label != "" {
		pen.X++
	}
	pen.X = max(pen.X, 1+g.wide)
	return pen
}

func (p *reflectorPane) draw(c *view.Context, a screen.Area, focused bool) {
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
func (p *reflectorPane) compact(c *view.Context, g *page) {
	r := &c.Resource.Reflector
	pen := g.line("")
	pen.Str(theme.Plain, string(r.Phase)).Str(theme.Dim, "  rv ").Str(theme.Plain, dash(r.RV))
	if !r.WatchSince.IsZero() {
		pen.Str(theme.Dim, "  open ")
		c.PutAge(&pen, theme.Plain, r.WatchSince)
	}
	if r.LastError != "" {
		pen = g.line("")
		pen.Fit(theme.Warn, "error: "+r.LastError, pen.Left()-1)
	}
	if r.RVBackwards > 0 {
		pen = g.line("")
		p.backwards(&pen, r)
	}
	pen = g.line("")
	pen.Int(theme.TypeAdded, int64(r.Added)).Str(theme.Dim, " added ")
	pen.Int(theme.TypeUpdated, int64(r.Modified)).Str(theme.Dim, " modified ")
	pen.Int(theme.TypeDeleted, int64(r.Deleted)).Str(theme.Dim, " deleted")
	if r.ListVerb != "" {
		pen = g.line("")
		p.lastList(&pen, r)
	}
	if r.Client != "" {
		pen = g.line("")
		p.received(&pen, r)
	}
	pen = g.line("")
	pen.Int(theme.Plain, int64(r.Bookmarks)).Str(theme.Dim, " bookmarks ")
	pen.Int(theme.Plain, int64(r.Relists)).Str(theme.Dim, " relists ").Int(theme.Plain, int64(r.Resyncs)).Str(theme.Dim, " resyncs")
	p.reasons(c, g, 0, 2)
	pen = g.line("")
	p.requests(&pen, r)
}

// full is the page with a line for each fact.
func (p *reflectorPane) full(c *view.Context, g *page) {
	r := &c.Resource.Reflector
	pen := g.line("state")
	pen.Str(theme.Plain, r.Status())
	if !r.Since.IsZero() {
		pen.Str(theme.Dim, " for ")
		c.PutAge(&pen, theme.Plain, r.Since)
	}
	if !r.WatchSince.IsZero() {
		pen.Str(theme.Dim, "  watch open ")
		c.PutAge(&pen, theme.Plain, r.WatchSince).Str(theme.Dim, ", ").Int(theme.Plain, int64(r.WatchEvents)).Str(theme.Dim, " events")
	}
	pen = g.line("rv")
	pen.Str(theme.Plain, dash(r.RV))
	if !r.LastEvent.IsZero() {
		pen.Str(theme.Dim, "  last event ")
		c.PutAge(&pen, theme.Plain, r.LastEvent).Str(theme.Dim, " ago")
	}
	if r.RVBackwards > 0 {
		pen.Str(theme.Plain, "  ")
		p.backwards(&pen, r)
	}
	if r.Client != "" {
		pen = g.line("client")
		p.received(&pen, r)
	}
	pen = g.line("events")
	count := func(st screen.Style, name string, n uint64) {
		pen.Str(theme.Dim, name).Str(theme.Dim, " ").Int(st, int64(n)).Str(theme.Dim, "  ")
	}
	count(theme.TypeAdded, "ADDED", r.Added)
	count(theme.TypeUpdated, "MODIFIED", r.Modified)
	count(theme.TypeDeleted, "DELETED", r.Deleted)
	if r.Errors > 0 {
		count(theme.Warn, "ERROR", r.Errors)
	}
	pen = g.line("bookmarks")
	pen.Int(theme.Plain, int64(r.Bookmarks))
	if r.LastBookmarkRV != "" {
		pen.Str(theme.Dim, "  last rv ").Str(theme.Plain, r.LastBookmarkRV).Str(theme.Dim, ", ")
		c.PutAge(&pen, theme.Plain, r.LastBookmark).Str(theme.Dim, " ago")
	}
	pen = g.line("last list")
	if r.ListVerb == "" {
		pen.Str(theme.Dim, "none complete yet")
	} else {
		p.lastList(&pen, r)
	}
	pen = g.line("relists")
	pen.Int(theme.Plain, int64(r.Relists))
	if l := r.RecentRelists(); len(l) > 0 {
		pen.Str(theme.Dim, "  last ")
		c.PutAge(&pen, theme.Plain, l[0].Time).Str(theme.Dim, " ago: ")
		pen.Fit(theme.Plain, l[0].Reason, pen.Left()-1)
	}
	pen = g.line("resyncs")
	pen.Int(theme.Plain, int64(r.Resyncs))
	if !r.LastResync.IsZero() {
		pen.Str(theme.Dim, "  last ")
		c.PutAge(&pen, theme.Plain, r.LastResync).Str(theme.Dim, " ago")
	}
	pen = g.line("last error")
	if r.LastError == "" {
		pen.Str(theme.Dim, "none")
	} else {
		c.PutAge(&pen, theme.Dim, r.LastErrorTime).Str(theme.Dim, " ago: ")
		pen.Fit(theme.Warn, r.LastError, pen.Left()-1)
	}
	pen = g.line("requests")
	p.requests(&pen, r)
	if l := r.RecentRelists(); len(l) > 1 {
		g.line("relists before the last one")
		p.reasons(c, g, 1, len(l))
	}
}

func (p *reflectorPane) lastList(pen *screen.Pen, r *state.Reflector) {
	pen.Str(theme.Plain, r.ListVerb).Str(theme.Plain, " ").Int(theme.Plain, r.ListItems)
	if r.ListItems == 1 {
		pen.Str(theme.Dim, " item ")
	} else {
		pen.Str(theme.Dim, " items ")
	}
	pen.Dur(theme.Plain, r.ListTook).Str(theme.Dim, " rv ").Str(theme.Plain, dash(r.ListRV))
}

func (p *reflectorPane) requests(pen *screen.Pen, r *state.Reflector) {
	pen.Str(theme.Dim, journal.VerbList+" ").Int(theme.Plain, int64(r.Lists))
	pen.Str(theme.Dim, "  "+journal.VerbWatchList+" ").Int(theme.Plain, int64(r.WatchLists))
	pen.Str(theme.Dim, "  "+journal.VerbWatch+" ").Int(theme.Plain, int64(r.Watches))
	if r.LastStatus != 0 {
		st := theme.Plain
		if r.LastStatus >= 400 {
			st = theme.Warn
		}
		pen.Str(theme.Dim, "  HTTP ").Str(st, strconv.FormatInt(r.LastStatus, 10))
	}
}

// received says what the client cost: bytes of bodies, with gzip undone, and
// what that is an object.
func (p *reflectorPane) received(pen *screen.Pen, r *state.Reflector) {
	var buf [32]byte
	pen.Str(theme.Plain, r.Client).Str(theme.Dim, " ").Bytes(theme.Plain, appendBytes(buf[:0], float64(r.Bytes)))
	if r.Objects > 0 {
		pen.Str(theme.Dim, ", ").Bytes(theme.Plain, appendBytes(buf[:0], r.BytesPerObject())).Str(theme.Dim, "/object")
	}
	if r.ContentType != "" {
		pen.Str(theme.Dim, "  ")
		pen.Fit(theme.Dim, strings.TrimPrefix(r.ContentType, "application/"), pen.Left()-1)
	}
}

func (p *reflectorPane) backwards(pen *screen.Pen, r *state.Reflector) {
	pen.Str(theme.Alert, "rv went back ").Int(theme.Alert, int64(r.RVBackwards)).Str(theme.Alert, "x")
	pen.Str(theme.Dim, ": ").Fit(theme.Warn, r.LastBackwards, pen.Left()-1)
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
func (p *reflectorPane) reasons(c *view.Context, g *page, from, end int) {
	l := c.Resource.Reflector.RecentRelists()
	for i := from; i < min(end, len(l)); i++ {
		pen := g.line("")
		pen.To(3)
		c.PutAge(&pen, theme.Dim, l[i].Time).Str(theme.Dim, " ago: ")
		pen.Fit(theme.Plain, l[i].Reason, pen.Left()-1)
	}
}

func dash(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func (p *reflectorPane) act(c *view.Context, a view.Action) (chose string) {
	switch a {
	case view.ActUp:
		p.list.Scroll(-1)
	case view.ActDown:
		p.list.Scroll(+1)
	case view.ActOpen:
		c.Refuse("nothing to open here; the Timeline has the Reflector's events")
	default:
		view.MoveList(&p.list, a)
	}
	return ""
}

func (p *reflectorPane) click(*view.Context, int) (string, bool) { return "", false }
func (p *reflectorPane) scroll(_ *view.Context, _, rows int)     { p.list.Scroll(rows) }
func (p *reflectorPane) position() *vlist.List                   { return &p.list }
func (p *reflectorPane) selected(*view.Context) string           { return "" }
func (p *reflectorPane) reveal(*view.Context, string)            {}
func (p *reflectorPane) filter() *filter.Filter                  { return nil }
func (p *reflectorPane) reset()                                  { *p = reflectorPane{} }
func (p *reflectorPane) stage(*view.Context) (s journal.Stage, handler, why string) {
	return journal.StageReflector, "", ""
}

func (p *reflectorPane) clone() pane {
	other := *p
	return &other
}
