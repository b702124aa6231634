package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"informerscope/journal"
	"informerscope/journal/findings"
)

// dumpVersion is the first byte of a dump. It rises with every change of what
// a dump holds.
const dumpVersion = 1

// Dump appends s in a compact binary form, all of it but the Journal and the
// objects: object gives a number that stands for one. It is asked once for each
// place that holds the object, which of a ReplacedAll is a []any, and never for
// nil; it must not answer 0. Two States that are equal in every query, and
// whose objects have the same numbers, have the same dump. Times lose their
// monotonic reading.
func (s *State) Dump(b []byte, object func(any) uint64) []byte {
	c := &codec{out: append(b, dumpVersion), number: object, numbers: map[string]uint64{}}
	copied := *s // coding takes addresses, and s is shared
	c.state(&copied)
	return c.out
}

// Load reads what Dump wrote. object gives the object of a number that is not
// 0; nil when it is not known. The State has no Journal (see WithJournal), and
// keeps no part of b. Of damaged input it returns an error, or some other State
// that is safe to ask and to Resume; what it takes of memory is in proportion
// to len(b).
func Load(b []byte, object func(uint64) any) (*State, error) {
	if len(b) == 0 {
		return nil, errors.New("state: the dump is empty")
	}
	if b[0] != dumpVersion {
		return nil, fmt.Errorf("state: the dump has version %d, this program reads %d", b[0], dumpVersion)
	}
	c := &codec{reading: true, in: string(b[1:]), lookup: object, names: make([]string, 0, 64)}
	s := &State{gen: 1} // above the 0 of all that was loaded
	c.state(s)
	if c.err == nil && len(c.in) > 0 {
		c.fail("%d bytes after its end", len(c.in))
	}
	if c.err != nil {
		return nil, c.err
	}
	s.Resources = shareReflector(s.all)
	return s, nil
}

// WithJournal returns s with another Journal; s itself does not change.
func (s *State) WithJournal(view journal.View) *State {
	c := *s
	c.Journal = view
	return &c
}

// The methods of codec named after structs say once what a dump holds of them:
// they write it or read it. A field that no such method knows is lost in a dump;
// TestDumpKnowsEveryField tells.

func (c *codec) state(s *State) {
	c.seq(&s.Seq)
	c.time(&s.Time)
	c.int(&s.Divergences)
	c.text(&s.LastDivergence)
	c.bool(&s.Paused)
	pace := math.Float64bits(s.Pace)
	c.uint(&pace)
	s.Pace = math.Float64frombits(pace)
	list(c, &s.faults, c.fault)
	list(c, &s.breakpoints, c.breakpoint)
	c.stop(&s.stop)
	c.recording(&s.Recording)
	list(c, &s.all, c.resource)
	c.findings(&s.findings)
}

// findings have a form of their own, which their package keeps readable.
func (c *codec) findings(p **findings.Set) {
	text := ""
	if !c.reading && *p != nil {
		b, err := json.Marshal(*p)
		if err != nil {
			panic(err) // they are plain values
		}
		text = string(b)
	}
	c.text(&text)
	if !c.reading {
		return
	}
	*p = findings.New(findings.Thresholds{})
	if text == "" {
		return
	}
	if err := json.Unmarshal([]byte(text), *p); err != nil {
		c.fail("its findings: %v", err)
	}
}

func (c *codec) recording(r *Recording) {
	c.text(&r.File)
	c.time(&r.Since)
	c.text(&r.Failed)
}

func (c *codec) fault(f *Fault) {
	c.int64(&f.ID)
	c.text(&f.Text)
	c.int64(&f.Left)
	c.uint(&f.Hits)
	c.time(&f.Since)
	c.dur(&f.For)
}

func (c *codec) breakpoint(b *Breakpoint) {
	c.int64(&b.ID)
	c.text(&b.Expr)
	c.bool(&b.Enabled)
	c.uint(&b.Hits)
	c.seq(&b.LastSeq)
	c.time(&b.LastHit)
}

func (c *codec) stop(s *Stop) {
	c.int64(&s.Breakpoint)
	c.text(&s.Expr)
	c.seq(&s.Event)
	c.time(&s.Time)
	c.name(&s.Resource)
	c.text(&s.Key)
}

func (c *codec) resource(p **Resource) {
	if c.reading {
		*p = new(Resource)
	}
	r := *p
	c.name(&r.Name)
	c.bool(&r.Synced)
	c.text(&r.Failed)
	c.reflector(&r.Reflector)
	c.fifo(&r.FIFO)
	c.indexer(&r.Indexer)
	list(c, &r.Listeners, c.listener)
	c.queue(&r.Queue)
	list(c, &r.Workers, c.worker)
	c.flows(&r.Flows)
	c.stores(&r.Stores)
	c.seen(&r.Seen)
}
