package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"informerscope/engine/faults"
	"informerscope/journal"
)

// wireVerbs are one for each kind of fault, and those that list and clear.
func wireVerbs() []Verb {
	vs := []Verb{
		{Name: "faults", Group: GroupWire, Help: "list the faults that are armed", do: func(c *call) (string, error) {
			armed := c.s.Session.Armed()
			if len(armed) == 0 {
				return "no fault is armed", nil
			}
			var texts []string
			for _, a := range armed {
				texts = append(texts, fmt.Sprintf("%d: %s (%s)", a.ID, a.Fault, plural(int64(a.Hits), "hit")))
			}
			return strings.Join(texts, "; "), nil
		}},
		{
			Name: "clear", Group: GroupWire, Help: "disarm a fault, or all; those that a scenario's settings armed go by number only",
			Args: []Arg{{Name: "NUMBER", Help: "as faults lists it; all when left out", Optional: true, values: armedNumbers}},
			do:   clearFaults,
		},
	}
	for i := range faults.Kinds {
		info := &faults.Kinds[i]
		vs = append(vs, Verb{Name: string(info.Kind), Group: GroupWire, Help: info.Help, fault: info, do: func(c *call) (string, error) {
			id, err := c.arm(append([]string{string(info.Kind)}, c.args...)...)
			if err != nil {
				return "", err
			}
			if id == 0 {
				return "done: " + info.Then, nil
			}
			return fmt.Sprintf("armed as number %d: %s", id, info.Then), nil
		}})
	}
	return vs
}

// arm arms the fault that words say, for the resource of the call unless they
// name another or all. id is 0 when it is used up already.
func (c *call) arm(words ...string) (id int, err error) {
	f, err := faults.Parse(words)
	if err != nil {
		return 0, err
	}
	if f.Resource == "" && !slices.Contains(words, faults.All) {
		f.Resource = journal.BaseOf(c.resource)
	}
	if id, err = c.s.Session.Arm(f); err != nil {
		return 0, err
	}
	if !slices.ContainsFunc(c.s.Session.Armed(), func(a faults.Armed) bool { return a.ID == id }) {
		return 0, nil
	}
	return id, nil
}

func clearFaults(c *call) (string, error) {
	text := c.arg(0)
	if text == "" {
		n := 0
		for _, a := range c.s.Session.Armed() {
			if !slices.Contains(c.s.kept, a.ID) && c.s.Session.Disarm(a.ID) {
				n++
			}
		}
		if n == 0 {
			return "no fault was armed", nil
		}
		return plural(int64(n), "fault") + " cleared", nil
	}
	id, err := strconv.Atoi(text)
	if err != nil || !c.s.Session.Disarm(id) {
		return "", errors.New("no fault has the number " + text + ": faults lists them")
	}
	return "fault " + text + " is cleared", nil
}

func armedNumbers(c *call) (out []Candidate) {
	for _, a := range c.s.Session.Armed() {
		out = append(out, Candidate{strconv.Itoa(a.ID), a.Fault.String()})
	}
	return out
}

// faultWords completes the arguments of a fault.
func (s *Subject) faultWords(info *faults.Info, words []string) (out []Candidate) {
	var names []string
	for _, r := range s.Session.Resources() {
		if name := journal.BaseOf(r); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, c := range faults.Complete(append([]string{string(info.Kind)}, words...), names) {
		out = append(out, Candidate{c.Word, c.Help})
	}
	return out
}
