package engine

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"informerscope/journal"
)

// logVerbosity is the highest klog level that the journal takes: client-go
// says at 2 what an operator wants to know ("caches populated", "watch-list
// failed"), at 4 every closed watch.
const logVerbosity = 2

// CaptureLogs sends what client-go logs outside of any pipeline to the journal
// instead of stderr, until the returned function is called. klog's logger is
// global: call it once, before goroutines run.
func (s *Session) CaptureLogs() (restore func()) {
	klog.SetLoggerWithOptions(s.logger(""), klog.ContextualLogger(true))
	return klog.ClearLogger
}

// logger writes to the journal under the name of a resource.
func (s *Session) logger(resource string) klog.Logger {
	return logr.New(&sink{journal: s.journal, resource: resource})
}

// sink is a logr.LogSink that writes LogLine events.
type sink struct {
	journal  *journal.Journal
	resource string
	values   []any
}

var _ logr.LogSink = (*sink)(nil)

func (s *sink) Init(logr.RuntimeInfo)  {}
func (s *sink) Enabled(level int) bool { return level <= logVerbosity }

func (s *sink) Info(level int, msg string, kv ...any) {
	name := "info"
	if strings.HasPrefix(msg, "Warning:") {
		name = "warning"
	}
	s.write(name, msg, kv)
}

func (s *sink) Error(err error, msg string, kv ...any) {
	if err != nil {
		msg += ": " + err.Error()
	}
	s.write("error", msg, kv)
}

func (s *sink) write(level, msg string, kv []any) {
	var b strings.Builder
	b.WriteString(msg)
	for _, pairs := range [][]any{s.values, kv} {
		for i := 0; i+1 < len(pairs); i += 2 {
			switch pairs[i] {
			case "reflector", "type", "logger": // said by the event's resource
				continue
			}
			fmt.Fprintf(&b, " %v=%v", pairs[i], pairs[i+1])
		}
	}
	s.journal.Append(journal.LogLine{Level: level, Message: b.String()}.Event(s.resource, ""))
}

func (s *sink) WithValues(kv ...any) logr.LogSink {
	c := *s
	c.values = append(append([]any(nil), s.values...), kv...)
	return &c
}

func (s *sink) WithName(string) logr.LogSink { return s }

// warnings takes the Warning headers that the API server sends.
type warnings struct {
	journal  *journal.Journal
	resource string
}

func (w warnings) HandleWarningHeaderWithContext(_ context.Context, code int, _ string, text string) {
	if code != 299 || text == "" {
		return
	}
	w.journal.Append(journal.LogLine{Level: "warning", Message: text}.Event(w.resource, ""))
}
