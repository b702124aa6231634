package scenario

import (
	"fmt"
	"strings"
)

// Markdown is docs/verbs.md.
func Markdown() string {
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
