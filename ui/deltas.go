package ui

import (
	"strconv"

	"informerscope/journal/state"
	"informerscope/ui/screen"
)

// deltaForm is how a row of deltas is written: in full, or with types of three
// letters where that shows more of them.
type deltaForm struct {
	short bool
	skip  int // older deltas left out and counted as (+n)
}

// drawDeltas draws deltas, oldest first, into what is left of a row. What does
// not fit loses letters first and its oldest deltas next: what is newest is
// what the key will be.
func drawDeltas(a screen.Area, x, y int, ds []state.Delta, gone bool) {
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
		pen.Str(dim, "(+").Int(dim, int64(f.skip)).Str(dim, ") ")
	}
	for i := f.skip; i < len(ds); i++ {
		if i > f.skip {
			pen.Str(dim, " ")
		}
		d := &ds[i]
		st := typeStyle(d.Type)
		if gone {
			st = dim
		}
		pen.Str(st, deltaType(d.Type, f.short)).Str(dim, "@")
		if room := pen.Left(); len(d.RV) > room && room > 0 {
			pen.X = screen.FitEnd(a, pen.X, y, room, dim, d.RV)
		} else {
			pen.Str(dim, d.RV)
		}
		if d.Tombstone {
			pen.Str(warn, " T")
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

// drawKeyless draws it into what is left of a row.
func drawKeyless(a screen.Area, x, y int, d *state.Delta, gone bool) {
	st := typeStyle(d.Type)
	if gone {
		st = dim
	}
	var buf [64]byte
	screen.Fit(a, x, y, a.W-x-1, st, appendKeyless(buf[:0], d))
}
