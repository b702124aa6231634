package scenario

import (
	"fmt"
	"strings"
	"testing"

	"informerscope/internal/testing/docs"
)

// TestDocs keeps the documentation in step with the verbs and the fields of
// scenario files.
func TestDocs(t *testing.T) {
	docs.File(t, "../docs/verbs.md", func(string) string { return verbsPage() })
	docs.File(t, "../docs/scenario.schema.json", func(string) string { return jsonSchema() })
	docs.File(t, "../docs/scenarios.md", func(page string) string {
		for name, content := range tables() {
			page = docs.Between(t, page, name, content)
		}
		return page
	})
}

// verbsPage is docs/verbs.md.
func verbsPage() string {
	var b strings.Builder
	b.WriteString(`# Verbs

Type them after ` + "`:`" + ` in the inspector; tab completes. A verb acts on the resource that is shown;
` + "`-r RESOURCE`" + ` in front of it names another one. Words with spaces are quoted: ` + "`\"text=try again\"`" + `.

This page is generated (` + "`make docs`" + `).
`)
	for _, g := range Groups {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| verb | what it does |\n|---|---|\n", strings.ToUpper(string(g.Group)[:1])+string(g.Group)[1:], g.Doc)
		for i := range Verbs {
			v := &Verbs[i]
			if v.Group != g.Group {
				continue
			}
			what := v.Help
			for _, a := range v.Args {
				if a.Help != "" {
					what += "; " + a.Name + ": " + a.Help
				}
			}
			if v.fault != nil {
				what += ". " + strings.ToUpper(v.fault.Then[:1]) + v.fault.Then[1:]
				for _, p := range v.fault.Params {
					what += "; " + p.Name + ": " + p.Help
				}
			}
			cell := strings.NewReplacer("|", `\|`, "\n", " ")
			fmt.Fprintf(&b, "| `%s` | %s |\n", cell.Replace(v.Usage()), cell.Replace(what))
		}
	}
	return b.String()
}

// tables are the generated parts of docs/scenarios.md, by name.
func tables() map[string]string {
	r := &reader{}
	table := func(fields []field) string {
		var b strings.Builder
		b.WriteString("| field | what it says |\n|---|---|\n")
		for _, f := range fields {
			fmt.Fprintf(&b, "| `%s` | %s |\n", f.name, docs.Cell(f.doc))
		}
		return b.String()
	}
	var ops, cases strings.Builder
	ops.WriteString("| instead of a value | what it means |\n|---|---|\n")
	for _, o := range operators {
		fmt.Fprintf(&ops, "| `%s:` | %s |\n", o.name, o.doc)
	}
	cases.WriteString("| name | what it shows |\n|---|---|\n")
	for _, name := range Cases() {
		f, err := Case(name)
		if err != nil {
			continue // TestCasesHold says so
		}
		fmt.Fprintf(&cases, "| [`%s%s`](../scenario/cases/%s.yaml) | %s |\n", CasePrefix, name, name, f.Title)
	}
	return map[string]string{
		"fields": table(r.fileFields(&File{})), "settings": table(r.settingFields(&Settings{})),
		"step": table(r.stepFields(&Step{})), "operators": ops.String(), "cases": cases.String(),
	}
}
