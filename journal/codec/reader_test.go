package codec

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// What was appended is read back; cut anywhere it is a mistake, and gives zeroes
// from there on.
func TestReaderGivesWhatWasAppended(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint64().Draw(t, "uint")
		i := rapid.OneOf(rapid.Int64(), rapid.SampledFrom([]int64{0, -1, math.MinInt64, math.MaxInt64})).Draw(t, "int")
		s := rapid.String().Draw(t, "string")
		b := AppendString(AppendInt(AppendUint(nil, n), i), s)
		r := NewReader(string(b))
		if gotN, gotI, gotS := r.Uint(), r.Int(), r.String(); gotN != n || gotI != i || gotS != s || r.Len() > 0 || r.Err() != nil {
			t.Fatalf("%d %d %q became %d %d %q, %d bytes left, %v", n, i, s, gotN, gotI, gotS, r.Len(), r.Err())
		}
		r = NewReader(string(b[:rapid.IntRange(0, len(b)-1).Draw(t, "cut")]))
		if r.Uint(); r.Err() != nil && (r.Int() != 0 || r.Len() > 0) {
			t.Fatal("something is read after a mistake")
		}
		if r.Int(); r.String() == s && s != "" || r.Err() == nil {
			t.Fatalf("a cut goes unnoticed: %v", r.Err())
		}
	})
}

func TestTooLongVarints(t *testing.T) {
	for _, text := range []string{"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "\x80"} {
		if r := NewReader(text); r.Uint() != 0 || r.Err() == nil {
			t.Errorf("%q is a number", text)
		}
	}
}
