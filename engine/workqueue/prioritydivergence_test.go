package workqueue

import (
	"testing"
	"testing/synctest"

	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
)

type realPriority = priorityqueue.PriorityQueue[string]

// levelling gives every key the same priority.
type levelling struct{ realPriority }

func (f levelling) AddWithOpts(o priorityqueue.AddOpts, keys ...string) {
	o.Priority = nil
	f.realPriority.AddWithOpts(o, keys...)
}

// losing loses every Add of the key "lost".
type losing struct{ realPriority }

func (f losing) AddWithOpts(o priorityqueue.AddOpts, keys ...string) {
	if keys[0] != "lost" {
		f.realPriority.AddWithOpts(o, keys...)
	}
}

// ghosting hands out keys that nobody added.
type ghosting struct{ realPriority }

func (f ghosting) GetWithPriority() (string, int, bool) {
	key, priority, shutdown := f.realPriority.GetWithPriority()
	return "ghost of " + key, priority, shutdown
}

// hurried says shutdown although it has keys.
type hurried struct{ realPriority }

func (f hurried) GetWithPriority() (string, int, bool) { return "", 0, true }

// A priority queue that does something else is found out, nobody hangs, and the
// fold still is what the glass holds.
func TestWrongPriorityQueueIsADivergence(t *testing.T) {
	for _, c := range []struct {
		name string
		wrap func(realPriority) realPriority
		want []string
	}{
		{"right", func(q realPriority) realPriority { return q }, nil},
		{"ignores priorities", func(q realPriority) realPriority { return levelling{q} }, []string{
			`Get returned "low", expected "lost"`, `Get returned priority 0 of "low", expected -100`,
			`Get returned "a", expected "lost"`, `Get returned priority 0 of "lost", expected 3`}},
		{"loses a key", func(q realPriority) realPriority { return losing{q} }, []string{
			`after AddWithOpts 2 keys are ready, expected 3`, `Get returned "a", expected "lost"`, `Get returned "low", expected "lost"`}},
		{"renames keys", func(q realPriority) realPriority { return ghosting{q} }, []string{
			`Get returned "ghost of lost", expected "lost"`, `after Get 2 keys are ready, expected 3`,
			`Get returned "ghost of a", expected "lost"`, `after Get 1 keys are ready, expected 3`,
			`Get returned "ghost of low", expected "lost"`, `after Get 0 keys are ready, expected 3`}},
		{"shuts down early", func(q realPriority) realPriority { return hurried{q} }, []string{
			`Get returned shutdown, expected "lost"`, `Get returned shutdown, expected "lost"`, `Get returned shutdown, expected "lost"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := &priorityRig{recorded: record()}
				r.Priority = newPriorityOver(r.options(Options{}), func(name string, o priorityqueue.Opt[string]) realPriority {
					return c.wrap(priorityqueue.New(name, o))
				})
				defer r.ShutDown()
				r.AddWithOpts(at(LowPriority), "low")
				r.Add("a")
				r.AddWithOpts(at(3), "lost")
				for range 3 {
					if r.Len() > 0 {
						r.Get()
					}
				}
				r.wantDivergences(t, c.want, r.Snapshot(), r.folded())
			})
		})
	}
}
