package scenario

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"informerscope/engine"
	"informerscope/journal"
	"informerscope/journal/findings"
)

// Record writes down, as a scenario file, what was done in a session after the
// event from: the verbs, what keys did that are verbs too, and what others did
// on the server. What every structure held is for the reader to add. next is
// where a later Record goes on.
func (s *Subject) Record(from uint64) (file []byte, next uint64, err error) {
	v := s.Session.Journal().View()
	if from < v.Dropped() {
		return nil, 0, fmt.Errorf("the journal has forgotten what was done first (%d events fell off): begin with --history larger, or write sooner", v.Dropped()-from)
	}
	r := recorder{first: firstResource(s.Session), said: map[string][]time.Time{}}
	for i := int(from - v.Dropped()); i < v.Len(); i++ {
		r.hear(v.At(i))
	}
	for i := int(from - v.Dropped()); i < v.Len(); i++ {
		r.see(v.At(i))
	}
	if len(r.steps) == 0 {
		return nil, 0, fmt.Errorf("nothing was done yet that a scenario could say")
	}
	var b bytes.Buffer
	b.WriteString("# Written by informerscope from what was done in the inspector. Of what was there before, it has what the\n" +
		"# steps name, with its labels. Add to the steps what to expect: docs/scenarios.md has the words.\n")
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(recorded{
		Title:    "What was done on " + s.Session.Now().Format("2006-01-02 at 15:04"),
		Settings: settingsOf(s.Session.Options()),
		Objects:  objectsBefore(s.Session, v, from, r.steps),
		Steps:    r.steps,
	}); err != nil {
		return nil, 0, err
	}
	return b.Bytes(), v.Last(), nil
}

// recorded is a file as it is written; Parse reads it again.
type recorded struct {
	Title    string           `yaml:"title"`
	Settings recordedSettings `yaml:"settings"`
	Objects  []string         `yaml:"objects,omitempty"`
	Steps    []recordedStep   `yaml:"steps"`
}

type recordedSettings struct {
	Resources []string `yaml:"resources,flow"`
	Namespace string   `yaml:"namespace,omitempty"`
	Selector  string   `yaml:"selector,omitempty"`
	Fields    string   `yaml:"fieldSelector,omitempty"`
	FIFO      string   `yaml:"fifo,omitempty"`
	Compare   []string `yaml:"compare,omitempty,flow"`
	Client    string   `yaml:"client,omitempty"`
	Workers   int      `yaml:"workers,omitempty"`
	Work      string   `yaml:"work,omitempty"`
	Fail      float64  `yaml:"fail,omitempty"`
	Resync    string   `yaml:"resync,omitempty"`
	Handlers  []string `yaml:"handlers,omitempty,flow"`
	Limiter   string   `yaml:"limiter,omitempty"`
	Queue     string   `yaml:"queue,omitempty"`
	Indexes   []string `yaml:"indexes,omitempty,flow"`
	Mutations string   `yaml:"detectMutations,omitempty"`
	Findings  []string `yaml:"thresholds,omitempty,flow"`
	Paused    bool     `yaml:"paused,omitempty"`
	Pace      string   `yaml:"pace,omitempty"`
}

type recordedStep struct {
	Resource string   `yaml:"resource,omitempty"`
	Do       []string `yaml:"do,omitempty"`
	Wait     string   `yaml:"wait,omitempty"`
}

func settingsOf(o engine.Options) recordedSettings {
	text := func(d time.Duration) string {
		if d <= 0 {
			return ""
		}
		return d.String()
	}
	r := recordedSettings{
		FIFO: o.FIFO, Compare: o.Compare, Client: o.Client, Workers: o.Workers, Work: text(o.Work), Fail: o.Fail,
		Resync: text(o.Resync), Limiter: o.Limiter, Queue: o.Queue, Indexes: o.Indexes, Mutations: text(o.DetectMutations), Paused: o.Paused,
	}
	defaults := map[string]string{}
	findings.Default().Each(func(name, value string) { defaults[name] = value })
	if o.Thresholds != (findings.Thresholds{}) {
		o.Thresholds.Each(func(name, value string) {
			if value != defaults[name] {
				r.Findings = append(r.Findings, name+"="+value)
			}
		})
	}
	if o.Pace > 0 {
		r.Pace = strconv.FormatFloat(o.Pace, 'g', -1, 64)
	}
	for _, t := range o.Targets {
		r.Resources = append(r.Resources, t.Name)
		r.Namespace, r.Selector, r.Fields = t.Namespace, t.LabelSelector, t.FieldSelector
	}
	for _, h := range o.Handlers {
		spec := h.Name
		if h.Delay > 0 {
			spec += ",delay=" + h.Delay.String()
		}
		if h.Resync >= 0 {
			spec += ",resync=" + h.Resync.String()
		}
		r.Handlers = append(r.Handlers, spec)
	}
	return r
}

func firstResource(s *engine.Session) string {
	if all := s.Resources(); len(all) > 0 {
		return all[0]
	}
	return ""
}

// recorder makes steps of events.
type recorder struct {
	first string // the resource that a step is about unless it says another
	steps []recordedStep
	last  time.Time // of the last thing that was done
	// said is when verbs of the server were typed, by key: the watch events that
	// come of them are not said again.
	said map[string][]time.Time
}

// typedAround is how far a verb of the server and its watch event may be apart.
// The event may come first: a verb is written down when it was answered.
const typedAround = 2 * time.Second

// pauseBetween is from which length on the time between two things is kept.
const pauseBetween = 200 * time.Millisecond

func (r *recorder) see(e *journal.Event) {
	switch e.Kind {
	case journal.KindPaused:
		r.do(e, "", "pause")
	case journal.KindResumed:
		r.do(e, "", "resume")
	case journal.KindPaceSet:
		if !r.last.IsZero() || e.PaceSet().PerSecondMilli != 0 {
			r.do(e, "", "pace "+strconv.FormatFloat(float64(e.PaceSet().PerSecondMilli)/1000, 'g', -1, 64))
		}
	case journal.KindStepped:
		line := "step " + e.Stepped().Stage
		if _, handler, ok := strings.Cut(e.Stepped().What, " to "); ok {
			line += " " + handler
		}
		r.do(e, e.Resource, line)
	case journal.KindCommanded:
		r.command(e)
	case journal.KindWatchEvent:
		r.change(e)
	}
}

// words are those of a command, without a resource in front.
func words(e *journal.Event) []string {
	ws := strings.Fields(e.Commanded().Command)
	if len(ws) > 1 && ws[0] == "-r" {
		ws = ws[2:]
	}
	return ws
}

// hear notes when the server's verbs were typed, and for which object.
func (r *recorder) hear(e *journal.Event) {
	if e.Kind != journal.KindCommanded {
		return
	}
	ws := words(e)
	if v, _, err := find(ws); err == nil && v.Group == GroupServer && len(ws) > 2 {
		key := withNamespace(ws[2])
		r.said[key] = append(r.said[key], e.Time)
	}
}

// command keeps what was typed, but for what has an event of its own.
func (r *recorder) command(e *journal.Event) {
	words := words(e)
	if len(words) == 0 || slices.Contains([]string{"pause", "resume", "pace", "step", "pop", "faults"}, words[0]) {
		return
	}
	r.do(e, e.Resource, strings.Join(words, " "))
}

// change keeps what somebody else did on the server, in the words of its verbs.
func (r *recorder) change(e *journal.Event) {
	if e.Has(journal.Initial) {
		return
	}
	for _, at := range r.said[withNamespace(e.Key)] {
		if e.Time.Sub(at).Abs() < typedAround {
			return
		}
	}
	verb := map[string]string{"ADDED": "create", "MODIFIED": "update", "DELETED": "delete"}[e.WatchEvent().Type]
	if verb == "" {
		return
	}
	r.do(e, journal.BaseOf(e.Resource), verb+" "+journal.BaseOf(e.Resource)+" "+e.Key)
}

// withNamespace is a key of the namespace default in full.
func withNamespace(key string) string {
	if strings.Contains(key, "/") {
		return key
	}
	return "default/" + key
}

func (r *recorder) do(e *journal.Event, resource, line string) {
	if resource == r.first || resource == journal.BaseOf(r.first) {
		resource = ""
	}
	gap := e.Time.Sub(r.last)
	n := len(r.steps)
	if n > 0 && gap >= pauseBetween {
		r.steps[n-1].Wait = gap.Round(100 * time.Millisecond).String()
	}
	if n == 0 || r.steps[n-1].Resource != resource || r.steps[n-1].Wait != "" {
		r.steps = append(r.steps, recordedStep{Resource: resource})
		n++
	}
	r.steps[n-1].Do = append(r.steps[n-1].Do, line)
	r.last = e.Time
}
