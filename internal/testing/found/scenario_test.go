package found

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"informerscope/engine"
	"informerscope/journal/findings"
	"informerscope/scenario"
)

// TestScenarios plays testdata/KIND*.yaml: when a kind is found, and when it is
// not.
func TestScenarios(t *testing.T) {
	for _, k := range findings.Kinds() {
		t.Run(string(k.Kind), func(t *testing.T) {
			t.Parallel()
			paths, err := filepath.Glob("testdata/" + string(k.Kind) + "*.yaml")
			if err != nil {
				t.Fatal(err)
			}
			// Others have their scenarios in tables of their own.
			own, _ := os.ReadFile(strings.ReplaceAll(string(k.Kind), "-", "") + "_test.go")
			if len(paths) == 0 && !strings.Contains(string(own), "wantPlayed(") {
				t.Errorf("no scenario finds it: write testdata/%s.yaml", k.Kind)
			}
			for _, path := range paths {
				t.Run(filepath.Base(path), func(t *testing.T) {
					t.Parallel()
					play(t, path)
				})
			}
		})
	}
}

func play(t *testing.T, path string) *engine.Session {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := scenario.Parse(path, data)
	if err != nil {
		t.Fatal(err)
	}
	var session *engine.Session
	var told strings.Builder
	res, err := scenario.Play(t.Context(), f, scenario.PlayOptions{
		Tell:    func(line string) { told.WriteString(line + "\n") },
		Started: func(s *engine.Session) { session = s },
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, fail := range res.Failures {
		t.Errorf("%s:%d: %s %v\n%s", path, fail.Line, fail.What, fail.Differences, told.String())
		for v, i := session.Journal().View(), 0; i < v.Len(); i++ {
			t.Logf("%s", v.At(i).AppendJSON(nil))
		}
	}
	return session
}
