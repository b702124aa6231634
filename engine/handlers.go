package engine

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"k8s.io/client-go/tools/cache"

	"informerscope/engine/processor"
)

// handlerName is the listener that feeds the workqueue.
const handlerName = "controller"

// DefaultResync as a HandlerSpec's Resync asks for the informer's own period,
// as client-go's AddEventHandler does.
const DefaultResync time.Duration = -1

// HandlerSpec is an event handler that is registered beside "controller", which
// feeds the workqueue. It only takes notifications.
type HandlerSpec struct {
	Name   string        // unique in a resource
	Delay  time.Duration // how long each call takes; shutting down ends it early
	Resync time.Duration // period asked for: 0 is no resyncs, or DefaultResync
	// Handler gets each call before the delay; nil for none. It must return, or
	// the session cannot end, and it must not change the objects. Several resources,
	// and the lanes of a comparison, call it at the same time.
	Handler cache.ResourceEventHandler
}

// handlerNames are names that fit a pane, a flag and an event.
var handlerNames = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$`)

// ParseHandler reads NAME[,delay=DURATION][,resync=DURATION]. Without resync
// the informer's own period is asked for.
func ParseHandler(spec string) (HandlerSpec, error) {
	parts := strings.Split(spec, ",")
	h := HandlerSpec{Name: strings.TrimSpace(parts[0]), Resync: DefaultResync}
	seen := map[string]bool{}
	for _, part := range parts[1:] {
		key, value, found := strings.Cut(strings.TrimSpace(part), "=")
		if !found || (key != "delay" && key != "resync") {
			return HandlerSpec{}, fmt.Errorf("handler %q: %q is not accepted: use delay=DURATION or resync=DURATION", spec, part)
		}
		if seen[key] {
			return HandlerSpec{}, fmt.Errorf("handler %q: %s is given twice", spec, key)
		}
		seen[key] = true
		d, err := time.ParseDuration(value)
		if err != nil || d < 0 {
			return HandlerSpec{}, fmt.Errorf("handler %q: %s=%s is not accepted: use a duration such as 200ms or 2s", spec, key, value)
		}
		if key == "delay" {
			h.Delay = d
		} else {
			h.Resync = d
		}
	}
	if err := h.validate(); err != nil {
		return HandlerSpec{}, err
	}
	return h, nil
}

func (h HandlerSpec) validate() error {
	switch {
	case h.Name == "":
		return errors.New("handler: a name is missing: use NAME[,delay=DURATION][,resync=DURATION]")
	case !handlerNames.MatchString(h.Name):
		return fmt.Errorf("handler %q: the name is not accepted: use letters, digits, '.', '_' and '-', starting with a letter or digit", h.Name)
	case h.Delay < 0:
		return fmt.Errorf("handler %s: delay %v is negative", h.Name, h.Delay)
	case h.Resync < 0 && h.Resync != DefaultResync:
		return fmt.Errorf("handler %s: resync %v is negative", h.Name, h.Resync)
	}
	return nil
}

// validateHandlers checks the handlers that a session starts with.
func validateHandlers(hs []HandlerSpec) error {
	seen := map[string]bool{handlerName: true}
	for _, h := range hs {
		if err := h.validate(); err != nil {
			return err
		}
		if seen[h.Name] {
			if h.Name == handlerName {
				return fmt.Errorf("handler %s: this is the one that feeds the workqueue: choose another name", h.Name)
			}
			return fmt.Errorf("handler %s is named twice", h.Name)
		}
		seen[h.Name] = true
	}
	return nil
}

func (s *Session) pipeline(resource string) (*pipeline, error) {
	for _, p := range s.pipelines {
		if p.target.Name == resource {
			return p, nil
		}
	}
	return nil, fmt.Errorf("no resource %q is watched", resource)
}

// addHandler registers h. The caller holds blockDeltas, so that what is stored
// and what is distributed from then on fit together without a gap or a repeat.
func (p *pipeline) addHandler(h HandlerSpec) error {
	if h.Resync == DefaultResync {
		h.Resync = p.s.o.Resync
	}
	handler := func(processor.Notification) {}
	switch {
	case h.Name == handlerName:
		handler = p.enqueue
	case h.Handler != nil:
		handler = processor.Calling(h.Handler)
	}
	t := p.handlerFaults.wrap(h.Name, handler)
	o := processor.ListenerOptions{Name: h.Name, Handler: t.handle, Rests: t.nap.Rests, Resync: h.Resync, Delay: h.Delay}
	if err := p.processor.Add(o, p.indexer.Items()); err != nil {
		return err
	}
	p.handlerFaults.keep(t)
	return nil
}

// addHandlers registers what the session starts with, "controller" first.
func (p *pipeline) addHandlers() error {
	p.blockDeltas.Lock()
	defer p.blockDeltas.Unlock()
	for _, h := range append([]HandlerSpec{{Name: handlerName, Resync: DefaultResync}}, p.s.o.Handlers...) {
		if err := p.addHandler(h); err != nil {
			return err
		}
	}
	return nil
}

// blocking wraps a process function so that no handler joins or leaves while
// deltas are processed.
func (p *pipeline) blocking(f cache.ProcessFunc) cache.ProcessFunc {
	return func(obj any, initial bool) error {
		p.blockDeltas.Lock()
		defer p.blockDeltas.Unlock()
		return f(obj, initial)
	}
}
