package findings

import (
	"testing"
	"time"

	"informerscope/journal"
)

func TestRequeuesGrowing(t *testing.T) {
	r := newRun(t, "requeues-growing=3")
	limited := func(at time.Duration, resource, key string, delay time.Duration) {
		r.at(at, journal.QueueAddLimited{Delay: delay}.Event(resource, key))
	}
	forgotten := func(at time.Duration, key string) {
		r.at(at, journal.QueueForgotten{}.Event("", key))
	}
	limited(0, "pods", "a", 5*time.Millisecond)
	limited(time.Second, "pods", "a", 10*time.Millisecond)
	limited(time.Second, "leases", "a", time.Second)
	limited(time.Second, "pods", "b", time.Second)
	forgotten(2*time.Second, "b")
	limited(2*time.Second, "pods", "b", time.Second)
	limited(2*time.Second, "pods", "b", time.Second)
	r.wants(2*time.Second, "twice each without Forget")
	limited(3*time.Second, "pods", "a", 20*time.Millisecond)
	growing := Finding{Kind: RequeuesGrowing, Resource: "pods", Key: "a", First: 8, Seq: 8, Count: 1, Active: true,
		Text: "a came back by AddRateLimited 3 times without Forget, last with a delay of 20ms"}
	r.wants(time.Hour, "three times", growing)
	forgotten(2*time.Hour, "a")
	growing.Active, growing.Text = false, "a came back by AddRateLimited 3 times before Forget was called"
	r.wants(2*time.Hour, "forgotten", growing)
	limited(3*time.Hour, "pods", "a", 5*time.Millisecond)
	r.wants(3*time.Hour, "counted from nothing", growing)
}
