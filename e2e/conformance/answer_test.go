package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// object decodes the body.
func (a *answer) object(t *T) map[string]any {
	out := map[string]any{}
	if err := json.Unmarshal(a.body, &out); err != nil {
		t.Fatalf("%s: %d, not JSON (%v): %.200s", a.what, a.code, err, a.body)
	}
	return out
}

// ok decodes the body of an answer that must be a 200.
func (a *answer) ok(t *T) map[string]any {
	if a.code != 200 {
		t.Fatalf("%s: want 200, got %d %s", a.what, a.code, bytes.TrimSpace(a.body))
	}
	return a.object(t)
}

// failed checks that the answer is a Status with this code and reason, and a message that the pattern matches.
func (a *answer) failed(t *T, code int, reason, message string) map[string]any {
	if a.code != code {
		t.Fatalf("%s: want %d %s, got %d %.300s", a.what, code, reason, a.code, bytes.TrimSpace(a.body))
	}
	s := a.object(t)
	checkStatus(t, a.what, s, code, reason, message)
	return s
}

func checkStatus(t *T, what string, s map[string]any, code int, reason, message string) {
	for path, want := range map[string]string{
		"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": strconv.Itoa(code), "reason": reason,
	} {
		if got := str(s, path); got != want {
			t.Errorf("%s: %s of the Status: want %q, got %q", what, path, want, got)
		}
	}
	if got := str(s, "message"); !regexp.MustCompile(message).MatchString(got) {
		t.Errorf("%s: want a message like %q, got %q", what, message, got)
	}
}

// at finds what path names in decoded JSON: keys and list indices joined by dots. A missing value is nil.
func at(v any, path string) any {
	for part := range strings.SplitSeq(path, ".") {
		switch c := v.(type) {
		case map[string]any:
			v = c[part]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(c) {
				return nil
			}
			v = c[i]
		default:
			return nil
		}
	}
	return v
}

// str is at as text, "" for what is missing.
func str(v any, path string) string {
	switch got := at(v, path).(type) {
	case nil:
		return ""
	case string:
		return got
	case float64:
		return strconv.FormatFloat(got, 'f', -1, 64)
	default:
		return fmt.Sprint(got)
	}
}

func items(v any) []any {
	l, _ := at(v, "items").([]any)
	return l
}

// names are those of a list's items, in order.
func names(list any) string {
	var out []string
	for _, o := range items(list) {
		out = append(out, str(o, "metadata.name"))
	}
	return strings.Join(out, " ")
}

// rvOf is metadata.resourceVersion as a number.
func rvOf(t *T, v any) uint64 {
	n, err := strconv.ParseUint(str(v, "metadata.resourceVersion"), 10, 64)
	if err != nil {
		t.Fatalf("resourceVersion %q is not a number", str(v, "metadata.resourceVersion"))
	}
	return n
}

// equal compares two printable values.
func equal(t *T, what string, want, got any) {
	if w, g := fmt.Sprint(want), fmt.Sprint(got); w != g {
		t.Errorf("%s: want %s, got %s", what, w, g)
	}
}
