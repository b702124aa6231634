package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"informerscope/internal/phrase"
	"informerscope/journal"
	"informerscope/journal/breakpoint"
	"informerscope/journal/state"
)

// breakVerbs are in this order, as break alone begins all the others.
var breakVerbs = []Verb{
	{Name: "break list", Group: GroupEngine, Help: "list the breakpoints with their hits", do: func(c *call) (string, error) {
		all := c.s.Session.Breakpoints()
		if len(all) == 0 {
			return "no breakpoint is set", nil
		}
		texts := make([]string, len(all))
		for i, b := range all {
			texts[i] = describeBreak(b)
		}
		return strings.Join(texts, "; "), nil
	}},
	{
		Name: "break remove", Group: GroupEngine, Help: "remove a breakpoint, or all",
		Args: []Arg{{Name: "NUMBER|all", Help: "as break list shows it", values: anyOf(breakNumbers, fixed("all"))}},
		do:   removeBreak,
	},
	{
		Name: "break enable", Group: GroupEngine, Help: "let a breakpoint count again",
		Args: []Arg{{Name: "NUMBER", Help: "as break list shows it", values: breakNumbers}},
		do:   func(c *call) (string, error) { return enableBreak(c, true) },
	},
	{
		Name: "break disable", Group: GroupEngine, Help: "keep a breakpoint and do not stop at it",
		Args: []Arg{{Name: "NUMBER", Help: "as break list shows it", values: breakNumbers}},
		do:   func(c *call) (string, error) { return enableBreak(c, false) },
	},
	{
		Name: "break", Group: GroupEngine, Help: "pause at each event for which all of the words hold",
		Args: []Arg{{Name: "WORD", Help: breakHelp(), Rest: true, values: breakWords}},
		do: func(c *call) (string, error) {
			words := make([]string, len(c.args))
			for i, w := range c.args {
				words[i] = breakpoint.Quote(w)
			}
			if action := phrase.Nearest(c.args[0], breakActions); action != "" {
				return "", fmt.Errorf("there is no word %q; do you mean break %s?", c.args[0], action)
			}
			id, err := c.s.Session.Break(strings.Join(words, " "))
			if err != nil {
				return "", err
			}
			return fmt.Sprintf("breakpoint %d is set", id), nil
		},
	},
	{Name: "run", Group: GroupEngine, Help: "resume until a breakpoint is hit", do: func(c *call) (string, error) {
		if err := c.s.Session.RunToBreak(); err != nil {
			return "", err
		}
		return "running to the next hit", nil
	}},
}

// breakHelp lists the words.
func breakHelp() string {
	var names []string
	for i := range breakpoint.Words {
		w := &breakpoint.Words[i]
		names = append(names, w.Usage()+" ("+w.Help+")")
	}
	return strings.Join(names, ", ")
}

func describeBreak(b state.Breakpoint) string {
	how := plural(int64(b.Hits), "hit")
	if b.Hits > 0 {
		how += ", the last at event " + strconv.FormatUint(b.LastSeq, 10)
	}
	if !b.Enabled {
		how = "disabled, " + how
	}
	return fmt.Sprintf("%d: %s (%s)", b.ID, b.Expr, how)
}

// breakNumber reads NUMBER.
func breakNumber(word string) (int, error) {
	id, err := strconv.Atoi(word)
	if err != nil {
		return 0, fmt.Errorf("%q is no number of a breakpoint: break list shows them", word)
	}
	return id, nil
}

func removeBreak(c *call) (string, error) {
	if c.arg(0) == "all" {
		all := c.s.Session.Breakpoints()
		var errs []error
		for _, b := range all {
			errs = append(errs, c.s.Session.RemoveBreak(int(b.ID)))
		}
		if err := errors.Join(errs...); err != nil {
			return "", err
		}
		return plural(int64(len(all)), "breakpoint") + " removed", nil
	}
	id, err := breakNumber(c.arg(0))
	if err == nil {
		err = c.s.Session.RemoveBreak(id)
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("breakpoint %d is removed", id), nil
}

func enableBreak(c *call, on bool) (string, error) {
	id, err := breakNumber(c.arg(0))
	if err == nil {
		err = c.s.Session.EnableBreak(id, on)
	}
	if err != nil {
		return "", err
	}
	if on {
		return fmt.Sprintf("breakpoint %d counts", id), nil
	}
	return fmt.Sprintf("breakpoint %d is kept, and stops nothing", id), nil
}

func breakNumbers(c *call) (out []Candidate) {
	for _, b := range c.s.Session.Breakpoints() {
		out = append(out, Candidate{strconv.FormatInt(b.ID, 10), b.Expr})
	}
	return out
}

// breakActions are what can follow break instead of an expression.
var breakActions = []string{"list", "remove", "enable", "disable"}

// breakWords completes the words of an expression, and of the first one also
// what else can follow break.
func breakWords(c *call) (out []Candidate) {
	if len(c.args) == 0 {
		for _, word := range breakActions {
			out = append(out, Candidate{word, "break " + word + " ..."})
		}
	}
	words := func(list []Candidate) (out []string) {
		for _, x := range list {
			out = append(out, x.Word)
		}
		return out
	}
	known := map[string][]string{
		"key": words(storedKeys(c)), "resource": words(c.s.resources()), "name": words(anyOf(workerNames, handlerNames)(c)),
	}
	for _, r := range known["resource"] {
		if b := journal.BaseOf(r); !slices.Contains(known["resource"], b) {
			known["resource"] = append(known["resource"], b)
		}
	}
	for _, x := range breakpoint.Complete(c.last, known) {
		out = append(out, Candidate{x.Word, x.Help})
	}
	return out
}
