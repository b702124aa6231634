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

// appendPlural appends "3 keys", "1 key".
func appendPlural(b []byte, n int, noun string) []byte {
	b = screen.AppendCount(b, int64(n))
	b = append(append(b, ' '), noun...)
	if n != 1 {
		b = append(b, 's')
	}
	return b
}

// appendFilter says in a title that a filter is on, and how much it shows of
// how much; of is left out when it is negative.
func appendFilter(b []byte, f *filter, shown, of int) []byte {
	b = append(append(append(b, '/'), f.text...), "/ shows "...)
	b = screen.AppendCount(b, int64(shown))
	if of >= 0 {
		b = screen.AppendCount(append(b, " of "...), int64(of))
	}
	return b
}
