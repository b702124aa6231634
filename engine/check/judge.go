package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"informerscope/journal"
)

// Difference is one key in which a cache and a LIST differ.
type Difference struct {
	Key    string
	How    string // journal.CacheMissing, CacheExtra or CacheStale
	RV     string // of the server's object; of an extra key that of the LIST
	Stored string // of the cached object; "" when there is none
}

// String is the difference in few words: "x/a is missing, the server has it at
// rv 7".
func (d Difference) String() string {
	switch d.How {
	case journal.CacheMissing:
		return fmt.Sprintf("%s is missing, the server has it at rv %s", d.Key, d.RV)
	case journal.CacheExtra:
		return fmt.Sprintf("%s is extra at rv %s, the server has none at rv %s", d.Key, d.Stored, d.RV)
	}
	return fmt.Sprintf("%s is stale at rv %s, the server has rv %s", d.Key, d.Stored, d.RV)
}

// Compare lists in what the versions that a cache has differ from l, by key. It
// says nothing of why: most of it may be lag.
func (l *Listed) Compare(stored map[string]string) []Difference {
	var ds []Difference
	for key, rv := range l.Versions {
		if have, ok := stored[key]; !ok {
			ds = append(ds, Difference{Key: key, How: journal.CacheMissing, RV: rv})
		} else if behind(have, rv) {
			ds = append(ds, Difference{Key: key, How: journal.CacheStale, RV: rv, Stored: have})
		}
	}
	for key, have := range stored {
		// What is younger than the LIST was made after it.
		if _, ok := l.Versions[key]; !ok && !journal.OlderRV(l.RV, have) {
			ds = append(ds, Difference{Key: key, How: journal.CacheExtra, RV: l.RV, Stored: have})
		}
	}
	slices.SortFunc(ds, func(a, b Difference) int { return cmp.Compare(a.Key, b.Key) })
	return ds
}

// behind reports whether a cache that has have may lack rv. Versions that cannot
// be compared are behind when they are not the same.
func behind(have, rv string) bool { return have != rv && !journal.OlderRV(rv, have) }

// reached reports whether a watch at rv has come past want.
func reached(rv, want string) bool { return rv != "" && (rv == want || journal.OlderRV(want, rv)) }

// Look is what is known of one cache at one moment.
type Look struct {
	// RV is the Reflector's, and Pending whether something of a key is on its
	// way from there to the cache; both at the same moment.
	RV      string
	Pending func(key string) bool
	// Stored is the cache, read at that moment or after it.
	Stored func(key string) (rv string, ok bool)
	// News is the newest watch event of a key since the LIST was asked for, up to
	// when the cache was read or later.
	News func(key string) (rv string, deleted, ok bool)
}

// Verdict is what a Look makes of a Difference.
type Verdict uint8

// The verdicts.
const (
	// Settled: there is no difference any more, or the LIST is older than what
	// the cache has.
	Settled Verdict = iota
	// Behind: the watch has not come past the server's version yet.
	Behind
	// Underway: what would settle it waits in the pipeline.
	Underway
	// Certain: the watch has come past it, nothing is under way, and still they
	// differ.
	Certain
)

// Judge says what has become of d. A watch brings the events of one resource in
// the order of their resourceVersions, so that one that has come past a version
// has brought it, or never will.
func (l *Listed) Judge(d Difference, look Look) (Difference, Verdict) {
	rv, onServer := l.Versions[d.Key]
	stored, ok := look.Stored(d.Key)
	want := rv
	switch {
	case onServer && !ok:
		if news, deleted, seen := look.News(d.Key); seen && deleted && !journal.OlderRV(news, rv) {
			return d, Settled
		}
		d = Difference{Key: d.Key, How: journal.CacheMissing, RV: rv}
	case onServer:
		if !behind(stored, rv) {
			return d, Settled
		}
		d = Difference{Key: d.Key, How: journal.CacheStale, RV: rv, Stored: stored}
	case !ok || journal.OlderRV(l.RV, stored):
		return d, Settled
	default:
		// When it was deleted is not known: at the LIST's RV at the latest.
		d, want = Difference{Key: d.Key, How: journal.CacheExtra, RV: l.RV, Stored: stored}, l.RV
	}
	switch {
	case look.Pending(d.Key):
		return d, Underway
	case !reached(look.RV, want):
		return d, Behind
	}
	return d, Certain
}

// Names lists differences, or what left a selection, few enough to read.
func Names[T fmt.Stringer](all []T) string {
	const most = 5
	var texts []string
	for _, d := range all[:min(most, len(all))] {
		texts = append(texts, d.String())
	}
	if more := len(all) - most; more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(texts, "; ")
}
