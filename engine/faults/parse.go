package faults

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// All is the word for every resource, which may also be left out.
const All = "all"

// allParams are the parameters of all kinds.
var allParams = []*Param{
	paramStatus, paramDelay, paramTimes, paramFor, paramProbability, paramOn,
	paramRetryAfter, paramText, paramType, paramKey, paramPage, paramAt,
}

// Parse makes a fault from words: its kind, the value that some kinds need, a
// resource, and parameters as name=value, in any order after the kind.
//
//	cut pods
//	http 429 configmaps retry-after=1s times=3 on=watch
//	delay 200ms deployments.apps for=1m
func Parse(words []string) (Fault, error) {
	if len(words) == 0 {
		return Fault{}, fmt.Errorf("name a fault: %s", kindNames())
	}
	info, ok := Lookup(Kind(words[0]))
	if !ok {
		return Fault{}, unknownKind(words[0])
	}
	f := New(info.Kind)
	given := map[string]bool{}
	once := func(what string) error {
		if given[what] {
			return fmt.Errorf("%s: %s is given twice", f.Kind, what)
		}
		given[what] = true
		return nil
	}
	for _, w := range words[1:] {
		var p *Param
		what, value, named := strings.Cut(w, "=")
		switch {
		case named:
			if p = info.param(what); p == nil {
				return Fault{}, fmt.Errorf("%s takes no %s; it takes %s", f.Kind, what, info.usage())
			}
		case info.Value != nil && !given[info.Value.Name]:
			p, what, value = info.Value, info.Value.Name, w
		default:
			what = "the resource"
		}
		if err := once(what); err != nil {
			return Fault{}, err
		}
		if p == nil {
			if w != All {
				f.Resource = w
			}
			continue
		}
		if err := p.set(&f, value); err != nil {
			return Fault{}, fmt.Errorf("%s: %s: %w", f.Kind, p.Name, err)
		}
	}
	if info.Value != nil && !given[info.Value.Name] {
		return Fault{}, fmt.Errorf("%s needs a %s, such as %s %s", f.Kind, info.Value.Name, f.Kind, info.Value.Choices[0])
	}
	return f, f.Validate()
}

func (i Info) param(name string) *Param {
	for _, p := range i.Params {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// Usage is how a user types the kind: "http STATUS [RESOURCE] [times=N] ...".
func (i Info) Usage() string { return string(i.Kind) + " " + i.usage() }

func (i Info) usage() string {
	words := []string{"[RESOURCE]"}
	if i.Value != nil {
		words = slices.Insert(words, 0, i.Value.Value)
	}
	for _, p := range i.Params {
		words = append(words, "["+p.Name+"="+p.Value+"]")
	}
	return strings.Join(words, " ")
}

func kindNames() string {
	names := make([]string, len(Kinds))
	for i, info := range Kinds {
		names[i] = string(info.Kind)
	}
	return strings.Join(names, ", ")
}

func unknownKind(name string) error {
	return fmt.Errorf("no fault is called %q; there are %s", name, kindNames())
}

func needsQuotes(r rune) bool {
	return unicode.IsSpace(r) || r == '"' || r == '\\' || !unicode.IsPrint(r)
}
