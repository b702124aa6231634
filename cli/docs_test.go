package cli

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"informerscope/journal"
	"informerscope/journal/findings"
	"informerscope/scenario"
	"informerscope/ui"
)

// Renew what is generated with: go test ./cli -run TestDocs -update
var update = flag.Bool("update", false, "renew the generated documentation")

const generatedNote = "<!-- Generated: go test ./cli -run TestDocs -update -->"

// TestDocs keeps the documentation in step with flags, keys and event kinds.
func TestDocs(t *testing.T) {
	file(t, "../docs/flags.md", func(string) string { return flagsPage() })
	file(t, "../docs/events.md", func(string) string { return eventsPage() })
	file(t, "../docs/findings.md", findingsPage)
	file(t, "../docs/verbs.md", func(string) string { return scenario.Markdown() })
	file(t, "../docs/scenario.schema.json", func(string) string { return scenario.JSONSchema() })
	file(t, "../docs/scenarios.md", scenariosPage)
	file(t, "../README.md", func(old string) string {
		own := []string{groupWhat, groupEngine, groupOutput, groupSandbox}
		old = between(t, old, "picture", picture(t, "panes-120x40"))
		old = between(t, old, "comparison", picture(t, "compare2-difference-80x24"))
		old = between(t, old, "flags", flagTable(rootFlags(), own))
		return between(t, old, "keys", keyTable())
	})
}

// file compares a file with what make makes of its present content, or renews
// it.
func file(t *testing.T, path string, make func(old string) string) {
	t.Helper()
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	want := make(string(old))
	if want == string(old) {
		return
	}
	if !*update {
		t.Errorf("%s is stale: run go test ./cli -run TestDocs -update", path)
		return
	}
	if err := os.MkdirAll("../docs", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// between replaces what is between <!-- name --> and <!-- /name -->.
func between(t *testing.T, text, name, content string) string {
	t.Helper()
	start, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
	head, rest, ok := strings.Cut(text, start)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("README.md has no %s... %s", start, end)
	}
	return head + start + content + end + tail
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
	return fmt.Sprintf("| `%s` | %s | %s |\n", cell(name), preset, cell(usage))
}

// cell keeps a text from ending its table cell.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

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
		fmt.Fprintf(&b, "| %s | %s |\n", keyNames(k.Keys), cell(k.Help))
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
func findingsPage(old string) string {
	var kinds, thresholds strings.Builder
	for _, k := range findings.Kinds() {
		fmt.Fprintf(&kinds, "\n### %s\n\n`%s`", strings.ToUpper(k.Title[:1])+k.Title[1:], k.Kind)
		for _, name := range k.Thresholds[1:] {
			fmt.Fprintf(&kinds, ", `%s`", name)
		}
		fmt.Fprintf(&kinds, "\n\n%s\n\n**Remedy:** %s\n", k.Explain, k.Remedy)
	}
	thresholds.WriteString("| name | default | from when on it is a finding |\n|---|---|---|\n")
	for _, x := range findings.AllThresholds() {
		fmt.Fprintf(&thresholds, "| `%s` | `%s` | %s |\n", x.Name, x.Default, cell(x.Help))
	}
	for name, content := range map[string]string{"kinds": kinds.String() + "\n", "thresholds": thresholds.String()} {
		start, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
		head, rest, ok := strings.Cut(old, start)
		_, tail, ok2 := strings.Cut(rest, end)
		if !ok || !ok2 {
			return "docs/findings.md has no " + start + end
		}
		old = head + start + content + end + tail
	}
	return old
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
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", k, cell(k.Doc()), strings.Join(fields, ", "))
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

// scenariosPage renews the tables and the list of docs/scenarios.md.
func scenariosPage(old string) string {
	for name, content := range scenario.Tables() {
		start, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
		head, rest, ok := strings.Cut(old, start)
		_, tail, ok2 := strings.Cut(rest, end)
		if !ok || !ok2 {
			return "docs/scenarios.md has no " + start + end
		}
		old = head + start + content + end + tail
	}
	return old
}
