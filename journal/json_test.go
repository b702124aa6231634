package journal

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the golden file")

const golden = "testdata/kinds.golden"

// full is an event of kind k that uses every field.
func full(k Kind) *Event {
	return new(Event{
		Seq: 7, Time: time.Date(2026, 1, 2, 3, 4, 5, 678901234, time.FixedZone("", 3600)), Kind: k,
		Flags:    Tombstone | Initial | Coalesced | Requeued | Found | Resync | Partial,
		Resource: "pods", Key: "shop/web", RV: "905", Dur: 1234567 * time.Microsecond,
	}.WithRaw(Raw{Type: "Type", Name: "Name", Text: "Text", N: 3, M: 4}))
}

// The JSON and the timeline's text of every kind, with all fields and with
// none. They are public: this file changes when a kind is added, and otherwise
// somebody's script breaks.
func TestKindsGolden(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("# Renew with: go test ./journal -run TestKindsGolden -update\n")
	for _, k := range Kinds() {
		fmt.Fprintf(&b, "%s\n%s\n%s\n", full(k).AppendJSON(nil), (&Event{Kind: k}).AppendJSON(nil), full(k).Details())
	}
	if *update {
		if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(b.String(), "\n")); diff != "" {
		t.Errorf("(-%s +now):\n%s", golden, diff)
	}
}

func TestEveryKindIsDescribed(t *testing.T) {
	names := map[string]Kind{}
	for _, k := range Kinds() {
		name := k.String()
		if other, ok := names[name]; ok {
			t.Errorf("kinds %d and %d are both %s", other, k, name)
		}
		names[name] = k
		if !strings.HasPrefix(name, string(k.Stage())+".") || strings.HasSuffix(name, ".") || k.Doc() == "" {
			t.Errorf("kind %d: name %q, stage %q, doc %q", k, name, k.Stage(), k.Doc())
		}
		var got map[string]any
		if err := json.Unmarshal(full(k).AppendJSON(nil), &got); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		fields := k.FieldNames()
		if len(got) != 5+len(fields) {
			t.Errorf("%s prints %d fields, FieldNames has 5 and %d: a name is there twice", name, len(got), len(fields))
		}
		for _, f := range fields {
			if _, ok := got[f]; !ok {
				t.Errorf("%s: field %s is not printed", name, f)
			}
		}
	}
}

// A kind of a newer program must not bring the older one down.
func TestUnknownKind(t *testing.T) {
	e := full(numKinds)
	want := `{"seq":7,"time":"2026-01-02T02:04:05.678901Z","kind":"unknown(` + fmt.Sprint(int(numKinds)) + `)","resource":"pods","key":"shop/web"}`
	if got := string(e.AppendJSON(nil)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if e.Details() != "" || e.Kind.Doc() != "" || e.Kind.Stage() != StageControl || e.Kind.FieldNames() != nil {
		t.Error("an unknown kind says something")
	}
}

// Whatever is in the strings, the line is JSON, on one line, and reads back.
func TestJSONReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String()
		e := Event{
			Seq: rapid.Uint64().Draw(t, "seq"), Kind: KindListFailed, Resource: s.Draw(t, "resource"), Key: s.Draw(t, "key"),
			Dur:     time.Duration(rapid.Int64().Draw(t, "dur")),
			Changes: []IndexChange{{s.Draw(t, "index"), s.Draw(t, "value"), true}},
		}.WithRaw(Raw{Text: s.Draw(t, "text")})
		line := e.AppendJSON([]byte("before "))
		if !bytes.HasPrefix(line, []byte("before {")) || bytes.ContainsAny(line, "\n\r") {
			t.Fatalf("got %q", line)
		}
		var got struct {
			Seq                        uint64
			Kind, Resource, Key, Error string
			Seconds                    float64
			Indices                    []struct {
				Index, Value string
				Added        bool
			}
		}
		if err := json.Unmarshal(line[len("before "):], &got); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		c := e.Changes[0]
		if got.Seq != e.Seq || got.Kind != "reflector.listFailed" || got.Resource != e.Resource || got.Key != e.Key || got.Error != e.Raw().Text ||
			got.Seconds != e.Dur.Seconds() || got.Indices[0].Index != c.Index || got.Indices[0].Value != c.Value || !got.Indices[0].Added {
			t.Fatalf("%q reads back as %+v", line, got)
		}
		for _, x := range []any{e, &e} {
			m, err := json.Marshal(x)
			if err != nil {
				t.Fatal(err)
			}
			var a, b any
			if json.Unmarshal(m, &a) != nil || json.Unmarshal(line[len("before "):], &b) != nil || !cmp.Equal(a, b) {
				t.Fatalf("json.Marshal(%T) prints %s", x, m)
			}
		}
	})
}

func TestInvalidUTF8IsStillJSON(t *testing.T) {
	e := LogLine{Message: "a\xffb\x00\u2028"}.Event("", "")
	if line := e.AppendJSON(nil); !json.Valid(line) {
		t.Errorf("%q is no JSON", line)
	}
}

func TestShort(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 1: "0us", 870 * time.Microsecond: "870us", time.Millisecond: "1ms", 12*time.Millisecond + 999*time.Microsecond: "12ms",
		time.Second: "1.0s", 1650 * time.Millisecond: "1.6s", 9999 * time.Millisecond: "9.9s", 10 * time.Second: "10s",
		41 * time.Second: "41s", 119*time.Second + 999*time.Millisecond: "119s", 2 * time.Minute: "2m00s", 200 * time.Second: "3m20s",
		time.Hour: "1h00m", 125 * time.Minute: "2h05m", 48 * time.Hour: "2d", 99 * time.Hour: "4d", -1650 * time.Millisecond: "-1.6s",
	} {
		if got := Short(d); got != want {
			t.Errorf("Short(%s) is %s, want %s", d, got, want)
		}
	}
}
