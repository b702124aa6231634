package cli

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"informerscope/engine/deltafifo"
)

// compareValue is two or three queue disciplines, separated by commas.
type compareValue []string

var _ pflag.Value = (*compareValue)(nil)

// String is the value as Set takes it.
func (c *compareValue) String() string { return strings.Join(*c, ",") }

// Type names the value in usage texts.
func (c *compareValue) Type() string { return "DISCIPLINE,DISCIPLINE" }

// Set parses the value; the last one given counts.
func (c *compareValue) Set(s string) error {
	words := strings.Split(s, ",")
	all := strings.Join(deltafifo.Disciplines, ", ")
	for i, w := range words {
		if !slices.Contains(deltafifo.Disciplines, w) {
			return accepted("two or three of " + all + ", separated by commas")
		}
		if slices.Contains(words[:i], w) {
			return accepted("each discipline once: two or three of " + all)
		}
	}
	if len(words) < 2 {
		return accepted("at least two disciplines of " + all + ", such as delta,atomic; for one alone use --fifo=" + s)
	}
	*c = words
	return nil
}

// fifo is the discipline of the queues; "" when several are compared.
func (o *Options) fifo() string {
	if len(o.Compare) > 0 {
		return ""
	}
	return o.FIFO.word
}

func (o *Options) validateCompare() error {
	if len(o.Compare) > 0 && o.changed["fifo"] {
		return usagef("--compare and --fifo cannot be used together: --compare names the disciplines").
			hint("drop --fifo, or drop --compare")
	}
	return nil
}
