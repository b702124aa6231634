// Package phrase words things: ages and counts, keys, events. Each is said in one
// way, and shorter where there is less room. It imports the journal, screen and
// theme.
package phrase

import (
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"informerscope/journal"
	"informerscope/ui/screen"
)

// AppendTenths appends a duration that is read as it runs: 0.8s, 9.9s, then
// as journal.Short prints it.
func AppendTenths(b []byte, d time.Duration) []byte {
	if d < 10*time.Second {
		return append(strconv.AppendFloat(b, d.Truncate(time.Second/10).Seconds(), 'f', 1, 64), 's')
	}
	return journal.AppendShort(b, d)
}

// AppendAge appends an age in whole seconds.
func AppendAge(b []byte, d time.Duration) []byte {
	if d < time.Minute {
		return append(strconv.AppendInt(b, int64(d/time.Second), 10), 's')
	}
	return journal.AppendShort(b, d)
}

// AppendOffset appends a time since the start with so many decimals, one when
// that is long ago: +12.031, +3723.1.
func AppendOffset(b []byte, d time.Duration, digits int) []byte {
	if d < 0 {
		b, d = append(b, '-'), -d
	} else {
		b = append(b, '+')
	}
	if d >= 1000*time.Second {
		digits = 1
	}
	unit := time.Second
	for range digits {
		unit /= 10
	}
	return strconv.AppendFloat(b, d.Truncate(unit).Seconds(), 'f', digits, 64)
}

// Period prints a resync period, of which 0 means never.
func Period(d time.Duration) string {
	switch {
	case d == 0:
		return "never"
	case d < time.Minute:
		return d.String() // as it was asked for: 2s, not 2.0s
	}
	return journal.Short(d)
}

// Count is a count in text.
func Count(n uint64) string { return string(screen.AppendCount(nil, int64(n))) }

// AppendPlural appends "3 keys", "1 key".
func AppendPlural(b []byte, n int, noun string) []byte {
	b = screen.AppendCount(b, int64(n))
	b = append(append(b, ' '), noun...)
	if n != 1 {
		b = append(b, 's')
	}
	return b
}

// OrNothing stands for a text that may be empty.
func OrNothing(s string) string {
	if s == "" {
		return "(nothing)"
	}
	return s
}

// WorkerName names a worker "worker 1".
func WorkerName(n string) string {
	if _, err := strconv.Atoi(n); err == nil {
		return "worker " + n
	}
	return n
}

// ShortWorker names a worker "w1".
func ShortWorker(n string) string {
	for i := 0; i < len(n); i++ {
		if n[i] >= '0' && n[i] <= '9' {
			return "w" + n[i:]
		}
	}
	return n
}

// Pace says how many items a second pass.
func Pace(p float64) string {
	if p == 0 {
		return "real time"
	}
	return strconv.FormatFloat(p, 'g', 3, 64) + "/s"
}

// Wrap breaks a text at spaces into lines of w columns.
func Wrap(s string, w int) []string {
	var out []string
	line, n := "", 0
	for word := range strings.FieldsSeq(s) {
		wide := ansi.StringWidth(word)
		if line != "" && n+1+wide > w {
			out = append(out, line)
			line, n = "", 0
		}
		if line != "" {
			line, n = line+" ", n+1
		}
		line, n = line+word, n+wide
	}
	return append(out, line)
}
