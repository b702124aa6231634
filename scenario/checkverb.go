package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"informerscope/engine"
	"informerscope/engine/faults"
	"informerscope/internal/phrase"
	"informerscope/journal/breakpoint"
)

// round stands in a line for the number of the round (Step.Repeat).
const round = "$n"

// checkLine finds what is wrong with a line before there is anything to run it
// on: the verb, how many words it has, and those that are of a fixed form.
func checkLine(line string) error {
	words, err := phrase.Split(strings.ReplaceAll(line, round, "1"))
	if err != nil {
		return err
	}
	if len(words) > 0 && words[0] == "-r" {
		if len(words) < 2 {
			return errors.New("-r: name a resource")
		}
		words = words[2:]
	}
	if len(words) == 0 {
		return errors.New("a verb is missing; docs/verbs.md lists them")
	}
	v, args, err := find(words)
	if err != nil {
		return errors.New(strings.Replace(err.Error(), "tab shows what there is", "docs/verbs.md lists them", 1))
	}
	if v.fault != nil {
		_, err := faults.Parse(append([]string{v.Name}, args...))
		return err
	}
	if err := v.count(args); err != nil {
		return err
	}
	if v.Name == "break" {
		_, err := breakpoint.ParseWords(args)
		if err != nil {
			return fmt.Errorf("break: %w", err)
		}
		return nil
	}
	for i, word := range args {
		a := v.Args[min(i, len(v.Args)-1)]
		if err := a.check(word); err != nil {
			return fmt.Errorf("%s: %w", v.Name, err)
		}
	}
	if v.Name == "reconcile" {
		if _, err := ending(args); err != nil {
			return fmt.Errorf("%s: %w", v.Name, err)
		}
	}
	return nil
}

// check refuses a word that no session would take.
func (a *Arg) check(word string) (err error) {
	switch a.Name {
	case "DURATION":
		_, err = duration(word)
	case "SHARE":
		_, err = share(word)
	case "RATE":
		_, err = rate(word)
	case "SPEC":
		err = checkHandler(word)
	case "STAGE":
		err = oneOf("stage", word, stages(nil))
	case "after":
		err = oneOf("word", word, []Candidate{{Word: a.Name}})
	case "OUTCOME":
		err = oneOf("outcome", word, outcomes(nil))
	case "LABEL=VALUE", "ANNOTATION=VALUE":
		name, _, ok := strings.Cut(word, "=")
		if !ok && strings.HasSuffix(word, "-") {
			name, ok = strings.TrimSuffix(word, "-"), true
		}
		if !ok || name == "" {
			err = fmt.Errorf("%q is not accepted: use %s", word, a.Name)
		}
	}
	return err
}

func oneOf(what, word string, known []Candidate) error {
	var names []string
	for _, c := range known {
		names = append(names, c.Word)
	}
	if slices.Contains(names, word) {
		return nil
	}
	return fmt.Errorf("there is no %s %q: use one of %s", what, word, strings.Join(names, ", "))
}

func checkHandler(spec string) error {
	_, err := engine.ParseHandler(spec)
	return err
}
