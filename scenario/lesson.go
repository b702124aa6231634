package scenario

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"informerscope/engine"
)

// A lesson is a scenario with prose. A step says something, may ask what will
// happen, and then does it. Without a terminal it runs as any scenario: the
// questions are left out, what is expected is checked.

// Ask is a question that a lesson asks before it does a step.
type Ask struct {
	Question string
	Choices  []string // empty: the answer is typed
	Answer   string   // one of Choices, or what to type
	Because  string   // what moved, and why
}

func (r *reader) askFields(a *Ask) []field {
	return []field{
		{"question", "what will happen", textSchema, func(n *yaml.Node) { r.text(n, "question", &a.Question) }},
		{"choices", "what can be answered; the answer is typed when left out", wordsSchema, func(n *yaml.Node) { r.words(n, "choices", &a.Choices) }},
		{"answer", "the right one", textSchema, func(n *yaml.Node) { r.text(n, "answer", &a.Answer) }},
		{"because", "what moved in the panes, and why", textSchema, func(n *yaml.Node) { r.text(n, "because", &a.Because) }},
	}
}

func (r *reader) ask(n *yaml.Node, s *Step) {
	a := &Ask{}
	r.mapping(n, "ask", r.askFields(a))
	switch {
	case n.Kind != yaml.MappingNode:
		return
	case a.Question == "" || a.Answer == "" || a.Because == "":
		r.wrong(n, "ask: question, answer and because are needed")
	case len(a.Choices) > 0 && !slices.Contains(a.Choices, a.Answer):
		r.wrong(n, "ask: the answer %q is none of the choices", a.Answer)
	}
	s.Ask = a
}

// About is the structure that a step is about, by its name in the snapshot: the
// first one that it expects something of; "" when it expects nothing.
func (s *Step) About() string {
	switch {
	case s.expect != nil && len(s.expect.fields) > 0:
		return s.expect.fields[0].name
	case s.calls != nil:
		return "listeners"
	}
	return ""
}

// LessonPrefix marks the name of a lesson that is part of the program.
const LessonPrefix = "lesson:"

//go:embed lessons/*.yaml
var lessonsFS embed.FS

// Lessons names the built-in lessons in the order in which they are taken: 01-...
// is the first of the course.
func Lessons() []string {
	entries, err := lessonsFS.ReadDir("lessons")
	if err != nil {
		panic(err) // it is part of the program
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return names
}

// LessonFile parses a built-in lesson, named in full or without its number.
func LessonFile(name string) (*File, error) {
	for _, full := range Lessons() {
		_, bare, _ := strings.Cut(full, "-")
		number, _, _ := strings.Cut(full, "-")
		if name != full && name != bare && name != number && strings.TrimLeft(number, "0") != name {
			continue
		}
		data, err := lessonsFS.ReadFile(path.Join("lessons", full+".yaml"))
		if err != nil {
			return nil, err
		}
		return Parse(LessonPrefix+full, data)
	}
	return nil, fmt.Errorf("there is no lesson %q", name)
}

// Lesson is one that is being taken. It is safe for concurrent use, but one
// Next at a time.
type Lesson struct {
	ctx context.Context
	p   *player

	mu       sync.Mutex
	at       int // step, from 0
	answered bool
	right    bool
}

// OpenLesson starts the sandbox and the session of a lesson, and does what comes
// before the step from, counted from 1. Of o only Patience counts. The caller
// closes it.
func OpenLesson(ctx context.Context, f *File, from int, o PlayOptions) (*Lesson, error) {
	st, err := open(ctx, f)
	if err != nil {
		return nil, err
	}
	p := newPlayer(st, f, PlayOptions{Patience: o.Patience})
	if fail := p.start(ctx); fail != nil {
		return nil, errors.Join(fmt.Errorf("%s:%d: %s", f.Name, fail.Line, fail.What), st.close())
	}
	l := &Lesson{ctx: ctx, p: p}
	for l.at < min(from, len(f.Steps))-1 {
		if err := l.do(&f.Steps[l.at]); err != nil {
			return nil, errors.Join(err, st.close())
		}
		l.at++
	}
	return l, nil
}

// Session is what the lesson watches.
func (l *Lesson) Session() *engine.Session { return l.p.session }

// Subject takes verbs beside those of the steps.
func (l *Lesson) Subject() *Subject { return l.p.subject }

// Close ends the session and the sandbox.
func (l *Lesson) Close() error { return l.p.close() }

// Step is the step that is shown, from 1, of so many.
func (l *Lesson) Step() (s *Step, at, of int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return &l.p.file.Steps[l.at], l.at + 1, len(l.p.file.Steps)
}

// Title is the lesson's.
func (l *Lesson) Title() string { return l.p.file.Title }

// Introduction is what the lesson is about.
func (l *Lesson) Introduction() string { return l.p.file.About }

// Answered reports whether the question of the step was answered, and whether
// rightly; the step is done then.
func (l *Lesson) Answered() (answered, right bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.answered, l.right
}

// Over reports whether nothing comes after this step.
func (l *Lesson) Over() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.at == len(l.p.file.Steps)-1
}

// Next takes the answer to the step's question and does the step; or it goes on
// to the next one, after doing a step that asks nothing.
func (l *Lesson) Next(answer string) error {
	l.mu.Lock()
	s, answered := &l.p.file.Steps[l.at], l.answered
	l.mu.Unlock()
	if !answered {
		if err := l.do(s); err != nil {
			return err
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case s.Ask != nil && !answered:
		l.answered, l.right = true, sameAnswer(answer, s.Ask.Answer)
	case l.at == len(l.p.file.Steps)-1:
		l.answered = true
	default:
		l.at++
		l.answered, l.right = false, false
	}
	return nil
}

func (l *Lesson) do(s *Step) error {
	if fail := l.p.step(l.ctx, s); fail != nil {
		var ds []string
		for _, d := range fail.Differences {
			ds = append(ds, d.String())
		}
		return fmt.Errorf("the step went another way: %s %s", fail.What, strings.Join(ds, "; "))
	}
	return nil
}

// sameAnswer does not look at spaces, case and the brackets of lists.
func sameAnswer(a, b string) bool { return plainAnswer(a) == plainAnswer(b) }

func plainAnswer(s string) string {
	s = strings.ToLower(strings.Join(strings.Fields(s), ""))
	return strings.Trim(s, "[]{}().,;\"'")
}
