package faults_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/watch"
	"pgregory.net/rapid"

	"informerscope/engine/faults"
	"informerscope/internal/phrase"
)

func TestParse(t *testing.T) {
	for line, want := range map[string]faults.Fault{
		"cut":                {Kind: faults.Cut, Times: 1},
		"cut all":            {Kind: faults.Cut, Times: 1},
		"cut pods times=0":   {Kind: faults.Cut, Resource: "pods"},
		"freeze for=1m pods": {Kind: faults.Freeze, Resource: "pods", For: time.Minute},
		"http 429 configmaps retry-after=1s times=3 on=watch,watchlist p=0.25": {Kind: faults.HTTP, Status: 429,
			Resource: "configmaps", RetryAfter: time.Second, Times: 3, On: faults.Watches, Probability: 0.25},
		"delay 200ms deployments.apps type=modified key=shop/a": {Kind: faults.Delay, Delay: 200 * time.Millisecond,
			Resource: "deployments.apps", Type: watch.Modified, Key: "shop/a"},
		`error-410 "text=too \"old\""`: {Kind: faults.Error410, Times: 1, Text: `too "old"`},
	} {
		words, err := phrase.Split(line)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if got, err := faults.Parse(words); err != nil || got != want {
			t.Errorf("%s: %+v, %v, want %+v", line, got, err, want)
		}
	}
}

// Each error names what was found and what would be right.
func TestParseErrors(t *testing.T) {
	for line, want := range map[string][]string{
		"":                           {"name a fault", "cut, ", "goaway"},
		"cutt":                       {`"cutt"`, "cut, "},
		"http":                       {"http needs a status", "http 401"},
		"http pods":                  {"status", "401, 403"},
		"http 418":                   {"status", "401, 403"},
		"delay":                      {"delay needs a delay", "delay 200ms"},
		"delay pods":                 {`"pods"`, "200ms"},
		"delay -1s":                  {`"-1s"`, "over 0"},
		"cut pods services":          {"the resource is given twice"},
		"cut times=1 times=2":        {"times is given twice"},
		"cut times=-1":               {`"-1"`, "from 0 on"},
		"cut times=x":                {`"x"`, "from 0 on"},
		"cut p=0":                    {`"0"`, "over 0 and up to 1"},
		"cut p=2":                    {`"2"`, "up to 1"},
		"cut p=NaN":                  {`"NaN"`, "up to 1"},
		"cut for=0s":                 {`"0s"`, "10s"},
		"cut text=x":                 {"cut takes no text", "[times=N]"},
		"freeze times=2":             {"freeze takes no times", "[for=DURATION]"},
		"http 429 retry-after=1ms":   {"whole seconds"},
		"drop type=CHANGED":          {`"CHANGED"`, "MODIFIED"},
		"cut on=write":               {`"write"`, "watchlist"},
		"cut on=discovery":           {"strikes only list,watch,watchlist,get", "discovery"},
		"freeze on=list":             {"strikes only watch,watchlist", "list"},
		"cut page=0":                 {`"0"`, "from 1 on"},
		"cut page=2 on=watch":        {"only a list has pages, not watch"},
		"malformed at=9 on=watch":    {"only the body of a list or a get", "watch"},
		"malformed at=9 key=a":       {"page and at are of lists"},
		"drop page=2":                {"drop takes no page"},
		"expired-continue on=watch":  {"takes no on"},
		"cut shop/pods":              {`"shop/pods"`, "deployments.apps"},
		"slow-list 1s on=watch":      {"list,watchlist", "not watch"},
		"withhold-initial-end key=a": {"takes no key"},
	} {
		_, err := faults.Parse(strings.Fields(line))
		if err == nil {
			t.Errorf("%s: no error", line)
			continue
		}
		for _, w := range want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %q does not say %q", line, err, w)
			}
		}
	}
	if _, err := phrase.Split(`cut "text=x`); err == nil || !strings.Contains(err.Error(), "quotation mark") {
		t.Errorf("an open quotation: %v", err)
	}
}

// What Arm takes can be typed, and what is typed is what was armed.
func TestStringIsParsedBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		info := rapid.SampledFrom(faults.Kinds).Draw(t, "kind")
		f := faults.New(info.Kind)
		maybe := func(name string) bool { return rapid.Bool().Draw(t, name) }
		seconds := func(name string) time.Duration {
			return time.Duration(rapid.IntRange(1, 1000).Draw(t, name)) * time.Second
		}
		if info.Value != nil && info.Value.Name == "status" {
			f.Status = rapid.SampledFrom(faults.Statuses).Draw(t, "status")
		} else if info.Value != nil {
			f.Delay = time.Duration(rapid.Int64Range(1, math.MaxInt64).Draw(t, "delay"))
		}
		if maybe("resource") {
			f.Resource = rapid.StringMatching(`[a-z]{1,9}(\.[a-z]{1,9}){0,2}`).Filter(func(s string) bool { return s != faults.All }).Draw(t, "resource name")
		}
		for _, p := range info.Params {
			if !maybe(p.Name) {
				continue
			}
			switch p.Name {
			case "times":
				f.Times = rapid.IntRange(0, math.MaxInt32).Draw(t, "n")
			case "for":
				f.For = seconds("d")
			case "p":
				f.Probability = rapid.Float64Range(1e-9, 1).Draw(t, "share")
			case "on":
				f.On = info.On
			case "retry-after":
				f.RetryAfter = seconds("after")
			case "text":
				f.Text = rapid.String().Draw(t, "words")
			case "type":
				f.Type = watch.Modified
			case "key":
				f.Key = rapid.String().Draw(t, "object")
			case "page", "at": // of a list, which has no events
				f.Type, f.Key, f.On = "", "", 0
				if n := rapid.IntRange(1, math.MaxInt32).Draw(t, "count"); p.Name == "page" {
					f.Page = n
				} else {
					f.At = n
				}
			default:
				t.Fatalf("what is %s?", p.Name)
			}
		}
		if err := f.Validate(); err != nil {
			t.Fatalf("%+v: %v", f, err)
		}
		line := f.String()
		words, err := phrase.Split(line)
		if err != nil || !slices.Equal(words, f.Words()) {
			t.Fatalf("%s splits into %q, %v, want %q", line, words, err, f.Words())
		}
		if got, err := faults.Parse(words); err != nil || got != f {
			t.Fatalf("%s: %+v, %v, want %+v", line, got, err, f)
		}
	})
}

func TestValidateRefusesWhatCannotBeTyped(t *testing.T) {
	for _, f := range []faults.Fault{
		{},
		{Kind: "x"},
		{Kind: faults.Cut, Resource: "all"},
		{Kind: faults.Cut, Resource: "a b"},
		{Kind: faults.Cut, Times: -1},
		{Kind: faults.Cut, For: -1},
		{Kind: faults.Cut, Probability: 1.5},
		{Kind: faults.Cut, Probability: math.NaN()},
		{Kind: faults.Cut, Status: 500},
		{Kind: faults.HTTP},
		{Kind: faults.HTTP, Status: 500, Delay: 1},
		{Kind: faults.HTTP, Status: 500, RetryAfter: time.Millisecond},
		{Kind: faults.HTTP, Status: 500, RetryAfter: -time.Second},
		{Kind: faults.Delay},
		{Kind: faults.Freeze, Times: 2},
		{Kind: faults.Drop, Type: "X"},
		{Kind: faults.Drop, On: faults.VerbList},
	} {
		if id, err := faults.NewSet(faults.Options{}).Arm(f); err == nil {
			t.Errorf("%+v was armed as %d", f, id)
		}
	}
}

func TestEveryKindIsDescribed(t *testing.T) {
	for _, info := range faults.Kinds {
		if info.Help == "" || info.Then == "" || strings.Contains(info.Help+info.Then, "\n") {
			t.Errorf("%s: help %q, then %q", info.Kind, info.Help, info.Then)
		}
		f := faults.New(info.Kind)
		if info.Value != nil {
			words := []string{string(info.Kind), info.Value.Choices[0]}
			var err error
			if f, err = faults.Parse(words); err != nil {
				t.Error(err)
			}
		}
		if err := f.Validate(); err != nil {
			t.Errorf("%s: its defaults: %v", info.Kind, err)
		}
		for _, p := range info.Params {
			for _, c := range p.Choices {
				words := append(f.Words(), p.Name+"="+c)
				// Not every kind strikes every request; the error says so.
				if _, err := faults.Parse(words); err != nil && p.Name != "on" {
					t.Errorf("%s offers %s=%s: %v", info.Kind, p.Name, c, err)
				}
			}
		}
	}
}

func TestComplete(t *testing.T) {
	resources := []string{"pods", "configmaps"}
	for line, want := range map[string]string{
		"":                     "cut cut-mid-json freeze malformed error-410 error-429 error-500 http drop repeat stale delay withhold-bookmarks withhold-initial-end slow-list expired-continue table refused goaway",
		"err":                  "error-410 error-429 error-500",
		"cut ":                 "pods configmaps all times= for= p= on= page= at=",
		"cut p":                "pods p= page=",
		"cut pods ":            "times= for= p= on= page= at=",
		"cut pods times=2 ":    "for= p= on= page= at=",
		"cut times=2 ":         "pods configmaps all for= p= on= page= at=",
		"cut on=":              "on=list on=watch on=watchlist on=get",
		"cut on=watch,":        "on=watch,list on=watch,watchlist on=watch,get",
		"http ":                "401 403 404 405 410 422 429 500 503 504",
		"http 42":              "422 429",
		"http 429 c":           "configmaps",
		"http 429 on=l":        "on=list",
		"http 429 on=list,g":   "on=list,get",
		"delay ":               "200ms 2s 10s",
		"delay 2s key=a type=": "type=ADDED type=MODIFIED type=DELETED type=BOOKMARK type=ERROR",
		"nothing ":             "",
		"cut text=":            "",
	} {
		words := strings.Split(line, " ")
		var got []string
		for _, c := range faults.Complete(words, resources) {
			got = append(got, c.Word)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: %s\nwant %s", line, s, want)
		}
	}
}
