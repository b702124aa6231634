package journal

import "testing"

func TestOlderRVComparesNumbersOnly(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"1001", "1200", true}, {"1200", "1001", false}, {"999", "1000", true}, {"1000", "999", false},
		{"7", "7", false}, {"", "7", false}, {"7", "", false}, {"abc", "abd", false}, {"007", "8", false},
		{"18446744073709551616", "18446744073709551617", true},
	} {
		if got := OlderRV(tt.a, tt.b); got != tt.want {
			t.Errorf("OlderRV(%q, %q) = %v", tt.a, tt.b, got)
		}
	}
}
