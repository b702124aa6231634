package server

import (
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
)

// flowHeader numbers the watches, so that Delivered finds the one of a response.
const flowHeader = "Informerscope-Watch"

// flows are the watches that are served.
type flows struct {
	last atomic.Int64
	open sync.Map // of *flow, by its number as the header has it
}

// flow is how far one watch has come.
type flow struct {
	written atomic.Int64 // bytes of the body
	ended   atomic.Bool  // nothing but the end of the body is to come
	// probe is received from while there is nothing to send.
	probe chan struct{}
}

// begin numbers a watch; end is called when it is over.
func (fs *flows) begin(h http.Header) (f *flow, end func()) {
	f = &flow{probe: make(chan struct{})}
	id := strconv.FormatInt(fs.last.Add(1), 10)
	fs.open.Store(id, f)
	h.Set(flowHeader, id)
	return f, func() {
		f.ended.Store(true)
		fs.open.Delete(id)
	}
}

// delivered is what Handler.Delivered returns.
func (f *flow) delivered(read int64) (all bool, probe chan<- struct{}) {
	if f.ended.Load() {
		return false, nil
	}
	select {
	case f.probe <- struct{}{}:
		return f.written.Load() == read, nil
	default:
		return false, f.probe
	}
}

// Delivered finds the watch that a response with this header began; it is nil for
// what is no watch. What it returns reports whether a client that has read so many
// bytes of the body has everything that there is for it by now: neither the end of
// the watch nor an event is on its way. When the server is at work on that, probe
// can be sent to as soon as it no longer is.
func (h *Handler) Delivered(header http.Header) func(read int64) (all bool, probe chan<- struct{}) {
	id := header.Get(flowHeader)
	if id == "" {
		return nil
	}
	if f, ok := h.flows.open.Load(id); ok {
		return f.(*flow).delivered
	}
	return func(int64) (bool, chan<- struct{}) { return false, nil } // it has ended already
}
