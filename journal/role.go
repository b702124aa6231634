package journal

// Listener is the handler that an event of the shared processor tells of, ""
// of any other event.
func (e *Event) Listener() string {
	if e.Kind.Stage() != StageListener {
		return ""
	}
	return e.Name
}

// Worker is the worker that got, reconciled or finished a key, "" of any other
// event.
func (e *Event) Worker() string {
	if e.Kind != KindQueueGot && e.Kind != KindQueueDone && e.Kind.Stage() != StageWorker {
		return ""
	}
	return e.Name
}

// Raw is what an event tells beside its kind, key and resourceVersion, before
// the table of fields.go says what it means. It is for what treats events of all
// kinds alike: codecs, and patterns that match any of them.
type Raw struct {
	Type, Name, Text string
	N, M             int64
}

// Raw returns the fields that the typed events give a meaning.
func (e *Event) Raw() Raw { return Raw{Type: e.Type, Name: e.Name, Text: e.Text, N: e.N, M: e.M} }

// WithRaw is the opposite of Raw.
func (e Event) WithRaw(r Raw) Event {
	e.Type, e.Name, e.Text, e.N, e.M = r.Type, r.Name, r.Text, r.N, r.M
	return e
}
