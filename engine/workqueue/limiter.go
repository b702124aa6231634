package workqueue

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/time/rate"
	cgo "k8s.io/client-go/util/workqueue"

	"informerscope/journal"
)

// Limiter is one of client-go's rate limiters, built from a spec, with what the
// screen says of it. It has state: each queue needs one of its own.
type Limiter struct {
	cgo.TypedRateLimiter[string] // client-go's own

	Name       string // default, exponential, fast-slow, bucket, max-of or with-max-wait
	Parameters string // all of them, as the spec writes them

	buckets []*rate.Limiter // the token buckets in it
}

// defaultParts is what client-go's DefaultTypedControllerRateLimiter is made
// of. It is built from its parts, as that one does not let its bucket be seen.
const defaultParts = "exponential(base=5ms,max=1000s)+bucket(qps=10,burst=100)"

// build makes the limiter name with the parameters that text gives.
func build(name, text string) (*Limiter, error) {
	a := &args{name: name, text: text}
	l, err := a.build()
	if err != nil {
		return nil, err
	}
	l.Name = name
	return l, nil
}

func (a *args) build() (*Limiter, error) {
	switch a.name {
	case "default":
		if a.text != "" {
			return nil, errors.New("default takes no parameters: write it as max-of:" + defaultParts)
		}
		return maxOf(defaultParts)
	case "exponential":
		a.read()
		base, most := a.duration("base", 5*time.Millisecond), a.duration("max", 1000*time.Second)
		if a.err == nil && (base <= 0 || most < base) {
			a.err = fmt.Errorf("exponential needs 0 < base <= max, not base=%s,max=%s", short(base), short(most))
		}
		return a.limiter(cgo.NewTypedItemExponentialFailureRateLimiter[string](base, most))
	case "fast-slow":
		a.read()
		fast, slow := a.duration("fast", 5*time.Millisecond), a.duration("slow", 10*time.Second)
		attempts := a.count("attempts", 3, 0)
		return a.limiter(cgo.NewTypedItemFastSlowRateLimiter[string](fast, slow, attempts))
	case "bucket":
		a.read()
		b := rate.NewLimiter(rate.Limit(a.rate("qps", 10)), a.count("burst", 100, 1))
		return a.limiter(&cgo.TypedBucketRateLimiter[string]{Limiter: b}, b)
	case "max-of":
		return maxOf(a.text)
	case "with-max-wait":
		a.read()
		most := a.duration("max", 30*time.Second)
		inner, err := parse(a.get("limiter", "default"))
		if err != nil {
			return nil, err
		}
		a.show("limiter", inner.nested())
		return a.limiter(cgo.NewTypedWithMaxWaitRateLimiter[string](inner.TypedRateLimiter, most), inner.buckets...)
	}
	return nil, fmt.Errorf("%q is not a rate limiter: use %s", a.name, strings.Join(LimiterNames(), ", "))
}

// DefaultLimiter is client-go's default for controllers.
func DefaultLimiter() *Limiter { return mustBuild("default") }

func mustBuild(name string) *Limiter {
	l, err := build(name, "")
	if err != nil {
		panic(err) // a test would have found it
	}
	return l
}

// LimiterNames are the names that Parse knows, in the order of the docs.
func LimiterNames() []string {
	return []string{"default", "exponential", "fast-slow", "bucket", "max-of", "with-max-wait"}
}

// Parse makes a rate limiter from a spec, NAME or NAME:PARAMETERS. What is not
// given is client-go's default:
//
//	default
//	exponential:base=5ms,max=1000s
//	fast-slow:fast=5ms,slow=10s,attempts=3
//	bucket:qps=10,burst=100
//	max-of:exponential(base=1s)+bucket(qps=1)
//	with-max-wait:max=30s,limiter=exponential(base=1s)
//
// Inside another limiter a spec is NAME or NAME(PARAMETERS).
func Parse(spec string) (*Limiter, error) {
	name, text, ok := strings.Cut(spec, ":")
	if ok && !strings.Contains(name, "(") {
		if text == "" {
			return nil, fmt.Errorf("%s: is followed by nothing: drop the colon or give parameters", name)
		}
		return build(name, text)
	}
	return parse(spec)
}

// parse reads a spec in the form that stands inside another.
func parse(spec string) (*Limiter, error) {
	name, text, ok := strings.Cut(spec, "(")
	if !ok {
		if name, text, ok := strings.Cut(spec, ":"); ok {
			return nil, fmt.Errorf("inside another limiter write %s(%s), not %s", name, text, spec)
		}
		return build(spec, "")
	}
	inner, ok := strings.CutSuffix(text, ")")
	if !ok {
		return nil, fmt.Errorf("%q does not end with a ) for its (", spec)
	}
	return build(name, inner)
}

// maxOf is the limiter that says the longest of what its parts say.
func maxOf(text string) (*Limiter, error) {
	if text == "" {
		return nil, errors.New("max-of needs limiters: such as max-of:" + defaultParts)
	}
	specs, err := split(text, '+')
	if err != nil {
		return nil, err
	}
	var parts []cgo.TypedRateLimiter[string]
	var names []string
	l := &Limiter{}
	for _, spec := range specs {
		part, err := parse(spec)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part.TypedRateLimiter)
		names = append(names, part.nested())
		l.buckets = append(l.buckets, part.buckets...)
	}
	l.TypedRateLimiter = cgo.NewTypedMaxOfRateLimiter(parts...)
	l.Parameters = strings.Join(names, "+")
	return l, nil
}

// nested is the spec of l as it stands inside another.
func (l *Limiter) nested() string {
	if l.Name == "default" || l.Parameters == "" {
		return l.Name
	}
	return l.Name + "(" + l.Parameters + ")"
}

// TokensMilli is what the token bucket holds now, in thousandths; of several,
// the one that holds least. It is negative when tokens were promised to keys
// that still wait for them. 0 without a bucket.
func (l *Limiter) TokensMilli() int64 {
	if len(l.buckets) == 0 {
		return 0
	}
	least := l.buckets[0].Tokens()
	for _, b := range l.buckets[1:] {
		least = min(least, b.Tokens())
	}
	return int64(least * 1000)
}

// layers is the event that says what a queue is made of.
func layers(kind string, o Options) journal.Event {
	made := journal.QueueLayers{Queue: kind, Limiter: "custom"}
	if l, ok := o.Limiter.(*Limiter); ok {
		made.Limiter, made.Parameters, made.Buckets, made.TokensMilli = l.Name, l.Parameters, int64(len(l.buckets)), l.TokensMilli()
	}
	return made.Event(o.Resource, "")
}

// tokens is TokensMilli of a limiter that has a bucket and is known.
func tokens(l cgo.TypedRateLimiter[string]) int64 {
	if l, ok := l.(*Limiter); ok {
		return l.TokensMilli()
	}
	return 0
}
