package reflector

import (
	"fmt"

	"informerscope/journal"
)

// movedLocked notes the Reflector's resourceVersion and warns when it is older
// than the one before: a server behind the one that answered earlier (a lagging
// watch cache, a restored backup). client-go takes it without a word
// (kubernetes #91073), and objects go back in time.
func (t *Tap) movedLocked(rv string) {
	if rv == "" {
		return
	}
	if journal.OlderRV(rv, t.rv) {
		e := t.event(journal.KindLogLine)
		e.Name, e.RV = "warning", rv
		e.Text = fmt.Sprintf("resourceVersion went backwards, from %s to %s: the server that answered is behind; objects may go back in time", t.rv, rv)
		t.o.Journal.Append(e)
	}
	t.rv = rv
}
