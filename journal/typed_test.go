package journal

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"slices"
	"strings"
	"testing"
)

// zz_generated.typed.go is made of the table in fields.go.
func TestTypedEventsAreThoseOfTheTable(t *testing.T) {
	want, err := format.Source(typedSource())
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("zz_generated.typed.go", want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, _ := os.ReadFile("zz_generated.typed.go"); !bytes.Equal(got, want) {
		t.Error("zz_generated.typed.go is not what the table says: run go test ./journal -run TestTypedEvents -update")
	}
}

// slot is where one typed field is in an Event.
type slot struct{ name, typ, raw, flag string }

const typedHeader = `// Code generated from fields.go; DO NOT EDIT.
// Renew with: go test ./journal -run TestTypedEvents -update

package journal

import "time"

// There is one type for each kind, with what its events tell beside resource
// and key. Event makes an event of it, for a resource and a key, each "" where
// there is none. Into writes it into an event that Begin returned. The method
// of Event that bears its name reads it; all is zero of an event of another
// kind.
`

func typedSource() []byte {
	var b bytes.Buffer
	b.WriteString(typedHeader)
	for _, k := range Kinds() {
		writeTyped(&b, k)
	}
	return b.Bytes()
}

func writeTyped(b *bytes.Buffer, k Kind) {
	name := goNames[k]
	var slots []slot
	for spec := range strings.FieldsSeq(k.fields()) {
		slots = append(slots, slotOf(spec))
	}
	fmt.Fprintf(b, "\n// %s is %s: %s.\ntype %s struct {\n", name, k, specs[k].doc, name)
	for _, s := range slots {
		fmt.Fprintf(b, "%s %s\n", s.name, s.typ)
	}
	b.WriteString("}\n\n")
	var to, from, read, set, flags []string
	for _, s := range slots {
		switch {
		case s.flag != "":
			flags = append(flags, "flagIf(x."+s.name+", "+s.flag+")")
			read, set = append(read, "x."+s.name), append(set, "e.Has("+s.flag+")")
		default:
			to, from = append(to, "e."+s.raw), append(from, "x."+s.name)
			read, set = append(read, "x."+s.name), append(set, "e."+s.raw)
		}
	}
	fmt.Fprintf(b, "func (x %s) Event(resource, key string) (e Event) { x.Into(&e, resource, key); return e }\n\n", name)
	fmt.Fprintf(b, "func (x %s) Into(e *Event, resource, key string) {\ne.Kind, e.Resource, e.Key = Kind%s, resource, key\n", name, name)
	if len(to) > 0 {
		fmt.Fprintf(b, "%s = %s\n", strings.Join(to, ", "), strings.Join(from, ", "))
	}
	if len(flags) > 0 {
		fmt.Fprintf(b, "e.Flags = %s\n", strings.Join(flags, " | "))
	}
	fmt.Fprintf(b, "}\n\nfunc (e *Event) %s() (x %s) {\n", name, name)
	if len(read) > 0 {
		fmt.Fprintf(b, "if e.Kind == Kind%s {\n%s = %s\n}\n", name, strings.Join(read, ", "), strings.Join(set, ", "))
	}
	b.WriteString("return x\n}\n")
}

// slotOf resolves one "jsonName:Field" of the table.
func slotOf(spec string) slot {
	json, field, _ := strings.Cut(spec, ":")
	s := slot{name: goName(json)}
	switch field = strings.TrimSuffix(field, "?"); field {
	case "N", "M":
		s.typ, s.raw = "int64", strings.ToLower(field)
	case "Type":
		s.typ, s.raw = "string", "typ"
	case "Name", "Text":
		s.typ, s.raw = "string", strings.ToLower(field)
	case "RV":
		s.typ, s.raw = "string", field
	case "Dur":
		s.typ, s.raw = "time.Duration", field
	default:
		s.typ, s.flag = "bool", field
	}
	return s
}

// goName is the name of a field in Go for the one that it has in JSON.
func goName(json string) string {
	switch json {
	case "resourceVersion":
		return "RV"
	case "id":
		return "ID"
	case "event":
		return "Seq" // of the event that matched
	case "seconds":
		return "Took"
	case "ttlSeconds":
		return "TTL"
	}
	json = strings.TrimSuffix(json, "Seconds")
	return strings.ToUpper(json[:1]) + json[1:]
}

// goNames are the names of the constants without Kind in front.
var goNames = func() [numKinds]string {
	src, err := os.ReadFile("event.go")
	if err != nil {
		panic(err)
	}
	var names []string
	for line := range strings.Lines(string(src)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "Kind"); ok && line[0] == '\t' && name[0] != ' ' {
			names = append(names, strings.Fields(name)[0])
		}
	}
	names = slices.Insert(names, 0, names[0])[1:]
	var n [numKinds]string
	if copy(n[:], names) != int(numKinds) || len(names) > int(numKinds) {
		panic(fmt.Sprint("event.go has other constants than expected: ", names))
	}
	return n
}()
