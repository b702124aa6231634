package breakpoint

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"informerscope/internal/phrase"
	"informerscope/journal"
	"informerscope/journal/findings"
)

// Word is one of the language.
type Word struct {
	Name  string // as it is typed: "tombstone", or "stage" of "stage=VALUE"
	Value string // what comes after the sign, "" for a word that stands alone
	Signs string // = for a value, one of "=,>,>=,<,<=" for a number
	Alone bool   // it can also do without its value
	Help  string

	parse func(value string, is compare) (term, error)
}

// term is a word of an expression with what it was given.
type term struct {
	kinds kindSet                   // of the events for which it can hold
	match func(*journal.Event) bool // asked of those only; nil holds for all

	resource func(string) bool        // of the word resource only
	moves    bool                     // it is rv-backwards
	raised   func(findings.Kind) bool // of the word finding only
}

const (
	equals  = "="
	numbers = "=,>,>=,<,<="
)

// Words is the language, in the order of help.
var Words = []Word{
	{"stage", "STAGE", equals, false, "events of a stage: deltafifo, workqueue and so on", parseStage},
	{"kind", "KIND", equals, false, "events of a kind as --events names it: workqueue.added, reflector.*", parseKind},
	{"type", "TYPE", equals, false, "of a delta (Deleted), of a watch event (DELETED), of a notification (OnDelete) and so on", parseType},
	{"key", "KEY", equals, false, "the object: shop/*, or /REGEX/", parseKey},
	{"resource", "RESOURCE", equals, false, "pods is also every lane of it, pods@atomic the one", parseResource},
	{"name", "NAME", equals, false, "of a worker, a handler, an index or a store: worker-1", parseName},
	{"tombstone", "", "", false, "the object is a DeletedFinalStateUnknown", plain(everything, func(e *journal.Event) bool { return e.Has(journal.Tombstone) })},
	{"dirty", "", "", false, "an Add of a key that is being processed", plain(kinds(journal.KindQueueAdded), func(e *journal.Event) bool { return e.QueueAdded().Result == journal.AddDirty })},
	{"requeues", "N", numbers, false, "an AddRateLimited that makes so many requeues of a key: requeues>5", parseRequeues},
	{"rv-backwards", "", "", false, "a resourceVersion that is older than the Reflector's", func(string, compare) (term, error) {
		return term{kinds: moving, moves: true}, nil
	}},
	{"relist", "", "", false, "the Reflector asks for everything again", plain(kinds(journal.KindRelistRequested), nil)},
	{"code", "N", numbers, false, "the HTTP code of a response, or that of an ERROR event: code=410, code>=500", parseCode},
	{"error", "", "", false, "anything that failed: requests, lists, watches, index functions, handlers, reconciles", plain(failing, isError)},
	{"finding", "KIND", equals, true, "something that looks wrong is found; key, resource and name are then those of the finding", parseFinding},
}

func plain(ks kindSet, match func(*journal.Event) bool) func(string, compare) (term, error) {
	return func(string, compare) (term, error) { return term{kinds: ks, match: match}, nil }
}

// Usage is the word as help shows it: "stage=STAGE", "requeues>N".
func (w *Word) Usage() string {
	switch {
	case w.Signs == "":
		return w.Name
	case w.Alone:
		return w.Name + "[=" + w.Value + "]"
	case w.Signs == equals:
		return w.Name + "=" + w.Value
	}
	return w.Name + ">" + w.Value
}

// compare is the sign of a number.
type compare func(a, b int64) bool

var compares = map[string]compare{
	"=":  func(a, b int64) bool { return a == b },
	">":  func(a, b int64) bool { return a > b },
	">=": func(a, b int64) bool { return a >= b },
	"<":  func(a, b int64) bool { return a < b },
	"<=": func(a, b int64) bool { return a <= b },
}

// parseTerm reads one word of an expression.
func parseTerm(text string) (term, error) {
	name, sign, value := cut(text)
	i := slices.IndexFunc(Words, func(w Word) bool { return w.Name == name })
	if i < 0 {
		return term{}, unknownWord(name, sign)
	}
	w := &Words[i]
	switch {
	case w.Signs == "" && sign != "":
		return term{}, fmt.Errorf("%s stands alone: it takes no value", name)
	case w.Alone && sign == "":
		return w.parse("*", nil)
	case w.Signs != "" && value == "":
		return term{}, fmt.Errorf("%s needs a value: %s", name, w.Usage())
	case w.Signs != "" && !slices.Contains(strings.Split(w.Signs, ","), sign):
		return term{}, fmt.Errorf("%s: %s is for numbers: use %s=", name, sign, name)
	}
	return w.parse(value, compares[sign])
}

// cut takes a word apart: requeues >= 5. Without a sign the value is "".
func cut(text string) (name, sign, value string) {
	i := strings.IndexAny(text, "=<>")
	if i < 0 {
		return text, "", ""
	}
	n := 1
	if text[i] != '=' && strings.HasPrefix(text[i+1:], "=") {
		n = 2
	}
	return text[:i], text[i : i+n], text[i+n:]
}

func unknownWord(name, sign string) error {
	var names []string
	for i := range Words {
		names = append(names, Words[i].Name)
	}
	near := phrase.Nearest(name, names)
	if near == "" && sign == "" { // a value whose name was left out
		switch {
		case slices.Contains(stages, journal.Stage(name)):
			near = "stage=" + name
		case slices.Contains(allTypes, name):
			near = "type=" + name
		case kindsLike(name) != kindSet{}:
			near = "kind=" + name
		case strings.Contains(name, "/"):
			near = "key=" + name
		}
	}
	if near != "" {
		return fmt.Errorf("there is no word %q; do you mean %s?", name, near)
	}
	return fmt.Errorf("there is no word %q: use %s", name, strings.Join(names, ", "))
}

func parseStage(value string, _ compare) (term, error) {
	var t term
	for one := range strings.SplitSeq(value, ",") {
		ks := where(func(k journal.Kind) bool { return matchable.has(k) && string(k.Stage()) == one })
		if ks.empty() {
			var names []string
			for _, s := range stages {
				names = append(names, string(s))
			}
			return term{}, wrong("stage", one, names)
		}
		t.kinds = t.kinds.or(ks)
	}
	return t, nil
}

// kindsLike are the matchable kinds that a pattern names.
func kindsLike(pattern string) kindSet {
	return where(func(k journal.Kind) bool { return matchable.has(k) && glob(pattern, k.String()) })
}

func parseKind(value string, _ compare) (term, error) {
	var t term
	for one := range strings.SplitSeq(value, ",") {
		ks := kindsLike(one)
		if ks.empty() {
			return term{}, wrongKind(one)
		}
		t.kinds = t.kinds.or(ks)
	}
	return t, nil
}

func wrongKind(name string) error {
	var full, short []string
	for _, k := range journal.Kinds() {
		if glob(name, k.String()) {
			return fmt.Errorf("kind: %s is written by the controls of the engine, and stopping there would stop each resume", name)
		}
		if matchable.has(k) {
			_, what, _ := strings.Cut(k.String(), ".")
			full, short = append(full, k.String()), append(short, what)
		}
	}
	near := phrase.Nearest(name, full)
	if i := slices.Index(short, phrase.Nearest(name, short)); near == "" && i >= 0 {
		near = full[i]
	}
	if near != "" {
		return fmt.Errorf("kind: there is no %q; do you mean %s?", name, near)
	}
	return fmt.Errorf("kind: there is no %q: use one such as deltafifo.popped or workqueue.*; docs/events.md lists them", name)
}

func parseType(value string, _ compare) (term, error) {
	patterns := strings.Split(value, ",")
	any := anyGlob(patterns)
	t := term{match: func(e *journal.Event) bool { return e.Raw().Type != "" && any(e.Raw().Type) }}
	for _, p := range patterns {
		ks := where(func(k journal.Kind) bool {
			return slices.ContainsFunc(types[k], func(name string) bool { return glob(p, name) })
		})
		if ks.empty() {
			return term{}, wrong("type", p, allTypes)
		}
		t.kinds = t.kinds.or(ks)
	}
	return t, nil
}

func parseKey(value string, _ compare) (term, error) {
	any := anyGlob(strings.Split(value, ","))
	if n := len(value); n > 1 && value[0] == '/' && value[n-1] == '/' {
		re, err := regexp.Compile(value[1 : n-1])
		if err != nil {
			return term{}, fmt.Errorf("key: %w", err)
		}
		any = re.MatchString
	} else if value[0] == '/' {
		return term{}, errors.New("key: a regular expression ends with /, as in key=/web-[0-9]+/, and a key does not begin with one")
	}
	return term{kinds: everything, match: func(e *journal.Event) bool { return e.Key != "" && any(e.Key) }}, nil
}

func parseResource(value string, _ compare) (term, error) {
	patterns := strings.Split(value, ",")
	match := func(name string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool {
			whole := name
			if !strings.Contains(p, "@") {
				whole = journal.BaseOf(name)
			}
			return glob(p, whole)
		})
	}
	return term{kinds: everything, resource: match, match: func(e *journal.Event) bool { return e.Resource != "" && match(e.Resource) }}, nil
}

func parseName(value string, _ compare) (term, error) {
	any := anyGlob(strings.Split(value, ","))
	return term{kinds: everything, match: func(e *journal.Event) bool { return e.Raw().Name != "" && any(e.Raw().Name) }}, nil
}

func parseRequeues(value string, is compare) (term, error) {
	n, err := number("requeues", value)
	return term{kinds: kinds(journal.KindQueueAddLimited), match: func(e *journal.Event) bool { return is(e.QueueAddLimited().Requeues, n) }}, err
}

func parseCode(value string, is compare) (term, error) {
	n, err := number("code", value)
	return term{kinds: kinds(journal.KindWireResponse, journal.KindWatchError), match: func(e *journal.Event) bool { return is(e.WireResponse().Code+e.WatchError().Code, n) }}, err
}

func parseFinding(value string, _ compare) (term, error) {
	patterns := strings.Split(value, ",")
	var known []string
	for _, info := range findings.Kinds() {
		known = append(known, string(info.Kind))
	}
	for _, p := range patterns {
		if !slices.ContainsFunc(known, func(k string) bool { return glob(p, k) }) {
			return term{}, wrong("finding", p, known)
		}
	}
	any := anyGlob(patterns)
	return term{kinds: everything, raised: func(k findings.Kind) bool { return any(string(k)) }}, nil
}

func number(word, value string) (int64, error) {
	n, err := strconv.ParseInt(value, 10, 32)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%s: %q is no whole number", word, value)
	}
	return n, nil
}
