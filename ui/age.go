package ui

import (
	"strconv"
	"time"

	"informerscope/journal"
	"informerscope/ui/screen"
)

// age is how long ago t was, in whole seconds: it changes once a second.
func (m *model) age(t time.Time) time.Duration {
	return max(0, m.now.Sub(t)).Truncate(time.Second)
}

// tenthsAge is age in tenths of seconds while it is short; the frame is then
// drawn as often.
func (m *model) tenthsAge(t time.Time) time.Duration {
	d := max(0, m.now.Sub(t))
	if d >= 10*time.Second {
		return d.Truncate(time.Second)
	}
	m.tenths = true
	return d.Truncate(time.Second / 10)
}

// appendTenths appends a duration that is read as it runs: 0.8s, 9.9s, then
// as journal.Short prints it.
func appendTenths(b []byte, d time.Duration) []byte {
	if d < 10*time.Second {
		return append(strconv.AppendFloat(b, d.Truncate(time.Second/10).Seconds(), 'f', 1, 64), 's')
	}
	return journal.AppendShort(b, d)
}

// appendAge appends an age in whole seconds.
func appendAge(b []byte, d time.Duration) []byte {
	if d < time.Minute {
		return append(strconv.AppendInt(b, int64(d/time.Second), 10), 's')
	}
	return journal.AppendShort(b, d)
}

// putAge writes how long ago t was.
func (m *model) putAge(p *screen.Pen, st screen.Style, t time.Time) *screen.Pen {
	var buf [16]byte
	return p.Bytes(st, appendAge(buf[:0], m.age(t)))
}
