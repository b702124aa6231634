package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"informerscope/engine"
	"informerscope/journal"
	"informerscope/journal/breakpoint"
)

// breaksValue collects the expressions of --break.
type breaksValue []string

var _ pflag.Value = (*breaksValue)(nil)

// String is the values as the usage shows them.
func (v *breaksValue) String() string { return strings.Join(*v, ", ") }

// Type names the value in usage texts.
func (v *breaksValue) Type() string { return "WORDS" }

// Set adds one expression.
func (v *breaksValue) Set(s string) error {
	b, err := breakpoint.Parse(s)
	if err != nil {
		return err
	}
	*v = append(*v, b.String())
	return nil
}

// setBreaks sets the breakpoints that were asked for.
func (o *Options) setBreaks(s *engine.Session) error {
	for _, expr := range o.Breaks {
		if _, err := s.Break(expr); err != nil {
			return usagef("--break %q: %s", expr, err)
		}
	}
	return nil
}

// tellHit says on w which breakpoint ended the run, if one did.
func (c *condition) tellHit(w io.Writer, s session) {
	if c.hit == nil {
		return
	}
	hit := c.hit.BreakpointHit()
	text := fmt.Sprintf("stopped at breakpoint %d (%s): event %d", hit.ID, hit.Breakpoint, hit.Seq)
	if e := s.Journal().View().Find(uint64(hit.Seq)); e != nil {
		text += strings.TrimRight(fmt.Sprintf(", %s %s %s", e.Kind, e.Resource, e.Key), " ")
	}
	fmt.Fprintln(w, text)
}

// isHit takes the event that ends a headless run before its time.
func (c *condition) isHit(e *journal.Event) bool {
	if e.Kind != journal.KindBreakpointHit {
		return false
	}
	hit := *e
	c.hit = &hit
	return true
}

func completeBreakFlag(cmd *cobra.Command) {
	complete := func(_ *cobra.Command, _ []string, typed string) (out []string, _ cobra.ShellCompDirective) {
		from := strings.LastIndexByte(typed, ' ') + 1
		for _, c := range breakpoint.Complete(typed[from:], nil) {
			if strings.HasPrefix(c.Word, typed[from:]) {
				out = append(out, typed[:from]+c.Word)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	// The error is for a flag that does not exist.
	if err := cmd.RegisterFlagCompletionFunc("break", complete); err != nil {
		panic(err)
	}
}
