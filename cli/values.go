package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"informerscope/engine"
	"informerscope/engine/indexer"
)

// accepted is the error of a flag's value: what the flag takes instead.
type accepted string

// Error is what the flag takes.
func (a accepted) Error() string { return string(a) }

// rateValue is a flag of the form N or N/s.
type rateValue struct {
	perSecond float64
	word      string  // a word that means 0, such as realtime; "" for none
	lowest    float64 // smallest number accepted
	set       bool    // given on the command line
}

var _ pflag.Value = (*rateValue)(nil)

// String is the value as Set takes it.
func (r *rateValue) String() string {
	if r.perSecond == 0 && r.word != "" {
		return r.word
	}
	return strconv.FormatFloat(r.perSecond, 'f', -1, 64) + "/s"
}

// Type names the value in usage texts.
func (r *rateValue) Type() string {
	if r.word != "" {
		return "N/s|" + r.word
	}
	return "N/s"
}

// Set parses the value.
func (r *rateValue) Set(s string) error {
	if r.word != "" && s == r.word {
		r.perSecond, r.set = 0, true
		return nil
	}
	n, err := strconv.ParseFloat(strings.TrimSuffix(s, "/s"), 64)
	if err != nil || math.IsNaN(n) || n < r.lowest || n > engine.MaxPace {
		return r.accepted()
	}
	r.perSecond, r.set = n, true
	return nil
}

func (r *rateValue) accepted() accepted {
	text := fmt.Sprintf("a number a second from %s to %d, such as 4 or 4/s", strconv.FormatFloat(r.lowest, 'f', -1, 64), engine.MaxPace)
	if r.word != "" {
		text += ", or " + r.word
	}
	return accepted(text)
}

// untilValue says when a headless run ends.
type untilValue struct {
	what  string // "", "synced", "drained", "hit" or "duration"
	after time.Duration
}

var _ pflag.Value = (*untilValue)(nil)

const (
	untilSynced   = "synced"
	untilDrained  = "drained"
	untilDuration = "duration"
	untilHit      = "hit"
)

// String is the value as Set takes it.
func (u *untilValue) String() string {
	if u.what == untilDuration {
		return u.after.String()
	}
	return u.what
}

// Type names the value in usage texts.
func (u *untilValue) Type() string { return "synced|drained|hit|DURATION" }

// Set parses the value.
func (u *untilValue) Set(s string) error {
	switch s {
	case untilSynced, untilDrained, untilHit:
		*u = untilValue{what: s}
		return nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return accepted("synced, drained, hit, or a duration such as 5s")
	}
	*u = untilValue{what: untilDuration, after: d}
	return nil
}

// durationValue is a duration that is not negative.
type durationValue time.Duration

var _ pflag.Value = (*durationValue)(nil)

// String is the value as Set takes it.
func (d *durationValue) String() string {
	if *d == 0 {
		return "0"
	}
	s := time.Duration(*d).String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// Type names the value in usage texts.
func (d *durationValue) Type() string { return "DURATION" }

// Set parses the value.
func (d *durationValue) Set(s string) error {
	v, err := time.ParseDuration(s)
	if err != nil || v < 0 {
		return accepted("a duration such as 300ms, 5s or 2m, or 0")
	}
	*d = durationValue(v)
	return nil
}

// periodValue is a duration that a flag may leave out; it is given after "=".
type periodValue struct{ durationValue }

var _ pflag.Value = (*periodValue)(nil)

// Type names the value in usage texts.
func (*periodValue) Type() string { return "[=DURATION]" }

// shareValue is a number from 0 to 1.
type shareValue float64

var _ pflag.Value = (*shareValue)(nil)

// String is the value as Set takes it.
func (v *shareValue) String() string { return strconv.FormatFloat(float64(*v), 'f', -1, 64) }

// Type names the value in usage texts.
func (v *shareValue) Type() string { return "SHARE" }

// Set parses the value.
func (v *shareValue) Set(s string) error {
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(n) || n < 0 || n > 1 {
		return accepted("a share from 0 to 1, such as 0.1")
	}
	*v = shareValue(n)
	return nil
}

// countValue is an integer within bounds.
type countValue struct {
	n        int
	min, max int
}

var _ pflag.Value = (*countValue)(nil)

// String is the value as Set takes it.
func (c *countValue) String() string { return strconv.Itoa(c.n) }

// Type names the value in usage texts.
func (c *countValue) Type() string { return "N" }

// Set parses the value.
func (c *countValue) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < c.min || n > c.max {
		return accepted(fmt.Sprintf("a whole number from %d to %d", c.min, c.max))
	}
	c.n = n
	return nil
}

// choiceValue is one of a few words.
type choiceValue struct {
	word  string
	words []string
}

var _ pflag.Value = (*choiceValue)(nil)

// String is the value as Set takes it.
func (c *choiceValue) String() string { return c.word }

// Type names the value in usage texts.
func (c *choiceValue) Type() string { return strings.Join(c.words, "|") }

// Set parses the value.
func (c *choiceValue) Set(s string) error {
	for _, w := range c.words {
		if s == w {
			c.word = s
			return nil
		}
	}
	return accepted(strings.Join(c.words, " or "))
}

// indexesValue collects the specs of --index.
type indexesValue []string

var _ pflag.Value = (*indexesValue)(nil)

// String is the values as the usage shows them.
func (x *indexesValue) String() string { return strings.Join(*x, ",") }

// Type names the value in usage texts.
func (x *indexesValue) Type() string { return "SPEC" }

// Set adds one spec.
func (x *indexesValue) Set(s string) error {
	if _, _, err := indexer.Parse(s); err != nil {
		return err
	}
	*x = append(*x, s)
	return nil
}
