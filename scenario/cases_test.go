package scenario_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"informerscope/engine"
	"informerscope/scenario"
)

// TestCasesHold runs every built-in scenario twice, side by side: both hold, and
// say the same.
func TestCasesHold(t *testing.T) {
	for _, name := range scenario.Cases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, err := scenario.Case(name)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(f.Source, "https://") || f.About == "" {
				t.Errorf("source %q and about %q must be there", f.Source, f.About)
			}
			var told [2]string
			var runs sync.WaitGroup
			for i := range told {
				runs.Go(func() { told[i] = play(t, f) })
			}
			runs.Wait()
			if told[0] != told[1] {
				t.Errorf("two runs differ:\n%s\n---\n%s", told[0], told[1])
			}
		})
	}
}

// patience is how long a test waits for what comes at once on an idle machine.
const patience = time.Minute

// play runs a scenario that must hold, and returns what it told.
func play(t *testing.T, f *scenario.File) string {
	t.Helper()
	var told strings.Builder
	var session *engine.Session
	res, err := scenario.Play(t.Context(), f, scenario.PlayOptions{
		Tell:    func(line string) { told.WriteString(line + "\n") },
		Started: func(s *engine.Session) { session = s },

		Patience: patience,
	})
	if err != nil {
		t.Error(err)
	}
	for _, fail := range res.Failures {
		t.Errorf("%s:%d: step %d: %s %v\n%s", f.Name, fail.Line, fail.Step, fail.What, fail.Differences, told.String())
		for v, i := session.Journal().View(), 0; i < v.Len(); i++ {
			t.Logf("%s", v.At(i).AppendJSON(nil))
		}
	}
	return told.String()
}
