package scenario

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Difference is a value that is not as expected.
type Difference struct {
	Path, Expected, Got string
}

func (d Difference) String() string {
	return fmt.Sprintf("%s: expected %s, got %s", d.Path, d.Expected, d.Got)
}

// match compares a value of the snapshot, as JSON has it, with what is wanted.
func (w *want) match(path string, got any) []Difference {
	differs := func() []Difference {
		return []Difference{{path, w.String(), show(got, w.shape())}}
	}
	holds := true
	switch {
	case w.null:
		holds = isEmpty(got)
	case w.not != nil:
		holds = len(w.not.match(path, got)) > 0
	case w.isList:
		items, _ := got.([]any)
		holds = len(items) == len(w.list)
		for i := 0; holds && i < len(items); i++ {
			holds = len(w.list[i].match("", items[i])) == 0
		}
	case w.isAny:
		items, _ := got.([]any)
		holds = len(items) == len(w.anyOrder) && assign(w.anyOrder, items)
	case w.has != nil:
		items, _ := got.([]any)
		holds = assign(w.has, items)
	case w.length != nil:
		holds = len(w.length.match("", length(got))) == 0
	case w.from != nil || w.to != nil:
		f, ok := got.(float64)
		holds = ok && (w.from == nil || f >= *w.from-rounding) && (w.to == nil || f <= *w.to+rounding)
	case w.matches != nil:
		s, _ := got.(string)
		holds = w.matches.MatchString(s)
	case w.value != nil:
		holds = equal(w.value, got)
	default:
		return w.matchFields(path, got)
	}
	if holds {
		return nil
	}
	return differs()
}

// rounding is what numbers may differ by: the snapshot rounds to milliseconds.
const rounding = 1e-9

func equal(a, b any) bool {
	if f, ok := a.(float64); ok {
		g, ok := b.(float64)
		if b == nil { // left out of the JSON, as zeros are
			ok = true
		}
		return ok && math.Abs(f-g) <= rounding
	}
	if b == nil {
		return a == "" || a == false
	}
	return a == b
}

func (w *want) matchFields(path string, got any) (ds []Difference) {
	for _, f := range w.fields {
		p := f.name
		if path != "" {
			p = path + "." + f.name
		}
		ds = append(ds, f.want.match(p, child(got, f.name))...)
	}
	if len(w.fields) > 0 && got == nil && len(ds) == 0 && !w.onlyNulls() {
		return []Difference{{path, w.String(), "nothing"}}
	}
	return ds
}

func (w *want) onlyNulls() bool {
	return !slices.ContainsFunc(w.fields, func(f wantField) bool { return !f.want.null })
}

// child is a field of a mapping, or the item of a list that has this name.
func child(v any, name string) any {
	switch v := v.(type) {
	case map[string]any:
		return v[name]
	case []any:
		for _, item := range v {
			if m, ok := item.(map[string]any); ok && (m["kind"] == name || m["key"] == name || m["key"] == nil && m["name"] == name) {
				return item
			}
		}
	}
	return nil
}

// assign finds for each wanted item another one that it matches.
func assign(wants []*want, items []any) bool {
	taken := make([]bool, len(items))
	var from func(int) bool
	from = func(i int) bool {
		if i == len(wants) {
			return true
		}
		for j, item := range items {
			if !taken[j] && len(wants[i].match("", item)) == 0 {
				taken[j] = true
				if from(i + 1) {
					return true
				}
				taken[j] = false
			}
		}
		return false
	}
	return from(0)
}

func isEmpty(v any) bool { return v == nil || v == "" || length(v) == 0.0 }

// length is a float64, as all numbers of JSON are; nil of what has none.
func length(v any) any {
	switch v := v.(type) {
	case nil:
		return 0.0
	case []any:
		return float64(len(v))
	case map[string]any:
		return float64(len(v))
	}
	return nil
}

// String is the expectation as a file has it, in one line.
func (w *want) String() string {
	var b strings.Builder
	switch {
	case w.null:
		return "nothing"
	case w.not != nil:
		return "{not: " + w.not.String() + "}"
	case w.isList:
		return listString(w.list)
	case w.isAny:
		return "{anyOrder: " + listString(w.anyOrder) + "}"
	case w.has != nil:
		return "{has: " + listString(w.has) + "}"
	case w.length != nil:
		return "{len: " + w.length.String() + "}"
	case w.from != nil && w.to != nil:
		return fmt.Sprintf("{from: %v, to: %v}", *w.from, *w.to)
	case w.from != nil:
		return fmt.Sprintf("{from: %v}", *w.from)
	case w.to != nil:
		return fmt.Sprintf("{to: %v}", *w.to)
	case w.matches != nil:
		return "{matches: " + w.matches.String() + "}"
	case w.value != nil:
		return show(w.value, shape{})
	case w.isLabel():
		return w.fields[0].want.String()
	}
	for i, f := range w.fields {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(f.name + ": " + f.want.String())
	}
	return "{" + b.String() + "}"
}

func listString(ws []*want) string {
	texts := make([]string, len(ws))
	for i, w := range ws {
		texts[i] = w.String()
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

func (w *want) isLabel() bool {
	return len(w.fields) == 1 && w.fields[0].want.value != nil && slices.Contains([]string{"kind", "key", "name", "type"}, w.fields[0].name)
}

// shape is how much of a value is shown: the fields that the expectation names,
// so that the two can be compared by eye.
type shape map[string]shape

func (w *want) shape() shape {
	s := shape{}
	for _, list := range [][]*want{w.list, w.anyOrder, w.has} {
		for _, item := range list {
			s.merge(item.shape())
		}
	}
	for _, f := range w.fields {
		if s[f.name] == nil {
			s[f.name] = shape{}
		}
		s[f.name].merge(f.want.shape())
	}
	if w.not != nil {
		s.merge(w.not.shape())
	}
	return s
}

func (s shape) merge(o shape) {
	for name, sub := range o {
		if s[name] == nil {
			s[name] = shape{}
		}
		s[name].merge(sub)
	}
}

// show prints a value of the snapshot as a file would have it.
func show(v any, s shape) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case string:
		if v == "" {
			return `""`
		}
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	case []any:
		texts := make([]string, len(v))
		for i, item := range v {
			texts[i] = show(item, s)
		}
		return "[" + strings.Join(texts, ", ") + "]"
	case map[string]any:
		return showMap(v, s)
	}
	b, _ := json.Marshal(v)
	return string(b)
}

func showMap(m map[string]any, s shape) string {
	var names []string
	for name := range m {
		if _, ok := s[name]; ok {
			names = append(names, name)
		}
	}
	if len(names) == 0 { // nothing of it was named: its name, or all of it
		if _, ok := m["lastSeconds"]; ok { // a finding
			return show(m["kind"], nil)
		}
		for _, label := range []string{"key", "name", "type"} {
			if l, ok := m[label].(string); ok {
				return l
			}
		}
		for name := range m {
			names = append(names, name)
		}
	}
	sort.Slice(names, func(i, j int) bool { return rank(names[i]) < rank(names[j]) })
	if len(names) == 1 && rank(names[0]) != names[0] {
		return show(m[names[0]], s[names[0]])
	}
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = name + ": " + show(m[name], s[name])
	}
	return "{" + strings.Join(texts, ", ") + "}"
}

// rank puts the name of an item before its other fields.
func rank(name string) string {
	switch name {
	case "kind", "key", "name", "type":
		return " " + name
	}
	return name
}
