package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"informerscope/journal"
	"informerscope/journal/history"
	"informerscope/journal/object"
	"informerscope/journal/recording"
	"informerscope/journal/state/document"
	"informerscope/ui"
	"informerscope/ui/past"
)

// replayOptions are the options of the replay subcommand.
type replayOptions struct {
	*Options
	at     string
	verify bool
	memory sizeValue
}

func newReplayCommand(root *Options) *cobra.Command {
	o := &replayOptions{Options: root, memory: 64 << 20}
	cmd := &cobra.Command{
		Use:   "replay FILE|- [flags]",
		Short: "Open a recording: the same screen, to and fro in time",
		Long: `Open a recording that --record or the key R made. The screen is the one of a live
session, stopped at the first event: , and . go by one event, { and } by a second,
space plays, < and > change the speed, T jumps. A file that is cut or damaged opens
up to the last good event, and what was lost is told.

With -o the state at one moment is printed, with --events all events up to it, in
the forms in which a live session prints them. - reads a recording from a pipe.
With --threshold all of it is judged anew; what is not named is as it was recorded.
docs/recording.md describes the file.`,
		Example: strings.ReplaceAll(`  PROGRAM replay incident.rec
  PROGRAM replay incident.rec --at 12:04:31
  PROGRAM replay incident.rec -o json --at 12.5s | jq '.resources[0].workqueue'
  PROGRAM replay incident.rec --events | jq -c 'select(.key == "shop/web")'
  zcat incident.rec.gz | PROGRAM replay -
  PROGRAM replay incident.rec -o json --threshold hot-loop=30/m --fail-on-finding
  PROGRAM replay incident.rec --verify`, "PROGRAM", root.Program),
		Args: func(_ *cobra.Command, args []string) error {
			switch len(args) {
			case 0:
				return usagef("replay needs a recording").hint("name its file, or - for a pipe")
			case 1:
				return nil
			}
			return usagef("replay opens one recording, but got %q", strings.Join(args, " "))
		},
		RunE: func(cmd *cobra.Command, args []string) error { return o.Run(cmd.Context(), args[0]) },
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringVar(&o.at, "at", "", "the `MOMENT` to begin at, to print, or to end at: "+history.Places)
	fs.VarP(&o.Output, "output", "o", "print the state at --at, at the end unless given, and exit")
	fs.BoolVar(&o.Events, "events", false, "print the events up to --at as one JSON object a line")
	fs.BoolVar(&o.verify, "verify", false, "fold all of it, and compare the state with the checksums in it")
	o.findings.addThresholds(fs)
	o.findings.addFailOn(fs)
	fs.Var(&o.memory, "memory", "of the recording that is kept unpacked, to be fast where you were before")
	fs.BoolVar(&o.Unmask, "unmask", false, "show the values of Secrets, where they were recorded")
	completeFindingFlags(cmd)
	return cmd
}

// Run opens the recording and shows, prints or verifies it.
func (o *replayOptions) Run(ctx context.Context, path string) (err error) {
	if err := o.validate(path); err != nil {
		return err
	}
	f, err := o.open(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := o.judge(f); err != nil {
		return err
	}
	_, last := f.Range()
	if last.Seq == 0 {
		return failf(nil, "%s has no events that can be read%s", named(path), because(f.Lost()))
	}
	at := uint64(0)
	if o.at != "" {
		if at, err = history.Place(f, o.at, time.Local); err != nil {
			return usagef("--at: %s", oneLine(err.Error()))
		}
	}
	if !o.headless() && !o.verify {
		return o.show(ctx, path, f, at)
	}
	if lost := f.Lost(); lost != "" {
		fmt.Fprintf(o.ErrOut, "warning: %s\n", lost)
	}
	if at == 0 {
		at = last.Seq
	}
	switch {
	case o.verify:
		return o.check(ctx, path, f)
	case o.Events:
		if err := o.printRecorded(ctx, f, at); err != nil {
			return err
		}
	}
	st, err := f.At(at)
	if err != nil {
		return failf(err, "%s", oneLine(err.Error()))
	}
	if o.Events {
		p := newEventPrinter(o.Out)
		if err := errors.Join(p.findings(st, st.Time), p.w.Flush()); err != nil {
			return err
		}
	}
	if o.Output.word != "" {
		if err := writeDocument(o.Out, o.Output.word, document.Of(st, st.Time)); err != nil {
			return err
		}
	}
	return o.findings.check(o.ErrOut, st, st.Time)
}

// judge lets the thresholds of the command line take the place of those that the
// recording was made with.
func (o *replayOptions) judge(f *recording.File) error {
	recorded := f.Thresholds()
	if err := o.findings.read(recorded); err != nil {
		return err
	}
	if o.findings.thresholds == recorded {
		return nil
	}
	f.Judge(o.findings.thresholds)
	if n := f.Begins(); n > 0 && o.headless() {
		fmt.Fprintf(o.ErrOut, "warning: the recording begins after event %d: by other thresholds only what happens from there on is found\n", n)
	}
	return nil
}

func (o *replayOptions) validate(path string) error {
	modes := 0
	for _, on := range []bool{o.Output.word != "", o.Events, o.verify} {
		if on {
			modes++
		}
	}
	if modes > 1 {
		return usagef("-o, --events and --verify cannot be used together")
	}
	if o.findings.failOn.set && !o.headless() {
		return usagef("--fail-on-finding needs -o or --events: on the screen w says what looked wrong")
	}
	if o.verify && o.findings.given() {
		return usagef("--threshold cannot be used together with --verify, which compares with what the recording's own thresholds have found")
	}
	if o.verify {
		return nil
	}
	if path == "-" && !o.headless() && isTerminalFile(o.In) {
		return usagef("- reads a recording from a pipe, and stdin is a terminal").hint("cat FILE | %s replay -", o.Program)
	}
	return o.validateTerminal()
}

func isTerminalFile(r io.Reader) bool {
	f, ok := r.(*os.File)
	return ok && isTerminal(f)
}

func (o *replayOptions) open(ctx context.Context, path string) (*recording.File, error) {
	var f *recording.File
	var err error
	if path == "-" {
		told := o.announce("reading the recording from stdin ...")
		f, err = recording.Read(ctx, o.In, recording.OpenOptions{Memory: int64(o.memory)})
		told()
	} else {
		told := o.announce("opening %s ...", path)
		f, err = recording.Open(ctx, path, recording.OpenOptions{Memory: int64(o.memory)})
		told()
	}
	var newer *recording.NewerError
	switch {
	case err == nil:
		return f, nil
	case errors.As(err, &newer):
		return nil, failf(err, "%s: %s", named(path), oneLine(err.Error()))
	case errors.Is(err, os.ErrNotExist):
		return nil, failf(err, "there is no file %s", path)
	}
	return nil, failf(err, "%s", oneLine(err.Error()))
}

func named(path string) string {
	if path == "-" {
		return "the recording on stdin"
	}
	return path
}

func because(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}

// show opens the screen on the recording.
func (o *replayOptions) show(ctx context.Context, path string, f *recording.File, at uint64) error {
	in := o.In
	if path == "-" {
		tty, err := os.Open("/dev/tty") // stdin was the recording: keys come from the terminal
		if err != nil {
			return failf(err, "a recording from a pipe cannot be shown: %s", oneLine(err.Error())).hint("write it to a file, and replay that")
		}
		defer tty.Close()
		in = tty
	}
	warming, cancel := context.WithCancel(ctx)
	var warm sync.WaitGroup
	warm.Go(func() { _ = f.Warm(warming) }) // where it is damaged, who goes there is told
	defer warm.Wait()
	defer cancel()
	return o.env.screen(func() error {
		return ui.Run(ctx, nil, ui.Options{
			Source: sourceName(path), Scope: "recording", Input: in,
			Object: object.Options{Unmask: o.Unmask},
			Replay: &past.Replay{History: f, At: at, Lost: f.Lost()},
		})
	})
}

// sourceName is what the header calls a recording.
func sourceName(path string) string {
	if path == "-" {
		return "stdin"
	}
	return path[strings.LastIndexByte(path, '/')+1:]
}

// printRecorded prints events as --events of a live session does.
func (o *replayOptions) printRecorded(ctx context.Context, f *recording.File, to uint64) error {
	first, _ := f.Range()
	p := newEventPrinter(o.Out)
	p.next = first.Seq
	var failed error
	err := f.Scan(ctx, first.Seq, to, func(e *journal.Event) bool {
		failed = p.event(e)
		return failed == nil
	})
	return errors.Join(failed, err, p.w.Flush())
}

// check verifies the recording.
func (o *replayOptions) check(ctx context.Context, path string, f *recording.File) error {
	told := time.Now()
	v, err := f.Verify(ctx, func(done, total uint64) {
		if now := time.Now(); !o.env.patient && now.Sub(told) >= progressAfter && done < total {
			told = now
			fmt.Fprintf(o.ErrOut, "%d of %d events\n", done, total)
		}
	})
	if err != nil {
		return failf(err, "%s: %s", named(path), oneLine(err.Error()))
	}
	checksums := fmt.Sprint(v.Checkpoints, " checksums")
	if v.Checkpoints == 1 {
		checksums = "1 checksum"
	}
	if _, err := fmt.Fprintf(o.text(), "%s: %d events, %s, all as recorded\n", named(path), v.Events, checksums); err != nil {
		return err
	}
	if lost := f.Lost(); lost != "" {
		return failf(nil, "%s is not whole: %s", named(path), lost)
	}
	return nil
}
