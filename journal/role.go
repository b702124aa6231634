package journal

import (
	"slices"
	"strings"
)

// Listener is the handler that an event of the shared processor tells of, ""
// of any other event.
func (e *Event) Listener() string {
	if e.Kind.Stage() != StageListener {
		return ""
	}
	return e.name
}

// Worker is the worker that got, reconciled or finished a key, "" of any other
// event.
func (e *Event) Worker() string {
	if e.Kind != KindQueueGot && e.Kind != KindQueueDone && e.Kind.Stage() != StageWorker {
		return ""
	}
	return e.name
}

// Store is the store of --stores that an event tells of, "" of any other event.
func (e *Event) Store() string {
	if e.Kind.Stage() != StageStores {
		return ""
	}
	return e.name
}

var (
	withID    = kindsWith("id:N")
	withError = kindsWith("error:Text")
)

// ID is the number of the request, fault or breakpoint that an event tells of,
// 0 of any other event.
func (e *Event) ID() int64 {
	if int(e.Kind) >= len(withID) || !withID[e.Kind] {
		return 0
	}
	return e.n
}

// Failure is the error that an event tells of, "" of any other event.
func (e *Event) Failure() string {
	if int(e.Kind) >= len(withError) || !withError[e.Kind] {
		return ""
	}
	return e.text
}

// kindsWith are the kinds whose events print field.
func kindsWith(field string) (has [numKinds]bool) {
	for k, spec := range specs {
		has[k] = slices.Contains(strings.Fields(spec.fields), field)
	}
	return has
}

// Raw is what an event tells beside its kind, key and resourceVersion, before
// the table of fields.go says what it means. It is for what treats events of all
// kinds alike: codecs, and patterns that match any of them.
type Raw struct {
	Type, Name, Text string
	N, M             int64
}

// Raw returns the fields that the typed events give a meaning.
func (e *Event) Raw() Raw { return Raw{Type: e.typ, Name: e.name, Text: e.text, N: e.n, M: e.m} }

// SetRaw is the opposite of Raw.
func (e *Event) SetRaw(r Raw) {
	e.typ, e.name, e.text, e.n, e.m = r.Type, r.Name, r.Text, r.N, r.M
}

// WithRaw is SetRaw on a copy.
func (e Event) WithRaw(r Raw) Event { e.SetRaw(r); return e }
