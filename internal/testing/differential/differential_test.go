//go:debug randseednop=0
package differential

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	gocmp "github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"

	"informerscope/internal/testing/apiscript"
)

var (
	scripts = flag.Int("scripts", 10, "random scripts under each setting of the feature gates")
	seed    = flag.Uint64("seed", 1, "seed of the first script; the others follow it")
)

// settingVariable tells a child process which setting it is for.
const settingVariable = "INFORMERSCOPE_DIFFERENTIAL"

func TestMain(m *testing.M) {
	// client-go's error handlers pace themselves by a clock that outlives a bubble.
	utilruntime.ErrorHandlers = nil
	utilruntime.ReallyCrash, utilruntime.PanicHandlers = false, nil
	klog.SetLogger(logr.Discard())
	goleak.VerifyTestMain(m)
}

// setting is one way in which client-go's feature gates can be switched.
type setting struct {
	discipline string
	off        []string // gates that are on unless switched
}

func (s setting) String() string {
	if len(s.off) == 0 {
		return s.discipline
	}
	return s.discipline + " without " + strings.Join(s.off, ", ")
}

// settings are all that make a difference. AtomicFIFO off is RealFIFO in order,
// and then UnlockWhileProcessingFIFO says nothing. A DeltaFIFO knows neither
// batches nor unlocking; no gate brings it back, see delta.
func settings() (all []setting) {
	subsets := func(discipline string, always []string, gates ...string) {
		for bits := range 1 << len(gates) {
			s := setting{discipline, always}
			for i, g := range gates {
				if bits&(1<<i) != 0 {
					s.off = append(s.off[:len(s.off):len(s.off)], g)
				}
			}
			all = append(all, s)
		}
	}
	subsets("atomic", nil, "WatchListClient", "InOrderInformersBatchProcess", "UnlockWhileProcessingFIFO")
	subsets("inorder", []string{"AtomicFIFO"}, "WatchListClient", "InOrderInformersBatchProcess")
	subsets("delta", nil, "WatchListClient")
	return all
}

// TestEngineBehavesAsClientGo runs each setting in a process of its own:
// client-go reads its gates once.
func TestEngineBehavesAsClientGo(t *testing.T) {
	if os.Getenv(settingVariable) != "" {
		t.Skip("this is a child process")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range settings() {
		t.Run(s.String(), func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestScripts$", "-test.v", fmt.Sprint("-scripts=", *scripts), fmt.Sprint("-seed=", *seed))
			cmd.Env = append(os.Environ(), settingVariable+"="+s.discipline)
			for _, g := range s.off {
				cmd.Env = append(cmd.Env, "KUBE_FEATURE_"+g+"=false")
			}
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			_, after, ok := strings.Cut(string(out), countPrefix)
			if !ok {
				t.Fatalf("the process compared nothing:\n%s", out)
			}
			line, _, _ := strings.Cut(after, "\n")
			t.Log(line)
		})
	}
}

// TestScripts compares under the gates of this process.
func TestScripts(t *testing.T) {
	discipline := os.Getenv(settingVariable)
	if discipline == "" {
		t.Skip("run by TestEngineBehavesAsClientGo in processes of its own")
	}
	reference, bursts := newShared, true
	if discipline == "delta" {
		// What a DeltaFIFO makes of events that come together depends on how
		// far its consumer has got.
		reference, bursts = newDelta, false
	}
	var n counts
	for i := range *scripts {
		s := *seed + uint64(i)
		want, got := play(t, s, bursts, reference), play(t, s, bursts, newInspected(discipline))
		switch discipline {
		case "inorder":
			// A resync writes all objects again, in the order of a map.
			want.storeRV, got.storeRV = "", ""
		case "delta":
			// The reference knows no HasSynced of handlers.
			want.handlersSynced, got.handlersSynced, got.storeRV = nil, nil, ""
		}
		n.add(want)
		compare(t, s, want, got)
		if t.Failed() {
			t.Fatalf("to see it again: %s=%s go test -run TestScripts -scripts 1 -seed %d, with the same KUBE_FEATURE_ variables", settingVariable, discipline, s)
		}
	}
	fmt.Println(countPrefix + n.String())
	if *scripts >= 10 {
		n.check(t)
	}
}

func compare(t *testing.T, seed uint64, want, got outcome) {
	t.Helper()
	if d := gocmp.Diff(want, got, gocmp.AllowUnexported(outcome{}, result{}), gocmp.Comparer(func(a, b call) bool { return a == b })); d != "" {
		t.Errorf("script %d (-client-go +engine):\n%s\nclient-go:\n%s\nengine:\n%s", seed, d, want, got)
	}
}

// TestClientGoAgainstItself is the control: what client-go leaves to chance is
// not taken for a difference, and the clock and the jitter are the same twice.
func TestClientGoAgainstItself(t *testing.T) {
	for i := range *scripts {
		s := *seed + uint64(i)
		compare(t, s, play(t, s, true, newShared), play(t, s, true, newShared))
		compare(t, s, play(t, s, false, newDelta), play(t, s, false, newDelta))
	}
}

// TestADifferenceIsSeen is the other control: an informer that is wrong in one
// respect only is found out within a few scripts.
func TestADifferenceIsSeen(t *testing.T) {
	for name, wrong := range map[string]func(*delta){
		"resync period under the minimum": func(d *delta) { d.minimum = 0 },
		"late handlers raise no period":   func(d *delta) { d.noRaise = true },
		"listeners do not start syncing":  func(d *delta) { d.asleep = true },
		"initial list is never flagged":   func(d *delta) { d.uninitial = true },
		"resyncs are dropped":             func(d *delta) { d.dropResyncs = true },
		"slow handlers take no time":      func(d *delta) { d.quick = true },
		"a panic makes no pause":          func(d *delta) { d.hasty = true },
		"late handlers are told nothing":  func(d *delta) { d.untold = true },
	} {
		t.Run(name, func(t *testing.T) {
			for s := range uint64(200) {
				bad := func(t testing.TB, server *apiscript.Server, p *plan) informer {
					i := newDelta(t, server, p)
					wrong(i.(*delta))
					return i
				}
				want, got := play(t, s, false, newDelta), play(t, s, false, bad)
				if !gocmp.Equal(want, got, gocmp.AllowUnexported(outcome{}, result{}, call{})) {
					return
				}
			}
			t.Error("no script of 200 shows it")
		})
	}
}
