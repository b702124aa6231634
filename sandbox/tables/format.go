package tables

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/duration"

	"informerscope/sandbox/tree"
)

// Format is how a kind prints: its columns, and the cells of one object, as many as columns. It never changes.
type Format struct {
	columns []metav1.TableColumnDefinition
	row     func(o map[string]any, now time.Time) []any
}

// Columns are the columns, in order. The slice must not be changed.
func (f *Format) Columns() []metav1.TableColumnDefinition { return f.columns }

// Row is the cells of an object with this content, as many as columns. now tells its age.
func (f *Format) Row(content map[string]any, now time.Time) []any { return f.row(content, now) }

// format makes a Format from column names. "+" before a name marks a wide column; ":integer" after it the type.
func format(columns string, row func(o map[string]any, now time.Time) []any) *Format {
	t := &Format{row: row}
	for c := range strings.SplitSeq(columns, ",") {
		d := metav1.TableColumnDefinition{Type: "string"}
		if rest, wide := strings.CutPrefix(c, "+"); wide {
			c, d.Priority = rest, 1
		}
		if name, typ, ok := strings.Cut(c, ":"); ok {
			c, d.Type = name, typ
		}
		d.Name = c
		if c == "Name" {
			d.Format = "name"
		}
		t.columns = append(t.columns, d)
	}
	return t
}

var generic = format("Name,Age", func(o map[string]any, now time.Time) []any {
	return []any{nameOf(o), age(o, now)}
})

func nameOf(o map[string]any) string { return tree.String(tree.Meta(o), "name") }

func age(o map[string]any, now time.Time) string {
	return cmp.Or(since(tree.String(tree.Meta(o), "creationTimestamp"), now), "<unknown>")
}

// since is the time from timestamp to now as kubectl prints it, "" when there is none.
func since(timestamp string, now time.Time) string {
	t, err := time.Parse(time.RFC3339, timestamp)
	if err != nil {
		return ""
	}
	return duration.HumanDuration(now.Sub(t))
}

func orNone(s string) string { return cmp.Or(s, "<none>") }

// titled is a boolean as kubectl prints it.
func titled(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

func fraction(have, want int64) string { return fmt.Sprintf("%d/%d", have, want) }

// firstThree joins up to three, and says how many more there are.
func firstThree(texts []string, none string) string {
	const most = 3
	switch {
	case len(texts) == 0:
		return none
	case len(texts) > most:
		return fmt.Sprintf("%s + %d more...", strings.Join(texts[:most], ","), len(texts)-most)
	}
	return strings.Join(texts, ",")
}
