package conformance

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"informerscope/e2e/cluster"
)

var update = flag.Bool("update", false, "record kube-apiserver's answers and renew docs/conformance.md")

func TestMain(m *testing.M) {
	// Enough for every run; more with -rapid.checks, and others with
	// -rapid.seed=0: each run is to say the same of the same code.
	for name, value := range map[string]string{"rapid.checks": "40", "rapid.seed": "1"} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
	flag.Parse()
	os.Exit(cluster.Main(m))
}

// check is one property of a server.
type check struct {
	name string
	run  func(t *T, s *server)
	// alone keeps other checks from running meanwhile: it makes the server forget or restart.
	alone bool
}

// programmed are the tables of the other files.
var programmed = [][]check{
	discoveryChecks, listChecks, versionChecks, pageChecks, watchChecks, initialChecks, selectorChecks,
	deleteChecks, patchChecks, applyChecks, viewChecks, transportChecks, limitChecks, crdChecks, clientChecks,
}

// allChecks are the programmed checks and the exchanges.
func allChecks() (checks []check, files []*exchangeFile, err error) {
	if files, err = readExchanges(); err != nil {
		return nil, nil, err
	}
	for _, table := range programmed {
		checks = append(checks, table...)
	}
	for _, f := range files {
		topic := strings.TrimSuffix(filepath.Base(f.path), ".txt")
		for _, x := range f.exchanges {
			checks = append(checks, check{name: topic + ": " + x.name, run: func(t *T, s *server) {
				x.run(t, s, *update && s.name == "kube-apiserver")
			}})
		}
	}
	return checks, files, nil
}

// servers are what the suite runs against: kube-apiserver first, since it says what is right.
var servers = []struct {
	name  string
	start func(t *testing.T) *server
}{{"kube-apiserver", realServer}, {"sandbox", sandboxServer}}

// TestConformance runs every check against both servers.
func TestConformance(t *testing.T) {
	checks, files, err := allChecks()
	if err != nil {
		t.Fatal(err)
	}
	testTables(t, checks)
	held := map[string]int{}
	for _, s := range servers {
		t.Run(s.name, func(t *testing.T) { held[s.name] = runAll(t, s.start(t), checks) })
	}
	if *update {
		for _, f := range files {
			if err := f.write(); err != nil {
				t.Error(err)
			}
		}
		if err := saveFacts(); err != nil {
			t.Error(err)
		}
	}
	cluster.Report(t, "conformance: %d checks; %d hold on kube-apiserver, %d on the sandbox, where %d differ on purpose and %d are pending",
		len(checks), held["kube-apiserver"], held["sandbox"], len(differences), len(pending))
}

// runAll runs the checks against s and returns how many held. On the sandbox, those in differences and pending must fail
// and the others must hold.
func runAll(t *testing.T, s *server, checks []check) (held int) {
	// A check that the -run flag leaves out has no result.
	results := make([]*[]string, len(checks))
	t.Run("checks", func(t *testing.T) {
		for i, c := range checks {
			if c.alone {
				continue
			}
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				failures := runCheck(t.Context(), func(t *T) { c.run(t, s) })
				results[i] = &failures
				judge(t, s, c, failures)
			})
		}
	})
	t.Run("alone", func(t *testing.T) {
		for i, c := range checks {
			if !c.alone {
				continue
			}
			t.Run(c.name, func(t *testing.T) {
				failures := runCheck(t.Context(), func(t *T) { c.run(t, s) })
				results[i] = &failures
				judge(t, s, c, failures)
			})
		}
	})
	for _, failures := range results {
		if failures != nil && len(*failures) == 0 {
			held++
		}
	}
	return held
}

func judge(t *testing.T, s *server, c check, failures []string) {
	excuse := ""
	if s.name == "sandbox" {
		if excuse = differences[c.name]; excuse == "" {
			excuse = pending[c.name]
		}
	}
	switch {
	case excuse == "":
		for _, f := range failures {
			t.Error(f)
		}
	case len(failures) == 0:
		t.Errorf("it holds now: take %q out of the table of differences or pending (%s)", c.name, excuse)
	default:
		for _, f := range failures {
			t.Logf("excused (%s): %s", excuse, f)
		}
	}
}

// testTables makes sure that the tables name checks that exist, once.
func testTables(t *testing.T, checks []check) {
	t.Helper()
	seen := map[string]bool{}
	for _, c := range checks {
		if seen[c.name] {
			t.Errorf("two checks are named %q", c.name)
		}
		seen[c.name] = true
	}
	for _, table := range []map[string]string{differences, pending} {
		for name := range table {
			if !seen[name] {
				t.Errorf("a table names %q, which is no check", name)
			}
		}
	}
	for name := range differences {
		if pending[name] != "" {
			t.Errorf("%q is in both tables", name)
		}
	}
}
