package scenario

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"informerscope/internal/phrase"
)

// reader reads a file's nodes and gathers what is wrong with them, so that one
// look at a file shows all its mistakes.
type reader struct {
	file     string
	mistakes Mistakes
	used     []used
}

func (r *reader) wrong(n *yaml.Node, format string, args ...any) {
	r.mistakes = append(r.mistakes, Mistake{r.file, n.Line, fmt.Sprintf(format, args...)})
}

// field is one of the names that a mapping may have. The same table reads files
// and makes their JSON schema.
type field struct {
	name, doc string
	schema    map[string]any
	read      func(*yaml.Node)
}

// mapping reads a mapping with exactly these fields. where is for messages: "the
// file", "settings".
func (r *reader) mapping(n *yaml.Node, where string, fields []field) {
	r.pairs(n, where, func(name, value *yaml.Node) {
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == name.Value })
		if i < 0 {
			r.unknown(name, where, fieldNames(fields))
			return
		}
		fields[i].read(value)
	})
}

// pairs calls f for each name and value of a mapping, and refuses what is none.
func (r *reader) pairs(n *yaml.Node, where string, f func(name, value *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		r.wrong(n, "%s: a mapping is needed, not %s", where, describe(n))
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i]
		if seen[name.Value] {
			r.wrong(name, "%s: %s is there twice", where, name.Value)
			continue
		}
		seen[name.Value] = true
		f(name, aliased(n.Content[i+1]))
	}
}

func (r *reader) unknown(name *yaml.Node, where string, known []string) {
	if near := phrase.Nearest(name.Value, known); near != "" {
		r.wrong(name, "%s has no field %q; do you mean %s?", where, name.Value, near)
		return
	}
	r.wrong(name, "%s has no field %q: use one of %s", where, name.Value, strings.Join(known, ", "))
}

func fieldNames(fields []field) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	return names
}

func aliased(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// describe says what a node is, for a message that it should be something else.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.Tag {
	case "!!null":
		return "nothing"
	case "!!str":
		return fmt.Sprintf("the text %q", n.Value)
	}
	return n.Value
}

func (r *reader) scalar(n *yaml.Node, where, needed string) (string, bool) {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		r.wrong(n, "%s: %s is needed, not %s", where, needed, describe(n))
		return "", false
	}
	return n.Value, true
}

func (r *reader) text(n *yaml.Node, where string, to *string) {
	if s, ok := r.scalar(n, where, "a text"); ok {
		*to = strings.TrimSpace(s)
	}
}

// choice reads one of a few words.
func (r *reader) choice(n *yaml.Node, where string, words []string, to *string) {
	s, ok := r.scalar(n, where, "one of "+strings.Join(words, ", "))
	if ok && !slices.Contains(words, s) {
		r.wrong(n, "%s: %q is not accepted: use %s", where, s, strings.Join(words, ", "))
		return
	}
	*to = s
}

// list calls f for each item of a list, or for a single item without one.
func (r *reader) list(n *yaml.Node, f func(*yaml.Node)) {
	if n.Kind != yaml.SequenceNode {
		f(n)
		return
	}
	for _, item := range n.Content {
		f(aliased(item))
	}
}

func (r *reader) words(n *yaml.Node, where string, to *[]string) {
	r.list(n, func(item *yaml.Node) {
		var s string
		if r.text(item, where, &s); s != "" {
			*to = append(*to, s)
		}
	})
}

// checked reads a text that check accepts.
func (r *reader) checked(n *yaml.Node, where string, check func(string) error, to *string) {
	var s string
	if r.text(n, where, &s); s == "" {
		return
	}
	if err := check(s); err != nil {
		r.wrong(n, "%s: %v", where, err)
		return
	}
	*to = s
}

func (r *reader) duration(n *yaml.Node, where string, to *time.Duration) {
	s, ok := r.scalar(n, where, "a duration such as 200ms or 5s")
	if !ok {
		return
	}
	d, err := duration(s)
	if err != nil {
		r.wrong(n, "%s: %v", where, err)
		return
	}
	*to = d
}

// period reads a duration that is 0 or at least as long as the engine takes it.
func (r *reader) period(n *yaml.Node, where string, least time.Duration, to *time.Duration) {
	r.duration(n, where, to)
	if *to != 0 && *to < least {
		r.wrong(n, "%s: %v is too short: use at least %v", where, *to, least)
	}
}

func (r *reader) whole(n *yaml.Node, where string, least, most int, to *int) {
	s, ok := r.scalar(n, where, "a whole number")
	if !ok {
		return
	}
	i, err := strconv.Atoi(s)
	switch {
	case err != nil || i < least:
		r.wrong(n, "%s: a whole number of at least %d is needed, not %s", where, least, describe(n))
		return
	case i > most:
		r.wrong(n, "%s: %d is too many: at most %d", where, i, most)
		return
	}
	*to = i
}

// real reads a number by one of the functions for verbs.
func (r *reader) real(n *yaml.Node, where string, parse func(string) (float64, error), to *float64) {
	s, ok := r.scalar(n, where, "a number")
	if !ok {
		return
	}
	f, err := parse(s)
	if err != nil {
		r.wrong(n, "%s: %v", where, err)
		return
	}
	*to = f
}

func (r *reader) truth(n *yaml.Node, where string, to *bool) {
	if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" {
		r.wrong(n, "%s: true or false is needed, not %s", where, describe(n))
		return
	}
	*to = strings.EqualFold(n.Value, "true")
}

// float is a number in an expectation.
func float(n *yaml.Node) (float64, bool) {
	if n.Kind != yaml.ScalarNode || n.Tag != "!!int" && n.Tag != "!!float" {
		return 0, false
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(n.Value, "_", ""), 64)
	return f, err == nil && !math.IsNaN(f)
}
