package object

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func show(lines []Line) []string {
	var out []string
	for _, l := range lines {
		out = append(out, string(l.Op)+l.Text)
	}
	return out
}

// side is what a difference says of one of its texts.
func side(lines []Line, op Op) []string {
	var out []string
	for _, l := range lines {
		if l.Op == Same || l.Op == op {
			out = append(out, l.Text)
		}
	}
	return out
}

// common is the length of the longest common subsequence, by definition.
func common(a, b []string) int {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	if a[0] == b[0] {
		return 1 + common(a[1:], b[1:])
	}
	return max(common(a[1:], b), common(a, b[1:]))
}

// A difference holds both texts, changes no line that it could keep, and puts
// what is removed before what is added.
func TestDiffWeavesBothTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", ""}), 0, 7)
		old, new := text.Draw(t, "old"), text.Draw(t, "new")
		lines := Diff(old, new)
		if got := side(lines, Removed); !slices.Equal(got, old) {
			t.Fatalf("%q holds %q of the old text", show(lines), got)
		}
		if got := side(lines, Added); !slices.Equal(got, new) {
			t.Fatalf("%q holds %q of the new text", show(lines), got)
		}
		same := 0
		for i, l := range lines {
			if l.Op == Same {
				same++
			}
			if i > 0 && l.Op == Removed && lines[i-1].Op == Added {
				t.Fatalf("%q: removed after added", show(lines))
			}
		}
		if want := common(old, new); same != want {
			t.Fatalf("%q keeps %d lines, could keep %d", show(lines), same, want)
		}
	})
}

func TestDiffOfLargeTexts(t *testing.T) {
	var old, new []string
	for i := range 3000 {
		old = append(old, fmt.Sprint("old", i))
		new = append(new, fmt.Sprint("new", i))
	}
	old, new = append(old, "end"), append(new, "end")
	lines := Diff(old, new)
	if len(lines) != 6001 || lines[0].Op != Removed || lines[5999].Op != Added || lines[6000] != (Line{Same, "end"}) {
		t.Errorf("%d lines, ends %v", len(lines), lines[len(lines)-1])
	}
}

func TestHunks(t *testing.T) {
	old := strings.Split("a b c d e f g h i j", " ")
	for name, c := range map[string]struct {
		new     string
		context int
		want    []string
	}{
		"same":                 {"a b c d e f g h i j", 1, nil},
		"middle":               {"a b c d X f g h i j", 1, []string{" ...", " d", "-e", "+X", " f", " ..."}},
		"first":                {"X b c d e f g h i j", 1, []string{"-a", "+X", " b", " ..."}},
		"last":                 {"a b c d e f g h i X", 2, []string{" ...", " h", " i", "-j", "+X"}},
		"two that touch":       {"a X c d Y f g h i j", 1, []string{" a", "-b", "+X", " c", " d", "-e", "+Y", " f", " ..."}},
		"two apart, no around": {"a c d e f g h j", 0, []string{" ...", "-b", " ...", "-i", " ..."}},
		"everything fits":      {"a b c d e f g h i j k", 20, []string{" a", " b", " c", " d", " e", " f", " g", " h", " i", " j", "+k"}},
	} {
		if diff := cmp.Diff(c.want, show(Hunks(Diff(old, strings.Split(c.new, " ")), c.context))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func BenchmarkDiff(b *testing.B) {
	var old []string
	for i := range 400 {
		old = append(old, fmt.Sprint("line ", i))
	}
	new := slices.Clone(old)
	new[10], new[390] = "changed", "changed"
	b.ReportAllocs()
	for b.Loop() {
		Diff(old, new)
	}
}
