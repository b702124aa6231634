package printable

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTextShowsWhatATerminalWouldObey(t *testing.T) {
	for in, want := range map[string]string{
		"plain é 日本語\tand\n":                  "plain é 日本語\tand\n",
		"\x1b]52;c;aGk=\a\x1b[2J":             `\x1b]52;c;aGk=\x07\x1b[2J`,
		"\u009b31mC1, \x9b31m too\x7f":        `\u009b31mC1, \x9b31m too\x7f`,
		"a\u202eb\u2066c\u200bd\ufeffe\u2028": `a\u202eb\u2066c\u200bd\ufeffe\u2028`,
		"tag \U000e0041\r":                    `tag \U000e0041\x0d`,
	} {
		if got := Text(in); got != want {
			t.Errorf("%q is shown as %q, want %q", in, got, want)
		}
	}
}

func TestLineIsOneAndNotTooLong(t *testing.T) {
	if got := Line("a\n\tb \x1bc"); got != `a b \x1bc` {
		t.Error(got)
	}
	for _, n := range []int{MaxLine - 1, MaxLine, 10 * MaxLine, 50 << 20} {
		got := Line(strings.Repeat("é", n/2))
		if len(got) > MaxLine+40 || strings.ContainsRune(got, '\ufffd') {
			t.Errorf("%d bytes became %d, %q", n, len(got), got[len(got)-30:])
		}
		if cut := strings.Contains(got, "bytes more)"); cut != (n > MaxLine) {
			t.Errorf("%d bytes, cut %v", n, cut)
		}
	}
}

// However a text is cut into writes, what comes out is its Text.
func TestWriterWritesText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.SampledFrom([]rune("a\n\x1b\u009b日\u202e\U000e0041"))).Draw(t, "s")
		if rapid.Bool().Draw(t, "broken") {
			s += "\x9b!"
		}
		var out bytes.Buffer
		w := Writer(&out)
		for rest := s; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			if got, err := w.Write([]byte(rest[:n])); got != n || err != nil {
				t.Fatal(got, err)
			}
			rest = rest[n:]
		}
		if out.String() != Text(s) {
			t.Fatalf("%q became %q, want %q", s, out.String(), Text(s))
		}
	})
}

func TestJSONMeansTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom([]rune("a\"\x7f\u0085\u009b\u200d\u202e\u2028\U000e0041")))).Draw(t, "s")
		text, err := json.Marshal(map[string]string{"k": s})
		if err != nil {
			t.Fatal(err)
		}
		out := AppendJSON(nil, text)
		if string(out) != Text(string(out)) {
			t.Fatalf("%q still has %q", s, out)
		}
		var was, is map[string]string
		if json.Unmarshal(text, &was) != nil || json.Unmarshal(out, &is) != nil || was["k"] != is["k"] {
			t.Fatalf("%q: %s became %s", s, text, out)
		}
	})
}

func TestNoBodyIsQuoted(t *testing.T) {
	for in, want := range map[string]string{
		"watch of pods ended: EOF": "watch of pods ended: EOF",
		`unable to decode: Object 'Kind' is missing in '{"data":{"p":"c2VjcmV0"}}'`:   `unable to decode: Object 'Kind' is missing in '(25 bytes, not shown)'`,
		`event "{\"a\":{\"b\":1}}" of x`:                                              `event "(17 bytes, not shown)" of x`,
		`got &v1.Secret{Data:map[string][]uint8{"p":[]uint8{0x1}}}, and map[a:b] too`: `got (53 bytes, not shown), and (8 bytes, not shown) too`,
		`cut {"data":{"p":"c2VjcmV0"`:                                                 `cut (23 bytes, not shown)`,
		`proxyconnect to http://u:hunter2@[::1: no`:                                   `proxyconnect to http://u:(hidden)@[::1: no`,
		`key [a] {b} func() of v1.Pod`:                                                `key [a] {b} func() of v1.Pod`,
	} {
		if got := WithoutSecrets(in); got != want {
			t.Errorf("%s\nbecame %s\nwant   %s", in, got, want)
		}
	}
}
