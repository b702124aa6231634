package breakpoint

import (
	"strings"

	"informerscope/journal"
	"informerscope/journal/findings"
)

// Candidate is a word that could stand in an expression.
type Candidate struct{ Word, Help string }

// Complete lists what a word that was begun could become: words, and once it
// has its sign, values. known are values that only a session has, by the name
// of the word: of key, resource and name. The caller filters by what is typed.
func Complete(begun string, known map[string][]string) (out []Candidate) {
	name, sign, _ := cut(begun)
	if sign == "" {
		for i := range Words {
			w := &Words[i]
			text := w.Name
			switch w.Signs {
			case equals:
				if w.Alone {
					out = append(out, Candidate{text, w.Help})
				}
				text += "="
			case numbers:
				text += ">"
			}
			out = append(out, Candidate{text, w.Help})
		}
		return out
	}
	add := func(value, help string) { out = append(out, Candidate{Quote(name + sign + value), help}) }
	switch name {
	case "stage":
		for _, s := range stages {
			add(string(s), "")
		}
	case "kind":
		for _, k := range journal.Kinds() {
			if matchable.has(k) {
				add(k.String(), k.Doc())
			}
		}
	case "type":
		for _, t := range allTypes {
			add(t, "of "+strings.Join(kindsOfType(t), ", "))
		}
	case "finding":
		for _, info := range findings.Kinds() {
			add(string(info.Kind), info.Title)
		}
	case "code":
		for _, c := range []string{"400", "403", "410", "429", "500"} {
			add(c, "")
		}
	case "requeues":
		for _, n := range []string{"1", "5", "10"} {
			add(n, "")
		}
	case "resource", "key", "name":
		for _, v := range known[name] {
			add(v, "")
		}
	}
	return out
}

// kindsOfType are the names of the kinds of which a type is, three at most.
func kindsOfType(name string) (names []string) {
	for _, k := range journal.Kinds() {
		for _, t := range types[k] {
			switch {
			case t != name:
			case len(names) == 3:
				return append(names[:2], "...")
			default:
				names = append(names, k.String())
			}
		}
	}
	return names
}
