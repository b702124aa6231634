package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"informerscope/scenario"
	"informerscope/ui"
	"informerscope/ui/lesson"
)

// learnOptions are the options of the learn subcommand.
type learnOptions struct {
	*Options
	again bool
}

func newLearnCommand(root *Options) *cobra.Command {
	o := &learnOptions{Options: root}
	cmd := &cobra.Command{
		Use:   "learn [LESSON] [flags]",
		Short: "Take a lesson: prose and questions beside the live panes",
		Long: `Take one of the built-in lessons about client-go's informers. Each runs in a
sandbox of its own and takes about five minutes: it says something, asks what will
happen, and then lets you see it. The panes are live and all keys work.

Without LESSON they are listed. How far you came is kept in lessons.json, in the
directory informerscope of your configuration directory; a lesson goes on there.`,
		Example: strings.ReplaceAll(`  PROGRAM learn
  PROGRAM learn three-sets
  PROGRAM learn 6 --again`, "PROGRAM", root.Program),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("learn takes one lesson, but got %q", strings.Join(args, " "))
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, name := range scenario.Lessons() {
				if len(args) == 0 && strings.HasPrefix(name, word) {
					names = append(names, name)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return o.list()
			}
			return o.Run(cmd.Context(), args[0])
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&o.again, "again", false, "begin the lesson anew")
	return cmd
}

// list prints the lessons and how far the user came in each.
func (o *learnOptions) list() error {
	done := readProgress(o.progressFile())
	for _, name := range scenario.Lessons() {
		f, err := scenario.LessonFile(name)
		if err != nil {
			return err
		}
		mark := "          "
		switch p := done[name]; {
		case p.Done:
			mark = "done      "
		case p.Step > 1:
			mark = fmt.Sprintf("%-10s", fmt.Sprintf("at %d/%d", p.Step, len(f.Steps)))
		}
		if _, err := fmt.Fprintf(o.text(), "%-34s %s %s\n", name, mark, f.Title); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(o.text(), "\n%s learn LESSON opens one: its name, with or without the number in front, or the number.\n", o.Program)
	return err
}

// Run opens a lesson on the screen.
func (o *learnOptions) Run(ctx context.Context, name string) (err error) {
	f, err := scenario.LessonFile(name)
	if err != nil {
		return usagef("there is no lesson %q", name).hint("%s learn lists them", o.Program)
	}
	if !o.env.terminal {
		return usagef("a lesson needs a terminal").hint("%s run %s runs its steps without one", o.Program, f.Name)
	}
	silenceClientGo()
	file := o.progressFile()
	full := strings.TrimPrefix(f.Name, scenario.LessonPrefix)
	from := 1
	if p := readProgress(file)[full]; !p.Done && !o.again {
		from = max(1, p.Step)
	}
	told := o.announce("preparing the lesson ...")
	lesson, err := scenario.OpenLesson(ctx, f, from, scenario.PlayOptions{})
	told()
	if err != nil {
		return failf(err, "the lesson cannot be started: %s", oneLine(err.Error()))
	}
	defer func() {
		step, at, _ := lesson.Step()
		answered, _ := lesson.Answered()
		over := lesson.Over() && (answered || step.Ask == nil)
		saved := writeProgress(file, full, progress{Step: at, Done: over})
		err = errors.Join(err, lesson.Close(), saved)
	}()
	return o.show(ctx, lesson, "lesson")
}

// show opens the screen on a lesson, or a scenario taken as one.
func (o *Options) show(ctx context.Context, lesson *scenario.Lesson, source string) error {
	s := lesson.Session()
	s.CaptureLogs()
	rec := o.recorder(s)
	err := o.env.screen(func() error {
		return ui.Run(ctx, newScreenEngine(ctx, s, lesson.Subject(), rec), ui.Options{
			Source: source, Scope: "sandbox", Lesson: lessonView{lesson}, Now: s.Now,
		})
	})
	return errors.Join(err, rec.close(o))
}

// lessonView is a lesson as the screen shows it.
type lessonView struct{ *scenario.Lesson }

func (l lessonView) View() lesson.Page {
	step, at, of := l.Step()
	answered, right := l.Answered()
	v := lesson.Page{Title: l.Title(), At: at, Of: of, Say: step.Say, Answered: answered, Right: right, Over: l.Over(), Look: step.About()}
	if at == 1 {
		v.Say = strings.TrimSpace(l.Introduction() + "\n\n" + v.Say)
	}
	for _, d := range step.Do {
		v.Do = append(v.Do, d.Text)
	}
	if step.Repeat > 1 {
		v.Do = append(v.Do, fmt.Sprintf("(%d times)", step.Repeat))
	}
	if step.Wait > 0 {
		v.Do = append(v.Do, fmt.Sprintf("(wait %v)", step.Wait))
	}
	if a := step.Ask; a != nil {
		v.Question, v.Choices, v.Answer, v.Because = a.Question, a.Choices, a.Answer, a.Because
	}
	return v
}

// progress is how far somebody came in a lesson.
type progress struct {
	Step int  `json:"step"` // that was shown last, from 1
	Done bool `json:"done"` // it was taken to its end
}

// progressFile is where progress is kept, "" when there is no place for it.
func (o *learnOptions) progressFile() string {
	dir := o.env.getenv("XDG_CONFIG_HOME")
	if dir == "" {
		var err error
		if dir, err = os.UserConfigDir(); err != nil {
			return ""
		}
	}
	return filepath.Join(dir, "informerscope", "lessons.json")
}

// readProgress returns nothing of a file that is not there or cannot be read:
// then the lessons begin anew.
func readProgress(path string) map[string]progress {
	p := map[string]progress{}
	if data, err := os.ReadFile(path); err == nil && json.Unmarshal(data, &p) != nil {
		return map[string]progress{}
	}
	return p
}

// writeProgress keeps how far a lesson came; one that was done stays done.
func writeProgress(path, lesson string, now progress) error {
	if path == "" {
		return nil
	}
	all := readProgress(path)
	now.Done = now.Done || all[lesson].Done
	all[lesson] = now
	data, err := json.MarshalIndent(all, "", "  ")
	if err == nil {
		if err = os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
			next := path + ".new" // a full disk leaves the old one
			if err = os.WriteFile(next, append(data, '\n'), 0o600); err == nil {
				err = os.Rename(next, path)
			}
		}
	}
	if err != nil {
		return failf(err, "how far you came could not be kept: %s", oneLine(err.Error()))
	}
	return nil
}
