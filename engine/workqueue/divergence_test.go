package workqueue

import (
	"testing"
	"testing/synctest"

	cgo "k8s.io/client-go/util/workqueue"
)

// stack is a queue that hands out the newest key first.
type stack []string

func (s *stack) Touch(string)    {}
func (s *stack) Push(key string) { *s = append(*s, key) }
func (s *stack) Len() int        { return len(*s) }
func (s *stack) Pop() string {
	key := (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return key
}

// forgetful loses every Add of the key "lost".
type forgetful struct{ cgo.TypedInterface[string] }

func (f forgetful) Add(key string) {
	if key != "lost" {
		f.TypedInterface.Add(key)
	}
}

// renaming hands out keys that nobody added.
type renaming struct{ cgo.TypedInterface[string] }

func (f renaming) Get() (string, bool) {
	key, shutdown := f.TypedInterface.Get()
	return "ghost of " + key, shutdown
}

// hasty says shutdown although it has keys.
type hasty struct{ cgo.TypedInterface[string] }

func (f hasty) Get() (string, bool) { return "", true }

// A queue that does something else is found out, nobody hangs, and the fold
// still is what the glass holds.
func TestWrongQueueIsADivergence(t *testing.T) {
	real := func() cgo.TypedInterface[string] { return cgo.NewTyped[string]() }
	for _, c := range []struct {
		name string
		base cgo.TypedInterface[string]
		want []string
	}{
		{"right", real(), nil},
		{"last in, first out", cgo.NewTypedWithConfig(cgo.TypedQueueConfig[string]{Queue: &stack{}}), []string{
			`Get returned "b", expected "a"`, `Get returned "lost", expected "a"`}},
		{"loses a key", forgetful{real()}, []string{
			`after Add the queue holds 1 keys, expected 2`, `Get returned "b", expected "lost"`}},
		{"renames keys", renaming{real()}, []string{
			`Get returned "ghost of a", expected "a"`, `after Get the queue holds 2 keys, expected 3`,
			`Get returned "ghost of lost", expected "a"`, `after Get the queue holds 1 keys, expected 3`,
			`Get returned "ghost of b", expected "a"`, `after Get the queue holds 0 keys, expected 3`}},
		{"shuts down early", hasty{real()}, []string{
			`Get returned shutdown, expected "a"`, `Get returned shutdown, expected "a"`, `Get returned shutdown, expected "a"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := &rig{recorded: record()}
				r.Queue = newOver(r.options(Options{}), c.base)
				defer r.ShutDown()
				r.Add("a")
				r.Add("lost")
				r.Add("b")
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
