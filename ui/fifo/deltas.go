package fifo

import (
	"strconv"

	"informerscope/journal/state"
	"informerscope/ui/phrase"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
)

// deltaForm is how a row of deltas is written: in full, or with types of three
// letters where that shows more of them.
type deltaForm struct {
	short bool
	skip  int // older deltas left out and counted as (+n)
}

// DrawDeltas draws deltas, oldest first, into what is left of a row. What does
// not fit loses letters first and its oldest deltas next: what is newest is
// what the key will be.
func DrawDeltas(a screen.Area, x, y int, ds []state.Delta, gone bool) {
	w := a.W - x - 1
	if len(ds) == 0 || w <= 0 {
		return
	}
	f := deltaForm{}
	if deltasWidth(ds, f) > w {
		f.short = true
	}
	for deltasWidth(ds, f) > w && f.skip < len(ds)-1 {
		f.skip++
	}
	if f.skip == len(ds)-1 && f.skip > 0 && deltasWidth(ds, deltaForm{false, f.skip}) <= w {
		f.short = false
	}
	pen := a.Pen(x, y)
	pen.End = a.W - 1
	if f.skip > 0 {
		pen.Str(theme.Dim, "(+").Int(theme.Dim, int64(f.skip)).Str(theme.Dim, ") ")
	}
	for i := f.skip; i < len(ds); i++ {
		if i > f.skip {
			pen.Str(theme.Dim, " ")
		}
		d := &ds[i]
		st := theme.TypeStyle(d.Type)
		if gone {
			st = theme.Dim
		}
		pen.Str(st, deltaType(d.Type, f.short)).Str(theme.Dim, "@")
		if room := pen.Left(); len(d.RV) > room && room > 0 {
			pen.X = screen.FitEnd(a, pen.X, y, room, theme.Dim, d.RV)
		} else {
			pen.Str(theme.Dim, d.RV)
		}
		if d.Tombstone {
			pen.Str(theme.Warn, " T")
		}
	}
}

func deltaType(t string, short bool) string {
	if short && len(t) > 3 {
		return t[:3]
	}
	return t
}

func deltasWidth(ds []state.Delta, f deltaForm) int {
	n := 0
	if f.skip > 0 {
		n = len("(+) ") + len(strconv.Itoa(f.skip))
	}
	for i := f.skip; i < len(ds); i++ {
		if i > f.skip {
			n++
		}
		n += len(deltaType(ds[i].Type, f.short)) + 1 + len(ds[i].RV)
		if ds[i].Tombstone {
			n += 2
		}
	}
	return n
}

// DrawKeyless draws it into what is left of a row.
func DrawKeyless(a screen.Area, x, y int, d *state.Delta, gone bool) {
	st := theme.TypeStyle(d.Type)
	if gone {
		st = theme.Dim
	}
	var buf [64]byte
	screen.Fit(a, x, y, a.W-x-1, st, phrase.AppendKeyless(buf[:0], d))
}
