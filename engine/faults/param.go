package faults

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/watch"
)

// Param is an argument of a fault.
type Param struct {
	Name    string   // as in name=value
	Value   string   // what stands for the value in a help text: N, DURATION
	Help    string   // one line
	Choices []string // the values or, where any other may be given too, the usual ones

	set func(f *Fault, value string) error
	get func(f *Fault, info *Info) string // "" when f holds the default of its kind
}

var (
	paramTimes = &Param{Name: "times", Value: "N", Help: "how often it strikes; 0 is until it is disarmed", Choices: []string{"0", "1", "3"},
		set: func(f *Fault, s string) (err error) {
			if f.Times, err = strconv.Atoi(s); err != nil || f.Times < 0 {
				return fmt.Errorf("%q is no number from 0 on", s)
			}
			return nil
		},
		get: func(f *Fault, info *Info) string {
			if info.Times == f.Times {
				return ""
			}
			return strconv.Itoa(f.Times)
		}}
	paramFor         = durationParam("for", "disarm it after this time", func(f *Fault) *time.Duration { return &f.For }, "10s", "1m")
	paramProbability = &Param{Name: "p", Value: "SHARE", Help: "the probability of a strike, over 0 and up to 1", Choices: []string{"0.1", "0.5"},
		set: func(f *Fault, s string) (err error) {
			if f.Probability, err = strconv.ParseFloat(s, 64); err != nil || !(f.Probability > 0 && f.Probability <= 1) {
				return fmt.Errorf("%q is no number over 0 and up to 1", s)
			}
			return nil
		},
		get: func(f *Fault, _ *Info) string {
			if f.Probability == 0 {
				return ""
			}
			return strconv.FormatFloat(f.Probability, 'g', -1, 64)
		}}
	paramOn = &Param{Name: "on", Value: "REQUESTS", Help: "only these requests, with commas between", Choices: verbNames,
		set: func(f *Fault, s string) (err error) {
			f.On, err = ParseVerbs(s)
			return err
		},
		get: func(f *Fault, _ *Info) string { return f.On.String() }}
	paramPage = countParam("page", "PAGE", "only this page of a list, from 1", func(f *Fault) *int { return &f.Page }, "1", "3")
	paramAt   = countParam("at", "BYTES", "after so many bytes of the body, as they are without compression; when left out half way or, where the length is not told, in what comes first",
		func(f *Fault) *int { return &f.At }, "1", "4096")
	paramRetryAfter = durationParam("retry-after", "the Retry-After that comes with it, whole seconds; none by default",
		func(f *Fault) *time.Duration { return &f.RetryAfter }, "1s", "5s")
	paramText = &Param{Name: "text", Value: "TEXT", Help: "the message, or the garbage",
		set: func(f *Fault, s string) error { f.Text = s; return nil },
		get: func(f *Fault, _ *Info) string { return f.Text }}
	paramType = &Param{Name: "type", Value: "TYPE", Help: "only events of this type",
		Choices: []string{string(watch.Added), string(watch.Modified), string(watch.Deleted), string(watch.Bookmark), string(watch.Error)},
		set: func(f *Fault, s string) error {
			f.Type = watch.EventType(strings.ToUpper(s))
			return validType(f.Type)
		},
		get: func(f *Fault, _ *Info) string { return string(f.Type) }}
	paramKey = &Param{Name: "key", Value: "KEY", Help: "only events of this object, namespace/name",
		set: func(f *Fault, s string) error { f.Key = s; return nil },
		get: func(f *Fault, _ *Info) string { return f.Key }}
	paramDelay = durationParam("delay", "how long", func(f *Fault) *time.Duration { return &f.Delay }, "200ms", "2s", "10s")

	paramStatus = &Param{Name: "status", Value: "STATUS", Help: "the status code", Choices: statusWords(),
		set: func(f *Fault, s string) (err error) {
			if f.Status, err = strconv.Atoi(s); err != nil {
				return validStatus(-1)
			}
			return validStatus(f.Status)
		},
		get: func(f *Fault, _ *Info) string { return strconv.Itoa(f.Status) }}
)

func countParam(name, value, help string, field func(*Fault) *int, choices ...string) *Param {
	return &Param{Name: name, Value: value, Help: help, Choices: choices,
		set: func(f *Fault, s string) error {
			n, err := strconv.Atoi(s)
			if err != nil || n < 1 {
				return fmt.Errorf("%q is no number from 1 on", s)
			}
			*field(f) = n
			return nil
		},
		get: func(f *Fault, _ *Info) string {
			if *field(f) == 0 {
				return ""
			}
			return strconv.Itoa(*field(f))
		}}
}

func durationParam(name, help string, field func(*Fault) *time.Duration, choices ...string) *Param {
	return &Param{Name: name, Value: "DURATION", Help: help, Choices: choices,
		set: func(f *Fault, s string) error {
			d, err := time.ParseDuration(s)
			if err != nil || d <= 0 {
				return fmt.Errorf("%q is no time over 0, such as %s", s, choices[0])
			}
			*field(f) = d
			return nil
		},
		get: func(f *Fault, _ *Info) string {
			if *field(f) == 0 {
				return ""
			}
			return field(f).String()
		}}
}

func statusWords() []string {
	var words []string
	for _, code := range Statuses {
		words = append(words, strconv.Itoa(code))
	}
	return words
}

func validStatus(code int) error {
	if !slices.Contains(Statuses, code) {
		return fmt.Errorf("use one of %s", strings.Join(statusWords(), ", "))
	}
	return nil
}

func validType(t watch.EventType) error {
	switch t {
	case "", watch.Added, watch.Modified, watch.Deleted, watch.Bookmark, watch.Error:
		return nil
	}
	return fmt.Errorf("%q is none of ADDED, MODIFIED, DELETED, BOOKMARK, ERROR", t)
}

func validRetryAfter(d time.Duration) error {
	if d < 0 || d%time.Second != 0 {
		return errors.New("Retry-After is told in whole seconds")
	}
	return nil
}
