package ui_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"informerscope/internal/testing/scripted"
	"informerscope/internal/testing/uitest"
	"informerscope/journal"
	"informerscope/ui"
	"informerscope/ui/source"
)

// commandEngine takes commands: it knows "add KEY" and faults.
type commandEngine struct {
	*scripted.Engine
	said chan string
}

func (e commandEngine) Command(resource, line string) (string, error) {
	e.said <- resource + ": " + line
	if strings.HasPrefix(line, "bad") {
		return "", errors.New("there is no verb bad")
	}
	return "did " + line, nil
}

func (e commandEngine) Complete(_, line string) (int, []source.Candidate) {
	from := strings.LastIndexByte(line, ' ') + 1
	words := []source.Candidate{{Word: "add", Help: "Add, as a handler does"}, {Word: "add-after"}, {Word: "pop", Help: "Pop one key"}}
	if from > 0 {
		words = []source.Candidate{{Word: "shop/web"}}
	}
	return from, slices.DeleteFunc(words, func(c source.Candidate) bool { return !strings.HasPrefix(c.Word, line[from:]) })
}

func (commandEngine) Usage(line string) string {
	if strings.HasPrefix(line, "add ") {
		return "add KEY: Add, as a handler does"
	}
	return ""
}

func (e commandEngine) Save(path string) (string, error) {
	e.said <- "save " + path
	if path == "there.yaml" {
		return "", errors.New("there.yaml exists already")
	}
	return "wrote " + path, nil
}

func (commandEngine) Faults() []source.Candidate {
	return []source.Candidate{{Word: "cut", Help: "end the open watches now"}, {Word: "http", Help: "answer with a status"}}
}

func commanded(t *testing.T, o ...uitest.Option) (*world, *uitest.UI, chan string) {
	w := newWorld()
	said := make(chan string, 10)
	u := uitest.Start(t, commandEngine{w.Engine, said}, append([]uitest.Option{uitest.With(func(o *ui.Options) { o.Now = w.clock.Now })}, o...)...)
	return w, u, said
}

func heard(t *testing.T, said chan string, want string) {
	t.Helper()
	if got := <-said; got != want {
		t.Errorf("the engine was told %q, want %q", got, want)
	}
}

func TestCommandLine(t *testing.T) {
	for _, s := range sizes {
		t.Run(s.name, func(t *testing.T) {
			_, u, said := commanded(t, uitest.Size(s.w, s.h))
			u.Press(":")
			u.Footer().Contains(": ... tab completes")
			u.Screen().Contains("add ... Add, as a handler does", "pop ... Pop one key")
			u.Type("a")
			u.Screen().Lacks("Pop one key")
			u.Press("tab", "tab")
			u.Footer().Contains(":add-after")
			u.Press("shift+tab")
			u.Footer().Contains(":add ")
			u.Type(" ")
			u.Footer().Contains("add KEY: Add, as a handler does")
			u.Press("tab")
			u.Footer().Contains(":add shop/web")
			u.Press("enter")
			heard(t, said, "pods: add shop/web")
			u.Footer().Contains("did add shop/web")
			u.Screen().Lacks("╭─────────╮")
		})
	}
}

func TestCommandLineRemembersAndMends(t *testing.T) {
	_, u, said := commanded(t)
	u.Press(":").Type("bad idea").Press("enter")
	heard(t, said, "pods: bad idea")
	u.Footer().Contains(":bad idea ... there is no verb bad") // still there, to be mended
	u.Press("esc")
	u.Press(":").Type("pop").Press("enter")
	heard(t, said, "pods: pop")
	u.Footer().Contains("did pop")
	u.Press(":", "up", "up")
	u.Footer().Contains(":bad idea")
	u.Press("down")
	u.Footer().Contains(":pop")
	u.Press("down")
	u.Footer().Lacks(":pop")
	u.Press("enter") // nothing typed is nothing done
	u.Footer().Lacks("did")
	select {
	case line := <-said:
		t.Errorf("the engine was told %q", line)
	default:
	}
}

func TestSaveWhatWasDone(t *testing.T) {
	_, u, said := commanded(t)
	u.Press("S").Footer().Contains("write what was done to: scenario.yaml")
	u.Press("enter")
	heard(t, said, "save scenario.yaml")
	u.Footer().Contains("wrote scenario.yaml")
	u.Press("S", "ctrl+u").Type("there.yaml").Press("enter")
	heard(t, said, "save there.yaml")
	u.Footer().Contains("there.yaml exists already")
}

func TestFaultsAreAlwaysOnScreen(t *testing.T) {
	for _, s := range sizes {
		t.Run(s.name, func(t *testing.T) {
			w, u, said := commanded(t, uitest.Size(s.w, s.h))
			u.Press("C")
			u.Footer().Contains("no fault is armed")
			w.Append(journal.FaultArmed{Fault: "drop pods times=3", ID: 1, Left: 3}.Event("", ""))
			u.Header().Contains(" fault ")
			if s.w > 80 {
				u.Header().Contains("drop pods times=3")
			}
			w.Append(journal.FaultArmed{Fault: "freeze pods", ID: 2, Left: -1}.Event("", ""))
			u.Header().Contains(" 2 faults ")
			w.Append(journal.FaultHit{Fault: "drop pods times=3", ID: 1, Left: 2}.Event("", ""))
			u.Press("F")
			u.Screen().Contains("armed  drop pods times=3 ... 1 hit, 2 left", "armed  freeze pods ... 0 hits", "cut ... end the open watches now")
			u.Press("enter")
			heard(t, said, "pods: clear 1")
			w.Append(journal.FaultCleared{ID: 1}.Event("", ""))
			u.Screen().Lacks("drop pods times=3 ... 1 hit")
			u.Press("C")
			heard(t, said, "pods: clear")
			w.Append(journal.FaultCleared{ID: 2}.Event("", ""))
			u.Header().Lacks("fault")
			u.Press("j", "enter")
			u.Footer().Contains(":http ")
			u.Press("esc")
		})
	}
}

func TestEngineWithoutCommandsSaysSo(t *testing.T) {
	u := newWorld().start(t)
	u.Press(":")
	u.Footer().Contains("this engine takes no commands")
	u.Press("F")
	u.Footer().Contains("this engine takes no commands")
}
