package tables

import (
	"bytes"
	"fmt"
	"reflect"
	"sync"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/jsonpath"
)

// customColumn is an additionalPrinterColumn.
type customColumn struct {
	typ string
	// mu guards path, which keeps state while it searches.
	mu   sync.Mutex
	path *jsonpath.JSONPath
}

// Custom prints the columns that a definition asks for, after the name; the age if it asks for none. It fails on a jsonPath
// that does not parse.
func Custom(asked []apiextensionsv1.CustomResourceColumnDefinition) (*Format, error) {
	if len(asked) == 0 {
		asked = []apiextensionsv1.CustomResourceColumnDefinition{{Name: "Age", Type: "date", JSONPath: ".metadata.creationTimestamp"}}
	}
	t := &Format{columns: []metav1.TableColumnDefinition{{Name: "Name", Type: "string", Format: "name"}}}
	columns := make([]*customColumn, len(asked))
	for i, a := range asked {
		t.columns = append(t.columns, metav1.TableColumnDefinition{
			Name: a.Name, Type: a.Type, Format: a.Format, Description: a.Description, Priority: a.Priority})
		path := jsonpath.New(a.Name).AllowMissingKeys(true)
		if err := path.Parse("{" + a.JSONPath + "}"); err != nil {
			return nil, fmt.Errorf("additionalPrinterColumns %s: jsonPath %q: %w", a.Name, a.JSONPath, err)
		}
		columns[i] = &customColumn{typ: a.Type, path: path}
	}
	t.row = func(o map[string]any, now time.Time) []any {
		cells := make([]any, 0, len(columns)+1)
		cells = append(cells, nameOf(o))
		for _, c := range columns {
			cells = append(cells, c.cell(o, now))
		}
		return cells
	}
	return t, nil
}

// cell is what the column shows of o, nil for nothing.
func (c *customColumn) cell(o map[string]any, now time.Time) any {
	c.mu.Lock()
	defer c.mu.Unlock()
	found, err := c.path.FindResults(o)
	if err != nil || len(found) == 0 || len(found[0]) == 0 {
		return nil
	}
	value := found[0][0].Interface()
	switch v := value.(type) {
	case nil:
		return nil
	case int64:
		switch c.typ {
		case "integer":
			return v
		case "number":
			return float64(v)
		}
	case float64:
		switch c.typ {
		case "integer":
			return int64(v)
		case "number":
			return v
		}
	case bool:
		if c.typ == "boolean" {
			return v
		}
	case string:
		if c.typ == "date" {
			if _, err := time.Parse(time.RFC3339, v); err != nil {
				return "<invalid>"
			}
			return since(v, now)
		}
	}
	if c.typ != "string" {
		return nil
	}
	var b bytes.Buffer
	if c.path.PrintResults(&b, []reflect.Value{reflect.ValueOf(value)}) != nil {
		return nil
	}
	return b.String()
}
