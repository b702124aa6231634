package ui_test

import (
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"informerscope/internal/testing/soak"
	"informerscope/internal/testing/uitest"
	"informerscope/journal"
	"informerscope/ui"
)

// frame composes one frame without a program.
func frame(w *world, width, height int, keys ...tea.KeyPressMsg) string {
	m := ui.New(w.Engine, ui.Options{Source: "sandbox", Scope: "all namespaces", Now: w.clock.Now, Environ: []string{}})
	m, _ = m.Update(tea.WindowSizeMsg{Width: width, Height: height})
	_ = m.View()
	for _, k := range keys {
		m, _ = m.Update(k)
	}
	return m.View().Content
}

// hostile has keys, types and texts that try to break the screen.
func hostile() *world {
	w := newWorld()
	for i, key := range []string{
		"shop/\x1b[2J\x1b[31mred", "shop/\x07bell", "shop/tab\tand\nnewline\r", "shop/c1\u009b31m", "shop/del\x7f",
		"shop/bidi\u202eevil\u2066", "shop/日本語の長い名前日本語の長い名前日本語", "shop/e\u0301\u0301\u0301\u0301\u0301\u0301combining",
		"shop/👩‍👩‍👧family", "shop/☀️sun", "shop/👍🏽thumb", "shop/bad\xff\xfeutf8", "shop/स्ते", "\u0301lead", "shop/\u200bzero\ufeff", "shop/\U000e0041tag",
	} {
		w.pods.Queued(key, "Updated", 1000+i, 1)
		w.pods.Stored(key, 1000+i, "text", key)
		w.pods.Added(key, journal.AddQueued)
		w.pods.Waits(key, 1, 1)
		w.pods.Event(journal.LogLine{Level: key, Message: key}.Event("", key))
	}
	w.pods.Event(journal.StoreMutated{Field: "\x1b[2J", Change: "\x07"}.Event("", "shop/日本語"))
	w.pods.Event(journal.ListenerAdded{Listener: "\x1b[31m日本語"}.Event("", ""))
	w.pods.Event(journal.StoreOpened{Store: "\x1b[31m", Type: journal.OpenedQueue, How: "日本語\x07"}.Event("", ""))
	w.pods.Event(journal.StorePut{Store: "\x1b[31m", RV: "\x1b", Rank: "1"}.Event("", "shop/\x1b[2J日本語"))
	w.pods.Event(journal.WatchFailed{Error: "\x1b]0;title\x07 日本語"}.Event("", ""))
	w.pods.Event(journal.RelistRequested{Reason: "\x1b[?1049l"}.Event("", ""))
	return w
}

func key(s string) tea.KeyPressMsg {
	r := []rune(s)[0]
	if s == "enter" {
		return tea.KeyPressMsg{Code: tea.KeyEnter}
	}
	return tea.KeyPressMsg{Code: r, Text: s}
}

func TestEveryLineHasTheTerminalsWidth(t *testing.T) {
	w := hostile()
	for width := 1; width <= 210; width += soak.Step(3) * (1 + width/40) {
		for _, height := range []int{1, 9, 10, 17, 18, 24, 41} {
			for _, keys := range [][]string{nil, {"2", "i"}, {"3", "\\"}, {"5"}, {"enter"}, {"?"}, {"r"}, {"2", "i", "j", "enter"}, {"/", "x"}, {"6"}, {"w"}, {"t"}, {"A", "x"}} {
				var ks []tea.KeyPressMsg
				for _, k := range keys {
					ks = append(ks, key(k))
				}
				lines := strings.Split(frame(w, width, height, ks...), "\n")
				if len(lines) != height {
					t.Fatalf("%dx%d after %v: %d lines", width, height, keys, len(lines))
				}
				for y, l := range lines {
					if got := ansi.StringWidthWc(l); got != width {
						t.Fatalf("%dx%d after %v: line %d is %d wide: %q", width, height, keys, y, got, l)
					}
				}
			}
		}
	}
}

// sgr is all that a frame may contain of control sequences.
var sgr = regexp.MustCompile(`\x1b\[[0-9;]*m`)

func TestNoControlCharacterReachesTheTerminal(t *testing.T) {
	w := hostile()
	for _, keys := range [][]string{nil, {"2", "i"}, {"2", "i", "G", "enter"}, {"5"}, {"5", "enter"}, {"3", "\\"}, {"4", "\\"}, {"G", "enter"}, {"6", "\\"}, {"w"}, {"t"}} {
		var ks []tea.KeyPressMsg
		for _, k := range keys {
			ks = append(ks, key(k))
		}
		f := frame(w, 160, 50, ks...)
		for i, r := range sgr.ReplaceAllString(f, "") {
			if r < 0x20 && r != '\n' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200d || r == 0xfe0f {
				t.Fatalf("after %v: %U at byte %d", keys, r, i)
			}
		}
	}
}

func TestEveryLineOfTheComparisonHasTheTerminalsWidth(t *testing.T) {
	w := lanesWorld("delta", "inorder", "atomic")
	w.queued()
	saw(w.Resource("pods@atomic"), journal.OnAdd, "shop/日本語\x1b[2J", "\x1b")
	for width := minimum; width <= 210; width += 7 {
		for _, keys := range [][]string{nil, {"l"}, {"l", "l", "k"}} {
			var ks []tea.KeyPressMsg
			for _, k := range keys {
				ks = append(ks, key(k))
			}
			for y, l := range strings.Split(frame(w, width, 24, ks...), "\n") {
				if got := ansi.StringWidthWc(l); got != width {
					t.Fatalf("%d columns after %v: line %d is %d wide: %q", width, keys, y, got, l)
				}
			}
		}
	}
}

// minimum is the least width that shows anything.
const minimum = 40

func TestControlCharactersAreShownAsPictures(t *testing.T) {
	w := newWorld()
	w.pods.Queued("shop/\x1b[31mred", "Updated", 1000, 1)
	u := w.start(t, uitest.Size(120, 40))
	u.Pane("DeltaFIFO").Contains("4 shop/␛[31mred")
}

func TestWideCharactersKeepTheBorders(t *testing.T) {
	w := newWorld()
	w.pods.Queued("shop/日本語", "Updated", 1000, 1)
	u := w.start(t, uitest.Size(120, 40))
	u.Pane("DeltaFIFO").Contains("4 shop/日本語 ... Updated@1000 ... │")
}

var colour = regexp.MustCompile(`\x1b\[[0-9;]*\b(3[0-9]|4[0-9]|9[0-7]|10[0-7])\b[0-9;]*m`)

func TestNoColorHasNoColour(t *testing.T) {
	for _, env := range []string{"NO_COLOR=1", "NO_COLOR=yes"} {
		w := newWorld()
		w.pods.Event(journal.Divergence{Where: "DeltaFIFO", Message: "x"}.Event("", ""))
		u := w.start(t, uitest.Env(env))
		u.Press("space", "2", "enter", "?", "esc", "r", "esc").Header().Contains("PAUSED")
		u.Pane("Indexer").Focused()
		if c := colour.FindString(u.Raw()); c != "" {
			t.Errorf("%s: the output has the colour %q", env, c)
		}
		if !strings.Contains(u.Raw(), "\x1b[1;7m") && !strings.Contains(u.Raw(), ";7m") && !strings.Contains(u.Raw(), "\x1b[7m") {
			t.Errorf("%s: nothing is in reverse video", env)
		}
	}
	if u := newWorld().start(t); colour.FindString(u.Header().Contains("LIVE").And().Raw()) == "" {
		t.Error("without NO_COLOR the output has no colour: the test above cannot fail")
	}
}

func TestLightBackgroundChangesTheColours(t *testing.T) {
	w := newWorld()
	m := ui.New(w.Engine, ui.Options{Now: w.clock.Now, Environ: []string{}})
	m, _ = m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	dark := m.View().Content
	m, _ = m.Update(tea.BackgroundColorMsg{Color: ansi.HexColor("#ffffff")})
	light := m.View().Content
	if dark == light {
		t.Error("the frame is the same on a light background")
	}
	if ansi.Strip(dark) != ansi.Strip(light) {
		t.Error("the background changes more than colours")
	}
}

func TestNothingIsComposedWhileNothingChanges(t *testing.T) {
	w := newWorld()
	u := w.start(t)
	u.Pane("Timeline").Contains("following")
	before := u.Settled()
	if n := len(u.Raw()); u.Settled() != before || len(u.Raw()) != n {
		t.Error("the program writes while nothing changes")
	}
}
