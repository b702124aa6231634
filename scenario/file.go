package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// File is a scenario as it was written down: what to start, what to do then,
// and what every structure is to hold. Parse makes one, Play runs it.
type File struct {
	Name   string // its path, or case:NAME
	Title  string
	Source string // the address of the report that it retells
	About  string

	Settings Settings
	Objects  []Object
	Before   []Line // said before the informers start
	Steps    []Step
}

// Settings are those of the session. The zero value is one of configmaps on the
// real clock, without workers.
type Settings struct {
	Resources []string
	Namespace string
	Selector  string // of labels
	Fields    string // the field selector
	FIFO      string
	Compare   []string
	Client    string
	Timeout   time.Duration // of the client's requests, watches among them; 0 is none
	WatchList *bool         // false: the server refuses a WATCHLIST

	Workers  int
	Work     time.Duration
	Fail     float64
	Resync   time.Duration
	Handlers []string
	Limiter  string
	Queue    string
	Indexes  []string
	Stores   string

	Thresholds      []string // NAME=VALUE; see package findings
	DetectMutations time.Duration
	Paused          bool
	Pace            float64
	FakeClock       bool

	line int
}

// Object is what is on the server before the informers start: either the words
// of create, or a manifest.
type Object struct {
	Line     int
	Short    string // "configmap shop/a app=web"
	Manifest map[string]any
}

// Line is one verb with its arguments, and where it stands.
type Line struct {
	Line int
	Text string
}

// Step is what is done and waited for, and what is expected then.
type Step struct {
	Line     int
	Resource string // what the verbs act on and the expectations are about; "" is the first one
	Say      string
	Ask      *Ask // of a lesson; nil: nothing is asked
	Do       []Line
	Repeat   int // how often Do is done; $n in it is the number of the round, from 1
	Wait     time.Duration
	Within   time.Duration // for how long an expectation may take to come true, in real time

	expect *want
	calls  *callsWant
}

// defaultWithin is Step.Within when a file does not say it.
const defaultWithin = 5 * time.Second

// Mistake is what is wrong with a file's form.
type Mistake struct {
	File string
	Line int
	Text string
}

func (m Mistake) Error() string { return fmt.Sprintf("%s:%d: %s", m.File, m.Line, m.Text) }

// Mistakes are all of a file, in its order.
type Mistakes []Mistake

func (ms Mistakes) Error() string {
	texts := make([]string, len(ms))
	for i, m := range ms {
		texts[i] = m.Error()
	}
	return strings.Join(texts, "\n")
}

// SortNames puts E2 before E10.
func SortNames(names []string) {
	slices.SortFunc(names, func(a, b string) int {
		for a != "" && b != "" {
			aPart, bPart := leading(a), leading(b)
			aNumber, aErr := strconv.Atoi(aPart)
			bNumber, bErr := strconv.Atoi(bPart)
			order := strings.Compare(aPart, bPart)
			if aErr == nil && bErr == nil {
				order = cmp.Or(cmp.Compare(aNumber, bNumber), order)
			}
			if order != 0 {
				return order
			}
			a, b = a[len(aPart):], b[len(bPart):]
		}
		return cmp.Compare(len(a), len(b))
	})
}

// leading is the number that s begins with, or what comes before the first one.
func leading(s string) string {
	isDigit := func(r rune) bool { return '0' <= r && r <= '9' }
	digits := isDigit(rune(s[0]))
	i := strings.IndexFunc(s, func(r rune) bool { return isDigit(r) != digits })
	if i < 0 {
		return s
	}
	return s[:i]
}
