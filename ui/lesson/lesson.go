// Package lesson is the panel of a lesson beside the other views. It imports view
// and what is below it.
package lesson

import (
	"errors"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"informerscope/ui/phrase"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/view"
)

// Course is a course that is shown beside the panes: prose, questions, and steps
// that it does. Its methods may be called from another goroutine than the
// Engine's.
type Course interface {
	// View is what to show now.
	View() Page
	// Next goes on: it takes the answer when a question is asked, does the step
	// and returns when that is done. An error leaves things as they were.
	Next(answer string) error
}

// Page is what the panel of a lesson shows.
type Page struct {
	Title    string
	At, Of   int      // the step, from 1, of so many
	Say      string   // prose; empty lines part paragraphs
	Do       []string // the verbs that the step says, as they would be typed
	Question string   // "" when none is asked
	Choices  []string // none: the answer is typed
	Answered bool     // the question has its answer, and the step is done
	Right    bool
	Answer   string // the right one
	Because  string // why, once it is answered
	Over     bool   // that was the last step
	Look     string // the pane that gets the focus, by its name in the snapshot; "": none
}

// Panel is the place of a lesson.
type Panel struct {
	view.Base
	lesson Course
	look   func(part string) // gives the focus to a part of the snapshot
	view   Page
	busy   bool // a step is being done
	top    int  // first line shown
	lines  []lessonLine
}

type lessonLine struct {
	st   screen.Style
	text string
}

var _ view.View = (*Panel)(nil)

// New returns the panel of a course. look gives the focus to what shows a part of
// the snapshot, by its name there.
func New(l Course, look func(part string)) *Panel {
	return &Panel{lesson: l, look: look}
}

// Name is that of the view.
func (p *Panel) Name() string { return "lesson" }

// Scope is none: keys that act on a lesson act in all views.
func (p *Panel) Scope() view.Scope { return 0 }

// Covers is false: the panel stands beside the rest.
func (p *Panel) Covers() bool { return false }

// Close does nothing: a lesson is there as long as the screen.
func (p *Panel) Close(*view.Context) {}

// lessonWide is from which width on the panel stands at the right; below it is
// under the panes.
const lessonWide = 110

// Split takes the panel's part off the frame's body.
func (p *Panel) Split(body screen.Area) (panel, rest screen.Area) {
	if body.W >= lessonWide {
		w := min(max(40, body.W*2/5), 64)
		return body.Sub(body.W-w, 0, w, body.H), body.Sub(0, 0, body.W-w, body.H)
	}
	h := max(7, body.H/2)
	return body.Sub(0, body.H-h, body.W, h), body.Sub(0, 0, body.W, body.H-h)
}

// wrap fills lines with what the view says, w columns wide.
func (p *Panel) wrap(w int) {
	v := &p.view
	p.lines = p.lines[:0]
	add := func(st screen.Style, text string) {
		for _, paragraph := range strings.Split(strings.TrimSpace(text), "\n\n") {
			for _, l := range phrase.Wrap(paragraph, w) {
				p.lines = append(p.lines, lessonLine{st, l})
			}
			p.lines = append(p.lines, lessonLine{})
		}
	}
	if v.Say != "" {
		add(theme.Plain, v.Say)
	}
	for _, l := range v.Do {
		p.lines = append(p.lines, lessonLine{theme.Dim, ": " + l})
	}
	if len(v.Do) > 0 {
		p.lines = append(p.lines, lessonLine{})
	}
	if v.Question != "" {
		add(theme.Strong, v.Question)
		for i, c := range v.Choices {
			st, mark := theme.Plain, "  "
			if v.Answered && c == v.Answer {
				st, mark = theme.Accent, "> "
			}
			for j, l := range phrase.Wrap(c, w-5) {
				head := mark + string(rune('a'+i)) + ") "
				if j > 0 {
					head = "     "
				}
				p.lines = append(p.lines, lessonLine{st, head + l})
			}
		}
		if len(v.Choices) > 0 {
			p.lines = append(p.lines, lessonLine{})
		}
	}
	if v.Answered {
		switch {
		case v.Question == "":
		case v.Right:
			add(theme.Accent, "Right.")
		default:
			add(theme.Warn, "Not so: it is "+v.Answer+".")
		}
		add(theme.Plain, v.Because)
	}
}

// prompt says what N does now.
func (p *Panel) prompt() string {
	switch v := &p.view; {
	case p.busy:
		return "the step is being done ..."
	case v.Over && (v.Answered || v.Question == ""):
		return "the end; q quits"
	case v.Question != "" && !v.Answered:
		return "N answers"
	}
	return "N goes on"
}

// Draw draws the panel.
func (p *Panel) Draw(_ *view.Context, a screen.Area, _ bool) {
	in := a.Box(theme.BorderFocus)
	p.wrap(in.W - 2)
	pen := a.Pen(2, 0)
	pen.Str(theme.Plain, " ").Fit(theme.TitleFocus, p.view.Title, a.W-16)
	pen.Str(theme.Plain, " ")
	if p.view.Of > 0 {
		at := " " + strconv.Itoa(p.view.At) + "/" + strconv.Itoa(p.view.Of) + " "
		screen.Right(a, a.W-2, 0, theme.Dim, at)
	}
	p.top = max(0, min(p.top, len(p.lines)-in.H))
	for y := range in.H {
		if i := p.top + y; i < len(p.lines) {
			screen.Fit(in, 1, y, in.W-2, p.lines[i].st, p.lines[i].text)
		}
	}
	foot := a.Pen(2, a.H-1)
	foot.Str(theme.Plain, " ").Str(theme.Hotkey, p.prompt()).Str(theme.Plain, " ")
	if more := len(p.lines) - p.top - in.H; more > 0 {
		screen.Right(a, a.W-2, a.H-1, theme.Dim, " "+strconv.Itoa(more)+" more: wheel, or ( ) ")
	}
}

// Hint is the footer's word for the key N.
func (p *Panel) Hint(*view.Context, *view.Binding) string {
	if p.view.Question != "" && !p.view.Answered {
		return "answer"
	}
	return "go on"
}

// Wheel scrolls the panel.
func (p *Panel) Wheel(_ *view.Context, _, _, rows int) { p.top += rows }

// Pull takes the newest view; a new step begins at its top, and its pane gets the
// focus. The user may go elsewhere until the next one.
func (p *Panel) Pull() (changed bool) {
	v := p.lesson.View()
	switch {
	case v.At != p.view.At:
		p.top = 0
	case v.Answered && !p.view.Answered:
		p.top = len(p.lines) + 100 // to the end: drawing keeps it in bounds
	}
	changed = !v.same(&p.view)
	p.view = v
	if changed {
		p.look(v.Look)
	}
	return changed
}

func (v *Page) same(o *Page) bool {
	return v.At == o.At && v.Answered == o.Answered && v.Over == o.Over && v.Title == o.Title
}

// Act scrolls the text, or goes on.
func (p *Panel) Act(c *view.Context, a view.Action) (cmd tea.Cmd, done bool) {
	switch a {
	case view.ActLessonUp:
		p.top-- // drawing keeps it in bounds
	case view.ActLessonDown:
		p.top++
	case view.ActLesson:
		return p.goOn(c), true
	default:
		return nil, false
	}
	return nil, true
}

// goOn answers the question, or does the next step.
func (p *Panel) goOn(c *view.Context) tea.Cmd {
	switch {
	case p.busy:
		c.Refuse("the step is being done")
		return nil
	case p.view.Over && (p.view.Answered || p.view.Question == ""):
		c.Refuse("this was the last step; q quits")
		return nil
	case p.view.Question == "" || p.view.Answered:
		return p.next(c, "")
	}
	help := "your answer  enter gives it  esc leaves"
	if n := len(p.view.Choices); n > 0 {
		help = "a ... " + string(rune('a'+n-1)) + "  enter gives it  esc leaves"
	}
	c.Ask(view.Prompt{
		Label: "answer: ", Help: help,
		Enter: func(text string) (tea.Cmd, error) {
			answer, err := p.answer(text)
			if err != nil {
				return nil, err
			}
			return p.next(c, answer), nil
		},
	}, "")
	return nil
}

// answer makes a choice of its letter.
func (p *Panel) answer(text string) (string, error) {
	text = strings.TrimSpace(text)
	cs := p.view.Choices
	if text == "" {
		return "", errors.New("type an answer, also when you only guess")
	}
	if len(cs) == 0 {
		return text, nil
	}
	for i, c := range cs {
		if strings.EqualFold(text, string(rune('a'+i))) || strings.EqualFold(text, c) {
			return c, nil
		}
	}
	return "", errors.New("answer with one of the letters a to " + string(rune('a'+len(cs)-1)))
}

func (p *Panel) next(c *view.Context, answer string) tea.Cmd {
	p.busy = true
	lesson := p.lesson
	return func() tea.Msg {
		err := lesson.Next(answer)
		return view.Answer(func() {
			p.busy = false
			c.Pull()
			c.Redraw()
			if err != nil {
				c.Refuse(err.Error())
			}
		})
	}
}
