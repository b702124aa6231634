package cli

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"informerscope/internal/testing/docs"
	"informerscope/journal"
	"informerscope/journal/findings"
	"informerscope/ui"
)

// generatedNote says what renews a page.
const generatedNote = "<!-- Generated: go test ./cli -run TestDocs -update -->"

// TestDocs keeps the documentation in step with flags, keys and event kinds.
func TestDocs(t *testing.T) {
	docs.File(t, "../docs/flags.md", func(string) string { return flagsPage() })
	docs.File(t, "../docs/events.md", func(string) string { return eventsPage() })
	docs.File(t, "../docs/findings.md", func(old string) string { return findingsPage(t, old) })
	docs.File(t, "../README.md", func(old string) string {
		own := []string{groupWhat, groupEngine, groupOutput, groupSandbox}
		old = docs.Between(t, old, "picture", picture(t, "panes-120x40"))
		old = docs.Between(t, old, "comparison", picture(t, "compare2-difference-80x24"))
		old = docs.Between(t, old, "flags", flagTable(rootFlags(), own))
		return docs.Between(t, old, "keys", keyTable())
	})
}

func rootFlags() *pflag.FlagSet {
	return newCommand(NewOptions(streamsOf(&lockedBuffer{}), defaultProgram)).Flags()
}

// picture is a screen that the tests of ui compare with, so it is never of
// another program.
func picture(t *testing.T, name string) string {
	t.Helper()
	golden, err := os.ReadFile("../ui/testdata/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	return "```text\n" + strings.TrimRight(string(golden), "\n") + "\n```\n"
}

// flagTable lists the flags of some groups.
func flagTable(fs *pflag.FlagSet, groups []string) string {
	var b strings.Builder
	for _, g := range groupedFlags(fs) {
		for _, name := range groups {
			if g.name != name {
				continue
			}
			fmt.Fprintf(&b, "\n| %s | default | |\n|---|---|---|\n", g.name)
			g.flags.VisitAll(func(f *pflag.Flag) { b.WriteString(flagRow(f)) })
		}
	}
	return b.String() + "\n"
}

func flagRow(f *pflag.Flag) string {
	kind, usage := pflag.UnquoteUsage(f)
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	if kind != "" {
		name += " " + kind
	}
	preset := f.DefValue
	if preset == "false" || preset == "[]" {
		preset = ""
	}
	if preset != "" {
		preset = "`" + preset + "`"
	}
	return fmt.Sprintf("| `%s` | %s | %s |\n", docs.Cell(name), preset, docs.Cell(usage))
}

func flagsPage() string {
	var b strings.Builder
	b.WriteString("# Flags\n\n" + generatedNote + "\n\n    informerscope [TYPE[.VERSION][.GROUP][,TYPE...] [NAME...] | TYPE/NAME ...] [flags]\n")
	b.WriteString(flagTable(rootFlags(), flagGroups))
	b.WriteString("## informerscope sandbox\n\nServes the built-in API server alone.\n")
	sandbox, _, err := newCommand(NewOptions(streamsOf(&lockedBuffer{}), defaultProgram)).Find([]string{"sandbox"})
	if err != nil {
		panic(err)
	}
	b.WriteString(flagTable(sandbox.Flags(), []string{"Flags"}))
	b.WriteString(`## Exit codes

| code | |
|---|---|
| 0 | done; also when the reader of --events closed the pipe, or a signal ended it |
| 1 | what a server, a file or the network made impossible; also when --until was not reached within --timeout, and with --fail-on-finding when something looks wrong |
| 2 | what can be seen to be wrong without asking a server: flags, arguments, no terminal |
`)
	return b.String()
}

func keyTable() string {
	var b strings.Builder
	group := ""
	for _, k := range ui.Keys() {
		if k.Group != group {
			group = k.Group
			fmt.Fprintf(&b, "\n| %s | |\n|---|---|\n", group)
		}
		fmt.Fprintf(&b, "| %s | %s |\n", keyNames(k.Keys), docs.Cell(k.Help))
	}
	return b.String() + "\n"
}

// keyNames sets each key of "up k" or "1 ... 5" in code type.
func keyNames(keys string) string {
	var out []string
	for _, k := range strings.Fields(keys) {
		switch {
		case k == "...":
		case k == "|":
			k = "`\\|`"
		case strings.Contains(k, "`"):
			k = "`` " + k + " ``"
		default:
			k = "`" + k + "`"
		}
		out = append(out, k)
	}
	return strings.Join(out, " ")
}

// findingsPage renews the tables of docs/findings.md.
func findingsPage(t *testing.T, old string) string {
	var kinds, thresholds strings.Builder
	for _, k := range findings.Kinds() {
		fmt.Fprintf(&kinds, "\n### %s\n\n`%s`", strings.ToUpper(k.Title[:1])+k.Title[1:], k.Kind)
		for _, name := range k.Thresholds[1:] {
			fmt.Fprintf(&kinds, ", `%s`", name)
		}
		fmt.Fprintf(&kinds, ": %s\n\n%s\n\n**Remedy:** %s\n", k.Severity, k.Explain, k.Remedy)
		if k.Go != "" {
			fmt.Fprintf(&kinds, "\n```go\n%s\n```\n", k.Go)
		}
		fmt.Fprintf(&kinds, "\n**Not when:** %s\n\n**Over when** %s.", k.Unless, k.Until)
		if k.Lesson != "" {
			fmt.Fprintf(&kinds, " Lesson %s teaches it.", k.Lesson)
		}
		kinds.WriteByte('\n')
	}
	thresholds.WriteString("| name | default | from when on it is a finding |\n|---|---|---|\n")
	for _, x := range findings.AllThresholds() {
		fmt.Fprintf(&thresholds, "| `%s` | `%s` | %s |\n", x.Name, x.Default, docs.Cell(x.Help))
	}
	old = docs.Between(t, old, "kinds", kinds.String()+"\n")
	old = docs.Between(t, old, "cells", cellsTable())
	return docs.Between(t, old, "thresholds", thresholds.String())
}

func eventsPage() string {
	var b strings.Builder
	b.WriteString("# Events\n\n" + generatedNote + `

` + "`informerscope --events`" + ` prints the journal, one JSON object a line. Every event has

| field | |
|---|---|
| ` + "`seq`" + ` | its place in the journal, from 1, without gaps |
| ` + "`time`" + ` | when the journal took it, UTC, with microseconds |
| ` + "`kind`" + ` | what it is: the stage of the pipeline and what happened there |
| ` + "`resource`" + ` | the resource whose pipeline it is, where it is one's |
| ` + "`key`" + ` | namespace/name, or name, of the object, where it is about one |

and what its kind adds. Empty strings and false are left out. Fields that end in ` + "`Seconds`" + `, and ` + "`seconds`" + `, are
decimal seconds. Events that change indices have ` + "`indices`" + `, a list of ` + "`{\"index\",\"value\",\"added\"}`" + `. When a reader
is so slow that events fall out of the journal's memory (--history), a line ` + "`{\"kind\":\"journal.lost\",\"events\":N}`" + `
stands in their place.

What is [found](findings.md) is a line as well, as soon as it is found and once more when it is over:
` + "`{\"kind\":\"finding\",\"finding\":{...}}`" + `, with what ` + "`-o json`" + ` says of it. In a recording these lines come last.
`)
	stage := journal.Stage("")
	for _, k := range journal.Kinds() {
		if k.Stage() != stage {
			stage = k.Stage()
			fmt.Fprintf(&b, "\n## %s\n\n| kind | what happened | adds |\n|---|---|---|\n", stage)
		}
		var fields []string
		for _, f := range k.FieldNames() {
			fields = append(fields, "`"+f+"`")
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", k, docs.Cell(k.Doc()), strings.Join(fields, ", "))
	}
	return b.String()
}

// TestEveryKindIsDocumentedOnce guards the page against kinds out of order.
func TestEveryKindIsDocumentedOnce(t *testing.T) {
	page := eventsPage()
	for _, k := range journal.Kinds() {
		if n := strings.Count(page, "| `"+k.String()+"` |"); n != 1 || k.Doc() == "" {
			t.Errorf("%s is there %d times, doc %q", k, n, k.Doc())
		}
	}
	if n, stages := strings.Count(page, "\n## "), 9; n != stages {
		t.Errorf("%d sections for %d stages", n, stages)
	}
}
