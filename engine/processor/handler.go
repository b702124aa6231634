package processor

import (
	"k8s.io/client-go/tools/cache"

	"informerscope/journal"
)

// Told is what a Handler panics with that was told to: it is recovered even where
// client-go's would end the process (utilruntime.ReallyCrash).
type Told string

// Handler takes the notifications of one listener, one at a time.
type Handler func(Notification)

// Calling makes a Handler of one of client-go's, which gets the objects alone.
func Calling(h cache.ResourceEventHandler) Handler {
	return func(n Notification) {
		switch n.Type {
		case journal.OnAdd:
			h.OnAdd(n.Object, n.Initial)
		case journal.OnUpdate:
			h.OnUpdate(n.Old, n.Object)
		case journal.OnDelete:
			h.OnDelete(n.Object)
		}
	}
}
