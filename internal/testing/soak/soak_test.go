package soak

import "testing"

func TestCounterTellsItsFigures(t *testing.T) {
	c := Start(t)
	for range 3 {
		c.Operation()
	}
	c.Sequence(0)
	c.Sequence(2)
	if got, want := c.String(), "3 operations in 2 sequences, 2 divergences"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
