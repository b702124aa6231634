package findings

import (
	"testing"
	"time"

	"informerscope/journal"
)

func TestBacklogGrowing(t *testing.T) {
	const second = time.Second
	for _, c := range []struct {
		name string
		do   func(in, out func(at time.Duration, n int))
		text string // at 30s; "" is none
	}{
		{"grows slowly", func(in, _ func(time.Duration, int)) {
			for i := range 30 {
				in(time.Duration(i)*second, 1)
			}
		}, "30 notifications wait for the handler slow; when that began to grow, there were 0"},
		{"grows, and is short", func(in, _ func(time.Duration, int)) {
			for i := range 9 {
				in(time.Duration(i)*3*second, 1)
			}
		}, ""},
		{"a burst that is worked off", func(in, out func(time.Duration, int)) {
			in(0, 1000)
			for i := range 28 {
				out(time.Duration(i)*second, 10)
			}
		}, ""},
		{"a burst over the edge of two parts", func(in, out func(time.Duration, int)) {
			in(4*second, 500)
			in(6*second, 500)
			for i := range 20 {
				out(time.Duration(7+i)*second, 10)
			}
		}, ""},
		{"a burst that nobody works off", func(in, _ func(time.Duration, int)) { in(0, 1000) }, ""},
		{"long, and no longer growing", func(in, out func(time.Duration, int)) {
			in(0, 100)
			for i := range 29 {
				in(time.Duration(i)*second, 2)
				out(time.Duration(i)*second, 2)
			}
		}, ""},
		{"keeps up", func(in, out func(time.Duration, int)) {
			for i := range 29 {
				in(time.Duration(i)*second, 100)
				out(time.Duration(i)*second, 100)
			}
		}, ""},
		{"a little more comes than is worked off, in bursts", func(in, out func(time.Duration, int)) {
			for i := range 29 {
				in(time.Duration(i)*second, 30)
				out(time.Duration(i)*second+second/2, 29)
			}
		}, "29 notifications wait for the handler slow; when that began to grow, there were 0"},
		{"bursts that are worked off, one after the other", func(in, out func(time.Duration, int)) {
			for i := range 29 {
				if i%6 == 0 {
					in(time.Duration(i)*second, 60)
				}
				out(time.Duration(i)*second, 10)
			}
		}, ""},
		{"goes up and down about where it is", func(in, out func(time.Duration, int)) {
			in(0, 100)
			for i, n := range []int{3, -2, 4, -5, 1, 2, 2, -3, -1, 4, 3, -4, 1, 1, 1, -2, 3, -1, 2, -3, 4, 1, -5, 2, 1, -1, 2} {
				if at := time.Duration(1+i) * second; n > 0 {
					in(at, n)
				} else {
					out(at, -n)
				}
			}
		}, ""},
		{"grew, and half of it is done", func(in, out func(time.Duration, int)) {
			for i := range 20 {
				in(time.Duration(i)*second, 2)
			}
			out(21*second, 30)
		}, "up to 40 notifications waited for the handler slow"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRun(t, "backlog-growing=15s", "backlog-size=10")
			each := func(k journal.Kind) func(time.Duration, int) {
				return func(at time.Duration, n int) {
					for range n {
						r.at(at, journal.Event{Kind: k}.WithRaw(journal.Raw{Name: "slow"}))
					}
				}
			}
			c.do(each(journal.KindNotified), each(journal.KindHandlerStarted))
			got := r.list(30 * second)
			if c.text == "" && len(got) > 0 || c.text != "" && (len(got) != 1 || got[0].Text != c.text || got[0].Name != "slow") {
				t.Errorf("found %+v, want %q", got, c.text)
			}
		})
	}
}

// A handler that is removed has no backlog any more.
func TestBacklogGoesWithItsListener(t *testing.T) {
	r := newRun(t, "backlog-growing=3s", "backlog-size=2")
	for i := range 10 {
		r.at(time.Duration(i)*time.Second, journal.Notified{Listener: "slow"}.Event("", ""))
	}
	if got := r.list(10 * time.Second); len(got) != 1 || !got[0].Active {
		t.Fatalf("found %v", got)
	}
	r.at(11*time.Second, journal.ListenerRemoved{Listener: "slow"}.Event("", ""))
	if got := r.list(time.Hour); len(got) != 1 || got[0].Active {
		t.Errorf("found %v", got)
	}
}
