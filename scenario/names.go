package scenario

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"informerscope/engine"
	"informerscope/engine/faults"
	"informerscope/engine/indexer"
	"informerscope/engine/stores"
	"informerscope/internal/phrase"
	"informerscope/journal/findings"
	"informerscope/journal/state/document"
)

// noun is a sort of things that a file names.
type noun string

const (
	aHandler  noun = "handler"
	aWorker   noun = "worker"
	anIndex   noun = "index"
	aStore    noun = "store"
	aKind     noun = "kind of finding"
	aSeverity noun = "severity"
	watched   noun = "resource" // that is watched
)

// used is a name where a file uses it. What it must be one of is known when all of
// the file is read.
type used struct {
	noun  noun
	where string
	name  string
	line  int
}

// named notes the name of an item of type t in an expectation.
func (r *reader) named(t reflect.Type, field string, n *yaml.Node, where string) {
	var of noun
	switch {
	case t == reflect.TypeFor[document.Listener]() && field == "name":
		of = aHandler
	case t == reflect.TypeFor[document.Worker]() && field == "name":
		of = aWorker
	case t == reflect.TypeFor[document.Store]() && field == "name":
		of = aStore
	case t == reflect.TypeFor[document.Finding]() && field == "kind":
		of = aKind
	case t == reflect.TypeFor[document.Finding]() && field == "severity":
		of = aSeverity
	default:
		return
	}
	if n.Kind == yaml.ScalarNode && n.Tag == "!!str" {
		r.used = append(r.used, used{of, where, n.Value, n.Line})
	}
}

// argNouns are the arguments of verbs that name something.
var argNouns = map[string]noun{"HANDLER": aHandler, "WORKER": aWorker, "INDEX": anIndex}

// checkNames finds names of what is not there: neither the settings nor a verb make
// it. A name that is known only when it is said ($n) lets all of its sort pass.
func (r *reader) checkNames(f *File) {
	known := r.namesOf(f)
	for _, s := range f.Steps {
		if s.calls != nil {
			for _, h := range s.calls.handlers {
				r.used = append(r.used, used{aHandler, "calls", h.handler, h.line})
			}
		}
	}
	for _, l := range f.lines() {
		v, args, ok := l.verb()
		switch {
		case !ok:
		case v.fault != nil:
			if x, err := faults.Parse(append([]string{v.Name}, args...)); err == nil && x.Resource != "" {
				r.used = append(r.used, used{watched, "do: " + v.Name, x.Resource, l.Line})
			}
		default:
			for i, word := range args[:min(len(args), len(v.Args))] {
				if of, ok := argNouns[v.Args[i].Name]; ok {
					r.used = append(r.used, used{of, "do: " + v.Name, word, l.Line})
				}
			}
		}
	}
	for _, u := range r.used {
		names, closed := known[u.noun]
		if !closed || slices.Contains(names, u.name) || strings.Contains(u.name, round) {
			continue
		}
		meant := "use one of " + strings.Join(names, ", ")
		if near := phrase.Nearest(u.name, names); near != "" {
			meant = "do you mean " + near + "?"
		} else if len(names) == 0 {
			meant = "there is none"
		}
		r.wrong(&yaml.Node{Line: u.line}, "%s: there is no %s %q; %s", u.where, u.noun, u.name, meant)
	}
}

// namesOf are the names that there are, or come to be, by their sort. What is
// missing may have any.
func (r *reader) namesOf(f *File) map[noun][]string {
	known := map[noun][]string{aHandler: {controller}, anIndex: {"namespace"}, aStore: {}, aWorker: {}, aKind: {}, aSeverity: {}}
	for _, k := range findings.Kinds() {
		known[aKind] = append(known[aKind], string(k.Kind))
	}
	for _, s := range findings.Severities {
		known[aSeverity] = append(known[aSeverity], string(s))
	}
	handler := func(spec string) {
		if h, err := engine.ParseHandler(spec); err == nil {
			known[aHandler] = append(known[aHandler], h.Name)
		}
	}
	for _, spec := range f.Settings.Handlers {
		handler(spec)
	}
	for _, spec := range f.Settings.Indexes {
		if name, _, err := indexer.Parse(spec); err == nil {
			known[anIndex] = append(known[anIndex], name)
		}
	}
	if specs, err := stores.Parse(f.Settings.Stores); err == nil && f.Settings.Stores != "" {
		for _, s := range specs {
			known[aStore] = append(known[aStore], s.Name())
		}
	}
	for _, name := range f.Settings.Resources {
		short, _, _ := strings.Cut(name, ".")
		known[watched] = append(known[watched], name, short)
	}
	workers, open := f.Settings.Workers, false
	for _, s := range f.Steps {
		for _, l := range s.Do {
			v, args, ok := l.verb()
			switch {
			case !ok:
			case v.Name == "worker add":
				workers += s.Repeat
			case v.Name == "handler add" && strings.Contains(args[0], round):
				open = true
			case v.Name == "handler add":
				handler(args[0])
			}
		}
	}
	if open {
		delete(known, aHandler)
	}
	for i := range min(workers, engine.MaxWorkers) {
		known[aWorker] = append(known[aWorker], "worker-"+strconv.Itoa(i+1))
	}
	known[aWorker] = append(known[aWorker], "hand")
	return known
}

// lines are those of before and of all steps.
func (f *File) lines() []Line {
	all := slices.Clone(f.Before)
	for _, s := range f.Steps {
		all = append(all, s.Do...)
	}
	return all
}

// verb finds the verb of a line, whose words are as in the file.
func (l *Line) verb() (v *Verb, args []string, ok bool) {
	words, err := phrase.Split(l.Text)
	if err == nil && len(words) > 2 && words[0] == "-r" {
		words = words[2:]
	}
	if err != nil || len(words) == 0 {
		return nil, nil, false
	}
	v, args, err = find(words)
	if err != nil || v.count(args) != nil {
		return nil, nil, false
	}
	return v, args, true
}
