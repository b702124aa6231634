package scenario

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"informerscope/engine"
	"informerscope/engine/faults"
	"informerscope/internal/phrase"
)

// Group is what verbs act on, as help and docs put them together.
type Group string

// The groups, in the order in which they are shown.
const (
	GroupEngine   Group = "engine"
	GroupIndexer  Group = "indexer"
	GroupQueue    Group = "workqueue"
	GroupWorkers  Group = "workers"
	GroupHandlers Group = "handlers"
	GroupWire     Group = "wire"
	GroupServer   Group = "server"
)

// Groups are all of them with what they are for.
var Groups = []struct {
	Group Group
	Doc   string
}{
	{GroupEngine, "Hold the pipeline, let it go on, and ask it for things that it does by itself from time to time."},
	{GroupIndexer, "What goes wrong in index functions. A program in which one fails dies; here only the pipeline of its resource stops."},
	{GroupQueue, "The workqueue under your hand. With --workers 0 nobody else touches it."},
	{GroupWorkers, "Who takes keys from the workqueue, and how their work ends."},
	{GroupHandlers, "The event handlers, also what goes wrong in them."},
	{GroupWire, "Faults between client-go and the server. They touch only this program's own connection."},
	{GroupServer, "What users and operators of a cluster do. Only for the sandbox: on a cluster this program only reads."},
}

// Verb is one word, or two, of the language.
type Verb struct {
	Name  string // "add", "handler add"
	Group Group
	Args  []Arg
	Help  string // one line, without a full stop
	// fault is set for the verbs that arm one; it reads the arguments then.
	fault *faults.Info
	do    func(*call) (string, error)
}

// Arg is one argument of a verb.
type Arg struct {
	Name     string // as usage shows it: KEY, DURATION
	Help     string
	Optional bool
	Rest     bool // takes all words that are left, one at least unless Optional
	word     bool // it is Name itself, and tells what the next argument is
	// values lists what could stand here, for completion and for the error that
	// a wrong word gets; nil when it can be anything.
	values func(*call) []Candidate
}

// Candidate is a word that could come next.
type Candidate struct{ Word, Help string }

// Usage is the verb with its arguments: "add-after KEY DURATION".
func (v *Verb) Usage() string {
	if v.fault != nil {
		return v.fault.Usage()
	}
	b := []string{v.Name}
	for i, a := range v.Args {
		s := a.Name
		switch {
		case a.word:
			continue // it is told with what belongs to it
		case i > 0 && v.Args[i-1].word:
			s = v.Args[i-1].Name + " " + s
		}
		if a.Rest {
			s += "..."
		}
		if a.Optional {
			s = "[" + s + "]"
		}
		b = append(b, s)
	}
	return strings.Join(b, " ")
}

// Subject is what verbs act on. Server may be nil, and verbs that need it say
// so. It is safe for concurrent use.
type Subject struct {
	Session *engine.Session
	Server  Server

	// kept are the numbers of faults that are part of a scenario's settings: a
	// clear without a number leaves them.
	kept []int
}

// call is one use of a verb.
type call struct {
	ctx      context.Context
	s        *Subject
	resource string
	args     []string
	last     string // the word that is being completed
}

func (c *call) manual() (engine.ManualControl, error) { return c.s.Session.ManualControl(c.resource) }

// arg is the i-th argument, "" when it was left out.
func (c *call) arg(i int) string {
	if i < len(c.args) {
		return c.args[i]
	}
	return ""
}

// errEmpty is the error of a line without a verb.
var errEmpty = errors.New("type a verb; tab shows what there is")

// Run does what line says to a resource; "-r RESOURCE" in front names another
// one. The answer says what was done, in one line. What was typed and what came
// of it is in the journal then.
func (s *Subject) Run(ctx context.Context, resource, line string) (answer string, err error) {
	words, err := phrase.Split(line)
	if err != nil {
		return "", err
	}
	if words, resource, err = s.target(words, resource); err != nil {
		return "", err
	}
	v, args, err := find(words)
	if err != nil {
		return "", err
	}
	if err := v.count(args); err != nil {
		return "", err
	}
	answer, err = v.do(&call{ctx: ctx, s: s, resource: resource, args: args})
	if err != nil {
		if strings.HasPrefix(err.Error(), v.Name+" ") || strings.HasPrefix(err.Error(), v.Name+":") {
			return "", err
		}
		return "", fmt.Errorf("%s: %w", v.Name, err)
	}
	s.Session.Command(resource, withoutValues(v.Name, args, strings.TrimSpace(line)), answer)
	return answer, nil
}

// withoutValues is the line of a verb as it may be written down: what it gives to
// a Secret is hidden.
func withoutValues(verb string, args []string, line string) string {
	if verb != "update" || len(args) < 2 {
		return line
	}
	resource, _, _ := strings.Cut(args[0], ".")
	if resource = strings.ToLower(resource); resource != "secret" && resource != "secrets" {
		return line
	}
	words := []string{verb, args[0], args[1]}
	for _, change := range args[2:] {
		name, _, gives := strings.Cut(change, "=")
		if gives {
			name += "=(hidden)"
		}
		words = append(words, name)
	}
	return strings.Join(words, " ")
}

// target takes "-r RESOURCE" off.
func (s *Subject) target(words []string, resource string) ([]string, string, error) {
	if len(words) == 0 || words[0] != "-r" {
		return words, resource, nil
	}
	if len(words) < 2 {
		return nil, "", errors.New("-r: name a resource")
	}
	if all := s.Session.Resources(); !slices.Contains(all, words[1]) {
		return nil, "", fmt.Errorf("-r: no resource %q is watched: use one of %s", words[1], strings.Join(all, ", "))
	}
	return words[2:], words[1], nil
}

// find returns the verb that words begin with, and the rest.
func find(words []string) (*Verb, []string, error) {
	if len(words) == 0 {
		return nil, nil, errEmpty
	}
	two := ""
	if len(words) > 1 {
		two = words[0] + " " + words[1]
	}
	var begins []string
	for i := range Verbs {
		v := &Verbs[i]
		switch {
		case v.Name == two:
			return v, words[2:], nil
		case v.Name == words[0]:
			return v, words[1:], nil
		case strings.HasPrefix(v.Name, words[0]+" "):
			begins = append(begins, strings.TrimPrefix(v.Name, words[0]+" "))
		}
	}
	if len(begins) > 0 {
		return nil, nil, fmt.Errorf("%s: say what to do: %s", words[0], strings.Join(begins, ", "))
	}
	if near := phrase.Nearest(words[0], verbNames()); near != "" {
		return nil, nil, fmt.Errorf("there is no verb %q; do you mean %s?", words[0], near)
	}
	return nil, nil, fmt.Errorf("there is no verb %q; tab shows what there is", words[0])
}

// count checks the number of arguments.
func (v *Verb) count(args []string) error {
	if v.fault != nil {
		return nil
	}
	least, most := 0, len(v.Args)
	for _, a := range v.Args {
		if !a.Optional {
			least++
		}
		if a.Rest {
			most = len(args) + 1
		}
	}
	if n := len(args); n > 0 && n < len(v.Args) && v.Args[n-1].word {
		return fmt.Errorf("%s: %s is missing: %s", v.Name, v.Args[n].Name, v.Usage())
	}
	switch {
	case len(args) < least:
		return fmt.Errorf("%s: %s is missing: %s", v.Name, v.Args[len(args)].Name, v.Usage())
	case len(args) > most:
		return fmt.Errorf("%s: %q is too much: %s", v.Name, args[most], v.Usage())
	}
	return nil
}

// verbNames are the first words of all verbs.
func verbNames() []string {
	names := make([]string, len(Verbs))
	for i := range Verbs {
		names[i], _, _ = strings.Cut(Verbs[i].Name, " ")
	}
	return names
}

// Usage is the verb that a line begins with, with its arguments and its help;
// "" when there is none yet.
func Usage(line string) string {
	words, err := phrase.Split(line)
	if err != nil {
		return ""
	}
	if len(words) > 1 && words[0] == "-r" {
		words = words[2:]
	}
	v, _, err := find(words)
	if err != nil {
		return ""
	}
	return v.Usage() + ": " + v.Help
}
