package panes

import (
	"informerscope/journal/state"
	"informerscope/ui/phrase"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/view"
	"informerscope/ui/viewer"
	"informerscope/ui/vlist"
)

// head is the first line of a handler: its name, HasSynced of its own where
// there is room, and what it is doing.
func (p *listenersPane) head(c *view.Context, a screen.Area, l *state.Listener, nameW int) {
	pen := a.Pen(1, 0)
	st := theme.Strong
	if l.Removed {
		st = theme.Dim
	}
	pen.Fit(st, l.Name, nameW)
	pen.To(2 + nameW)
	if l.Removed {
		pen.Str(theme.Dim, "removed")
		return
	}
	if a.W >= fullListener {
		text, st := syncedText(l)
		pen.Str(st, text).Str(theme.Plain, "  ")
	}
	if l.Blocked {
		pen.Str(theme.Warn, "blocked ")
	}
	if !l.InHandler {
		pen.Str(theme.Dim, "idle")
		return
	}
	var buf [16]byte
	age := phrase.AppendTenths(buf[:0], c.TenthsAge(l.Since))
	pen.Str(theme.TypeStyle(l.Current), l.Current).Str(theme.Plain, " ")
	sign, kst := c.Marker(l.CurrentKey)
	if sign == ' ' {
		kst = theme.Plain
	}
	pen.X = phrase.FitKey(a, pen.X, 0, pen.Left()-len(age)-2, kst, l.CurrentKey)
	pen.Str(theme.Plain, " ").Bytes(theme.Warn, age)
}

// waits says what is between the processor and the handler.
func (p *listenersPane) waits(pen *screen.Pen, l *state.Listener) {
	if l.Held() {
		pen.Str(theme.Plain, "1 held")
	} else {
		pen.Str(theme.Dim, "none held")
	}
	pen.Str(theme.Dim, ", ring ").Int(theme.Plain, int64(l.Ring()))
}

// syncedText says whether a handler has synced.
func syncedText(l *state.Listener) (string, screen.Style) {
	if l.Synced {
		return "synced", theme.Plain
	}
	return "not synced", theme.Warn
}

// brief says it in two lines, in letters where words have no room.
func (p *listenersPane) brief(c *view.Context, a screen.Area, l *state.Listener) {
	p.head(c, a, l, min(max(10, a.W/4), 24))
	pen := a.Pen(3, 1)
	pen.End = a.W - 1
	if a.W < fullListener && !l.Removed {
		text, st := syncedText(l)
		pen.Str(st, text).Str(theme.Plain, " ")
	}
	var buf [96]byte
	b := appendBriefListener(buf[:0], l, briefWords)
	for form := briefLetters; len(b) > pen.Left() && form <= briefCounts; form++ {
		b = appendBriefListener(buf[:0], l, form)
	}
	st := theme.Plain
	if l.Panics > 0 {
		st = theme.Warn
	}
	screen.Fit(a, pen.X, 1, pen.Left(), st, b)
}

// briefForm is how a handler is told in one line, from the longest to the
// shortest.
type briefForm int

const (
	briefWords   briefForm = iota
	briefLetters           // letters for the kinds of notifications
	briefCounts            // and nothing of resyncs
)

func appendBriefListener(b []byte, l *state.Listener, form briefForm) []byte {
	count := func(long, letter string, n uint64) {
		if form > briefWords {
			b = append(append(b, ' '), letter...)
		} else {
			b = append(append(append(b, ' '), long...), ' ')
		}
		b = screen.AppendCount(b, int64(n))
	}
	if l.Panics > 0 {
		b = append(screen.AppendCount(b, int64(l.Panics)), " panics "...)
	}
	if l.Held() {
		b = append(b, "held "...)
	}
	b = screen.AppendCount(append(b, "ring "...), int64(l.Ring()))
	count("add", "a", l.Adds)
	count("upd", "u", l.Updates)
	count("del", "d", l.Deletes)
	if form == briefCounts {
		return b
	}
	if l.Syncing {
		b = append(b, " syncing"...)
	}
	if l.ResyncPeriod > 0 {
		if b = append(b, ' '); form == briefWords {
			b = append(b, "resync "...)
		}
		b = append(b, phrase.Period(l.ResyncPeriod)...)
		if l.Effective != l.ResyncPeriod {
			b = append(append(b, '/'), phrase.Period(l.Effective)...)
		}
	}
	return b
}

// full says it in four lines with a label each.
func (p *listenersPane) full(c *view.Context, a screen.Area, l *state.Listener) {
	p.head(c, a, l, min(max(12, a.W/4), 28))
	const at = 11
	label := func(y int, name string) screen.Pen {
		pen := a.Pen(3, y)
		pen.End = a.W - 1
		pen.Str(theme.Dim, name)
		pen.To(at)
		return pen
	}
	pen := label(1, "waiting")
	p.waits(&pen, l)
	if l.Panics > 0 {
		pen.Str(theme.Plain, "  ").Int(theme.Warn, int64(l.Panics)).Str(theme.Warn, " panics")
	}
	pen = label(2, "taken")
	pen.Str(theme.Dim, "OnAdd ").Int(theme.TypeAdded, int64(l.Adds)).Str(theme.Dim, "  OnUpdate ").Int(theme.TypeUpdated, int64(l.Updates))
	pen.Str(theme.Dim, "  OnDelete ").Int(theme.TypeDeleted, int64(l.Deletes))
	pen = label(3, "resync")
	if l.Syncing {
		pen.Str(theme.Plain, "syncing")
	} else {
		pen.Str(theme.Dim, "not syncing")
	}
	pen.Str(theme.Dim, ", asked ").Str(theme.Plain, phrase.Period(l.ResyncPeriod)).Str(theme.Dim, ", granted ")
	st := theme.Plain
	if l.Effective != l.ResyncPeriod {
		st = theme.Warn
	}
	pen.Str(st, phrase.Period(l.Effective))
}

// openListener opens all that is known of a handler.
func openListener(c *view.Context, l *state.Listener) {
	yes := func(b bool, y, n string) string {
		if b {
			return y
		}
		return n
	}
	count := func(n uint64) string { return string(screen.AppendCount(nil, int64(n))) }
	v := &viewer.Viewer{Title: "Handler " + l.Name, None: "A handler holds no object of its own: what it got is in the Timeline."}
	fact := func(name, text string) { v.Facts = append(v.Facts, [2]string{name, text}) }
	if l.Removed {
		fact("registered", "removed: it is told nothing any more")
	}
	fact("informer", yes(c.Resource.Synced, "HasSynced: the store holds the initial list", "not synced: the initial list is not stored yet"))
	fact("handler", yes(l.Synced, "HasSynced: it has seen the whole initial list", "not synced: it has not seen the whole initial list"))
	fact("syncing", yes(l.Syncing, "yes: it takes notifications of resyncs", "no: it is left out of resyncs until its period has passed"))
	fact("resync asked", phrase.Period(l.ResyncPeriod))
	fact("resync granted", phrase.Period(l.Effective)+yes(l.Effective != l.ResyncPeriod, "  the informer's check period is the least", ""))
	if l.InHandler {
		fact("in the handler", l.Current+" "+l.CurrentKey+" since "+c.ClockText(l.Since))
	} else {
		fact("in the handler", "nothing")
	}
	fact("held", yes(l.Held(), "one notification, for when the handler returns", "nothing"))
	fact("ring", count(uint64(l.Ring()))+" notifications")
	fact("OnAdd", count(l.Adds))
	fact("OnUpdate", count(l.Updates))
	fact("OnDelete", count(l.Deletes))
	fact("panics", count(l.Panics))
	c.Open(v)
}

// listenersPane shows each registered handler with its state: what it is doing,
// what waits for it, and what it has asked for.
type listenersPane struct {
	list vlist.List
	name string // of the selected handler
	rows int    // lines a handler, as drawn last
}

// listenerRows is how many lines say everything about a handler, briefRows how
// many do where there is no room.
const listenerRows, briefRows = 4, 2

// fullListener is the width that the lines of everything need.
const fullListener = 48
