package cli

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"informerscope/journal/findings"
	"informerscope/journal/state"
)

// findingFlags say what is a finding, and whether one is a failure.
type findingFlags struct {
	specs  thresholdsValue
	file   string
	failOn failOnValue

	thresholds findings.Thresholds // after read; zero is the defaults
}

func (f *findingFlags) addThresholds(fs *pflag.FlagSet) {
	fs.Var(&f.specs, "threshold", "from when on something is a finding, such as hot-loop=30/m, stuck-worker=10s or tombstones=off (docs/findings.md lists them); may be repeated")
	fs.StringVar(&f.file, "thresholds", "", "read thresholds from `FILE`, YAML with a NAME: VALUE a line; --threshold goes before it")
}

func (f *findingFlags) addFailOn(fs *pflag.FlagSet) {
	fs.Var(&f.failOn, "fail-on-finding", "exit with 1 when something looks wrong at the end, or did before: any finding, those from a severity on (high, medium, low), or of these kinds; prints each to stderr")
	fs.Lookup("fail-on-finding").NoOptDefVal = anyFinding
}

// given reports whether there are thresholds on the command line.
func (f *findingFlags) given() bool { return f.file != "" || len(f.specs) > 0 }

// read puts the thresholds together: those of the file, and then those of the
// command line; base are the others.
func (f *findingFlags) read(base findings.Thresholds) error {
	f.thresholds = base
	if f.file != "" {
		data, err := os.ReadFile(f.file)
		if err != nil {
			return usagef("--thresholds: %s", oneLine(err.Error()))
		}
		if err := f.thresholds.ParseFile(data); err != nil {
			return usagef("--thresholds: %s: %s", f.file, oneLine(err.Error()))
		}
	}
	for _, spec := range f.specs {
		if err := f.thresholds.Parse(spec); err != nil {
			return usagef("--threshold: %s", err)
		}
	}
	for _, k := range f.failOn.kinds {
		if f.thresholds.Off(k) {
			return usagef("--fail-on-finding=%s cannot be used together with its threshold off: it would never fail", k)
		}
	}
	return nil
}

// validate is read for a session.
func (f *findingFlags) validate() error { return f.read(findings.Default()) }

// check prints what was found that is a failure, and returns that; nil when there
// is none.
func (f *findingFlags) check(w io.Writer, s *state.State, now time.Time) error {
	if !f.failOn.set {
		return nil
	}
	counts := map[findings.Kind]int{}
	n := 0
	for _, x := range s.Findings(now) {
		if !f.failOn.has(&x) {
			continue
		}
		n++
		printFinding(w, &x, counts[x.Kind] == 0)
		counts[x.Kind]++
	}
	if n == 0 {
		return nil
	}
	var parts []string
	for _, k := range findings.Kinds() {
		if c := counts[k.Kind]; c > 1 {
			parts = append(parts, fmt.Sprintf("%s (%d)", k.Kind, c))
		} else if c == 1 {
			parts = append(parts, string(k.Kind))
		}
	}
	noun := "findings"
	if n == 1 {
		noun = "finding"
	}
	return failf(nil, "%d %s: %s", n, noun, strings.Join(parts, ", "))
}

// printFinding prints what was found, the causes that something speaks for, and
// with the first of a kind what to do.
func printFinding(w io.Writer, x *findings.Finding, first bool) {
	fmt.Fprintln(w, findingLine(x))
	for _, c := range x.Causes {
		if c.Sign != "" {
			fmt.Fprintf(w, "  likely: %s (%s)\n", c.Text, c.Sign)
		}
	}
	if info, _ := findings.InfoOf(x.Kind); first && info.Remedy != "" {
		fmt.Fprintln(w, "  remedy:", info.Remedy)
	}
}

// findingLine is a finding in one line.
func findingLine(x *findings.Finding) string {
	parts := []string{"finding:", string(x.Kind)}
	if x.Resource != "" {
		parts = append(parts, x.Resource)
	}
	line := strings.Join(parts, " ") + ": " + x.Text
	if x.Seq > 0 {
		line += fmt.Sprintf(" (%s, event %d", x.Severity(), x.Seq)
		if !x.Active {
			line += ", over now"
		}
		line += ")"
	}
	return line
}

// thresholdsValue is a list of NAME=VALUE.
type thresholdsValue []string

var _ pflag.Value = (*thresholdsValue)(nil)

// String is the value as Set takes it.
func (v *thresholdsValue) String() string { return strings.Join(*v, " ") }

// Type names the value in usage texts.
func (v *thresholdsValue) Type() string { return "NAME=VALUE" }

// Set checks a threshold.
func (v *thresholdsValue) Set(s string) error {
	t := findings.Default()
	if err := t.Parse(s); err != nil {
		return err
	}
	*v = append(*v, s)
	return nil
}

// anyFinding stands for all kinds.
const anyFinding = "any"

// failOnValue are kinds of findings, and all from a severity on; neither is all of
// them.
type failOnValue struct {
	set   bool
	least findings.Severity
	kinds []findings.Kind
}

var _ pflag.Value = (*failOnValue)(nil)

// has reports whether x is one of them.
func (v *failOnValue) has(x *findings.Finding) bool {
	switch {
	case !v.set:
		return false
	case v.least != "" && x.Severity().AtLeast(v.least):
		return true
	}
	return v.least == "" && len(v.kinds) == 0 || slices.Contains(v.kinds, x.Kind)
}

// String is the value as Set takes it.
func (v *failOnValue) String() string {
	if v.set && len(v.kinds) == 0 && v.least == "" {
		return anyFinding
	}
	var names []string
	if v.least != "" {
		names = append(names, string(v.least))
	}
	for _, k := range v.kinds {
		names = append(names, string(k))
	}
	return strings.Join(names, ",")
}

// Type names the value in usage texts.
func (v *failOnValue) Type() string { return "[=SEVERITY|KIND,...]" }

// Set parses the value.
func (v *failOnValue) Set(s string) error {
	if s == anyFinding {
		v.set, v.kinds, v.least = true, nil, ""
		return nil
	}
	for name := range strings.SplitSeq(s, ",") {
		if s := findings.Severity(strings.TrimSpace(name)); slices.Contains(findings.Severities, s) {
			if v.least == "" || v.least.AtLeast(s) {
				v.least = s // which has the graver ones in it
			}
			continue
		}
		k := findings.Kind(strings.TrimSpace(name))
		if _, ok := findings.InfoOf(k); !ok {
			return accepted(strings.Join(failOnWords(), ", "))
		}
		if !slices.Contains(v.kinds, k) {
			v.kinds = append(v.kinds, k)
		}
	}
	v.set = true
	return nil
}

func failOnWords() []string {
	words := []string{anyFinding}
	for _, s := range findings.Severities {
		words = append(words, string(s))
	}
	for _, k := range findings.Kinds() {
		words = append(words, string(k.Kind))
	}
	return words
}

func completeFindingFlags(cmd *cobra.Command) {
	var thresholds []string
	for _, t := range findings.AllThresholds() {
		thresholds = append(thresholds, t.Name+"="+t.Default)
	}
	for flag, words := range map[string][]string{"threshold": thresholds, "fail-on-finding": failOnWords()} {
		// The error is for a flag that does not exist.
		if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
			panic(err)
		}
	}
}
