package breakpoint_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"informerscope/journal"
	"informerscope/journal/breakpoint"
	"informerscope/journal/history"
	"informerscope/journal/state"
)

// naive reads the words anew for each event, by other means than the package.
type naive struct{ rv, watch map[string]string }

func newNaive() *naive { return &naive{map[string]string{}, map[string]string{}} }

func like(pattern, s string) bool {
	return regexp.MustCompile(`^(?s:` + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, `.*`) + `)$`).MatchString(s)
}

// took notes what e does to a Reflector's RV, and says whether it went back.
func (n *naive) took(e *journal.Event) (back bool) {
	rv := ""
	switch {
	case e.Kind == journal.KindWatchStarted:
		n.watch[e.Resource] = e.WatchStarted().Verb
	case e.Kind == journal.KindListDone:
		n.watch[e.Resource] = ""
		if !e.Has(journal.Partial) {
			rv = e.RV
		}
	case e.Kind == journal.KindWatchBookmark && e.Has(journal.Initial):
		n.watch[e.Resource], rv = journal.VerbWatch, e.RV
	case (e.Kind == journal.KindWatchEvent || e.Kind == journal.KindWatchBookmark) && n.watch[e.Resource] != journal.VerbWatchList:
		rv = e.RV
	}
	if rv == "" {
		return false
	}
	was, _ := strconv.Atoi(n.rv[e.Resource])
	is, _ := strconv.Atoi(rv)
	n.rv[e.Resource] = rv
	return is < was
}

func (n *naive) match(expr string, e *journal.Event) bool {
	back := n.took(e)
	k := e.Kind.String()
	if strings.HasPrefix(k, "control.") && !slices.Contains([]string{"synced", "failed", "divergence", "log"}, strings.TrimPrefix(k, "control.")) {
		return false
	}
	for w := range strings.FieldsSeq(expr) {
		name, value, _ := strings.Cut(w, "=")
		n, _ := strconv.ParseInt(strings.TrimPrefix(w, "requeues>"), 10, 64)
		ok := false
		for v := range strings.SplitSeq(value, ",") {
			switch {
			case name == "stage":
				ok = ok || strings.HasPrefix(k, v+".")
			case name == "kind":
				ok = ok || like(v, k)
			case name == "type":
				ok = ok || e.Raw().Type != "" && like(v, e.Raw().Type)
			case name == "key":
				ok = ok || e.Key != "" && like(v, e.Key)
			case name == "resource":
				base, _, _ := strings.Cut(e.Resource, "@")
				ok = ok || e.Resource == v || base == v
			case name == "name":
				ok = ok || e.Raw().Name != "" && like(v, e.Raw().Name)
			case name == "tombstone":
				ok = e.Flags&journal.Tombstone != 0
			case name == "dirty":
				ok = k == "workqueue.added" && e.Raw().Type == "dirty"
			case strings.HasPrefix(name, "requeues>"):
				ok = k == "workqueue.addRateLimited" && e.Raw().N > n
			case name == "rv-backwards":
				ok = back
			case name == "relist":
				ok = k == "reflector.relist"
			}
		}
		if !ok {
			return false
		}
	}
	return true
}

var exprs = []string{
	"stage=deltafifo", "stage=reflector,workqueue", "kind=workqueue.*", "kind=*ed key=shop/*", "type=Deleted", "type=*", "key=*b", "key=shop/a,b",
	"resource=pods", "resource=pods@delta key=*", "name=worker-*", "tombstone", "tombstone stage=listener", "dirty", "dirty key=b", "requeues>2",
	"rv-backwards", "rv-backwards resource=pods", "rv-backwards key=shop/*", "relist", "type=OnAdd,ADDED resource=nodes", "stage=control",
}

// anyEvent is one of few values each, so that words meet. WATCHes and lists
// come in an order in which a Reflector makes them often enough.
func anyEvent(t *rapid.T) journal.Event {
	e := journal.Event{
		Kind:     rapid.SampledFrom(journal.Kinds()).Draw(t, "kind"),
		Resource: rapid.SampledFrom([]string{"pods", "nodes", "pods@delta"}).Draw(t, "resource"),
		Key:      rapid.SampledFrom([]string{"", "b", "shop/a", "shop/b"}).Draw(t, "key"),
		Flags:    journal.Flag(rapid.SampledFrom([]journal.Flag{0, 0, journal.Tombstone, journal.Initial, journal.Partial}).Draw(t, "flags")),
		RV:       strconv.Itoa(rapid.IntRange(1, 12).Draw(t, "rv")),
	}.WithRaw(journal.Raw{Name: rapid.SampledFrom([]string{"", "worker-1", "controller"}).Draw(t, "name"), N: int64(rapid.IntRange(0, 4).Draw(t, "n"))})
	if rapid.Bool().Draw(t, "of a Reflector") {
		e.Kind = rapid.SampledFrom([]journal.Kind{journal.KindWatchStarted, journal.KindWatchEvent, journal.KindWatchBookmark, journal.KindListDone}).Draw(t, "kind of it")
	}
	raw := e.Raw()
	switch e.Kind {
	case journal.KindWatchStarted:
		raw.Type = rapid.SampledFrom([]string{journal.VerbWatch, journal.VerbWatchList}).Draw(t, "verb")
	case journal.KindWatchEvent:
		raw.Type = rapid.SampledFrom([]string{"ADDED", "DELETED"}).Draw(t, "type")
	case journal.KindFIFOEnqueued, journal.KindFIFOPopped:
		raw.Type = rapid.SampledFrom([]string{"Added", "Deleted"}).Draw(t, "type")
	case journal.KindNotified, journal.KindHandlerStarted:
		raw.Type = rapid.SampledFrom([]string{"OnAdd", "OnDelete"}).Draw(t, "type")
	case journal.KindQueueAdded:
		raw.Type = rapid.SampledFrom([]string{"queued", "dirty"}).Draw(t, "type")
	}
	return e.WithRaw(raw)
}

func TestSetMatchesAsTheWordsOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		chosen := rapid.SliceOfN(rapid.SampledFrom(exprs), 1, 5).Draw(t, "exprs")
		set := &breakpoint.Set{}
		var plain []*naive
		off := map[int]bool{}
		for i, expr := range chosen {
			set.Add(i, parse(t, expr))
			plain = append(plain, newNaive())
		}
		for range rapid.IntRange(1, 60).Draw(t, "events") {
			if i := rapid.IntRange(0, 3*len(chosen)).Draw(t, "switch"); i < len(chosen) {
				off[i] = !off[i]
				set.Enable(i, !off[i])
			}
			e := anyEvent(t)
			var want, got []int
			for i, expr := range chosen {
				if plain[i].match(expr, &e) && !off[i] {
					want = append(want, i)
				}
			}
			for _, h := range set.Match(&e, nil) {
				got = append(got, h.ID)
				if h.Expr != chosen[h.ID] || h.Key != e.Key {
					t.Fatalf("hit %+v of %s", h, chosen[h.ID])
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%s: %v matched, want %v of %q", e.AppendJSON(nil), got, want, chosen)
			}
		}
	})
}

// past is a History of events.
func past(events []journal.Event) *history.Past {
	folder := state.New()
	frames := history.NewKeyframes(7)
	frames.Add(folder.Snapshot(journal.View{}), 0)
	j := journal.New(journal.Options{Fold: func(e *journal.Event) {
		folder.Apply(e)
		if frames.Due(e.Seq) {
			frames.Add(folder.Snapshot(journal.View{}), 0)
		}
	}})
	for _, e := range events {
		j.Append(e)
	}
	return frames.Past(j.View())
}

// reflecting are events in an order in which a Reflector makes them.
func reflecting(t *rapid.T) (all []journal.Event) {
	add := func(k journal.Kind, typ, rv string, flags journal.Flag) {
		all = append(all, journal.Event{Kind: k, Resource: "pods", RV: rv, Flags: flags}.WithRaw(journal.Raw{Type: typ}))
	}
	rv := func() string { return strconv.Itoa(rapid.IntRange(1, 12).Draw(t, "rv")) }
	for range rapid.IntRange(1, 6).Draw(t, "rounds") {
		switch rapid.IntRange(0, 2).Draw(t, "how") {
		case 0:
			add(journal.KindListStarted, "", "", 0)
			add(journal.KindListDone, "", rv(), journal.Partial)
			add(journal.KindListDone, "", rv(), 0)
			add(journal.KindWatchStarted, journal.VerbWatch, "", 0)
		case 1:
			add(journal.KindWatchStarted, journal.VerbWatchList, "", 0)
			for range rapid.IntRange(0, 3).Draw(t, "initial") {
				add(journal.KindWatchEvent, "ADDED", rv(), journal.Initial)
			}
			add(journal.KindWatchBookmark, "", rv(), journal.Initial)
		case 2:
			add(journal.KindWatchStarted, journal.VerbWatch, "", 0)
		}
		for range rapid.IntRange(0, 5).Draw(t, "events") {
			if rapid.Bool().Draw(t, "bookmark") {
				add(journal.KindWatchBookmark, "", rv(), 0)
			} else {
				add(journal.KindWatchEvent, "MODIFIED", rv(), 0)
			}
		}
		add(journal.KindWatchEnded, "", "", 0)
	}
	return all
}

// rv-backwards says what the state counts, also from the middle on.
func TestRVBackwardsIsWhatTheStateCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := reflecting(t)
		folder := state.New()
		at := rapid.IntRange(0, len(events)-1).Draw(t, "primed at")
		whole, late := parse(t, "rv-backwards"), parse(t, "rv-backwards")
		for i, e := range events {
			e.Seq, e.Time = uint64(i+1), time.Unix(int64(i), 0)
			if i == at {
				late.Prime(folder.Snapshot(journal.View{}))
			}
			before := uint64(0)
			if r := folder.Snapshot(journal.View{}).Resource("pods"); r != nil {
				before = r.Reflector.RVBackwards
			}
			folder.Apply(&e)
			want := folder.Snapshot(journal.View{}).Resource("pods").Reflector.RVBackwards > before
			if got := whole.Match(&e); got != want {
				t.Fatalf("event %d %s: %v, the state says %v", i, e.AppendJSON(nil), got, want)
			}
			if i >= at && late.Match(&e) != want {
				t.Fatalf("event %d %s, primed at %d: not %v", i, e.AppendJSON(nil), at, want)
			}
		}
	})
}

// Found to and fro are the events that a pass over all of them matches.
func TestFindGoesBothWays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := reflecting(t)
		h := past(events)
		expr := rapid.SampledFrom([]string{"rv-backwards", "kind=reflector.bookmark", "rv-backwards type=MODIFIED", "relist"}).Draw(t, "expr")
		b := parse(t, expr)
		var matches []uint64
		if err := h.Scan(t.Context(), 1, uint64(len(events)), func(e *journal.Event) bool {
			if b.Match(e) {
				matches = append(matches, e.Seq)
			}
			return true
		}); err != nil {
			t.Fatal(err)
		}
		n := uint64(len(events))
		from, to := rapid.Uint64Range(0, n+3).Draw(t, "from"), rapid.Uint64Range(0, n+3).Draw(t, "to")
		want := uint64(0)
		for _, m := range matches {
			switch {
			case m < min(from, to) || m > max(from, to):
			case want == 0 || from > to:
				want = m
			}
		}
		got, err := breakpoint.Find(t.Context(), h, []*breakpoint.Breakpoint{parse(t, expr)}, from, to)
		if err != nil || got != want {
			t.Fatalf("%s from %d to %d: %d %v, want %d of %v", expr, from, to, got, err, want, matches)
		}
	})
}

func BenchmarkMatch(b *testing.B) {
	e := &journal.Event{Seq: 1, Time: time.Unix(0, 0), Kind: journal.KindStoreUpdated, Resource: "pods", Key: "shop/web-7f9c", RV: "905"}
	for name, exprs := range map[string][]string{
		"other kinds": {"kind=deltafifo.popped type=Deleted", "dirty", "requeues>5"},
		"same kind":   {"stage=indexer key=default/*", "kind=indexer.updated resource=nodes", "key=/^db-[0-9]+$/"},
		"remembers":   {"rv-backwards", "finding"},
	} {
		set := &breakpoint.Set{}
		for i, x := range exprs {
			set.Add(i, parse(b, x))
		}
		b.Run(name, func(b *testing.B) {
			var hits []breakpoint.Hit
			for b.Loop() {
				if hits = set.Match(e, hits[:0]); len(hits) > 0 {
					b.Fatal("it matches")
				}
			}
		})
	}
}
