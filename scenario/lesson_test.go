package scenario_test

import (
	"strings"
	"testing"

	"informerscope/scenario"
)

// What fits beside the panes, in words.
const (
	sayWords     = 90
	becauseWords = 70
)

// TestLessonsHold plays every lesson as a scenario: each step shows what it says.
func TestLessonsHold(t *testing.T) {
	for _, name := range scenario.Lessons() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			play(t, lesson(t, name))
		})
	}
}

func TestLessonsAreInForm(t *testing.T) {
	for _, name := range scenario.Lessons() {
		t.Run(name, func(t *testing.T) {
			f := lesson(t, name)
			if f.About == "" {
				t.Error("about is missing: learn shows it")
			}
			if n := len(f.Steps); n < 4 || n > 9 {
				t.Errorf("%d steps: 4 to 9 fill five minutes", n)
			}
			var asked int
			for _, s := range f.Steps {
				if n := words(s.Say); n == 0 || n > sayWords {
					t.Errorf("%s:%d: say has %d words, 1 to %d fit", f.Name, s.Line, n, sayWords)
				}
				if s.Ask == nil {
					continue
				}
				asked++
				if n := words(s.Ask.Because); n > becauseWords {
					t.Errorf("%s:%d: because has %d words, %d fit", f.Name, s.Line, n, becauseWords)
				}
				if n := len(s.Ask.Choices); n == 1 || n > 4 {
					t.Errorf("%s:%d: %d choices; 2 to 4, or none for a typed answer", f.Name, s.Line, n)
				}
				if len(s.Do) == 0 && s.Wait == 0 {
					t.Errorf("%s:%d: something is asked, and nothing happens then", f.Name, s.Line)
				}
			}
			if asked < 2 {
				t.Errorf("%d questions: a lesson asks for predictions", asked)
			}
		})
	}
}

// TestLessonsComeToTheirEnd takes every lesson, with a wrong and a right answer
// in turn: neither holds it up, and both are told apart.
func TestLessonsComeToTheirEnd(t *testing.T) {
	for _, name := range scenario.Lessons() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			take(t, lesson(t, name))
		})
	}
}

func take(t *testing.T, f *scenario.File) {
	l, err := scenario.OpenLesson(t.Context(), f, 1, scenario.PlayOptions{Patience: patience})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}()
	right := false
	for n := 1; ; n++ {
		s, at, of := l.Step()
		if at != n || of != len(f.Steps) {
			t.Fatalf("at step %d of %d, want %d of %d", at, of, n, len(f.Steps))
		}
		if s.Ask != nil {
			answer := wrongAnswer
			if right {
				answer = rightAnswer
			}
			if err := l.Next(answer(s.Ask)); err != nil {
				t.Fatalf("%s:%d: %v", f.Name, s.Line, err)
			}
			if answered, got := l.Answered(); !answered || got != right {
				t.Errorf("%s:%d: answered %t, right %t; want right %t", f.Name, s.Line, answered, got, right)
			}
			right = !right
		}
		if l.Over() {
			if err := l.Next(""); err != nil {
				t.Errorf("%s:%d: the end: %v", f.Name, s.Line, err)
			}
			return
		}
		if err := l.Next(""); err != nil {
			t.Fatalf("%s:%d: %v", f.Name, s.Line, err)
		}
	}
}

func rightAnswer(a *scenario.Ask) string { return strings.ToUpper(a.Answer) + " " }

func wrongAnswer(a *scenario.Ask) string {
	for _, c := range a.Choices {
		if c != a.Answer {
			return c
		}
	}
	return a.Answer + " and more"
}

func lesson(t *testing.T, name string) *scenario.File {
	t.Helper()
	f, err := scenario.LessonFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func words(s string) int { return len(strings.Fields(s)) }
