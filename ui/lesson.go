package ui

import (
	"errors"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"informerscope/ui/screen"
)

// Lesson is a course that is shown beside the panes: prose, questions, and steps
// that it does. Its methods may be called from another goroutine than the
// Engine's.
type Lesson interface {
	// View is what to show now.
	View() LessonView
	// Next goes on: it takes the answer when a question is asked, does the step
	// and returns when that is done. An error leaves things as they were.
	Next(answer string) error
}

// LessonView is what the panel of a lesson shows.
type LessonView struct {
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

// lessonPanel is the place of a lesson.
type lessonPanel struct {
	lesson Lesson
	view   LessonView
	busy   bool // a step is being done
	top    int  // first line shown
	lines  []lessonLine
	area   screen.Area
}

type lessonLine struct {
	st   screen.Style
	text string
}

// lessonMsg says that a step is done.
type lessonMsg struct{ err error }

// lessonWide is from which width on the panel stands at the right; below it is
// under the panes.
const lessonWide = 110

// split takes the panel's part off the frame's body.
func (p *lessonPanel) split(body screen.Area) (panel, rest screen.Area) {
	if body.W >= lessonWide {
		w := min(max(40, body.W*2/5), 64)
		return body.Sub(body.W-w, 0, w, body.H), body.Sub(0, 0, body.W-w, body.H)
	}
	h := max(7, body.H/2)
	return body.Sub(0, body.H-h, body.W, h), body.Sub(0, 0, body.W, body.H-h)
}

// wrap fills lines with what the view says, w columns wide.
func (p *lessonPanel) wrap(w int) {
	v := &p.view
	p.lines = p.lines[:0]
	add := func(st screen.Style, text string) {
		for _, paragraph := range strings.Split(strings.TrimSpace(text), "\n\n") {
			for _, l := range wrapped(paragraph, w) {
				p.lines = append(p.lines, lessonLine{st, l})
			}
			p.lines = append(p.lines, lessonLine{})
		}
	}
	if v.Say != "" {
		add(plain, v.Say)
	}
	for _, l := range v.Do {
		p.lines = append(p.lines, lessonLine{dim, ": " + l})
	}
	if len(v.Do) > 0 {
		p.lines = append(p.lines, lessonLine{})
	}
	if v.Question != "" {
		add(strong, v.Question)
		for i, c := range v.Choices {
			st, mark := plain, "  "
			if v.Answered && c == v.Answer {
				st, mark = accent, "> "
			}
			for j, l := range wrapped(c, w-5) {
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
			add(accent, "Right.")
		default:
			add(warn, "Not so: it is "+v.Answer+".")
		}
		add(plain, v.Because)
	}
}

// prompt says what N does now.
func (p *lessonPanel) prompt() string {
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

func (p *lessonPanel) draw(m *model, a screen.Area) {
	p.area = a
	in := a.Box(borderFocus)
	p.wrap(in.W - 2)
	pen := a.Pen(2, 0)
	pen.Str(plain, " ").Fit(titleFocus, p.view.Title, a.W-16)
	pen.Str(plain, " ")
	if p.view.Of > 0 {
		at := " " + strconv.Itoa(p.view.At) + "/" + strconv.Itoa(p.view.Of) + " "
		screen.Right(a, a.W-2, 0, dim, at)
	}
	p.top = max(0, min(p.top, len(p.lines)-in.H))
	for y := range in.H {
		if i := p.top + y; i < len(p.lines) {
			screen.Fit(in, 1, y, in.W-2, p.lines[i].st, p.lines[i].text)
		}
	}
	foot := a.Pen(2, a.H-1)
	foot.Str(plain, " ").Str(hotkey, p.prompt()).Str(plain, " ")
	if more := len(p.lines) - p.top - in.H; more > 0 {
		screen.Right(a, a.W-2, a.H-1, dim, " "+strconv.Itoa(more)+" more: wheel, or ( ) ")
	}
}

// hint is the footer's word for the key N.
func (p *lessonPanel) hint() string {
	if p.view.Question != "" && !p.view.Answered {
		return "answer"
	}
	return "go on"
}

func (m *model) lessonScroll(down bool) {
	if m.lesson == nil {
		m.refuse("no lesson is open; informerscope learn lists them")
		return
	}
	m.lesson.scroll(down)
}

func (p *lessonPanel) scroll(down bool) {
	if down {
		p.top++ // drawing keeps it in bounds
	} else {
		p.top--
	}
}

// wheel scrolls the panel when the pointer is on it.
func (p *lessonPanel) wheel(x, y, d int) bool {
	if p == nil || !p.area.Contains(x, y) {
		return false
	}
	p.top += d
	return true
}

// pull takes the newest view; a new step begins at its top.
func (p *lessonPanel) pull() (changed bool) {
	v := p.lesson.View()
	switch {
	case v.At != p.view.At:
		p.top = 0
	case v.Answered && !p.view.Answered:
		p.top = len(p.lines) + 100 // to the end: drawing keeps it in bounds
	}
	changed = !v.same(&p.view)
	p.view = v
	return changed
}

// lookAt gives the focus to the pane that the step is about. The user may go
// elsewhere until the next one.
func (m *model) lookAt(name string) {
	id := map[string]paneID{
		"deltaFIFO": paneFIFO, "indexer": paneIndexer, "workqueue": paneQueue, "workers": paneQueue,
		"reflector": paneReflector, "listeners": paneListeners,
	}[name]
	if id != 0 {
		m.focus = id
		m.settleFocus()
	}
}

func (v *LessonView) same(o *LessonView) bool {
	return v.At == o.At && v.Answered == o.Answered && v.Over == o.Over && v.Title == o.Title
}

// lessonNext is the key N.
func (m *model) lessonNext() tea.Cmd {
	p := m.lesson
	switch {
	case p == nil:
		m.refuse("no lesson is open; informerscope learn lists them")
		return nil
	case p.busy:
		m.refuse("the step is being done")
		return nil
	case p.view.Over && (p.view.Answered || p.view.Question == ""):
		m.refuse("this was the last step; q quits")
		return nil
	case p.view.Question == "" || p.view.Answered:
		return p.next("")
	}
	help := "your answer  enter gives it  esc leaves"
	if n := len(p.view.Choices); n > 0 {
		help = "a ... " + string(rune('a'+n-1)) + "  enter gives it  esc leaves"
	}
	m.ask(prompt{
		label: "answer: ", help: help,
		enter: func(text string) (tea.Cmd, error) {
			answer, err := p.answer(text)
			if err != nil {
				return nil, err
			}
			return p.next(answer), nil
		},
	}, "")
	return nil
}

// answer makes a choice of its letter.
func (p *lessonPanel) answer(text string) (string, error) {
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

func (p *lessonPanel) next(answer string) tea.Cmd {
	p.busy = true
	lesson := p.lesson
	return func() tea.Msg { return lessonMsg{lesson.Next(answer)} }
}

func (m *model) lessonDone(msg lessonMsg) {
	m.lesson.busy = false
	m.pull()
	m.dirty = true
	if msg.err != nil {
		m.refuse(msg.err.Error())
	}
}
