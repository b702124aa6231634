package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// tmux is a person at a shell in a real terminal. Each has a server of its own.
type tmux struct {
	t      *testing.T
	socket string
	dir    string
}

// inTmux opens a terminal with an interactive shell in it. The shell knows the
// program under test as "informerscope".
func inTmux(t *testing.T, width, height int, env ...string) *tmux {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed: apt-get install tmux")
	}
	m := &tmux{t: t, dir: t.TempDir()}
	m.socket = filepath.Join(m.dir, "tmux")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	rc := filepath.Join(m.dir, "rc")
	text := fmt.Sprintf("PS1='ready> '\ninformerscope() { env %s=informerscope %s %q \"$@\"; }\n", asProgram, strings.Join(env, " "), self)
	if err := os.WriteFile(rc, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	m.run("-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height), "bash --noprofile --rcfile "+rc+" -i")
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", m.socket, "kill-server").Run() })
	return m.isAtThePrompt()
}

func (m *tmux) run(args ...string) string {
	m.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", m.socket}, args...)...).CombinedOutput()
	if err != nil {
		m.t.Fatalf("tmux %v: %v: %s", args, err, out)
	}
	return string(out)
}

// enters types a command line.
func (m *tmux) enters(line string) *tmux {
	m.t.Helper()
	m.run("send-keys", "-l", line)
	return m.presses("Enter")
}

// presses sends keys by the names that tmux has for them.
func (m *tmux) presses(keys ...string) *tmux {
	m.t.Helper()
	m.run(append([]string{"send-keys"}, keys...)...)
	return m
}

func (m *tmux) resizes(width, height int) *tmux {
	m.t.Helper()
	m.run("resize-window", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height))
	return m
}

// screen is what the terminal shows.
func (m *tmux) screen() string {
	m.t.Helper()
	return m.run("capture-pane", "-p")
}

// sees waits until all texts are on the screen at once.
func (m *tmux) sees(texts ...string) *tmux {
	m.t.Helper()
	m.until(func(screen string) bool {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	}, fmt.Sprintf("%q", texts))
	return m
}

// stepsUntil presses n until text is on the screen: what is to be stepped may be on
// its way, or was on its way when all was paused.
func (m *tmux) stepsUntil(text string) *tmux {
	m.t.Helper()
	looks := 0
	m.until(func(screen string) bool {
		if strings.Contains(screen, text) {
			return true
		}
		if looks++; looks%20 == 1 { // the answer comes some looks later
			m.presses("n")
		}
		return false
	}, text)
	return m
}

// isAtThePrompt waits until the shell asks for the next line: until the last
// line of the screen is a new prompt and not the one of the last command.
func (m *tmux) isAtThePrompt() *tmux {
	m.t.Helper()
	m.until(func(screen string) bool { return strings.HasSuffix("\n"+strings.TrimSpace(screen), "\nready>") }, "a prompt")
	return m
}

// seesNoMore waits until text is gone.
func (m *tmux) seesNoMore(text string) *tmux {
	m.t.Helper()
	m.until(func(screen string) bool { return !strings.Contains(screen, text) }, "no "+text)
	return m
}

func (m *tmux) until(ok func(screen string) bool, what string) {
	m.t.Helper()
	tick := time.NewTicker(20 * time.Millisecond) // a terminal does not call back
	defer tick.Stop()
	deadline := time.After(time.Minute)
	for {
		screen := m.screen()
		if ok(screen) {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			m.t.Fatalf("the screen never showed %s:\n%s", what, screen)
		}
	}
}

// remembers notes the terminal's settings.
func (m *tmux) remembers() *tmux {
	m.t.Helper()
	return m.enters("stty -g > " + m.dir + "/before; clear").isAtThePrompt()
}

// hasUsableTerminal checks that the shell is back on the normal screen, that
// what is typed is seen once and obeyed, and that the settings are what they
// were.
func (m *tmux) hasUsableTerminal() {
	m.t.Helper()
	m.enters("stty -g > " + m.dir + "/after; cmp " + m.dir + "/before " + m.dir + "/after && echo same-$((40+2))").sees("same-42")
	if got := m.run("display-message", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag}"); strings.TrimSpace(got) != "0 1 0" {
		m.t.Errorf("alternate screen, cursor, mouse are %q, want 0 1 0", strings.TrimSpace(got))
	}
}

// allPanes are the five titles that a comfortable terminal shows.
var allPanes = []string{"1 DeltaFIFO", "2 Indexer", "3 Workqueue", "4 Reflector", "5 Timeline"}

func TestTerminalStartResizeQuit(t *testing.T) {
	m := inTmux(t, 120, 40).remembers()
	m.enters("informerscope --sandbox").sees(allPanes...).sees("shop/", "LIVE")
	m.resizes(80, 24).sees(allPanes...)
	m.resizes(60, 20).seesNoMore("5 Timeline ─").sees("DeltaFIFO")
	m.resizes(30, 8).sees("40x10")
	m.resizes(200, 60).sees(allPanes...)
	m.presses("q").isAtThePrompt().hasUsableTerminal()
}

func TestTerminalPauseAndStepByKeys(t *testing.T) {
	m := inTmux(t, 120, 40)
	m.enters("informerscope --sandbox --paused").sees("PAUSED")
	m.presses("4").stepsUntil("one watch event")
	m.presses("Space").sees("LIVE")
	m.presses("z").sees("FROZEN").presses("z").seesNoMore("FROZEN")
	m.presses("?").sees("Help").presses("Escape").seesNoMore("Help")
	m.presses("q").isAtThePrompt()
}

func TestTerminalComparesStepsAndFilters(t *testing.T) {
	m := inTmux(t, 80, 24).enters("informerscope --sandbox pods --compare delta,atomic --stores --handler slow,delay=1ms --pace realtime")
	m.sees("DeltaFIFO", "RealFIFO atomic", "its handler saw", "client-go 0.36+", "synced")
	m.presses("/").enters("shop/db-0").sees("/shop/db-0/ shows", "1 shown").presses("Escape").seesNoMore("shows")
	m.presses("Space").sees("PAUSED").presses("Tab").stepsUntil("no notification waits in any lane")
	m.resizes(120, 40).sees("another order across keys", "d differences")
	m.presses("d").sees("only what differs").presses("d").sees("everything that the handlers saw")
	m.presses("t").sees("UndeltaStore", "ExpirationCache").presses("t")
	m.presses("6", "j").stepsUntil("no notification waits for slow")
	m.resizes(200, 60).presses("c").sees("its handler saw").presses("q", "q").isAtThePrompt()
}

func TestTerminalSuspendAndResume(t *testing.T) {
	m := inTmux(t, 80, 24).remembers()
	m.enters("informerscope --sandbox").sees(allPanes...)
	m.presses("C-z").sees("Stopped").isAtThePrompt().hasUsableTerminal()
	m.enters("fg").sees(allPanes...)
	m.presses("q").isAtThePrompt().hasUsableTerminal()
}

func TestTerminalIsUsableAfterCtrlC(t *testing.T) {
	m := inTmux(t, 80, 24).remembers()
	m.enters("informerscope --sandbox").sees(allPanes...)
	m.presses("C-c").isAtThePrompt().hasUsableTerminal()
}

func TestTerminalIsUsableAfterSignals(t *testing.T) {
	for _, signal := range []string{"TERM", "HUP", "INT"} {
		m := inTmux(t, 80, 24).remembers()
		m.enters("informerscope --sandbox").sees(allPanes...)
		m.run("run-shell", "pkill -"+signal+" -t $(basename #{pane_tty} | sed s,^,pts/,) -f -- --sandbox")
		m.isAtThePrompt().hasUsableTerminal()
	}
}

// A panic of a reconcile is shown and survived, as controllers that recover do.
func TestTerminalShowsAPanicInAWorker(t *testing.T) {
	m := inTmux(t, 120, 40, workerPanics+"=1").remembers()
	m.enters("informerscope --sandbox").sees(allPanes...)
	m.presses("5", "/").enters("reconcilePanicked").sees("reconcilePanicked a worker gave").presses("Enter").sees("a worker gave up")
	m.presses("Escape").sees(allPanes...).presses("q").isAtThePrompt().hasUsableTerminal()
}

// A panic in a goroutine of client-go ends the program; its trace is printed on
// a terminal that works.
func TestTerminalIsUsableAfterACrash(t *testing.T) {
	m := inTmux(t, 120, 40).remembers()
	m.enters("informerscope --sandbox").sees(allPanes...)
	m.run("run-shell", "pkill -USR1 -t $(basename #{pane_tty} | sed s,^,pts/,) -f -- --sandbox")
	m.isAtThePrompt().hasUsableTerminal()
}

// The queue by hand, the server, the wire: what is typed into a real terminal.
func TestTerminalTakesCommands(t *testing.T) {
	m := inTmux(t, 120, 40).remembers().enters("informerscope --sandbox configmaps --churn 0 --workers 0 --objects 0 --pace realtime").sees("LIVE", "synced")
	m.presses(":").sees("tab completes", "close all gates").enters("add shop/x").sees("Add(shop/x): queued, and dirty", "q1 d1 p0")
	m.presses(":").enters("get").sees("Get: shop/x", "q0 d0 p1", "hand")
	m.presses(":").enters("done").sees("Done(shop/x)", "q0 d0 p0")
	m.presses(":").enters("crate configmap a").sees(`there is no verb "crate"; do you mean create?`).presses("Escape").seesNoMore("crate")
	m.presses(":").enters("create configmap a").sees("created configmap default/a", "Indexer 1")
	m.presses("F").sees("Faults on the wire", "cut-mid-json").presses("Escape").seesNoMore("Faults on the wire")
	m.presses(":").enters("drop times=2").sees("armed as number 1", " fault ", "drop configmaps times=2")
	m.presses(":").enters("update configmap a").sees("changed configmap default/a", "times=2")
	m.presses("C").sees("1 fault cleared")
	m.presses("A").sees("add handler:").enters("audit, delay=1ms").sees("added the handler audit")
	m.presses("S").sees("write what was done to: scenario.yaml").presses("C-u").enters(m.dir + "/done.yaml").sees("wrote " + m.dir)
	m.presses("S").sees("write what was done").presses("C-u").enters(m.dir + "/done.yaml").sees("nothing was done yet")
	m.presses("q").isAtThePrompt().hasUsableTerminal()
	m.enters("informerscope run "+m.dir+"/done.yaml").sees("ok ", "done.yaml", "What was done on")
}

func TestTerminalShowsAScenario(t *testing.T) {
	m := inTmux(t, 120, 40).enters("informerscope run case:E1 --tui")
	m.sees("1/", "N goes on").presses("N").sees("2/")
	m.presses("q").isAtThePrompt()
}

func TestTerminalTakesALesson(t *testing.T) {
	m := inTmux(t, 120, 40, "XDG_CONFIG_HOME="+t.TempDir()).remembers().enters("informerscope learn three-sets")
	m.sees("The workqueue's three sets", "1/7", "N goes on", "q0 d0 p0")
	m.presses("N").sees("2/7", "q1 d1 p0", "a) once", "N answers")
	m.presses("N").sees("answer:").enters("b").sees("Not so: it is once.", "coal 9", "N goes on")
	m.presses("q").isAtThePrompt().hasUsableTerminal()
	m.enters("informerscope learn").sees("at 2/7")
	m.resizes(80, 24).enters("informerscope learn 6").sees("2/7", "Workqueue", "q1 d1 p0")
	m.presses("q").isAtThePrompt()
}

// What one person recorded another one replays.
func TestTerminalRecordsAndReplays(t *testing.T) {
	m := inTmux(t, 120, 40).remembers().enters("informerscope --sandbox pods --pace realtime").sees("LIVE", "synced")
	m.presses("R").sees("record to: informerscope-").presses("C-u").enters(m.dir+"/a.rec").sees("recording to "+m.dir, " REC ")
	m.presses("R").sees("stop the recording to a.rec?").presses("y").sees("recorded ", "/a.rec").seesNoMore(" REC ")
	m.presses("R").sees("record to:").presses("C-u").enters(m.dir + "/a.rec").sees("exists")
	m.presses("q").isAtThePrompt().hasUsableTerminal()
	m.enters("informerscope replay "+m.dir+"/a.rec").sees("REPLAY", "stopped", "event 1 of", "space play")
	m.presses(".").sees("event 2 of").presses(",").sees("event 1 of").presses("G").sees("synced").seesNoMore("event 1 of")
	m.presses("T").enters("#2").sees("event 2 of").presses("n").sees("recording")
	m.presses("q").isAtThePrompt().hasUsableTerminal()
	m.enters("cat "+m.dir+"/a.rec | informerscope replay - --at -0s").sees("stdin", "REPLAY", "synced").presses(",", "q").isAtThePrompt().hasUsableTerminal()
}
