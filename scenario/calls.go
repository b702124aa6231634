package scenario

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"informerscope/journal"
	cached "informerscope/journal/object"
)

// controller is the handler that calls are about when a file names none.
const controller = "controller"

// callsWant are the calls that handlers are to have got since calls were last
// named, by handler.
type callsWant struct {
	handlers []handlerCalls
}

type handlerCalls struct {
	line     int
	handler  string
	anyOrder bool
	calls    []wantedCall
}

// wantedCall is OnUpdate shop/a@x->y: x and y stand for resourceVersions, the
// same letters for the same one in all of a scenario. Without @ they may be any.
type wantedCall struct {
	text      string
	what, key string
	old, new  string
	tombstone bool
}

var callForm = regexp.MustCompile(`^(OnAdd|OnUpdate|OnDelete) (T\{)?([^@{}\s]+)(?:@([A-Za-z][A-Za-z0-9]*)(?:->([A-Za-z][A-Za-z0-9]*))?)?(\})?$`)

// parseCall reads a call as files have it.
func parseCall(text string) (wantedCall, error) {
	m := callForm.FindStringSubmatch(text)
	if m == nil || (m[2] == "") != (m[6] == "") || m[2] != "" && m[1] != journal.OnDelete || m[5] != "" && m[1] != journal.OnUpdate {
		return wantedCall{}, fmt.Errorf("%q is no call: use OnAdd KEY, OnUpdate KEY, OnDelete KEY or OnDelete T{KEY}, with @x for a resourceVersion and @x->y for those of an update", text)
	}
	c := wantedCall{text: text, what: m[1], key: m[3], new: m[4], tombstone: m[2] != ""}
	if m[5] != "" {
		c.old, c.new = m[4], m[5]
	}
	return c, nil
}

func (r *reader) calls(n *yaml.Node) *callsWant {
	w := &callsWant{}
	if n.Kind != yaml.MappingNode || len(n.Content) > 0 && n.Content[0].Value == opAnyOrder {
		w.handlers = []handlerCalls{r.handlerCalls(n, controller)}
		return w
	}
	r.pairs(n, "calls", func(name, value *yaml.Node) {
		w.handlers = append(w.handlers, r.handlerCalls(value, name.Value))
	})
	return w
}

func (r *reader) handlerCalls(n *yaml.Node, handler string) handlerCalls {
	h := handlerCalls{line: n.Line, handler: handler}
	read := func(n *yaml.Node) {
		r.list(n, func(item *yaml.Node) {
			var text string
			if r.text(item, "calls", &text); text == "" {
				return
			}
			c, err := parseCall(text)
			if err != nil {
				r.wrong(item, "calls: %v", err)
				return
			}
			h.calls = append(h.calls, c)
		})
	}
	if n.Kind != yaml.MappingNode {
		read(n)
		return h
	}
	r.pairs(n, "calls", func(name, value *yaml.Node) {
		if name.Value != opAnyOrder {
			r.wrong(name, "calls: a list, or anyOrder with one, is needed, not %s", name.Value)
			return
		}
		h.anyOrder = true
		read(value)
	})
	return h
}

// gotCall is a call that a handler got.
type gotCall struct {
	what, key string
	old, new  string // resourceVersions
	tombstone bool
}

func (c gotCall) String() string {
	what := c.key + "@" + c.new
	if c.what == journal.OnUpdate {
		what = c.key + "@" + c.old + "->" + c.new
	}
	if c.tombstone {
		what = "T{" + what + "}"
	}
	return c.what + " " + what
}

// callsOf are the calls of a handler after the event with that number.
func callsOf(v journal.View, resource, handler string, after uint64) (calls []gotCall) {
	for i := range v.Len() {
		e := v.At(i)
		if e.Seq <= after || e.Kind != journal.KindHandlerStarted || e.Resource != resource || e.Listener() != handler {
			continue
		}
		c := gotCall{what: e.HandlerStarted().Type, key: e.Key, new: e.RV, tombstone: e.Has(journal.Tombstone)}
		if e.Old != nil {
			c.old = cached.RV(e.Old)
		}
		calls = append(calls, c)
	}
	return calls
}

// versions are the resourceVersions that letters stand for.
type versions map[string]string

// bind says whether letter can stand for rv, and notes it. Two letters never
// stand for the same one.
func (vs versions) bind(letter, rv string) bool {
	if letter == "" {
		return true
	}
	if have, ok := vs[letter]; ok {
		return have == rv
	}
	for _, other := range vs {
		if other == rv {
			return false
		}
	}
	vs[letter] = rv
	return true
}

func (c *wantedCall) matches(got gotCall, vs versions) bool {
	return c.what == got.what && c.key == got.key && c.tombstone == got.tombstone &&
		(c.old == "" || vs.bind(c.old, got.old)) && vs.bind(c.new, got.new)
}

// match compares with what was got; vs is as it was when something differs.
func (h *handlerCalls) match(got []gotCall, vs versions) []Difference {
	bound := maps.Clone(vs)
	var holds bool
	if h.anyOrder {
		holds = len(got) == len(h.calls) && assignCalls(h.calls, got, &bound)
	} else {
		holds = slices.EqualFunc(h.calls, got, func(w wantedCall, g gotCall) bool { return w.matches(g, bound) })
	}
	if holds {
		maps.Copy(vs, bound)
		return nil
	}
	path := "calls"
	if h.handler != controller {
		path += "." + h.handler
	}
	texts := make([]string, len(got))
	for i, g := range got {
		texts[i] = g.String()
	}
	return []Difference{{path, h.String(), "[" + strings.Join(texts, ", ") + "]"}}
}

func (h *handlerCalls) String() string {
	texts := make([]string, len(h.calls))
	for i, c := range h.calls {
		texts[i] = c.text
	}
	s := "[" + strings.Join(texts, ", ") + "]"
	if h.anyOrder {
		s = "{anyOrder: " + s + "}"
	}
	return s
}

// assignCalls finds for each wanted call another one that was got.
func assignCalls(wants []wantedCall, got []gotCall, vs *versions) bool {
	if len(wants) == 0 {
		return true
	}
	for j, g := range got {
		bound := maps.Clone(*vs)
		if !wants[0].matches(g, bound) {
			continue
		}
		rest := slices.Delete(slices.Clone(got), j, j+1)
		if assignCalls(wants[1:], rest, &bound) {
			*vs = bound
			return true
		}
	}
	return false
}
