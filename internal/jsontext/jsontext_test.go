package jsontext

import (
	"encoding/json"
	"testing"

	"informerscope/internal/printable"

	"pgregory.net/rapid"
)

// Both write what encoding/json reads back, and AppendEscaped what it writes but
// for what a terminal might obey.
func TestStringsAreThoseOfEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.StringOfN(rapid.SampledFrom([]rune(`ab"\<>&é`+"\n\x7f\u202e")), 0, 9, -1)).Draw(t, "s")
		want, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := AppendEscaped([]byte("x"), s); string(got) != "x"+string(printable.AppendJSON(nil, want)) {
			t.Fatalf("%q became %s, want %s", s, got, want)
		}
		var back, wanted string
		if err := json.Unmarshal(AppendString(nil, s), &back); err != nil {
			t.Fatal(err)
		}
		if json.Unmarshal(want, &wanted); back != wanted {
			t.Fatalf("%q came back as %q", wanted, back)
		}
	})
}

func BenchmarkAppendString(b *testing.B) {
	var out []byte
	for b.Loop() {
		out = AppendString(out[:0], "shop-7/web-12-9c3f1")
		out = AppendEscaped(out, "shop-7/web-12-9c3f1")
	}
}
