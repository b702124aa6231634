package scenario

import (
	"slices"
	"strings"

	"informerscope/internal/phrase"
	"informerscope/journal"
)

// Complete lists what the last word of a line could become, and where in the
// line that word begins.
func (s *Subject) Complete(resource, line string) (from int, candidates []Candidate) {
	from = strings.LastIndexByte(line, ' ') + 1
	before, last := line[:from], line[from:]
	words, err := phrase.Split(before)
	if err != nil {
		return from, nil // within quotes
	}
	if len(words) == 1 && words[0] == "-r" {
		return from, matching(s.resources(), last)
	}
	if words, resource, err = s.target(words, resource); err != nil {
		return from, nil
	}
	if len(words) == 0 {
		return from, matching(s.verbs(""), last)
	}
	v, args, err := find(words)
	if err != nil {
		if len(words) == 1 {
			return from, matching(s.verbs(words[0]+" "), last)
		}
		return from, nil
	}
	if v.fault != nil {
		return from, s.faultWords(v.fault, append(args, last))
	}
	i := len(args)
	if n := len(v.Args); n > 0 && i >= n && v.Args[n-1].Rest {
		i = n - 1
	}
	if i >= len(v.Args) || v.Args[i].values == nil {
		return from, nil
	}
	c := &call{s: s, resource: resource, args: args, last: last}
	return from, matching(v.Args[i].values(c), last)
}

// matching keeps the candidates that begin with prefix, or have it in them when
// none does.
func matching(all []Candidate, prefix string) (out []Candidate) {
	for _, c := range all {
		if strings.HasPrefix(c.Word, prefix) {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		for _, c := range all {
			if strings.Contains(c.Word, prefix) {
				out = append(out, c)
			}
		}
	}
	return out
}

// verbs are the next words of verbs that begin with prefix.
func (s *Subject) verbs(prefix string) (out []Candidate) {
	for i := range Verbs {
		v := &Verbs[i]
		rest, ok := strings.CutPrefix(v.Name, prefix)
		if !ok || v.Group == GroupServer && s.Server == nil {
			continue
		}
		word, more, two := strings.Cut(rest, " ")
		help := v.Help
		if two {
			help = word + " " + more + " ..."
		}
		if n := len(out); n > 0 && out[n-1].Word == word {
			if !two { // break, after break list and the others
				out[n-1].Help = v.Usage() + ": " + v.Help
				continue
			}
			out[n-1].Help = strings.TrimSuffix(out[n-1].Help, " ...") + ", " + more + " ..."
			continue
		}
		out = append(out, Candidate{word, help})
	}
	return out
}

func (s *Subject) resources() (out []Candidate) {
	for _, r := range s.Session.Resources() {
		out = append(out, Candidate{Word: r})
	}
	return out
}

// mostKeys is how many keys a completion offers.
const mostKeys = 500

// storedKeys are keys of the Indexer.
func storedKeys(c *call) (out []Candidate) {
	r := c.s.Session.Snapshot().Resource(c.resource)
	if r == nil {
		return nil
	}
	for i := range min(r.Indexer.Len(), mostKeys) {
		key, _ := r.Indexer.At(i)
		out = append(out, Candidate{Word: key})
	}
	return out
}

func indexNames(c *call) (out []Candidate) {
	r := c.s.Session.Snapshot().Resource(c.resource)
	if r == nil {
		return nil
	}
	for _, name := range r.Indexer.Indices() {
		out = append(out, Candidate{Word: name})
	}
	return out
}

// heldKeys are keys that are in processing.
func heldKeys(c *call) (out []Candidate) {
	r := c.s.Session.Snapshot().Resource(c.resource)
	if r == nil {
		return nil
	}
	for i := range min(r.Queue.ProcessingLen(), mostKeys) {
		p := r.Queue.ProcessingAt(i)
		out = append(out, Candidate{p.Key, "in processing, " + orNobody(p.Worker)})
	}
	return out
}

// failedKeys are keys for which the rate limiter counts failures.
func failedKeys(c *call) (out []Candidate) {
	r := c.s.Session.Snapshot().Resource(c.resource)
	if r == nil {
		return nil
	}
	for i := range min(r.Queue.FailuresLen(), mostKeys) {
		key, n := r.Queue.FailureAt(i)
		out = append(out, Candidate{key, plural(n, "failure")})
	}
	return out
}

func handlerNames(c *call) (out []Candidate) {
	r := c.s.Session.Snapshot().Resource(c.resource)
	if r == nil {
		return nil
	}
	for _, l := range r.Listeners {
		if !l.Removed {
			out = append(out, Candidate{Word: l.Name})
		}
	}
	return out
}

func workerNames(c *call) (out []Candidate) {
	r := c.s.Session.Snapshot().Resource(c.resource)
	if r == nil {
		return nil
	}
	for _, w := range r.Workers {
		if w.Name != "hand" {
			out = append(out, Candidate{Word: w.Name})
		}
	}
	return out
}

// stages are what can be stepped.
func stages(*call) []Candidate {
	return []Candidate{
		{string(journal.StageReflector), "one watch event into the queue"},
		{string(journal.StageFIFO), "one Pop into the Indexer and the listeners"},
		{string(journal.StageListener), "one notification into a handler"},
		{string(journal.StageQueue), "one Get, or the Done of a key that waits for it"},
	}
}

// fixed offers the same words always.
func fixed(words ...string) func(*call) []Candidate {
	return func(*call) (out []Candidate) {
		for _, w := range words {
			out = append(out, Candidate{Word: w})
		}
		return out
	}
}

// anyOf offers what several lists have, each word once.
func anyOf(lists ...func(*call) []Candidate) func(*call) []Candidate {
	return func(c *call) (out []Candidate) {
		for _, l := range lists {
			for _, x := range l(c) {
				if !slices.ContainsFunc(out, func(y Candidate) bool { return y.Word == x.Word }) {
					out = append(out, x)
				}
			}
		}
		return out
	}
}
