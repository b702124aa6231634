package findings

import (
	"testing"
	"time"

	"informerscope/journal"
)

// What a sandbox cannot be made to do: bookmarks that do not move, versions that
// go back, objects that somebody writes to.

func TestAWatchWhoseBookmarksStayWhileOthersMove(t *testing.T) {
	started := journal.WatchStarted{Verb: journal.VerbWatchList}.Event("", "")
	end := func(rv string) journal.Event {
		return journal.WatchBookmark{InitialEventsEnd: true, RV: rv}.Event("", "")
	}
	bookmark := func(rv string) journal.Event { return journal.WatchBookmark{RV: rv}.Event("", "") }
	of := func(resource string, e journal.Event) journal.Event {
		e.Resource = resource
		return e
	}
	for name, tt := range map[string]struct {
		other string // RV at which the other resource was listed
		move  string // and to which it goes then
		pods  string // what the bookmarks of pods say
		want  int
	}{
		"the others move on":        {"5000", "5002", "5000", 1},
		"they do not":               {"5000", "5000", "5000", 0},
		"it moves with them":        {"5000", "5002", "5003", 0},
		"they are stored elsewhere": {"70000", "70002", "5000", 0},
		"they are behind":           {"4500", "4900", "5000", 0},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRun(t, "silent-watch=1m")
			r.at(0, started)
			r.at(0, end("5000"))
			r.at(0, of("leases", started))
			r.at(0, of("leases", end(tt.other)))
			for s := range 20 {
				at := time.Duration(s+1) * 30 * time.Second
				r.at(at, of("leases", bookmark(tt.move)))
				r.at(at, bookmark(tt.pods))
			}
			n := 0
			for _, f := range r.List(start.Add(601 * time.Second)) {
				if f.Resource != "pods" {
					continue
				}
				if n++; f.Text != "the watch of pods is open, but its resourceVersion stays at 5000 while leases went on to 5002" {
					t.Error(f.Text)
				}
			}
			if n != tt.want {
				t.Errorf("found %d, want %d", n, tt.want)
			}
		})
	}
}

func TestVersionsThatGoBack(t *testing.T) {
	type event = journal.Event
	list := func(rv string) event { return event{Kind: journal.KindListDone, RV: rv} }
	change := func(rv string) event { return journal.WatchEvent{Type: "MODIFIED", RV: rv}.Event("", "") }
	initial := func(rv string) event {
		return journal.WatchEvent{Type: "ADDED", RV: rv, Initial: true}.Event("", "")
	}
	watch := func(verb string) event { return journal.WatchStarted{Verb: verb}.Event("", "") }
	end := func(rv string) event {
		return event{Kind: journal.KindWatchBookmark, RV: rv, Flags: journal.Initial}
	}
	page := func(rv string) event { return event{Kind: journal.KindListDone, RV: rv, Flags: journal.Partial} }
	for name, tt := range map[string]struct {
		events []event
		want   string
	}{
		"forward":              {[]event{list("5"), watch(journal.VerbWatch), change("6"), change("10")}, ""},
		"a list":               {[]event{list("1200"), list("1001")}, "the resourceVersion of pods went backwards once, last from 1200 to 1001"},
		"an event":             {[]event{list("5"), watch(journal.VerbWatch), change("12"), change("9"), change("8")}, "the resourceVersion of pods went backwards 2 times, last from 9 to 8"},
		"a WatchList":          {[]event{list("12"), watch(journal.VerbWatchList), initial("3"), end("11")}, "the resourceVersion of pods went backwards once, last from 12 to 11"},
		"its initial events":   {[]event{list("12"), watch(journal.VerbWatchList), initial("7"), initial("3"), end("13")}, ""},
		"a page is not a list": {[]event{list("12"), page("3"), list("13")}, ""},
		"no numbers":           {[]event{list("b"), list("a")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRun(t)
			for i, e := range tt.events {
				r.at(time.Duration(i)*time.Second, e)
			}
			got := r.List(start.Add(10 * time.Second))
			if tt.want == "" && len(got) == 0 {
				return
			}
			if len(got) != 1 || got[0].Text != tt.want || got[0].Kind != RVBackwards {
				t.Errorf("found %+v, want %s", got, tt.want)
			}
		})
	}
}

func TestObjectsChangedInPlace(t *testing.T) {
	mutated := func(key string) journal.Event {
		return journal.StoreMutated{Field: "metadata.labels.x", Change: `"1" -> "2"`, RV: "7"}.Event("", key)
	}
	r := newRun(t)
	r.at(0, mutated("x/a"))
	r.at(time.Second, mutated("x/a"))
	r.at(time.Second, mutated("x/b"))
	got := r.List(start.Add(2 * time.Second))
	want := []string{
		`the cached object x/b was changed in place once, last metadata.labels.x: "1" -> "2"`,
		`the cached object x/a was changed in place 2 times, last metadata.labels.x: "1" -> "2"`,
	}
	if len(got) != 2 || got[0].Text != want[0] || got[1].Text != want[1] || got[0].Kind != MutatedObject {
		t.Errorf("found %+v", got)
	}
	r = newRun(t, "mutated-object=3")
	r.at(0, mutated("x/a"))
	r.at(0, mutated("x/b"))
	if got := r.List(start); len(got) != 0 {
		t.Errorf("found %+v", got)
	}
}

func TestAPipelineThatFailsBeforeItHasSynced(t *testing.T) {
	r := newRun(t)
	failed := journal.PipelineFailed{Error: "index function panicked"}.Event("pods@delta", "")
	r.at(0, journal.Synced{}.Event("pods@atomic", ""))
	r.at(0, failed)
	failed.Resource = "pods@atomic"
	r.at(0, failed)
	got := r.List(start)
	if len(got) != 1 || got[0].Kind != NeverSynced || got[0].Text != "the pipeline of pods@delta stopped before it had synced: index function panicked" {
		t.Errorf("found %+v", got)
	}
}

func TestALongListThatGoesOnIsNotNeverSynced(t *testing.T) {
	r := newRun(t)
	r.at(0, journal.WireRequest{Verb: journal.VerbWatchList}.Event("", ""))
	for s := range 60 {
		r.at(time.Duration(s)*time.Second, journal.WatchEvent{Type: "ADDED", Initial: true}.Event("", ""))
	}
	if got := r.List(start.Add(60 * time.Second)); len(got) != 0 {
		t.Errorf("found %+v", got)
	}
	if got := r.List(start.Add(80 * time.Second)); len(got) != 1 {
		t.Errorf("found %+v after nothing has come for 20 s", got)
	}
}
