package findings

import (
	"testing"
	"time"

	"informerscope/journal"
)

// synced applies a list and a watch.
func (r *run) synced(at time.Duration, resource, rv string) {
	r.at(at, journal.WireRequest{Verb: journal.VerbList}.Event(resource, ""))
	r.at(at, journal.ListDone{Items: 3, RV: rv}.Event(resource, ""))
	r.at(at, journal.WatchStarted{Verb: journal.VerbWatch, RV: rv}.Event(resource, ""))
}

// refused applies a request that is answered with a failure.
func (r *run) refused(at time.Duration, resource string, code int64, reason string) {
	r.at(at, journal.WireRequest{Verb: journal.VerbWatch}.Event(resource, ""))
	r.at(at, journal.WireResponse{Verb: journal.VerbWatch, Code: code, Reason: reason}.Event(resource, ""))
	r.at(at, journal.WatchFailed{Verb: journal.VerbWatch, Error: "the server said something at length"}.Event(resource, ""))
	r.at(at, journal.ReflectorError{Error: "failed to watch"}.Event(resource, ""))
}

func TestBlind(t *testing.T) {
	r := newRun(t)
	r.synced(0, "pods", "100")
	r.at(time.Minute, journal.WatchEvent{Type: "MODIFIED", RV: "120"}.Event("pods", ""))
	lost := r.at(2*time.Minute, journal.WatchEnded{Events: 1}.Event("pods", ""))
	r.refused(2*time.Minute, "pods", 401, "Unauthorized")
	r.refused(2*time.Minute+10*time.Second, "pods", 401, "Unauthorized")
	r.wants(2*time.Minute+14*time.Second, "before its time")
	blind := Finding{Kind: Blind, Resource: "pods", First: lost, Seq: lost, Count: 1, Active: true,
		Text:   "pods synced, and has had no watch for 15s: its cache stays at rv 120; 2 requests have failed, the last one with: 401 Unauthorized",
		Causes: []Cause{failureCauses[0].Cause}}
	r.wants(2*time.Minute+15*time.Second, "after it", blind)
	r.at(5*time.Minute, journal.WatchStarted{Verb: journal.VerbWatch}.Event("pods", ""))
	blind.Active, blind.Text = false, "pods had no watch for 3m00s; 2 requests have failed, the last one with: 401 Unauthorized"
	r.wants(5*time.Minute, "a watch again", blind)
	r.at(6*time.Minute, journal.WatchEnded{Events: 1}.Event("pods", ""))
	r.at(6*time.Minute, journal.ReflectorStopped{}.Event("pods", ""))
	r.wants(time.Hour, "stopped", Finding{Kind: Blind, Resource: "pods", First: lost, Seq: lost, Count: 1, Text: "pods had no watch for 3m00s", Causes: nil})
}

// A server that is gone is one finding, however many resources it served; another
// cause is another one.
func TestBlindForOneCauseIsOneFinding(t *testing.T) {
	r := newRun(t)
	for _, resource := range []string{"pods", "nodes", "leases", "secrets"} {
		r.synced(0, resource, "100")
	}
	r.at(1*time.Second, journal.WatchStarted{Verb: journal.VerbWatch}.Event("quiet", "")) // another one, that is well
	for i, resource := range []string{"pods", "nodes", "leases", "secrets"} {
		at := time.Duration(2+i) * time.Second
		r.at(at, journal.WatchEnded{}.Event(resource, ""))
		if resource == "secrets" {
			r.refused(at, resource, 403, "Forbidden")
			continue
		}
		r.at(at, journal.WireRequest{Verb: journal.VerbWatch}.Event(resource, ""))
		r.at(at, journal.WireError{Verb: journal.VerbWatch, Error: "dial tcp 10.0.0.1:443: connect: connection refused"}.Event(resource, ""))
	}
	got := r.list(time.Minute)
	if len(got) != 2 {
		t.Fatalf("%+v", got)
	}
	for _, f := range got {
		if len(f.Resources) == 0 {
			if f.Resource != "secrets" || f.Causes[0] != failureCauses[1].Cause {
				t.Errorf("%+v", f)
			}
			continue
		}
		want := "leases, nodes and pods synced, and have had no watch for 58s: their caches stay as they were; 3 requests have failed, all with: dial tcp 10.0.0.1:443: connect: connection refused"
		if f.Resource != "" || f.Text != want || f.Severity() != High || !f.Active || f.Causes[0].Sign != "the connection is refused" {
			t.Errorf("%+v", f)
		}
	}
}

func TestWhatIsNotBlind(t *testing.T) {
	for name, do := range map[string]func(r *run){
		"a watch that ends and comes again": func(r *run) {
			r.synced(0, "pods", "1")
			for i := range 100 {
				at := time.Duration(i) * 14 * time.Second
				r.at(at, journal.WatchEnded{}.Event("pods", ""))
				r.at(at+13*time.Second, journal.WatchStarted{Verb: journal.VerbWatch}.Event("pods", ""))
			}
		},
		"never synced": func(r *run) {
			for i := range 100 {
				r.refused(time.Duration(i)*10*time.Second, "pods", 403, "Forbidden")
			}
		},
		"a relist that takes long": func(r *run) {
			r.synced(0, "pods", "1")
			r.at(time.Second, journal.WatchEnded{}.Event("pods", ""))
			r.at(time.Second, journal.WireRequest{Verb: journal.VerbList}.Event("pods", ""))
			for i := range 100 {
				r.at(time.Duration(i+1)*14*time.Second, journal.ListDone{Items: int64(500 * i), More: true}.Event("pods", ""))
			}
			r.at(1401*time.Second, journal.WatchStarted{Verb: journal.VerbWatch}.Event("pods", ""))
		},
		"a fake clock": func(r *run) {
			r.at(0, journal.ClockFake{}.Event("", ""))
			r.synced(0, "pods", "1")
			r.at(time.Second, journal.WatchEnded{}.Event("pods", ""))
			r.refused(time.Hour, "pods", 401, "Unauthorized")
		},
		"paused": func(r *run) {
			r.synced(0, "pods", "1")
			r.at(time.Second, journal.WatchEnded{}.Event("pods", ""))
			r.at(2*time.Second, journal.Paused{}.Event("", ""))
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRun(t, "never-synced=off", "silent-watch=off", "watch-cuts=off", "short-watches=off")
			do(r)
			r.wants(2800*time.Second, name)
		})
	}
}

// Whatever a fake clock says, requests and watches live in real time.
func TestAFakeClockMovesNoWatch(t *testing.T) {
	for _, fake := range []bool{true, false} {
		r := newRun(t, "blind=off")
		if fake {
			r.at(0, journal.ClockFake{}.Event("", ""))
		}
		r.synced(0, "pods", "100")
		r.at(time.Second, journal.WireRequest{Verb: journal.VerbList}.Event("leases", ""))
		want := 2
		if fake {
			want = 0
		}
		if got := r.list(time.Hour); len(got) != want {
			t.Errorf("fake %v: %+v", fake, got)
		}
	}
}

func TestWatchCuts(t *testing.T) {
	ages := func(r *run, events int64, ages ...time.Duration) (at time.Duration) {
		for _, age := range ages {
			r.at(at, journal.WatchStarted{Verb: journal.VerbWatch}.Event("pods", ""))
			at += age
			r.at(at, journal.WatchEnded{Events: events, Took: age}.Event("pods", ""))
		}
		return at
	}
	s := time.Second
	for name, c := range map[string]struct {
		ages []time.Duration
		want string
	}{
		"an idle timeout":         {[]time.Duration{60 * s, 60 * s, 60*s + 100*time.Millisecond, 59900 * time.Millisecond}, "the watches of pods end at the same age, 60s: 4 in a row"},
		"three only":              {[]time.Duration{30 * s, 30 * s, 30 * s}, ""},
		"of all ages":             {[]time.Duration{30 * s, 41 * s, 17 * s, 90 * s, 31 * s, 60 * s}, ""},
		"as client-go asks for":   {[]time.Duration{300 * s, 300 * s, 300 * s, 300 * s, 300 * s}, ""},
		"one in between is older": {[]time.Duration{5 * s, 5 * s, 5 * s, 300 * s, 5 * s, 5 * s, 5 * s}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRun(t)
			at := ages(r, 0, c.ages...)
			got := r.list(at)
			if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || got[0].Text != c.want || !got[0].Active || len(got[0].Causes) != 2) {
				t.Errorf("%+v", got)
			}
		})
	}
	r := newRun(t)
	at := ages(r, 3, 3*s, 3*s, 3*s)
	r.at(at, journal.WatchStarted{Verb: journal.VerbWatch}.Event("pods", ""))
	r.at(at+3*s, journal.WireStreamEnd{Verb: journal.VerbWatch, Error: "context deadline exceeded (Client.Timeout or context cancellation while reading body)"}.Event("pods", ""))
	r.at(at+3*s, journal.WatchEnded{Events: 3, Took: 3 * s}.Event("pods", ""))
	if got := r.list(at + 3*s); len(got) != 1 || got[0].Causes[0].Text != "a timeout of the whole client (rest.Config.Timeout, --request-timeout): it is for the body of a watch too" {
		t.Errorf("%+v", got)
	}
	r.at(at+3*s, journal.WatchStarted{Verb: journal.VerbWatch}.Event("pods", ""))
	if got := r.list(at + 8*s); len(got) != 1 || !got[0].Active {
		t.Errorf("while the next is young: %+v", got)
	}
	if got := r.list(at + 9*s); len(got) != 1 || got[0].Active {
		t.Errorf("when it gets old: %+v", got)
	}
}

func TestCostlyList(t *testing.T) {
	mib := int64(1 << 20)
	r := newRun(t, "blind=off")
	r.at(0, journal.ListStarted{RV: "0"}.Event("pods", ""))
	r.at(time.Second, journal.ListDone{Items: 500, ReceivedBytes: 60 * mib, More: true}.Event("pods", ""))
	r.at(2*time.Second, journal.ListDone{Items: 900, ReceivedBytes: 99 * mib}.Event("pods", ""))
	r.wants(2*time.Second, "99 MiB in 2 s")
	r.at(10*time.Second, journal.ListStarted{}.Event("pods", ""))
	at := r.at(12*time.Second, journal.ListDone{Items: 900, ReceivedBytes: 199 * mib}.Event("pods", ""))
	large := Finding{Kind: CostlyList, Resource: "pods", First: at, Seq: at, Count: 1, Active: true,
		Text: `a list of pods (900 objects) took 2.0s and brought 100 MiB; at resourceVersion "" it is read from etcd with a quorum`}
	r.wants(12*time.Second, "100 MiB", large)
	r.at(20*time.Second, journal.WatchStarted{Verb: journal.VerbWatchList}.Event("nodes", ""))
	r.at(30*time.Second, journal.WatchEvent{Type: "ADDED", Initial: true, ReceivedBytes: mib}.Event("nodes", ""))
	at = r.at(50*time.Second, journal.WatchBookmark{InitialEventsEnd: true, RV: "7"}.Event("nodes", ""))
	slow := Finding{Kind: CostlyList, Resource: "nodes", First: at, Seq: at, Count: 1, Active: true,
		Text: "a WatchList of nodes (1 object) took 30s and brought 1 MiB"}
	r.wants(50*time.Second, "30 s", slow, large)
}
