package workqueue

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	cgo "k8s.io/client-go/util/workqueue"
	"pgregory.net/rapid"

	"informerscope/journal"
)

// What a spec leaves out is client-go's default, all of it is told, and what is
// told is a spec of the same limiter.
func TestParseTellsAllParameters(t *testing.T) {
	const parts = "exponential(base=5ms,max=1000s)+bucket(qps=10,burst=100)"
	for spec, want := range map[string]string{
		"default":                               "default " + parts,
		"exponential":                           "exponential base=5ms,max=1000s",
		"exponential:base=1s":                   "exponential base=1s,max=1000s",
		"exponential:max=1m30s,base=20ms":       "exponential base=20ms,max=90s",
		"fast-slow":                             "fast-slow fast=5ms,slow=10s,attempts=3",
		"fast-slow:attempts=0,fast=0,slow=1h":   "fast-slow fast=0s,slow=3600s,attempts=0",
		"bucket":                                "bucket qps=10,burst=100",
		"bucket:qps=0.5,burst=1":                "bucket qps=0.5,burst=1",
		"max-of:" + parts:                       "max-of " + parts,
		"max-of:exponential+default":            "max-of exponential(base=5ms,max=1000s)+default",
		"max-of:max-of(bucket+bucket(qps=1))":   "max-of max-of(bucket(qps=10,burst=100)+bucket(qps=1,burst=100))",
		"with-max-wait":                         "with-max-wait max=30s,limiter=default",
		"with-max-wait:max=1s,limiter=bucket":   "with-max-wait max=1s,limiter=bucket(qps=10,burst=100)",
		"with-max-wait(limiter=max-of(bucket))": "with-max-wait max=30s,limiter=max-of(bucket(qps=10,burst=100))",
	} {
		l, err := Parse(spec)
		if err != nil {
			t.Errorf("%s: %v", spec, err)
			continue
		}
		if got := l.Name + " " + l.Parameters; got != want {
			t.Errorf("%s is %s, want %s", spec, got, want)
		}
		if l.Name == "default" {
			continue
		}
		again, err := Parse(l.Name + ":" + l.Parameters)
		if err != nil || again.Parameters != l.Parameters {
			t.Errorf("%s is told as %s, which is not a spec of it: %v", spec, l.Parameters, err)
		}
	}
}

func TestParseSaysWhatIsWrong(t *testing.T) {
	for spec, want := range map[string]string{
		"":                                  `"" is not a rate limiter: use default, exponential, fast-slow, bucket, max-of, with-max-wait`,
		"exponentail":                       `"exponentail" is not a rate limiter`,
		"default:qps=1":                     "default takes no parameters",
		"bucket:":                           "drop the colon or give parameters",
		"exponential:bas=1s":                `exponential has no parameter "bas": it has base, max`,
		"exponential:base=5":                "exponential: base=5 is not a duration",
		"exponential:base=-1s":              "base=-1s is not a duration",
		"exponential:base=0s":               "exponential needs 0 < base <= max",
		"exponential:base=2s,max=1s":        "not base=2s,max=1s",
		"exponential:base=1s,base=2s":       "base is given twice",
		"exponential:1s":                    `"1s" is not of the form NAME=VALUE`,
		"exponential:base=1s,":              `"" is not of the form`,
		"fast-slow:attempts=-1":             "attempts=-1 is not a whole number from 0 on",
		"bucket:burst=0":                    "burst=0 is not a whole number from 1 on",
		"bucket:qps=0":                      "qps=0 is not a number a second",
		"bucket:qps=NaN":                    "qps=NaN is not a number a second",
		"max-of":                            "max-of needs limiters",
		"max-of:bucket+":                    `"" is not a rate limiter`,
		"max-of:bucket(qps=1":               "do not match",
		"max-of:bucket(qps=1)x":             "does not end with a )",
		"max-of:bucket:qps=1":               "inside another limiter write bucket(qps=1)",
		"max-of:bucket)(":                   "do not match",
		"with-max-wait:max=1s,limiter=slow": `"slow" is not a rate limiter`,
		"with-max-wait:limit=bucket":        `with-max-wait has no parameter "limit": it has max, limiter`,
	} {
		l, err := Parse(spec)
		if err == nil {
			t.Errorf("%q was accepted as %s %s", spec, l.Name, l.Parameters)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q does not say %q", spec, err, want)
		}
	}
}

// Whatever the spec is, Parse does not panic, and what it makes answers.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"default", "max-of:exponential(base=1s)+bucket(qps=1)", "with-max-wait:max=30s,limiter=fast-slow(attempts=1)", "((", "a:b(c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, spec string) {
		l, err := Parse(spec)
		if (l == nil) == (err == nil) {
			t.Fatalf("%q: %v, %v", spec, l, err)
		}
		if err != nil {
			return
		}
		if d := l.When("k"); d < 0 {
			t.Errorf("%q answers %s", spec, d)
		}
		l.Forget("k")
	})
}

// A limiter from a spec answers what the one from client-go's constructor does.
func TestLimitersAnswerAsClientGos(t *testing.T) {
	expo := func() cgo.TypedRateLimiter[string] {
		return cgo.NewTypedItemExponentialFailureRateLimiter[string](time.Second, 9*time.Second)
	}
	for spec, real := range map[string]func() cgo.TypedRateLimiter[string]{
		"default":                    cgo.DefaultTypedControllerRateLimiter[string],
		"exponential:base=1s,max=9s": expo,
		"fast-slow:fast=1ms,attempts=2": func() cgo.TypedRateLimiter[string] {
			return cgo.NewTypedItemFastSlowRateLimiter[string](time.Millisecond, 10*time.Second, 2)
		},
		"max-of:exponential(base=1s,max=9s)+fast-slow": func() cgo.TypedRateLimiter[string] {
			return cgo.NewTypedMaxOfRateLimiter(expo(), cgo.NewTypedItemFastSlowRateLimiter[string](5*time.Millisecond, 10*time.Second, 3))
		},
		"with-max-wait:max=3s,limiter=exponential(base=1s,max=9s)": func() cgo.TypedRateLimiter[string] {
			return cgo.NewTypedWithMaxWaitRateLimiter(expo(), 3*time.Second)
		},
		"with-max-wait": func() cgo.TypedRateLimiter[string] {
			return cgo.NewTypedWithMaxWaitRateLimiter(cgo.DefaultTypedControllerRateLimiter[string](), 30*time.Second)
		},
	} {
		t.Run(spec, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				ops := rapid.SliceOfN(rapid.Custom(drawOp), 1, 150).Draw(rt, "ops")
				var failed string
				synctest.Test(t, func(*testing.T) {
					l, err := Parse(spec)
					if err != nil {
						failed = err.Error()
						return
					}
					r := real()
					for i, o := range ops {
						switch o.What {
						case "Advance":
							time.Sleep(max(0, o.Delay))
						case "Forget":
							l.Forget(o.Key)
							r.Forget(o.Key)
						default:
							if got, want := l.When(o.Key), r.When(o.Key); got != want {
								failed = fmt.Sprintf("step %d: When(%s) is %s, want %s", i, o.Key, got, want)
								return
							}
						}
						if got, want := l.NumRequeues(o.Key), r.NumRequeues(o.Key); got != want {
							failed = fmt.Sprintf("step %d: NumRequeues(%s) is %d, want %d", i, o.Key, got, want)
							return
						}
					}
				})
				if failed != "" {
					rt.Fatal(failed)
				}
			})
		})
	}
}

// E4: the queue with a limiter of the flag says which it is, what it answered
// and what its bucket held then, also when that is overdrawn.
func TestE4TokensOfTheBucket(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, err := Parse("max-of:exponential(base=5ms)+bucket(qps=10,burst=2)")
		if err != nil {
			t.Fatal(err)
		}
		r := newRig(Options{Limiter: l})
		defer r.ShutDown()
		q := r.queue()
		if q.Kind != journal.QueueIsFIFO || q.Limiter != "max-of" || q.Parameters != "exponential(base=5ms,max=1000s)+bucket(qps=10,burst=2)" || !q.HasBucket || q.TokensMilli != 2000 {
			t.Errorf("the layers are %q %q %q, bucket %t, %d tokens", q.Kind, q.Limiter, q.Parameters, q.HasBucket, q.TokensMilli)
		}
		for i, want := range []struct {
			delay  time.Duration
			tokens int64
		}{{5 * time.Millisecond, 1000}, {5 * time.Millisecond, 0}, {100 * time.Millisecond, -1000}, {200 * time.Millisecond, -2000}} {
			r.AddRateLimited(fmt.Sprint("k", i))
			e := find(r.written.View(), journal.KindQueueAddLimited)
			if e.Dur != want.delay || e.Raw().M != want.tokens || e.Raw().N != 1 {
				t.Errorf("key %d: %s, %d tokens, %d requeues; want %s and %d", i, e.Dur, e.Raw().M, e.Raw().N, want.delay, want.tokens)
			}
			r.sound(t)
		}
		if q := r.queue(); q.TokensMilli != -2000 || q.FailuresLen() != 4 {
			t.Errorf("the fold has %d tokens and %d failures", q.TokensMilli, q.FailuresLen())
		}
		sleep(time.Second)
		r.Forget("k0")
		r.AddRateLimited("k1")
		r.AddRateLimited("k1")
		q = r.queue()
		var got []string
		for i := range q.FailuresLen() {
			key, n := q.FailureAt(i)
			got = append(got, fmt.Sprint(key, " ", n))
		}
		if want := "[k1 3 k2 1 k3 1]"; fmt.Sprint(got) != want {
			t.Errorf("failures %v, want %s", got, want)
		}
	})
}

// find is the newest event of a kind.
func find(v journal.View, k journal.Kind) *journal.Event {
	for i := v.Len() - 1; i >= 0; i-- {
		if e := v.At(i); e.Kind == k {
			return e
		}
	}
	return &journal.Event{}
}
