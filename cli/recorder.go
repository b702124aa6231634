package cli

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/pflag"
	quantity "k8s.io/apimachinery/pkg/api/resource"

	"informerscope/engine"
	"informerscope/journal/recording"
)

// recorder makes recordings of a session, one at a time. It is safe for
// concurrent use.
type recorder struct {
	session  *engine.Session
	flags    recordFlags
	unmask   bool
	settings map[string]string

	mu  sync.Mutex
	now *recording.Recorder // the newest one; nil before the first
}

func (o *Options) recorder(s *engine.Session) *recorder {
	return &recorder{session: s, flags: o.recording, unmask: o.Unmask, settings: o.settings}
}

// settingsOf are the flags that were given and say what a session does; those
// that name a cluster or a file stay with the user.
func settingsOf(fs *pflag.FlagSet) map[string]string {
	given := map[string]string{}
	fs.Visit(func(f *pflag.Flag) {
		group := f.Annotations[groupAnnotation]
		if slices.Contains(group, groupWhat) || slices.Contains(group, groupEngine) || slices.Contains(group, groupSandbox) && f.Name != "write-kubeconfig" {
			given[f.Name] = f.Value.String()
		}
	})
	return given
}

// start begins a recording to path.
func (r *recorder) start(path string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now != nil && !r.now.Stats().Stopped {
		return fmt.Errorf("a recording to %s is under way: stop it first", r.now.Stats().Path)
	}
	version := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
	}
	// It ends when stop says so: what the session does last is part of it.
	now, err := recording.Record(context.Background(), recording.Options{
		Path: path, Source: r.session, Clock: r.session.Options().Clock,
		MaxSize: int64(r.flags.maxSize), NoObjects: r.flags.noObjects, Unmask: r.unmask,
		Version: version, Resources: r.session.Resources(), Settings: r.settings,
	})
	if err == nil {
		r.now = now
	}
	return err
}

// writes reports whether a recording is under way. It never waits: while one is
// begun or completed, it is.
func (r *recorder) writes() bool {
	if !r.mu.TryLock() {
		return true
	}
	defer r.mu.Unlock()
	return r.now != nil
}

// stop completes the recording that is under way, and says what is in it; ""
// when there was none. The error is why it ended before, or could not be
// completed.
func (r *recorder) stop() (said string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now == nil {
		return "", nil
	}
	err = r.now.Stop()
	s := r.now.Stats()
	r.now = nil
	said = fmt.Sprintf("recorded %d events in %s (%s)", s.Events, s.Path, size(s.Bytes))
	if s.Parts > 1 {
		said += fmt.Sprintf(", of which the last are kept in it and in %s.1", s.Path)
	}
	if s.Lost > 0 {
		said += fmt.Sprintf("; %d came faster than they could be written", s.Lost)
	}
	return said, err
}

// size is a number of bytes for a person.
func size(bytes int64) string {
	if bytes < 10_000 {
		return fmt.Sprintf("%d bytes", bytes)
	}
	q := quantity.NewQuantity(bytes, quantity.DecimalSI)
	q.RoundUp(quantity.Kilo)
	if bytes >= 10_000_000 {
		q.RoundUp(quantity.Mega)
	}
	return strings.Replace(q.String(), "k", " k", 1) + "B"
}

// close completes a recording at the end of the program, and says so.
func (r *recorder) close(o *Options) error {
	said, err := r.stop()
	if err != nil {
		return failf(err, "the recording is not complete: %s", oneLine(err.Error())).
			hint("what was written until then opens: %s replay FILE", o.Program)
	}
	if said != "" {
		fmt.Fprintln(o.ErrOut, said)
	}
	return nil
}
