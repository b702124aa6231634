package found

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"informerscope/internal/testing/docs"
	"informerscope/journal"
	"informerscope/journal/findings"
)

var measure = flag.Bool("measure", false, "play all of testdata, and write what was found of it to docs/findings.md (make findings)")

// least is how many scenarios of testdata a kind must have, of those that must find
// it, and of near misses that must not.
const least = 3

// corpusFile is a scenario of testdata. Its name begins with the kind that it is about.
type corpusFile struct {
	path  string
	about findings.Kind
	text  string
}

// finds reports whether the scenario expects a finding of k.
func (f *corpusFile) finds(k findings.Kind) bool {
	return strings.Contains(f.text, "kind: "+string(k)+",") || strings.Contains(f.text, "kind: "+string(k)+"}")
}

func corpus(t *testing.T) (all []corpusFile) {
	paths, err := filepath.Glob("testdata/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f := corpusFile{path: path, text: string(text)}
		for _, k := range findings.Kinds() {
			if strings.HasPrefix(filepath.Base(path), string(k.Kind)) && len(k.Kind) > len(f.about) {
				f.about = k.Kind
			}
		}
		if f.about == "" {
			t.Errorf("%s begins with no kind", path)
		}
		all = append(all, f)
	}
	return all
}

func TestEachKindHasCasesAndNearMisses(t *testing.T) {
	files := corpus(t)
	for _, k := range findings.Kinds() {
		cases, near := 0, 0
		for _, f := range files {
			switch {
			case f.about != k.Kind:
			case f.finds(k.Kind):
				cases++
			default:
				near++
			}
		}
		if cases < least || near < least {
			t.Errorf("%s: %d cases and %d near misses, want %d of each in testdata/%s*.yaml", k.Kind, cases, near, least, k.Kind)
		}
	}
}

// measured is what was found of one kind.
type measured struct {
	cases, found  int
	near, quiet   int
	wrong         int // found where it is not expected, in any scenario
	timesToDetect []time.Duration
}

func (m *measured) row(k findings.Kind) string {
	slices.Sort(m.timesToDetect)
	median := "-"
	if n := len(m.timesToDetect); n > 0 {
		median = journal.Short(m.timesToDetect[n/2])
	}
	share := func(n, of int) string { return fmt.Sprintf("%.2f", float64(n)/float64(max(1, of))) }
	return fmt.Sprintf("| `%s` | %d of %d | %d of %d | %d | %s | %s | %s |\n", k, m.found, m.cases, m.near-m.quiet, m.near, m.wrong,
		share(m.found, m.found+m.wrong), share(m.found, m.cases), median)
}

// TestMeasured is make findings.
func TestMeasured(t *testing.T) {
	if !*measure {
		t.Skip("run by make findings")
	}
	var mu sync.Mutex
	all := map[findings.Kind]*measured{}
	for _, k := range findings.Kinds() {
		all[k.Kind] = &measured{}
	}
	files := corpus(t)
	t.Run("scenarios", func(t *testing.T) {
		for _, f := range files {
			t.Run(filepath.Base(f.path), func(t *testing.T) {
				t.Parallel()
				s := play(t, f.path)
				first := firstFound(s.Journal().View(), s.Snapshot().Thresholds())
				mu.Lock()
				defer mu.Unlock()
				for k, m := range all {
					after, found := first[k]
					switch expected := f.finds(k); {
					case expected && k == f.about:
						m.cases++
						if found {
							m.found++
							m.timesToDetect = append(m.timesToDetect, after)
						}
					case !expected && k == f.about:
						m.near++
						if !found {
							m.quiet++
						}
					}
					if found && !f.finds(k) {
						m.wrong++
						fmt.Printf("%s: %s is found, and not expected\n", f.path, k)
					}
				}
			})
		}
	})
	var b strings.Builder
	b.WriteString("\n| kind | cases found | near misses found | elsewhere | precision | recall | time to detect |\n|---|---|---|---|---|---|---|\n")
	for _, k := range findings.Kinds() {
		b.WriteString(all[k.Kind].row(k.Kind))
	}
	fmt.Print(b.String())
	b.WriteString("\n")
	docs.File(t, "../../../docs/findings.md", func(old string) string { return docs.Between(t, old, "measured", b.String()) })
}

// firstFound is when each kind was found first: how long after the first verb or, where
// none was said before, after the beginning, on the session's clock.
func firstFound(v journal.View, o findings.Thresholds) map[findings.Kind]time.Duration {
	set, first := findings.New(o), map[findings.Kind]time.Duration{}
	var began, at time.Time
	said := false
	look := func() {
		for _, x := range set.List(at) {
			if _, ok := first[x.Kind]; !ok {
				first[x.Kind] = at.Sub(began)
			}
		}
	}
	for i := range v.Len() {
		e := v.At(i)
		if i == 0 {
			began, at = e.Time, e.Time
		}
		for due := set.Due(at); !due.IsZero() && due.Before(e.Time); due = set.Due(at) {
			at = due.Add(1)
			look()
		}
		at = e.Time
		if e.Kind == journal.KindCommanded && !said && len(first) == 0 {
			said, began = true, e.Time
		}
		set.Apply(e)
		if len(set.Raised()) > 0 {
			look()
		}
	}
	look()
	return first
}
