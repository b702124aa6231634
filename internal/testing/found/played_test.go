package found

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"informerscope/engine"
	"informerscope/journal"
	"informerscope/journal/findings"
	"informerscope/scenario"
)

// played is a scenario, and what is found in what it brings about.
type played struct {
	scenario string
	specs    []string      // thresholds other than the defaults
	later    time.Duration // how long after the end somebody looks
	want     []string      // regular expressions of "resource key name: text", with " (over)" when it is not active
}

// wantPlayed plays each case of a table and compares the findings of one kind.
// The files say by their clock how much time passes, so that minutes take none.
func wantPlayed(t *testing.T, kind findings.Kind, cases map[string]played) {
	t.Helper()
	for name, tt := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, now := playFile(t, tt.scenario)
			th := findings.Default()
			for _, spec := range tt.specs {
				if err := th.Parse(spec); err != nil {
					t.Fatal(err)
				}
			}
			set := findings.New(th)
			for i := range v.Len() {
				if e := v.At(i); e.Kind != journal.KindClockFake { // here it tells the time of the wire too
					set.Apply(e)
				}
			}
			var got []string
			for _, f := range set.List(now.Add(tt.later)) {
				if f.Kind != kind {
					continue
				}
				text := strings.Join(strings.Fields(f.Resource+" "+f.Key+" "+f.Name), " ") + ": " + f.Text
				if !f.Active {
					text += " (over)"
				}
				got = append(got, text)
				if e := v.Find(f.Seq); e == nil || !strings.HasPrefix(f.Resource, e.Resource) {
					t.Errorf("the evidence of %s is event %d, which is %v", text, f.Seq, e)
				}
			}
			if !matchAll(got, tt.want) {
				t.Errorf("found\n\t%s\nwant\n\t%s\n%s", strings.Join(got, "\n\t"), strings.Join(tt.want, "\n\t"), eventsText(v))
			}
		})
	}
}

func matchAll(got, want []string) bool {
	if len(got) != len(want) {
		return false
	}
	for i := range want {
		if !regexp.MustCompile("^" + want[i] + "$").MatchString(got[i]) {
			return false
		}
	}
	return true
}

// playFile plays a scenario, and returns what had happened at its end, and when
// that was: the end of the session is not part of it.
func playFile(t *testing.T, text string) (v journal.View, now time.Time) {
	t.Helper()
	f, err := scenario.Parse("test", []byte(strings.ReplaceAll("title: a test\n"+text, "\t", "  ")))
	if err != nil {
		t.Fatal(err)
	}
	f.Steps = append(f.Steps, scenario.Step{Say: "the end"})
	var s *engine.Session
	res, err := scenario.Play(t.Context(), f, scenario.PlayOptions{
		Started: func(started *engine.Session) { s = started },
		Begin: func(step, of int) {
			if step == of {
				v, now = s.Journal().View(), s.Now()
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, fail := range res.Failures {
		t.Fatalf("%d: %s %v\n%s", fail.Line, fail.What, fail.Differences, eventsText(s.Journal().View()))
	}
	return v, now
}

func eventsText(v journal.View) string {
	var b strings.Builder
	for i := range v.Len() {
		e := v.At(i)
		fmt.Fprintf(&b, "%s %v %s %s\n", e.Time.Format("04:05.000"), e.Kind, e.Key, e.Details())
	}
	return b.String()
}
