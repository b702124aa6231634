package scenario

import (
	"iter"
	"reflect"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"informerscope/journal/state/document"
)

// Expectation has the words and shapes of expectations: those of a resource, and
// some of the whole snapshot.
type Expectation struct {
	document.Pipeline
	Paused      bool                  `json:"paused"`
	Breakpoints []document.Breakpoint `json:"breakpoints"`
	// Findings are those about the resource; of a lane those of its Reflector too.
	Findings []document.Finding `json:"findings"`
}

var expectationType = reflect.TypeFor[Expectation]()

// want is what a value of the snapshot is to be. Exactly one field of it is in
// use.
type want struct {
	null     bool        // it is not there, or empty
	value    any         // string, float64 or bool
	fields   []wantField // a mapping, partial; of a list, those of its items with these names
	list     []*want     // all items, in order
	isList   bool        // an empty list is one too
	anyOrder []*want
	isAny    bool
	has      []*want // among others
	from, to *float64
	not      *want
	length   *want
	matches  *regexp.Regexp
}

type wantField struct {
	name string
	want *want
}

// Operators take the place of a value.
const (
	opAnyOrder = "anyOrder"
	opHas      = "has"
	opLen      = "len"
	opFrom     = "from"
	opTo       = "to"
	opNot      = "not"
	opMatches  = "matches"
)

var operators = []struct{ name, doc string }{
	{opAnyOrder, "all items of the list, in any order"},
	{opHas, "items that the list has, among others"},
	{opLen, "how many items the list or mapping has"},
	{opFrom, "a number of at least this"},
	{opTo, "a number of at most this"},
	{opNot, "anything but this"},
	{opMatches, "a text that this regular expression matches"},
}

func isOperator(name string) bool {
	for _, o := range operators {
		if o.name == name {
			return true
		}
	}
	return false
}

// want compiles an expectation about a value of type t.
func (r *reader) want(n *yaml.Node, where string, t reflect.Type) *want {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	w := &want{}
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		w.null = true
		return w
	}
	if n.Kind == yaml.MappingNode && len(n.Content) > 0 && isOperator(n.Content[0].Value) {
		r.operator(n, where, t, w)
		return w
	}
	switch t.Kind() {
	case reflect.Struct:
		if label, ok := labelOf(t); ok && n.Kind == yaml.ScalarNode {
			r.named(t, label, n, where)
			w.fields = []wantField{{label, &want{value: n.Value}}}
			return w
		}
		r.wantFields(n, where, t, w)
	case reflect.Map:
		r.pairs(n, where, func(name, value *yaml.Node) {
			if where == "expect.indexer.indices" && value.Tag != "!!null" {
				r.used = append(r.used, used{anIndex, where, name.Value, name.Line})
			}
			w.fields = append(w.fields, wantField{name.Value, r.want(value, where+"."+name.Value, t.Elem())})
		})
	case reflect.Slice:
		label, ok := labelOf(t.Elem())
		if ok && label != "type" && n.Kind == yaml.MappingNode {
			r.pairs(n, where, func(name, value *yaml.Node) {
				if value.Tag != "!!null" {
					r.named(t.Elem(), label, name, where)
				}
				w.fields = append(w.fields, wantField{name.Value, r.want(value, where+"."+name.Value, t.Elem())})
			})
			return w
		}
		w.isList, w.list = true, r.wantList(n, where, t.Elem())
	default:
		w.value = r.wantValue(n, where, t)
	}
	return w
}

func (r *reader) wantFields(n *yaml.Node, where string, t reflect.Type, w *want) {
	r.pairs(n, where, func(name, value *yaml.Node) {
		f, ok := jsonField(t, name.Value)
		if !ok {
			r.unknown(name, where, jsonFields(t))
			return
		}
		r.named(t, name.Value, value, where)
		w.fields = append(w.fields, wantField{name.Value, r.want(value, where+"."+name.Value, f)})
	})
}

func (r *reader) wantList(n *yaml.Node, where string, item reflect.Type) (out []*want) {
	if n.Kind != yaml.SequenceNode {
		r.wrong(n, "%s: a list is needed, not %s", where, describe(n))
		return nil
	}
	for _, c := range n.Content {
		out = append(out, r.want(aliased(c), where, item))
	}
	return out
}

func (r *reader) wantValue(n *yaml.Node, where string, t reflect.Type) any {
	needed := kindName(t)
	switch f, isNumber := float(n); {
	case n.Kind != yaml.ScalarNode:
	case t.Kind() == reflect.String:
		return n.Value
	case t.Kind() == reflect.Bool && n.Tag == "!!bool":
		return strings.EqualFold(n.Value, "true")
	case needed == "a number" && isNumber:
		return f
	}
	r.wrong(n, "%s: %s is needed, not %s", where, needed, describe(n))
	return nil
}

func kindName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "a mapping"
	}
	return "a number"
}

// operator reads {from: 1, to: 3} and the like.
func (r *reader) operator(n *yaml.Node, where string, t reflect.Type, w *want) {
	needs := func(n *yaml.Node, op string, ok bool) bool {
		if !ok {
			r.wrong(n, "%s: %s is not for %s", where, op, kindName(t))
		}
		return ok
	}
	r.pairs(n, where, func(name, value *yaml.Node) {
		op := name.Value
		switch op {
		case opAnyOrder, opHas:
			if !needs(name, op, t.Kind() == reflect.Slice) {
				return
			}
			items := r.wantList(value, where, t.Elem())
			if op == opHas {
				w.has = items
				return
			}
			w.isAny, w.anyOrder = true, items
		case opLen:
			if needs(name, op, t.Kind() == reflect.Slice || t.Kind() == reflect.Map) {
				w.length = r.want(value, where+".len", reflect.TypeFor[int]())
			}
		case opFrom, opTo:
			if !needs(name, op, kindName(t) == "a number") {
				return
			}
			f, ok := r.wantValue(value, where+"."+op, t).(float64)
			if ok && op == opFrom {
				w.from = &f
			} else if ok {
				w.to = &f
			}
		case opNot:
			w.not = r.want(value, where, t)
		case opMatches:
			if !needs(name, op, t.Kind() == reflect.String) {
				return
			}
			re, err := regexp.Compile(value.Value)
			if err != nil {
				r.wrong(value, "%s: %v", where, err)
				return
			}
			w.matches = re
		default:
			r.wrong(name, "%s: %s cannot stand beside %s", where, op, n.Content[0].Value)
		}
	})
}

// labelOf is the field by which an item of a list is named when only a text
// stands there: [a] for [{key: a}].
func labelOf(t reflect.Type) (string, bool) {
	if t.Kind() != reflect.Struct {
		return "", false
	}
	if t == reflect.TypeFor[document.Finding]() {
		return "kind", true // has a key and a name as well
	}
	if t == reflect.TypeFor[document.Worker]() {
		return "name", true // its key is what it works on
	}
	for _, name := range []string{"key", "name", "type"} {
		if f, ok := jsonField(t, name); ok && f.Kind() == reflect.String {
			return name, true
		}
	}
	return "", false
}

func jsonField(t reflect.Type, name string) (reflect.Type, bool) {
	for f := range jsonStructFields(t) {
		if jsonName(f) == name {
			return f.Type, true
		}
	}
	return nil, false
}

func jsonFields(t reflect.Type) (names []string) {
	for f := range jsonStructFields(t) {
		names = append(names, jsonName(f))
	}
	return names
}

// jsonStructFields are the fields of a struct as JSON has them: with those of
// what it embeds.
func jsonStructFields(t reflect.Type) iter.Seq[reflect.StructField] {
	return func(yield func(reflect.StructField) bool) {
		for _, f := range reflect.VisibleFields(t) {
			if !f.Anonymous && !yield(f) {
				return
			}
		}
	}
}

func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}
