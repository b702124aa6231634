package screen

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func drawn(w, h int, f func(Area)) []string {
	var c Canvas
	c.Resize(w, h)
	f(c.All())
	return strings.Split(c.Encode(new(Palette)), "\n")
}

func TestTextIsClippedAndMeasured(t *testing.T) {
	for _, c := range []struct {
		text string
		w    int
		want string
		end  int
	}{
		{"shop/web", 10, "shop/web  ", 8},
		{"shop/web", 8, "shop/web", 8},
		{"shop/web", 5, "shop/", 5},
		{"日本語", 7, "日本語 ", 6},
		{"日本語", 5, "日本 ", 4},
		{"日本語", 1, " ", 0},
		{"e\u0301a", 3, "e\u0301a ", 2},
		{"\u0301a", 3, "a  ", 1},
		{"a\x1b[31mb", 8, "a␛[31mb ", 7},
		{"a\tb\x7f\u009b", 6, "a␉b␡\ufffd ", 5},
		{"👩\u200d👧", 5, "👩👧 ", 4},
		{"☀\ufe0f", 3, "☀  ", 1},
		{"a\u202eb", 4, "a\ufffdb ", 3},
		{"\xff\xfe", 3, "\ufffd\ufffd ", 2},
	} {
		end := 0
		got := drawn(c.w, 1, func(a Area) { end = Text(a, 0, 0, 0, c.text) })[0]
		if got != c.want || end != c.end {
			t.Errorf("%q in %d columns: %q to column %d, want %q to %d", c.text, c.w, got, end, c.want, c.end)
		}
	}
}

func TestFitEndsInAnEllipsis(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"short", "short "}, {"exact6", "exact6"}, {"too long", "too l…"}, {"日本語日本", "日本… "}, {"", "      "},
	} {
		if got := drawn(6, 1, func(a Area) { Fit(a, 0, 0, 6, 0, c.text) })[0]; got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
	if got := drawn(6, 1, func(a Area) { FitEnd(a, 0, 0, 6, 0, "0123456789") })[0]; got != "…56789" {
		t.Errorf("FitEnd: %q", got)
	}
}

func TestOverwritingHalfAWideCharacterLeavesNone(t *testing.T) {
	for x := range 4 {
		got := drawn(4, 1, func(a Area) {
			Text(a, 0, 0, 0, "日本")
			Text(a, x, 0, 0, "x")
		})[0]
		if w := ansi.StringWidthWc(got); w != 4 || strings.Count(got, "x") != 1 {
			t.Errorf("x at %d: %q is %d wide", x, got, w)
		}
	}
}

func TestStylesSwitchOnlyWhereTheyChange(t *testing.T) {
	var c Canvas
	var p Palette
	p[1], p[2], p[1|Selected] = "\x1b[1m", "\x1b[2m", "\x1b[7m"
	c.Resize(6, 2)
	a := c.All()
	Text(a, 0, 0, 1, "ab")
	Text(a, 2, 0, 1, "cd")
	Text(a, 4, 0, 2, "e")
	Text(a, 0, 1, 1, "xy")
	a.Select(1)
	want := "\x1b[1mabcd\x1b[m\x1b[2me\x1b[m \n\x1b[7mxy\x1b[m    "
	if got := c.Encode(&p); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestBoxHoldsItsInside(t *testing.T) {
	got := drawn(5, 3, func(a Area) { Text(a.Box(0), 0, 0, 0, "abcdef") })
	want := []string{"╭───╮", "│abc│", "╰───╯"}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("line %d: %q, want %q", i, got[i], want[i])
		}
	}
}

// Whatever is drawn wherever, by either way to measure, each line keeps its
// width and carries nothing that a terminal obeys.
func TestAnyDrawingKeepsWidthAndIsHarmless(t *testing.T) {
	alphabet := []rune("ab /日本語\x1b[]\x07\n\t\u009b\u0301\u0302\u200d\ufe0f👩👧👍🏽\u202e\u2066สวัสดีस्ते한글\ufeff\U000e0041€│🇩🇪\u1161\u11a8")
	rapid.Check(t, func(t *rapid.T) {
		var c Canvas
		c.Graphemes = rapid.Bool().Draw(t, "graphemes")
		w, h := rapid.IntRange(1, 30).Draw(t, "w"), rapid.IntRange(1, 4).Draw(t, "h")
		c.Resize(w, h)
		for range rapid.IntRange(1, 8).Draw(t, "n") {
			s := rapid.StringOfN(rapid.RuneFrom(alphabet), 0, 20, -1).Draw(t, "s")
			a := c.All().Sub(rapid.IntRange(0, 10).Draw(t, "ax"), 0, rapid.IntRange(0, 30).Draw(t, "aw"), h)
			x, y := rapid.IntRange(-1, 30).Draw(t, "x"), rapid.IntRange(-1, 4).Draw(t, "y")
			switch rapid.IntRange(0, 3).Draw(t, "op") {
			case 0:
				Text(a, x, y, 0, s)
			case 1:
				Fit(a, max(0, x), max(0, y), rapid.IntRange(0, 20).Draw(t, "fit"), 0, s)
			case 2:
				Right(a, max(0, x), max(0, y), 0, s)
			case 3:
				a.Fill(0)
			}
		}
		width := ansi.StringWidthWc
		if c.Graphemes {
			width = ansi.StringWidth
		}
		for _, l := range strings.Split(c.Encode(new(Palette)), "\n") {
			if got := width(l); got != w {
				t.Fatalf("line %q is %d wide, want %d", l, got, w)
			}
			for _, r := range l {
				if r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0x200d || r == 0xfe0f || r >= 0x202a && r <= 0x202e {
					t.Fatalf("line %q carries %U", l, r)
				}
			}
		}
	})
}

func TestAppendCount(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 9999: "9999", 10000: "10,000", 100000: "100,000", 1234567: "1,234,567", 1000000007: "1,000,000,007", -10000: "-10,000"} {
		if got := string(AppendCount(nil, n)); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
