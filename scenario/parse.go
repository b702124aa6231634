package scenario

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"informerscope/engine"
	"informerscope/engine/deltafifo"
	"informerscope/engine/indexer"
	"informerscope/engine/stores"
	"informerscope/engine/workqueue"
	"informerscope/journal"
	"informerscope/journal/findings"
)

// Parse reads a scenario and checks its form: fields, types, verbs, durations.
// name is what messages call it. The error is Mistakes, all of them.
func Parse(name string, data []byte) (*File, error) {
	r := &reader{file: name}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, Mistakes{notYAML(name, err)}
	}
	if len(doc.Content) == 0 {
		return nil, Mistakes{{name, 1, "the file is empty: title and steps are needed"}}
	}
	f := &File{Name: name}
	root := aliased(doc.Content[0])
	r.mapping(root, "a scenario", r.fileFields(f))
	if len(f.Settings.Resources) == 0 {
		f.Settings.Resources = []string{"configmaps"}
	}
	if root.Kind == yaml.MappingNode {
		if f.Title == "" {
			r.wrong(root, "title is missing")
		}
		if len(f.Steps) == 0 {
			r.wrong(root, "steps are missing: there is nothing to do")
		}
	}
	r.checkResources(f)
	r.checkNames(f)
	if f.Settings.FakeClock && f.Settings.Queue == "priority" {
		r.wrong(&yaml.Node{Line: f.Settings.line}, "settings: the priority queue reads the real time: clock: fake is for queue: fifo")
	}
	if len(f.Settings.Compare) > 0 && f.Settings.FIFO != "" {
		r.wrong(&yaml.Node{Line: f.Settings.line}, "settings: compare names the disciplines: leave fifo out")
	}
	if len(r.mistakes) > 0 {
		slices.SortStableFunc(r.mistakes, func(a, b Mistake) int { return a.Line - b.Line })
		return nil, r.mistakes
	}
	return f, nil
}

var yamlLine = regexp.MustCompile(`^yaml: line (\d+): `)

func notYAML(name string, err error) Mistake {
	m := Mistake{name, 1, strings.TrimPrefix(err.Error(), "yaml: ")}
	if at := yamlLine.FindStringSubmatch(err.Error()); at != nil {
		m.Line, _ = strconv.Atoi(at[1])
		m.Text = strings.TrimPrefix(err.Error(), at[0])
	}
	m.Text = "this is no YAML: " + m.Text
	return m
}

func (r *reader) fileFields(f *File) []field {
	return []field{
		{"title", "one line: what is shown", textSchema, func(n *yaml.Node) { r.text(n, "title", &f.Title) }},
		{"source", "the address of the report or question that it retells", textSchema, func(n *yaml.Node) { r.text(n, "source", &f.Source) }},
		{"about", "prose: why it is so", textSchema, func(n *yaml.Node) { r.text(n, "about", &f.About) }},
		{"settings", "how the session is set up; the words are those of the flags", objectSchema(r.settingFields(&f.Settings)), func(n *yaml.Node) {
			f.Settings.line = n.Line
			r.mapping(n, "settings", r.settingFields(&f.Settings))
		}},
		{"objects", "what is on the server before the informers start: the words of create, or whole manifests; namespaces that they need are made", listSchema(map[string]any{"type": []string{"string", "object"}}), func(n *yaml.Node) {
			r.list(n, func(item *yaml.Node) { r.object(item, f) })
		}},
		{"before", "verbs of the wire and of the server that are said before the informers start; nothing waits for HasSynced then", linesSchema, func(n *yaml.Node) {
			f.Before = r.lines(n, "before")
		}},
		{"steps", "what is done, one after the other", listSchema(objectSchema(r.stepFields(&Step{}))), func(n *yaml.Node) {
			r.list(n, func(item *yaml.Node) {
				s := Step{Line: item.Line, Repeat: 1, Within: defaultWithin}
				r.mapping(item, "a step", r.stepFields(&s))
				f.Steps = append(f.Steps, s)
			})
		}},
	}
}

func (r *reader) settingFields(s *Settings) []field {
	check := func(name, doc string, check func(string) error, to *string) field {
		return field{name, doc, textSchema, func(n *yaml.Node) { r.checked(n, name, check, to) }}
	}
	choice := func(name, doc string, words []string, to *string) field {
		return field{name, doc, enumSchema(words), func(n *yaml.Node) { r.choice(n, name, words, to) }}
	}
	clock := ""
	return []field{
		{"resources", "what is watched, such as configmaps or deployments.apps; configmaps when left out", wordsSchema, func(n *yaml.Node) { r.words(n, "resources", &s.Resources) }},
		{"namespace", "only this namespace", textSchema, func(n *yaml.Node) { r.text(n, "namespace", &s.Namespace) }},
		{"selector", "only objects with these labels: app=web", textSchema, func(n *yaml.Node) { r.text(n, "selector", &s.Selector) }},
		{"fieldSelector", "only objects with these fields: spec.nodeName=n1", textSchema, func(n *yaml.Node) { r.text(n, "fieldSelector", &s.Fields) }},
		choice("fifo", "the queue discipline", deltafifo.Disciplines, &s.FIFO),
		{"compare", "two or three disciplines side by side; a step names its lane: resource: configmaps@delta", listSchema(enumSchema(deltafifo.Disciplines)), func(n *yaml.Node) {
			r.words(n, "compare", &s.Compare)
		}},
		choice("client", "what lists and watches", engine.Clients, &s.Client),
		{"requestTimeout", "rest.Config.Timeout of the informers' client, which ends each watch after so long", durationSchema, func(n *yaml.Node) { r.period(n, "requestTimeout", minTimeout, &s.Timeout) }},
		{"watchList", "false: the server refuses WATCHLIST with 422, as one without the feature, and client-go lists", boolSchema, func(n *yaml.Node) {
			s.WatchList = new(bool)
			r.truth(n, "watchList", s.WatchList)
		}},
		{"workers", "how many reconcile each resource; 0 when left out: the workqueue is yours", wholeSchema, func(n *yaml.Node) { r.whole(n, "workers", 0, engine.MaxWorkers, &s.Workers) }},
		{"work", "how long a reconcile takes", durationSchema, func(n *yaml.Node) { r.duration(n, "work", &s.Work) }},
		{"fail", "the share of reconciles that fail: 0.5 or 50%", shareSchema, func(n *yaml.Node) { r.real(n, "fail", share, &s.Fail) }},
		{"resync", "the informer's resync period, at least 1s", durationSchema, func(n *yaml.Node) { r.period(n, "resync", engine.MinResync, &s.Resync) }},
		{"handlers", "handlers beside controller, which feeds the workqueue: NAME[,delay=DURATION][,resync=DURATION]", wordsSchema, func(n *yaml.Node) {
			r.list(n, func(item *yaml.Node) {
				var h string
				if r.checked(item, "handlers", checkHandler, &h); h != "" {
					s.Handlers = append(s.Handlers, h)
				}
			})
			if len(s.Handlers) > engine.MaxHandlers {
				r.wrong(n, "handlers: %d are too many: at most %d", len(s.Handlers), engine.MaxHandlers)
			}
		}},
		check("limiter", "the workqueue's rate limiter: exponential:base=1s", func(l string) error { _, err := workqueue.Parse(l); return err }, &s.Limiter),
		choice("queue", "client-go's workqueue, or controller-runtime's priority queue", engine.Queues, &s.Queue),
		{"indexes", "beside namespace: label:NAME, owner, node, jsonpath:EXPR", wordsSchema, func(n *yaml.Node) {
			r.list(n, func(item *yaml.Node) {
				var x string
				if r.checked(item, "indexes", func(i string) error { _, _, err := indexer.Parse(i); return err }, &x); x != "" {
					s.Indexes = append(s.Indexes, x)
				}
			})
		}},
		check("stores", "client-go's other storage types, fed with the same stream: all, or store,heap=rv", func(l string) error { _, err := stores.Parse(l); return err }, &s.Stores),
		{"detectMutations", "compare cached objects with what was stored, once in each such period", durationSchema, func(n *yaml.Node) { r.period(n, "detectMutations", engine.MinDetect, &s.DetectMutations) }},
		{"thresholds", "from when on something is a finding: hot-loop=30/m, stuck-worker=10s, tombstones=off", wordsSchema, func(n *yaml.Node) {
			r.list(n, func(item *yaml.Node) {
				var x string
				t := findings.Default()
				if r.checked(item, "thresholds", t.Parse, &x); x != "" {
					s.Thresholds = append(s.Thresholds, x)
				}
			})
		}},
		{"paused", "start with all gates closed", boolSchema, func(n *yaml.Node) { r.truth(n, "paused", &s.Paused) }},
		{"pace", "items a second through Pop and Get; 0 is real time", rateSchema, func(n *yaml.Node) { r.real(n, "pace", rate, &s.Pace) }},
		{"clock", "fake: the time of workqueue, workers and handlers moves only by wait, which takes no time then; client-go's backoffs stay in real time", enumSchema(clocks), func(n *yaml.Node) {
			r.choice(n, "clock", clocks, &clock)
			s.FakeClock = clock == clockFake
		}},
	}
}

const clockFake = "fake"

// minTimeout leaves a client the time to connect.
const minTimeout = 100 * time.Millisecond

var clocks = []string{"real", clockFake}

func (r *reader) stepFields(s *Step) []field {
	return []field{
		{"say", "prose for who reads or watches", textSchema, func(n *yaml.Node) { r.text(n, "say", &s.Say) }},
		{"ask", "a question of a lesson, asked before the step is done", objectSchema(r.askFields(&Ask{})), func(n *yaml.Node) { r.ask(n, s) }},
		{"resource", "what the step is about: one of the settings' resources, or a lane; the first one when left out", textSchema, func(n *yaml.Node) { r.text(n, "resource", &s.Resource) }},
		{"do", "a verb with its arguments, or a list of them: what `:` takes", linesSchema, func(n *yaml.Node) { s.Do = r.lines(n, "do") }},
		{"repeat", "how often do is done; $n in it is the number of the round, from 1", wholeSchema, func(n *yaml.Node) { r.whole(n, "repeat", 1, maxRepeat, &s.Repeat) }},
		{"wait", "let so much time of the session's clock pass", durationSchema, func(n *yaml.Node) { r.duration(n, "wait", &s.Wait) }},
		{"expect", "what the structures hold then: the words and shapes of -o json; what is not named is not checked; beside a resource also paused, breakpoints, and the findings about it", map[string]any{"$ref": "#/$defs/Expectation"}, func(n *yaml.Node) {
			s.expect = r.want(n, "expect", expectationType)
		}},
		{"calls", "what the handler controller was called with since calls were last named: OnAdd default/a, OnUpdate default/a@x->y, OnDelete T{default/a}; or by handler", callsSchema, func(n *yaml.Node) { s.calls = r.calls(n) }},
		{"within", "for how long what is expected may take to come true, in real time; 5s when left out", durationSchema, func(n *yaml.Node) { r.duration(n, "within", &s.Within) }},
	}
}

// lines reads verbs and checks them.
func (r *reader) lines(n *yaml.Node, where string) (out []Line) {
	r.list(n, func(item *yaml.Node) {
		var l string
		if r.checked(item, where, checkLine, &l); l != "" {
			out = append(out, Line{item.Line, l})
		}
	})
	return out
}

func (r *reader) object(n *yaml.Node, f *File) {
	o := Object{Line: n.Line}
	switch n.Kind {
	case yaml.MappingNode:
		if err := n.Decode(&o.Manifest); err != nil {
			r.wrong(n, "objects: %v", err)
			return
		}
		for _, needed := range []string{"apiVersion", "kind", "metadata"} {
			if o.Manifest[needed] == nil {
				r.wrong(n, "objects: a manifest needs %s", needed)
			}
		}
	default:
		r.checked(n, "objects", func(s string) error { return checkLine("create " + s) }, &o.Short)
	}
	f.Objects = append(f.Objects, o)
}

// maxRepeat is how often a step may be done.
const maxRepeat = 100_000

// checkResources finds steps and verbs about what is not watched.
func (r *reader) checkResources(f *File) {
	var known []string
	for _, name := range f.Settings.Resources {
		if len(f.Settings.Compare) == 0 {
			known = append(known, name)
		}
		for _, lane := range f.Settings.Compare {
			known = append(known, journal.LaneOf(name, lane))
		}
	}
	names := strings.Join(known, ", ")
	for _, s := range f.Steps {
		if s.Resource != "" && !slices.Contains(known, s.Resource) {
			r.wrong(&yaml.Node{Line: s.Line}, "resource: %q is not watched: use one of %s", s.Resource, names)
		}
		for _, l := range s.Do {
			words := strings.Fields(l.Text)
			if words[0] == "-r" && len(words) > 1 && !slices.Contains(known, words[1]) {
				r.wrong(&yaml.Node{Line: l.Line}, "do: no resource %q is watched: use one of %s", words[1], names)
			}
		}
	}
}
