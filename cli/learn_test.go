package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLessonsAreListedWithProgress(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	r := command(t, "learn")
	r.ok(t)
	if !strings.Contains(r.out, "06-three-sets") || !strings.Contains(r.out, "The workqueue's three sets") {
		t.Errorf("listed:\n%s", r.out)
	}
	file := filepath.Join(dir, "informerscope", "lessons.json")
	if err := writeProgress(file, "06-three-sets", progress{Step: 3}); err != nil {
		t.Fatal(err)
	}
	if r := command(t, "learn"); !strings.Contains(r.out, "06-three-sets                      at 3/7 ") {
		t.Errorf("at the third step:\n%s", r.out)
	}
	if err := writeProgress(file, "06-three-sets", progress{Step: 7, Done: true}); err != nil {
		t.Fatal(err)
	}
	if err := writeProgress(file, "06-three-sets", progress{Step: 1}); err != nil {
		t.Fatal(err)
	}
	if r := command(t, "learn"); !strings.Contains(r.out, "06-three-sets                      done ") {
		t.Errorf("what was done stays done:\n%s", r.out)
	}
	if err := os.WriteFile(file, []byte("{broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := command(t, "learn"); !strings.Contains(r.out, "06-three-sets                                 ") {
		t.Errorf("a broken file:\n%s", r.out)
	}
}

func TestScenarioOnTheScreenNeedsOneAndATerminal(t *testing.T) {
	command(t, "run", "--tui", "case:E1", "case:E2").fails(t, 2, "--tui shows one scenario, but got 2")
	command(t, "run", "--tui", "case:E1").fails(t, 2, "--tui needs a terminal")
}

func TestLearnSaysWhatIsWrong(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	command(t, "learn", "juggling").fails(t, 2, `there is no lesson "juggling"`, "learn lists them")
	command(t, "learn", "6", "7").fails(t, 2, "takes one lesson")
	command(t, "learn", "6").fails(t, 2, "a lesson needs a terminal", "run lesson:06-three-sets")
}
