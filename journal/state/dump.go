package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"informerscope/journal"
	"informerscope/journal/codec"
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
	c := codec.Writer(append(b, dumpVersion), object)
	copied := *s // coding takes addresses, and s is shared
	fields{c}.state(&copied)
	return c.Out()
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
	c := codec.Loader(string(b[1:]), object)
	s := &State{gen: 1} // above the 0 of all that was loaded
	fields{c}.state(s)
	if c.Err() == nil && c.Left() > 0 {
		c.Fail("%d bytes after its end", c.Left())
	}
	if c.Err() != nil {
		return nil, fmt.Errorf("state: the dump is damaged: %w", c.Err())
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

// fields has a method for each struct, which says once what a dump holds of it:
// it writes that or reads it. A field that no such method knows is lost in a
// dump; TestDumpKnowsEveryField tells.
type fields struct{ *codec.Codec }

func (c fields) state(s *State) {
	c.Seq(&s.Seq)
	c.Time(&s.Time)
	c.Int(&s.Divergences)
	c.Text(&s.LastDivergence)
	c.Bool(&s.Paused)
	pace := math.Float64bits(s.Pace)
	c.Uint(&pace)
	s.Pace = math.Float64frombits(pace)
	codec.List(c.Codec, &s.faults, c.fault)
	codec.List(c.Codec, &s.breakpoints, c.breakpoint)
	c.stop(&s.stop)
	c.recording(&s.Recording)
	codec.List(c.Codec, &s.all, c.resource)
	c.findings(&s.findings)
}

// findings have a form of their own, which their package keeps readable.
func (c fields) findings(p **findings.Set) {
	text := ""
	if !c.Reading() && *p != nil {
		b, err := json.Marshal(*p)
		if err != nil {
			panic(err) // they are plain values
		}
		text = string(b)
	}
	c.Text(&text)
	if !c.Reading() {
		return
	}
	*p = findings.New(findings.Thresholds{})
	if text == "" {
		return
	}
	if err := json.Unmarshal([]byte(text), *p); err != nil {
		c.Fail("its findings: %v", err)
	}
}

func (c fields) recording(r *Recording) {
	c.Text(&r.File)
	c.Time(&r.Since)
	c.Text(&r.Failed)
}

func (c fields) fault(f *Fault) {
	c.Int64(&f.ID)
	c.Text(&f.Text)
	c.Int64(&f.Left)
	c.Uint(&f.Hits)
	c.Time(&f.Since)
	c.Duration(&f.For)
}

func (c fields) breakpoint(b *Breakpoint) {
	c.Int64(&b.ID)
	c.Text(&b.Expr)
	c.Bool(&b.Enabled)
	c.Uint(&b.Hits)
	c.Seq(&b.LastSeq)
	c.Time(&b.LastHit)
}

func (c fields) stop(s *Stop) {
	c.Int64(&s.Breakpoint)
	c.Text(&s.Expr)
	c.Seq(&s.Event)
	c.Time(&s.Time)
	c.Name(&s.Resource)
	c.Text(&s.Key)
}

func (c fields) resource(p **Resource) {
	if c.Reading() {
		*p = new(Resource)
	}
	r := *p
	c.Name(&r.Name)
	c.Bool(&r.Synced)
	c.Text(&r.Failed)
	c.reflector(&r.Reflector)
	c.fifo(&r.FIFO)
	c.indexer(&r.Indexer)
	codec.List(c.Codec, &r.Listeners, c.listener)
	c.queue(&r.Queue)
	codec.List(c.Codec, &r.Workers, c.worker)
	c.flows(&r.Flows)
	c.stores(&r.Stores)
	c.seen(&r.Seen)
}
