package faults

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/watch"
)

// Fault is one thing that goes wrong on the wire, as Parse reads it. It is a
// value: what an armed one has done so far is in Armed.
type Fault struct {
	Kind Kind
	// Resource is "pods" or "deployments.apps", as in the request's path; ""
	// is every resource.
	Resource string
	// On are the requests that it strikes; 0 is those of its kind's Info.
	On Verbs
	// Times is how often it strikes; 0 is until it is disarmed. What strikes
	// all open watches at once has struck once.
	Times int
	// For is how long it stays armed; 0 is until it is disarmed.
	For time.Duration
	// Probability is that of a strike where one could be; 0 means 1.
	Probability float64

	// Delay is how long to hold an event or a list.
	Delay time.Duration
	// Status is what kind http answers, one of Statuses.
	Status int
	// RetryAfter is told with a status, in whole seconds; 0 is not at all.
	RetryAfter time.Duration
	// Text is the message of a status or the garbage of malformed; "" is what
	// a real server would say.
	Text string
	// Type and Key select events; "" is any. Drop and repeat without a Type
	// leave BOOKMARK and ERROR alone, and stale does so always.
	Type watch.EventType
	Key  string
	// Page is the only page of a list that it strikes, from 1; 0 is any.
	Page int
	// At is after how many bytes of a body it strikes, as they are without
	// compression; 0 is half way, or half of what comes first of a body whose
	// length the server does not tell. A body that is shorter stays whole.
	At int
}

// New returns a fault of a kind with the kind's defaults.
func New(k Kind) Fault {
	info, _ := Lookup(k)
	return Fault{Kind: k, Times: info.Times}
}

// Words are the words that Parse makes the same fault from.
func (f Fault) Words() []string {
	words := []string{string(f.Kind)}
	info, _ := Lookup(f.Kind)
	if info.Value != nil {
		words = append(words, info.Value.get(&f, &info))
	}
	if f.Resource != "" {
		words = append(words, f.Resource)
	}
	for _, p := range info.Params {
		if s := p.get(&f, &info); s != "" {
			words = append(words, p.Name+"="+s)
		}
	}
	return words
}

// String is the fault as a user types it; Split undoes it.
func (f Fault) String() string {
	words := f.Words()
	for i, w := range words {
		if strings.ContainsFunc(w, needsQuotes) {
			words[i] = strconv.Quote(w)
		}
	}
	return strings.Join(words, " ")
}

// Validate says what keeps the fault from being armed.
func (f Fault) Validate() error {
	info, ok := Lookup(f.Kind)
	if !ok {
		return unknownKind(string(f.Kind))
	}
	fail := func(p *Param, err error) error { return fmt.Errorf("%s: %s: %w", f.Kind, p.Name, err) }
	// What the kind does not take must not be set.
	zero := Fault{Kind: f.Kind, Times: info.Times}
	for _, p := range allParams {
		if !info.takes(p) && p.get(&f, &info) != p.get(&zero, &info) {
			return fmt.Errorf("%s takes no %s; it takes %s", f.Kind, p.Name, info.usage())
		}
	}
	switch {
	case f.Resource == All || strings.ContainsFunc(f.Resource, notInResource):
		return fmt.Errorf("%s: %q is no resource; name one such as pods or deployments.apps, or none for every one", f.Kind, f.Resource)
	case f.Times < 0:
		return fail(paramTimes, fmt.Errorf("%d is below 0", f.Times))
	case f.For < 0:
		return fail(paramFor, fmt.Errorf("%v is below 0", f.For))
	case !(f.Probability >= 0 && f.Probability <= 1):
		return fail(paramProbability, fmt.Errorf("%v is not between 0 and 1", f.Probability))
	case info.Value == paramDelay && f.Delay <= 0:
		return fail(paramDelay, fmt.Errorf("%v is not over 0", f.Delay))
	}
	if info.Value == paramStatus {
		if err := validStatus(f.Status); err != nil {
			return fail(paramStatus, err)
		}
	}
	if err := validRetryAfter(f.RetryAfter); err != nil {
		return fail(paramRetryAfter, err)
	}
	if err := validType(f.Type); err != nil {
		return fail(paramType, err)
	}
	if all := info.On | info.may; f.On&^all != 0 {
		return fail(paramOn, fmt.Errorf("it strikes only %s, not %s", all, f.On&^all))
	}
	switch {
	case f.Page < 0:
		return fail(paramPage, fmt.Errorf("%d is below 0", f.Page))
	case f.At < 0:
		return fail(paramAt, fmt.Errorf("%d is below 0", f.At))
	case f.Page > 0 && f.on()&^VerbList != 0:
		return fail(paramPage, fmt.Errorf("only a list has pages, not %s", f.on()&^VerbList))
	case f.At > 0 && f.on()&^Bodies != 0:
		return fail(paramAt, fmt.Errorf("only the body of a list or a get can be struck there, not of %s", f.on()&^Bodies))
	case (f.Page > 0 || f.At > 0) && (f.Type != "" || f.Key != ""):
		return fmt.Errorf("%s: page and at are of lists, type and key of the events of a watch", f.Kind)
	}
	return nil
}

// notInResource is true of what the name of a resource does not hold, and would
// make Words ambiguous.
func notInResource(r rune) bool { return r == '=' || r == '/' || needsQuotes(r) }

// on are the requests that f strikes.
func (f *Fault) on() Verbs {
	switch {
	case f.On != 0:
		return f.On
	case f.Page > 0 || f.At > 0:
		return VerbList
	}
	info, _ := Lookup(f.Kind)
	return info.On
}

// appliesTo says whether f is about such a request.
func (f *Fault) appliesTo(r *Request) bool {
	return f.on()&r.Verb != 0 && (f.Resource == "" || r.is(f.Resource)) &&
		(f.Kind != ExpiredContinue || r.Continue) && (f.Page == 0 || f.Page == r.Page)
}
