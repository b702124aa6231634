package findings

import (
	"strconv"
	"strings"
)

// Severity says how much a kind of finding matters.
type Severity string

// The severities, the gravest first.
const (
	High   Severity = "high"   // what is acted on is wrong, or nothing is done any more
	Medium Severity = "medium" // it is done late, for nothing, or again and again
	Low    Severity = "low"    // it costs more than it needs to, or is worth knowing
)

// Severities are all, the gravest first.
var Severities = []Severity{High, Medium, Low}

// AtLeast reports whether s is as grave as t.
func (s Severity) AtLeast(t Severity) bool { return rank(s) <= rank(t) }

func rank(s Severity) int {
	for i, x := range Severities {
		if x == s {
			return i
		}
	}
	return len(Severities)
}

// Severity is that of the finding's kind.
func (f *Finding) Severity() Severity { return infoOf[f.Kind].Severity }

// Cause is a likely cause of a finding, with what speaks for it.
type Cause struct {
	Text string `json:"text"`
	Sign string `json:"sign,omitempty"` // what was seen that speaks for it; "" when it is only common
}

// causer is a detector that knows more than what its kind says about causes.
type causer interface {
	// causes are the likely causes of r, the likeliest first. It writes nothing.
	causes(f *fold, r *record) []Cause
}

// joiner is a detector of which several findings can have one cause: a server that
// is gone is one finding, however many resources it served.
type joiner interface {
	// cause names what made r, "" when it stands alone.
	cause(f *fold, r *record) string
	// joint is the text of several records with one cause.
	joint(f *fold, rs []*record) string
}

// textCause finds a likely cause in the text of an error.
type textCause struct {
	has []string // one of these parts, in lower case
	Cause
}

// causesIn are the causes that an error's text speaks for.
func causesIn(table []textCause, text string) (cs []Cause) {
	low := strings.ToLower(text)
	for _, c := range table {
		for _, part := range c.has {
			if strings.Contains(low, part) {
				cs = append(cs, Cause{c.Text, c.Sign})
				break
			}
		}
	}
	return cs
}

// names joins a few names: "a", "a and b", "a, b and 3 more".
func names(all []string) string {
	switch n := len(all); {
	case n == 0:
		return ""
	case n == 1:
		return all[0]
	case n <= 3:
		return strings.Join(all[:n-1], ", ") + " and " + all[n-1]
	default:
		return all[0] + ", " + all[1] + " and " + strconv.Itoa(n-2) + " more"
	}
}
