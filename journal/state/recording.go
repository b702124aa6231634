package state

import (
	"time"

	"informerscope/journal"
)

// Recording is whether what happens is being written to a file.
type Recording struct {
	File  string    // "" when nothing is written
	Since time.Time // when that began
	// Failed is why the last one stopped without having been asked to; "" when
	// it was asked to, or when none has stopped.
	Failed string
}

func (r *Recording) apply(e *journal.Event) {
	if e.Kind == journal.KindRecordingStarted {
		*r = Recording{File: e.RecordingStarted().File, Since: e.Time}
		return
	}
	*r = Recording{Failed: e.RecordingStopped().Why}
}
