package ui_test

import (
	"errors"
	"sync"
	"testing"

	"informerscope/internal/testing/uitest"
	"informerscope/ui"
	"informerscope/ui/lesson"
)

// course is a lesson of three steps: a question with choices, one with an answer
// to type, and prose.
type course struct {
	mu    sync.Mutex
	views []lesson.Page
	at    int
	fail  error
}

func newCourse() *course {
	return &course{views: []lesson.Page{
		{Title: "The three sets", At: 1, Of: 3, Say: "A key is added.\n\nThen it is added again.", Question: "How often is it in queue?", Choices: []string{"once", "twice"}, Answer: "once", Because: "It was dirty already.", Look: "workqueue"},
		{Title: "The three sets", At: 2, Of: 3, Question: "What does processing hold?", Answer: "a"},
		{Title: "The three sets", At: 3, Of: 3, Say: "That is all.", Over: true},
	}}
}

func (c *course) View() lesson.Page {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.views[c.at]
}

func (c *course) Next(answer string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fail != nil {
		return c.fail
	}
	v := &c.views[c.at]
	if v.Question != "" && !v.Answered {
		v.Answered, v.Right = true, answer == v.Answer
		return nil
	}
	c.at++
	return nil
}

func TestLessonBesideThePanes(t *testing.T) {
	for _, s := range sizes {
		t.Run(s.name, func(t *testing.T) {
			w, c := newWorld(), newCourse()
			u := w.start(t, uitest.Size(s.w, s.h), uitest.With(func(o *ui.Options) { o.Lesson = c }))
			u.Screen().Contains("The three sets ... 1/3", "A key is added.", "N answers")
			u.Pane("Workqueue").Focused()
			u.Press(")", ")", ")", ")", ")").Screen().Contains("How often is it in queue?", "a) once", "b) twice")
			u.Press("N").Footer().Contains("answer: ... a ... b")
			u.Type("x").Press("enter").Footer().Contains("answer with one of the letters a to b")
			u.Press("backspace").Type("b").Press("enter")
			u.Screen().Contains("Not so: it is once.", "It was dirty already.", "N goes on")
			u.Press("(", "(", "(").Screen().Contains("> a) once")
			u.Press("N").Screen().Contains("2/3", "What does processing hold?")
			u.Press("N", "enter").Footer().Contains("type an answer")
			u.Type("a").Press("enter").Screen().Contains("Right.")
			u.Press("N").Screen().Contains("3/3", "That is all.", "the end; q quits")
			u.Press("N").Footer().Contains("this was the last step")
		})
	}
}

func TestLessonSaysWhatWentWrong(t *testing.T) {
	w, c := newWorld(), newCourse()
	c.fail = errors.New("step: nothing waits")
	u := w.start(t, uitest.With(func(o *ui.Options) { o.Lesson = c }))
	u.Press("N").Type("a").Press("enter").Footer().Contains("step: nothing waits")
	u.Screen().Contains("1/3", "N answers")
}

func TestWithoutALesson(t *testing.T) {
	u := newWorld().start(t)
	u.Press("N").Footer().Contains("no lesson is open; informerscope learn lists them")
	u.Press(")").Footer().Contains("no lesson is open")
}
