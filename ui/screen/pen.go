package screen

import (
	"strconv"
	"time"

	"informerscope/journal"
)

// Pen writes along one row without garbage. X is the next column; what would
// go beyond End is cut off.
type Pen struct {
	a   Area
	Y   int
	X   int
	End int
}

// Pen returns a pen at column x of row y that may write up to the area's edge.
func (a Area) Pen(x, y int) Pen { return Pen{a: a, X: x, Y: y, End: a.W} }

func (p *Pen) area() Area { return p.a.Sub(0, 0, p.End, p.a.H) }

// Str writes s.
func (p *Pen) Str(st Style, s string) *Pen {
	p.X = Text(p.area(), p.X, p.Y, st, s)
	return p
}

// Bytes writes b.
func (p *Pen) Bytes(st Style, b []byte) *Pen {
	p.X = Text(p.area(), p.X, p.Y, st, b)
	return p
}

// Fit writes s in at most w columns.
func (p *Pen) Fit(st Style, s string, w int) *Pen {
	p.X = Fit(p.area(), p.X, p.Y, w, st, s)
	return p
}

// Int writes a count, grouped in thousands.
func (p *Pen) Int(st Style, n int64) *Pen {
	var buf [32]byte
	return p.Bytes(st, AppendCount(buf[:0], n))
}

// Dur writes a duration in the short form of journal.Short.
func (p *Pen) Dur(st Style, d time.Duration) *Pen {
	var buf [32]byte
	return p.Bytes(st, journal.AppendShort(buf[:0], d))
}

// To moves to column x if that is further right.
func (p *Pen) To(x int) *Pen {
	p.X = max(p.X, x)
	return p
}

// Left is the number of columns that are left.
func (p *Pen) Left() int { return max(0, min(p.End, p.a.W)-p.X) }

// AppendCount appends n with a comma between thousands.
func AppendCount(b []byte, n int64) []byte {
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	if n < 10000 {
		return strconv.AppendInt(b, n, 10)
	}
	var groups [8]int64
	i := 0
	for ; n >= 1000; i++ {
		groups[i] = n % 1000
		n /= 1000
	}
	b = strconv.AppendInt(b, n, 10)
	for i--; i >= 0; i-- {
		g := groups[i]
		b = append(b, ',', byte('0'+g/100), byte('0'+g/10%10), byte('0'+g%10))
	}
	return b
}
