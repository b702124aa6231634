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
	fs.Var(&f.failOn, "fail-on-finding", "exit with 1 when something looks wrong at the end, or did before: any finding, or one of these kinds; prints each to stderr")
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
		if !f.failOn.has(x.Kind) {
			continue
		}
		counts[x.Kind]++
		n++
		fmt.Fprintln(w, findingLine(x))
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

// findingLine is a finding for stderr.
func findingLine(x findings.Finding) string {
	parts := []string{"finding:", string(x.Kind)}
	if x.Resource != "" {
		parts = append(parts, x.Resource)
	}
	line := strings.Join(parts, " ") + ": " + x.Text
	if x.Seq > 0 {
		line += fmt.Sprintf(" (event %d", x.Seq)
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

// failOnValue are kinds of findings; none is all of them.
type failOnValue struct {
	set   bool
	kinds []findings.Kind
}

var _ pflag.Value = (*failOnValue)(nil)

// has reports whether k is one of them.
func (v *failOnValue) has(k findings.Kind) bool {
	return v.set && (len(v.kinds) == 0 || slices.Contains(v.kinds, k))
}

// String is the value as Set takes it.
func (v *failOnValue) String() string {
	if v.set && len(v.kinds) == 0 {
		return anyFinding
	}
	names := make([]string, len(v.kinds))
	for i, k := range v.kinds {
		names[i] = string(k)
	}
	return strings.Join(names, ",")
}

// Type names the value in usage texts.
func (v *failOnValue) Type() string { return "[=KIND,...]" }

// Set parses the value.
func (v *failOnValue) Set(s string) error {
	if s == anyFinding {
		v.set, v.kinds = true, nil
		return nil
	}
	for name := range strings.SplitSeq(s, ",") {
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
