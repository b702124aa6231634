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
		text := fmt.Sprintf("resourceVersion went backwards, from %s to %s: the server that answered is behind; objects may go back in time", t.rv, rv)
		e := journal.LogLine{Level: "warning", Message: text}.Event(t.o.Resource, "")
		e.RV = rv
		t.o.Journal.Append(e)
	}
	t.rv = rv
}
