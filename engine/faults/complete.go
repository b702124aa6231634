package faults

import (
	"slices"
	"strings"
)

// Candidate is a word that could come next, with one line of help.
type Candidate struct{ Word, Help string }

// Complete lists what the last of words, which may be "" or half a word, could
// become. resources are the names that the caller has to offer.
func Complete(words, resources []string) []Candidate {
	if len(words) == 0 {
		words = []string{""}
	}
	last := words[len(words)-1]
	var out []Candidate
	add := func(word, help string) {
		if strings.HasPrefix(word, last) {
			out = append(out, Candidate{word, help})
		}
	}
	if len(words) == 1 {
		for _, info := range Kinds {
			add(string(info.Kind), info.Help)
		}
		return out
	}
	info, ok := Lookup(Kind(words[0]))
	if !ok {
		return nil
	}
	given := words[1 : len(words)-1]
	plain := 0 // words before the last that are no name=value
	for _, w := range given {
		if !strings.Contains(w, "=") {
			plain++
		}
	}
	if name, _, named := strings.Cut(last, "="); named {
		if p := info.param(name); p != nil {
			for _, c := range info.choices(p, last) {
				add(c, p.Help)
			}
		}
		return out
	}
	if info.Value != nil && plain == 0 {
		for _, c := range info.Value.Choices {
			add(c, info.Value.Help)
		}
		return out
	}
	if info.Value != nil {
		plain--
	}
	if plain == 0 {
		for _, r := range resources {
			add(r, "")
		}
		add(All, "every resource")
	}
	for _, p := range info.Params {
		has := func(w string) bool { return strings.HasPrefix(w, p.Name+"=") }
		if !slices.ContainsFunc(given, has) {
			add(p.Name+"=", p.Help)
		}
	}
	return out
}

// choices are the words that name=value, begun with last, could become.
func (i Info) choices(p *Param, last string) []string {
	var words []string
	begun := p.Name + "="
	if p == paramOn {
		// A list: what is after the last comma is open.
		if comma := strings.LastIndexByte(last, ','); comma >= 0 {
			begun = last[:comma+1]
		}
	}
	for _, c := range p.Choices {
		if p == paramOn {
			v, _ := ParseVerbs(c)
			if (i.On|i.may)&v == 0 || slices.Contains(strings.FieldsFunc(begun, func(r rune) bool { return r == '=' || r == ',' }), c) {
				continue
			}
		}
		words = append(words, begun+c)
	}
	return words
}
