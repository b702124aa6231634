package past

import (
	"strconv"
	"time"

	"informerscope/ui/phrase"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
)

// Status says where in time the view is, for the header; the words of the highest
// rank are left out first.
func (t *Traveller) Status(add func(rank int, st screen.Style, text string)) {
	p := t.c.Past
	var buf [64]byte
	b := append(buf[:0], "event "...)
	b = screen.AppendCount(b, int64(p.Seq))
	b = append(b, " of "...)
	event := string(screen.AppendCount(b, int64(p.Last.Seq)))
	if p.Recording {
		add(0, theme.ChipPast, " REPLAY ")
		add(1, theme.Plain, t.play.text())
		b = appendLength(buf[:0], p.At.Sub(p.First.Time))
		b = append(b, " of "...)
		add(2, theme.Plain, string(appendLength(b, p.Last.Time.Sub(p.First.Time))))
		add(3, theme.Plain, event)
		return
	}
	add(0, theme.ChipPast, " PAST ")
	add(1, theme.Plain, string(append(phrase.AppendTenths(buf[:0], t.back()), " back"...)))
	add(2, theme.Plain, event)
	if t.c.Paused {
		add(3, theme.Warn, "engine paused")
	} else {
		add(3, theme.Dim, "engine runs")
	}
}

// appendLength appends a time within a recording: 12.5s, 3m20s.
func appendLength(b []byte, d time.Duration) []byte {
	if d < time.Minute {
		return append(strconv.AppendFloat(b, d.Truncate(time.Second/10).Seconds(), 'f', 1, 64), 's')
	}
	d = d.Truncate(time.Second)
	b = append(strconv.AppendInt(b, int64(d/time.Minute), 10), 'm')
	s := d / time.Second % 60
	return append(b, byte('0'+s/10), byte('0'+s%10), 's')
}
