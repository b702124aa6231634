package scenario

import (
	"slices"
	"testing"
	"time"
)

// What the settings armed is part of the scenario: a clear leaves it.
func TestClearLeavesTheSettingsFaults(t *testing.T) {
	f, err := Parse("f.yaml", []byte("title: t\nsettings: {watchList: false}\nsteps:\n- do: add a\n"))
	if err != nil {
		t.Fatal(err)
	}
	l, err := OpenLesson(t.Context(), f, 1, PlayOptions{Patience: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}()
	s := l.Subject()
	armed := func() (ids []int) {
		for _, a := range s.Session.Armed() {
			ids = append(ids, a.ID)
		}
		return ids
	}
	for _, x := range []struct {
		line, answer string
		left         []int
	}{
		{"clear", "no fault was armed", []int{1}},
		{"drop times=3", "", []int{1, 2}},
		{"clear", "1 fault cleared", []int{1}},
		{"clear 1", "fault 1 is cleared", nil},
	} {
		answer, err := s.Run(t.Context(), "configmaps", x.line)
		if err != nil || x.answer != "" && answer != x.answer || !slices.Equal(armed(), x.left) {
			t.Errorf("%s: %q %v, left %v, want %q and %v", x.line, answer, err, armed(), x.answer, x.left)
		}
	}
}
