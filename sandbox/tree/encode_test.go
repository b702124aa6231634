package tree

import (
	"encoding/json"
	"flag"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) {
	// A fixed seed makes runs repeatable; -rapid.seed=0 draws others.
	if err := flag.Set("rapid.seed", "1"); err != nil {
		panic(err)
	}
	m.Run()
}

func TestEncodingMeansWhatTheStandardLibrarysMeans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := anyJSON(4).Draw(t, "value")
		got, err := AppendJSON(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		var a, b any
		if err := json.Unmarshal(got, &a); err != nil {
			t.Fatalf("%s: %v", got, err)
		}
		if err := json.Unmarshal(MustMarshal(v), &b); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(b, a); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}

func anyJSON(depth int) *rapid.Generator[any] {
	leaves := []*rapid.Generator[any]{
		rapid.Just[any](nil), rapid.Bool().AsAny(), rapid.Int64().AsAny(), rapid.String().AsAny(),
		rapid.Float64Range(-1e30, 1e30).AsAny(), rapid.SampledFrom([]string{"<&>", "\u2028", "a\"b\\c\n", "\x7f"}).AsAny(),
	}
	if depth == 0 {
		return rapid.OneOf(leaves...)
	}
	return rapid.OneOf(append(leaves,
		rapid.Map(rapid.SliceOfN(anyJSON(depth-1), 0, 3), func(s []any) any { return append([]any{}, s...) }),
		rapid.Map(rapid.MapOfN(rapid.String(), anyJSON(depth-1), 0, 3), func(m map[string]any) any { return m }))...)
}

func TestNestedCountsObjectsAndListsOutsideOfStrings(t *testing.T) {
	for text, want := range map[string]int{``: 0, `"{["`: 0, `{"a":[{},[]],"{":"\"[{"}`: 4, `["\\\\",{}]`: 2, `"open {`: 0, `"\`: 0} {
		if got := Nested([]byte(text)); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}
