package workqueue

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/time/rate"
	cgo "k8s.io/client-go/util/workqueue"
)

// args are the parameters of one limiter of a spec. The first error stays.
type args struct {
	name  string // of the limiter
	text  string // "base=5ms,max=1000s"
	given map[string]string
	shown []string // what was asked for, with the values that hold
	err   error
}

// read splits the text at the commas that are in no parentheses.
func (a *args) read() {
	a.given = map[string]string{}
	if a.text == "" {
		return
	}
	parts, err := split(a.text, ',')
	if err != nil {
		a.err = err
		return
	}
	for _, part := range parts {
		key, value, ok := strings.Cut(part, "=")
		switch _, twice := a.given[key]; {
		case !ok:
			a.fail(fmt.Errorf("%s: %q is not of the form NAME=VALUE", a.name, part))
		case twice:
			a.fail(fmt.Errorf("%s: %s is given twice", a.name, key))
		}
		a.given[key] = value
	}
}

func (a *args) fail(err error) {
	if a.err == nil {
		a.err = err
	}
}

// get takes a parameter out of what is given.
func (a *args) get(key, otherwise string) string {
	value, ok := a.given[key]
	if !ok {
		return otherwise
	}
	delete(a.given, key)
	return value
}

// show notes a parameter that the limiter has.
func (a *args) show(key, value string) { a.shown = append(a.shown, key+"="+value) }

func (a *args) duration(key string, otherwise time.Duration) time.Duration {
	text := a.get(key, otherwise.String())
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		a.fail(fmt.Errorf("%s: %s=%s is not a duration: use one such as 5ms, 10s or 1m30s", a.name, key, text))
	}
	a.show(key, short(d))
	return d
}

func (a *args) count(key string, otherwise, least int) int {
	text := a.get(key, strconv.Itoa(otherwise))
	n, err := strconv.Atoi(text)
	if err != nil || n < least {
		a.fail(fmt.Errorf("%s: %s=%s is not a whole number from %d on", a.name, key, text, least))
	}
	a.show(key, strconv.Itoa(n))
	return n
}

func (a *args) rate(key string, otherwise float64) float64 {
	text := a.get(key, strconv.FormatFloat(otherwise, 'f', -1, 64))
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(f) || f < 0.001 || f > 1e6 {
		a.fail(fmt.Errorf("%s: %s=%s is not a number a second from 0.001 to 1000000", a.name, key, text))
	}
	a.show(key, strconv.FormatFloat(f, 'f', -1, 64))
	return f
}

// limiter ends the reading: what is left over was not asked for.
func (a *args) limiter(l cgo.TypedRateLimiter[string], buckets ...*rate.Limiter) (*Limiter, error) {
	names := make([]string, len(a.shown))
	for i, s := range a.shown {
		names[i], _, _ = strings.Cut(s, "=")
	}
	for _, key := range slices.Sorted(maps.Keys(a.given)) {
		a.fail(fmt.Errorf("%s has no parameter %q: it has %s", a.name, key, strings.Join(names, ", ")))
	}
	if a.err != nil {
		return nil, a.err
	}
	return &Limiter{TypedRateLimiter: l, Parameters: strings.Join(a.shown, ","), buckets: buckets}, nil
}

// split cuts text at every sep that is in no parentheses.
func split(text string, sep byte) (parts []string, err error) {
	depth, start := 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == sep && depth == 0:
			parts = append(parts, text[start:i])
			start = i + 1
		}
		if depth < 0 {
			break // what follows cannot mend it
		}
	}
	if depth != 0 {
		return nil, errors.New("the parentheses in " + strconv.Quote(text) + " do not match")
	}
	return append(parts, text[start:]), nil
}

// short writes whole seconds as such: client-go's maximum is 1000s to everyone,
// not 16m40s.
func short(d time.Duration) string {
	if d != 0 && d%time.Second == 0 {
		return strconv.FormatInt(int64(d/time.Second), 10) + "s"
	}
	return d.String()
}
