package check

import (
	"reflect"
	"strings"
	"testing"

	"informerscope/journal"
)

var listed = &Listed{RV: "20", Versions: map[string]string{"a": "10", "b": "12"}}

func TestCompareTellsLagFromNewer(t *testing.T) {
	for name, tt := range map[string]struct {
		stored map[string]string
		want   string
	}{
		"the same":               {map[string]string{"a": "10", "b": "12"}, ""},
		"missing":                {map[string]string{"b": "12"}, "a is missing, the server has it at rv 10"},
		"stale":                  {map[string]string{"a": "9", "b": "12"}, "a is stale at rv 9, the server has rv 10"},
		"newer":                  {map[string]string{"a": "21", "b": "12"}, ""},
		"extra":                  {map[string]string{"a": "10", "b": "12", "c": "5"}, "c is extra at rv 5, the server has none at rv 20"},
		"made later":             {map[string]string{"a": "10", "b": "12", "c": "21"}, ""},
		"not to be compared":     {map[string]string{"a": "x", "b": "12"}, "a is stale at rv x, the server has rv 10"},
		"several, sorted by key": {map[string]string{"0": "1"}, "0 is extra at rv 1, the server has none at rv 20; a is missing, the server has it at rv 10; b is missing, the server has it at rv 12"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Names(listed.Compare(tt.stored)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestADifferenceCountsOnlyWhenTheWatchHasComePastIt(t *testing.T) {
	type event struct {
		rv      string
		deleted bool
	}
	for name, tt := range map[string]struct {
		key     string
		stored  string // "" is not there
		rv      string
		pending bool
		news    *event
		want    Verdict
		how     string
	}{
		"missing, watch before it":          {key: "a", rv: "9", want: Behind, how: journal.CacheMissing},
		"missing, watch at it":              {key: "a", rv: "10", want: Certain, how: journal.CacheMissing},
		"missing, watch past it":            {key: "a", rv: "11", want: Certain, how: journal.CacheMissing},
		"missing, watch not open":           {key: "a", rv: "", want: Behind, how: journal.CacheMissing},
		"missing, in the FIFO":              {key: "a", rv: "11", pending: true, want: Underway, how: journal.CacheMissing},
		"missing, deleted since":            {key: "a", rv: "22", news: &event{"22", true}, want: Settled},
		"missing, an older one was deleted": {key: "a", rv: "11", news: &event{"8", true}, want: Certain, how: journal.CacheMissing},
		"missing, changed since":            {key: "a", rv: "22", news: &event{"22", false}, want: Certain, how: journal.CacheMissing},
		"arrived":                           {key: "a", stored: "10", rv: "10", want: Settled},
		"arrived newer":                     {key: "a", stored: "15", rv: "15", want: Settled},
		"stale, watch before it":            {key: "a", stored: "8", rv: "8", want: Behind, how: journal.CacheStale},
		"stale, watch past it":              {key: "a", stored: "8", rv: "11", want: Certain, how: journal.CacheStale},
		"stale, in the FIFO":                {key: "a", stored: "8", rv: "10", pending: true, want: Underway, how: journal.CacheStale},
		"extra, watch before the LIST":      {key: "c", stored: "5", rv: "19", want: Behind, how: journal.CacheExtra},
		"extra, watch at the LIST":          {key: "c", stored: "5", rv: "20", want: Certain, how: journal.CacheExtra},
		"extra, its delete in the FIFO":     {key: "c", stored: "5", rv: "20", pending: true, want: Underway, how: journal.CacheExtra},
		"extra, gone":                       {key: "c", rv: "20", want: Settled},
		"extra, made anew":                  {key: "c", stored: "21", rv: "21", want: Settled},
		"not to be compared":                {key: "a", stored: "x", rv: "y", want: Behind, how: journal.CacheStale},
	} {
		t.Run(name, func(t *testing.T) {
			d, v := listed.Judge(Difference{Key: tt.key}, Look{
				RV:      tt.rv,
				Pending: func(string) bool { return tt.pending },
				Stored:  func(string) (string, bool) { return tt.stored, tt.stored != "" },
				News: func(string) (string, bool, bool) {
					if tt.news == nil {
						return "", false, false
					}
					return tt.news.rv, tt.news.deleted, true
				},
			})
			if v != tt.want || v != Settled && d.How != tt.how {
				t.Errorf("got %d %q, want %d %q", v, d.How, tt.want, tt.how)
			}
			if v != Settled && d.Stored != tt.stored {
				t.Errorf("stored %q, want %q", d.Stored, tt.stored)
			}
		})
	}
}

func TestNamesAreFewEnoughToRead(t *testing.T) {
	ds := make([]Difference, 7)
	if got := Names(ds); !strings.HasSuffix(got, "; and 2 more") || strings.Count(got, ";") != 5 {
		t.Error(got)
	}
	if got := (&Listed{}).Compare(nil); !reflect.DeepEqual(got, []Difference(nil)) {
		t.Error(got)
	}
}
