package cli

import (
	"testing"

	"github.com/spf13/pflag"

	"informerscope/engine"
)

func TestFlagValues(t *testing.T) {
	values := func() map[string]pflag.Value {
		return map[string]pflag.Value{
			"pace":     &rateValue{word: "realtime", lowest: 0.001},
			"churn":    &rateValue{},
			"until":    &untilValue{},
			"work":     new(durationValue),
			"fail":     new(shareValue),
			"workers":  &countValue{max: 1024},
			"output":   &choiceValue{words: []string{"json", "yaml"}},
			"index":    new(indexesValue),
			"handler":  new(handlersValue),
			"limiter":  new(limiterValue),
			"queue":    &choiceValue{word: "fifo", words: engine.Queues},
			"timeout2": new(durationValue),
		}
	}
	for _, c := range []struct{ flag, in, want string }{
		{"pace", "4", "4/s"}, {"pace", "4/s", "4/s"}, {"pace", "0.5/s", "0.5/s"}, {"pace", "realtime", "realtime"},
		{"churn", "6", "6/s"}, {"churn", "6/s", "6/s"}, {"churn", "0", "0/s"},
		{"until", "synced", "synced"}, {"until", "drained", "drained"}, {"until", "5s", "5s"}, {"until", "1m30s", "1m30s"},
		{"work", "300ms", "300ms"}, {"work", "0", "0"}, {"work", "60s", "1m"}, {"work", "2h", "2h"}, {"work", "90s", "1m30s"}, {"work", "10m", "10m"},
		{"fail", "0.1", "0.1"}, {"fail", "0", "0"}, {"fail", "1", "1"},
		{"workers", "0", "0"}, {"workers", "16", "16"},
		{"output", "yaml", "yaml"},
		{"index", "label:app", "label:app"}, {"index", "jsonpath:.spec.nodeName", "jsonpath:.spec.nodeName"}, {"index", "owner", "owner"},
		{"queue", "priority", "priority"}, {"limiter", "bucket:qps=1", "bucket:qps=1"}, {"limiter", "max-of:exponential+bucket(qps=1)", "max-of:exponential+bucket(qps=1)"},
		{"handler", "audit", "audit"}, {"handler", "slow,delay=200ms,resync=2s", "slow,delay=200ms,resync=2s"}, {"handler", "a.b-c,resync=0s", "a.b-c,resync=0s"},
	} {
		v := values()[c.flag]
		if err := v.Set(c.in); err != nil {
			t.Errorf("%s %q: %v", c.flag, c.in, err)
		} else if v.String() != c.want {
			t.Errorf("%s %q: got %q, want %q", c.flag, c.in, v.String(), c.want)
		}
	}
	for flag, bad := range map[string][]string{
		"pace":    {"", "0", "-1", "NaN", "inf", "x", "4/m", "1e9", "s", "/s"},
		"churn":   {"", "-1", "NaN", "x", "realtime"},
		"until":   {"", "sync", "5", "-5s", "0s", "0"},
		"work":    {"", "x", "5", "-1s"},
		"fail":    {"", "-0.1", "1.1", "NaN", "10%"},
		"workers": {"", "-1", "1.5", "1025", "x"},
		"output":  {"", "JSON", "wide", "json,yaml"},
		"handler": {"", ",delay=1s", "a b", "-a", "a,b", "a,delay", "a,delay=", "a,delay=5", "a,delay=-1s", "a,speed=1s", "a,delay=1s,delay=2s", "a,resync=-1ns"},
		"queue":   {"", "lifo"},
		"limiter": {"", "slow", "bucket:", "bucket:burst=0", "max-of", "exponential:base=5"},
		"index":   {"", "label", "label:", "label:a b", "foo", "jsonpath", "jsonpath:{"},
	} {
		for _, in := range bad {
			v := values()[flag]
			before := v.String()
			if err := v.Set(in); err == nil || err.Error() == "" {
				t.Errorf("%s %q was accepted as %s", flag, in, v)
			}
			if v.String() != before {
				t.Errorf("%s %q changed the value to %s", flag, in, v)
			}
		}
	}
}
