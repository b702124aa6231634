package recording

import (
	stdjson "encoding/json"
	"math"
	"slices"
	"strconv"

	"informerscope/internal/jsontext"
)

// trees writes trees of JSON values as JSON, with sorted names.
// Objects of a kind look alike: the names in the maps of one are mostly those in
// the maps of the one before, in the same places. So it remembers, by kind and
// place, which names it met, sorted and quoted. That halves the time. The zero
// value is ready. It is for one goroutine.
type trees struct {
	kinds   map[string]*place
	learned int   // patterns, in all places
	values  []any // of the maps that are being written
}

const (
	// patternsOfPlace are remembered at most of one place: where every object has
	// other names, as in labels, remembering is no use.
	patternsOfPlace = 4
	// allPatterns are remembered at most, a megabyte or two.
	allPatterns = 8192
	// allKinds are told apart at most.
	allKinds = 256
)

// place is one in the objects of a kind, such as the metadata or its labels.
type place struct {
	patterns []*pattern
	items    *place // what stands in it when it is a list
}

// pattern is that of a map: its names.
type pattern struct {
	names  []string // sorted
	quoted []string // as they stand in the file, with the mark before and the colon
	places []place  // of the values
}

// append appends the tree of an object.
func (t *trees) append(b []byte, tree map[string]any) ([]byte, error) {
	clear(t.values[:cap(t.values)]) // after an error or a panic too
	t.values = t.values[:0]
	kind, _ := tree["kind"].(string)
	root := t.kinds[kind]
	if root == nil && len(t.kinds) < allKinds {
		if t.kinds == nil {
			t.kinds = map[string]*place{}
		}
		root = &place{}
		t.kinds[kind] = root
	}
	return t.appendValue(b, tree, root)
}

// appendValue appends a value that stands in the place p, which may be nil.
func (t *trees) appendValue(b []byte, v any, p *place) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...), nil
	case string:
		return jsontext.AppendString(b, v), nil
	case bool:
		return strconv.AppendBool(b, v), nil
	case int64:
		return strconv.AppendInt(b, v, 10), nil
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1e15 {
			return strconv.AppendFloat(b, v, 'f', -1, 64), nil
		}
	case map[string]any:
		if v == nil {
			return append(b, "null"...), nil
		}
		return t.appendMap(b, v, p)
	case []any:
		if v == nil {
			return append(b, "null"...), nil
		}
		return t.appendList(b, v, p)
	}
	text, err := stdjson.Marshal(v)
	if err != nil {
		return nil, err
	}
	return append(b, text...), nil
}

func (t *trees) appendList(b []byte, list []any, p *place) (_ []byte, err error) {
	if p != nil {
		if p.items == nil {
			p.items = &place{}
		}
		p = p.items
	}
	b = append(b, '[')
	for i, v := range list {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = t.appendValue(b, v, p); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

func (t *trees) appendMap(b []byte, m map[string]any, p *place) (_ []byte, err error) {
	if len(m) == 0 {
		return append(b, "{}"...), nil
	}
	at := len(t.values)
	s := t.find(m, p)
	if s == nil {
		return t.appendOther(b, m)
	}
	for i, quoted := range s.quoted {
		b = append(b, quoted...)
		if b, err = t.appendValue(b, t.values[at+i], &s.places[i]); err != nil {
			return nil, err
		}
	}
	t.values = t.values[:at]
	return append(b, '}'), nil
}

// find is the pattern of m, whose values it puts at the end of t.values in the
// order of the names; or nil when m is like nothing before and not learned.
func (t *trees) find(m map[string]any, p *place) *pattern {
	if p == nil {
		return nil
	}
	at := len(t.values)
patterns:
	for _, s := range p.patterns {
		if len(s.names) != len(m) {
			continue
		}
		for _, name := range s.names {
			v, ok := m[name]
			if !ok {
				t.values = t.values[:at]
				continue patterns
			}
			t.values = append(t.values, v)
		}
		return s
	}
	if len(p.patterns) == patternsOfPlace || t.learned == allPatterns {
		return nil
	}
	s := newPattern(m)
	p.patterns = append(p.patterns, s)
	t.learned++
	for _, name := range s.names {
		t.values = append(t.values, m[name])
	}
	return s
}

func newPattern(m map[string]any) *pattern {
	s := &pattern{names: make([]string, 0, len(m)), quoted: make([]string, len(m)), places: make([]place, len(m))}
	for name := range m {
		s.names = append(s.names, name)
	}
	slices.Sort(s.names)
	for i, name := range s.names {
		mark := byte(',')
		if i == 0 {
			mark = '{'
		}
		s.quoted[i] = string(append(jsontext.AppendString([]byte{mark}, name), ':'))
	}
	return s
}

// appendOther appends a map of no known pattern.
func (t *trees) appendOther(b []byte, m map[string]any) (_ []byte, err error) {
	var room [16]string
	names := room[:0]
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	b = append(b, '{')
	for i, name := range names {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(jsontext.AppendString(b, name), ':')
		if b, err = t.appendValue(b, m[name], nil); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}
