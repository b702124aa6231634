package kubectl

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var docFile = filepath.Join("..", "..", "docs", "kubectl.md")

// TestDoc keeps docs/kubectl.md in step with the commands.
func TestDoc(t *testing.T) {
	script, err := readScript()
	if err != nil {
		t.Fatal(err)
	}
	want := document(script)
	if *update {
		if err := os.WriteFile(docFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(docFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not in step with %s; renew it: go test ./kubectl -run TestDoc -update", docFile, scriptFile)
	}
}

func document(script []*section) []byte {
	tried, same := 0, 0
	var body bytes.Buffer
	for _, s := range script {
		fmt.Fprintf(&body, "\n## %s\n\n| command | on the sandbox |\n|---|---|\n", s.name)
		for _, c := range s.commands {
			tried++
			result := "same"
			switch {
			case c.difference != "":
				result = "differs on purpose: " + c.difference
			case c.pending != "":
				result = "differs still: " + c.pending
			default:
				same++
			}
			fmt.Fprintf(&body, "| `%s` | %s |\n", strings.ReplaceAll(c.line, "|", `\|`), result)
		}
	}
	return append(fmt.Appendf(nil, `# kubectl and the sandbox

<!-- Generated: cd e2e && go test ./kubectl -run TestDoc -update -->

An unmodified kubectl runs these commands against kube-apiserver and against the sandbox, and what it prints is compared, ages,
uids, times and resourceVersions aside: %d commands, %d with the same result. No controllers run beside that kube-apiserver, so
the commands are about objects that controllers leave alone.
`, tried, same), body.Bytes()...)
}
