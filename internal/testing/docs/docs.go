// Package docs keeps generated documentation in step with what it is made of, and
// renews it with -update (make docs). Only tests import it; it imports nothing of
// this program.
package docs

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "renew the generated documentation")

// File compares a file with what render makes of its present content, or renews
// it.
func File(t *testing.T, path string, render func(old string) string) {
	t.Helper()
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	want := render(string(old))
	if want == string(old) {
		return
	}
	if !*update {
		t.Errorf("%s is stale: run make docs", path)
		return
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Between replaces what is between <!-- name --> and <!-- /name --> in a page.
func Between(t *testing.T, page, name, content string) string {
	t.Helper()
	start, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
	head, rest, ok := strings.Cut(page, start)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("the page has no %s... %s", start, end)
	}
	return head + start + content + end + tail
}

// Cell keeps a text from ending its table cell.
func Cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
