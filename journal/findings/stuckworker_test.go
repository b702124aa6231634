package findings

import (
	"testing"
	"time"

	"informerscope/journal"
)

func (r *run) got(at time.Duration, worker, key string) {
	r.at(at, journal.QueueGot{Worker: worker}.Event("", key))
}

func (r *run) done(at time.Duration, worker, key string) {
	r.at(at, journal.QueueDone{Worker: worker}.Event("", key))
}

func stuck(seq uint64, key, worker, text string, active bool) Finding {
	return Finding{Kind: StuckWorker, Resource: "pods", Key: key, Name: worker, First: seq, Seq: seq, Count: 1, Active: active, Text: text}
}

func TestStuckWorker(t *testing.T) {
	r := newRun(t, "stuck-worker=10s")
	r.got(0, "worker-1", "a")
	r.got(0, "worker-2", "b")
	r.done(9*time.Second, "worker-1", "a")
	r.got(9*time.Second, "worker-1", "c")
	r.wants(10*time.Second-1, "just under")
	r.wants(10*time.Second, "just over", stuck(2, "b", "worker-2", "b has been in processing of worker-2 for 10s", true))
	r.at(12*time.Second, journal.WatchEvent{}.Event("", ""))
	if got := r.Raised(); len(got) != 1 || got[0].Key != "b" {
		t.Errorf("the next event raised %v", got)
	}
	r.at(13*time.Second, journal.ReconcileFailed{Worker: "worker-2"}.Event("", "b"))
	r.wants(13*time.Second, "ended without Done",
		stuck(2, "b", "worker-2", "b has been in processing of worker-2 for 13s: its reconcile has ended, and Done was not called", true))
	r.done(14*time.Second, "worker-2", "b")
	r.wants(15*time.Second, "Done at last", stuck(2, "b", "worker-2", "b was in processing of worker-2 for 14s", false))
	r.done(16*time.Second, "worker-1", "c")
	r.wants(time.Hour, "nobody works", stuck(2, "b", "worker-2", "b was in processing of worker-2 for 14s", false))
}

// A worker that forgets Done goes on with other keys; those it left are stuck.
func TestStuckKeysThatWereLeft(t *testing.T) {
	r := newRun(t, "stuck-worker=10s")
	r.got(0, "worker-1", "a")
	r.at(time.Second, journal.ReconcileDone{Worker: "worker-1"}.Event("", "a"))
	r.got(2*time.Second, "worker-1", "b")
	r.got(3*time.Second, "worker-1", "c")
	r.done(4*time.Second, "worker-1", "b")
	r.done(5*time.Second, "worker-1", "c")
	left := stuck(1, "a", "worker-1", "a has been in processing of worker-1 for 20s: its reconcile has ended, and Done was not called", true)
	r.wants(20*time.Second, "left", left)
	r.done(30*time.Second, "hand", "a") // nobody stops a Done for another's key
	r.wants(31*time.Second, "done by somebody else", stuck(1, "a", "worker-1", "a was in processing of worker-1 for 30s", false))
	r.got(40*time.Second, "worker-1", "a")
	again := stuck(1, "a", "worker-1", "a has been in processing of worker-1 for 12s", true)
	again.Seq, again.Count = r.seq, 2
	r.wants(52*time.Second, "again", again)
}
