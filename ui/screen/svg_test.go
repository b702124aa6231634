package screen

import (
	"encoding/xml"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// picture is an SVG as a reader of XML sees it.
type picture struct {
	Title string `xml:"title"`
	Rects []struct {
		X      string `xml:"x,attr"`
		Y      string `xml:"y,attr"`
		Width  string `xml:"width,attr"`
		Fill   string `xml:"fill,attr"`
		Height string `xml:"height,attr"`
	} `xml:"g>rect"`
	Rows []struct {
		Y     string `xml:"y,attr"`
		Words []struct {
			X    string `xml:"x,attr"`
			W    string `xml:"textLength,attr"`
			Fill string `xml:"fill,attr"`
			Bold string `xml:"font-weight,attr"`
			Text string `xml:",chardata"`
		} `xml:"tspan"`
	} `xml:"text"`
	Paths []struct {
		Stroke string `xml:"stroke,attr"`
		D      string `xml:"d,attr"`
	} `xml:"path"`
}

func pictured(t interface{ Fatalf(string, ...any) }, c *Canvas, p *Palette, title string) (out picture) {
	b := c.SVG(p, DarkPaper, title)
	if err := xml.Unmarshal(b, &out); err != nil {
		t.Fatalf("not well-formed: %v\n%s", err, b)
	}
	return out
}

// column and row of a place in tenths of a pixel.
func column(x string) int {
	f, _ := strconv.ParseFloat(x, 64)
	return (int(f*10+0.5) - svgMargin) / svgW
}
func row(y string) int { f, _ := strconv.ParseFloat(y, 64); return (int(f*10+0.5) - svgMargin) / svgH }

func TestSVGHasWordsAndColoursInTheirPlaces(t *testing.T) {
	var c Canvas
	var p Palette
	p[1], p[2], p[3], p[1|Selected] = "\x1b[1;38;5;117m", "\x1b[7m", "\x1b[38;2;1;2;255m", "\x1b[1;38;5;117;48;5;24m"
	c.Resize(20, 3)
	a := c.All()
	Text(a, 1, 0, 1, "a < b  <&>")
	Text(a, 2, 1, 2, "LIVE")
	Text(a, 8, 1, 3, "日本")
	Text(a, 0, 2, 1, "x")
	a.Select(2)
	got := pictured(t, &c, &p, "pods <now>")
	if got.Title != "pods <now>" {
		t.Errorf("title %q", got.Title)
	}
	type word struct {
		x, y       int
		w          string
		fill, bold string
		text       string
	}
	var words []word
	for _, r := range got.Rows {
		for _, x := range r.Words {
			words = append(words, word{column(x.X), row(r.Y), x.W, x.Fill, x.Bold, x.Text})
		}
	}
	want := []word{
		{1, 0, "42", "#87d7ff", "bold", "a < b"}, {8, 0, "25.2", "#87d7ff", "bold", "<&>"},
		{2, 1, "33.6", DarkPaper.bg, "", "LIVE"}, {8, 1, "16.8", "#0102ff", "", "日"}, {10, 1, "16.8", "#0102ff", "", "本"},
		{0, 2, "8.4", "#87d7ff", "bold", "x"},
	}
	if len(words) != len(want) {
		t.Fatalf("words %+v, want %+v", words, want)
	}
	for i := range want {
		if words[i] != want[i] {
			t.Errorf("word %d: %+v, want %+v", i, words[i], want[i])
		}
	}
	if r := got.Rects; len(r) != 2 || column(r[0].X) != 2 || row(r[0].Y) != 1 || r[0].Width != "33.6" || r[0].Fill != DarkPaper.fg ||
		column(r[1].X) != 0 || r[1].Width != "8.4" || r[1].Fill != "#005f87" {
		t.Errorf("backgrounds %+v", r)
	}
}

func TestSVGDrawsBoxesAsLines(t *testing.T) {
	var c Canvas
	var p Palette
	p[1] = "\x1b[38;5;239m"
	c.Resize(4, 3)
	c.All().Box(1)
	got := pictured(t, &c, &p, "")
	if len(got.Rows) != 0 {
		t.Errorf("a box has text: %+v", got.Rows)
	}
	if len(got.Paths) != 1 || got.Paths[0].Stroke != "#4e4e4e" || strings.Count(got.Paths[0].D, "M") != 10 {
		t.Errorf("the ten cells of a border are %+v", got.Paths)
	}
}

func TestInkOfReadsSGR(t *testing.T) {
	for sgr, want := range map[string]ink{
		"":                             {},
		"\x1b[m":                       {},
		"\x1b[1;7m":                    {bold: true, reverse: true},
		"\x1b[31;102m":                 {fg: "#cd0000", bg: "#00ff00"},
		"\x1b[38;5;16m\x1b[48;5;255m":  {fg: "#000000", bg: "#eeeeee"},
		"\x1b[38:5:231m":               {fg: "#ffffff"},
		"\x1b[1;38;2;255;0;16;48;5;9m": {fg: "#ff0010", bg: "#ff0000", bold: true},
		"\x1b[1;31m\x1b[0;90m":         {fg: "#7f7f7f"},
		"\x1b[38;5m":                   {},
		"\x1b[38;5;999m":               {},
		"\x1b[":                        {},
	} {
		if got := inkOf(sgr); got != want {
			t.Errorf("%q: %+v, want %+v", sgr, got, want)
		}
	}
}

// Whatever is drawn, the picture is well-formed and its words stand where they
// are on the canvas.
func TestAnyDrawingIsAPicture(t *testing.T) {
	alphabet := []rune("ab <&>\"'/日本\x00\x1b\u0301\u200d👩é…")
	rapid.Check(t, func(t *rapid.T) {
		var c Canvas
		var p Palette
		p[1], p[2] = "\x1b[1m", "\x1b[7m"
		w, h := rapid.IntRange(1, 20).Draw(t, "w"), rapid.IntRange(1, 3).Draw(t, "h")
		c.Resize(w, h)
		for range rapid.IntRange(1, 6).Draw(t, "n") {
			Text(c.All(), rapid.IntRange(0, 19).Draw(t, "x"), rapid.IntRange(0, 2).Draw(t, "y"), Style(rapid.IntRange(0, 2).Draw(t, "style")),
				rapid.StringOfN(rapid.RuneFrom(alphabet), 0, 12, -1).Draw(t, "s"))
		}
		var again Canvas
		again.Resize(w, h)
		got := pictured(t, &c, &p, "")
		for _, r := range got.Rows {
			for _, word := range r.Words {
				Text(again.All(), column(word.X), row(r.Y), 0, word.Text)
			}
		}
		for y, want := range c.All().Lines() {
			if got := again.All().Lines()[y]; got != want {
				t.Fatalf("row %d is %q in the picture, want %q", y, got, want)
			}
		}
	})
}

func TestCloneStaysAsItWas(t *testing.T) {
	var c Canvas
	c.Resize(6, 1)
	Text(c.All(), 0, 0, 0, "e\u0301 日")
	was := c.Clone()
	c.Clear()
	Text(c.All(), 0, 0, 0, "a\u0300bcdef")
	if got := was.All().Lines()[0]; got != "e\u0301 日" {
		t.Errorf("the copy is %q now", got)
	}
}
