package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// normal is the answer as text, in which what differs from run to run is replaced by a word.
func (a *answer) normal(namespace, project string) []string {
	media, _, _ := strings.Cut(a.Get("Content-Type"), ";")
	out := []string{fmt.Sprint(a.code, " ", media)}
	for _, w := range a.Values("Warning") {
		out = append(out, "Warning: "+w)
	}
	for _, name := range []string{"Allow", "Content-Encoding", "Retry-After"} {
		if v := a.Get(name); v != "" {
			out = append(out, name+": "+v)
		}
	}
	for _, doc := range a.documents(media) {
		if project != "" {
			doc = pick(doc, strings.Split(project, ","))
		}
		data, err := json.MarshalIndent(settle("", doc), "", " ")
		if err != nil {
			panic(err) // it was JSON before
		}
		out = append(out, strings.Split(string(data), "\n")...)
	}
	return strings.Split(withoutVolatile(strings.Join(out, "\n"), namespace), "\n")
}

// withoutVolatile replaces the namespace and what the patterns of volatile match.
func withoutVolatile(text, namespace string) string {
	if namespace != "" {
		text = strings.ReplaceAll(text, namespace, "NS")
	}
	for _, v := range volatile {
		text = v.pattern.ReplaceAllString(text, v.word)
	}
	return text
}

// documents decodes the body: one document, or the events of a watch.
func (a *answer) documents(media string) []any {
	body := a.body
	if media == "application/yaml" {
		if j, err := yaml.YAMLToJSON(body); err == nil {
			body = j
		}
	}
	var out []any
	d := json.NewDecoder(bytes.NewReader(body))
	for d.More() {
		var doc any
		if d.Decode(&doc) != nil {
			return []any{strings.TrimSpace(string(a.body))}
		}
		out = append(out, doc)
	}
	return out
}

// volatile are patterns of what differs from run to run inside of messages.
var volatile = []struct {
	pattern *regexp.Regexp
	word    string
}{
	{regexp.MustCompile(`too old resource version: \d+ \(\d+\)`), "too old resource version: RV (RV)"},
	{regexp.MustCompile(`Too large resource version: (\d+), current: \d+`), "Too large resource version: $1, current: RV"},
	{regexp.MustCompile(`in the precondition \(\d\d+\)`), "in the precondition (RV)"},
	{regexp.MustCompile(`in record \(\d+\)`), "in record (RV)"},
	{regexp.MustCompile(`Invalid value: \\"\{.*\}\\": `), `Invalid value: \"{OBJECT}\": `},
	{regexp.MustCompile(`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`), "UID"},
	{regexp.MustCompile(`\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`), "TIME"},
	// Suffixes of generated names; the exchanges use these prefixes only.
	{regexp.MustCompile(`\b(made|gen|Upper)-[bcdfghjklmnpqrstvwxz2456789]{5}\b`), "$1-SUFFIX"},
	{regexp.MustCompile(`\b10\.\d+\.\d+\.\d+\b`), "CLUSTER-IP"},
}

// settle replaces the values of the fields that every write changes.
func settle(key string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, e := range v {
			switch {
			case k == "managedFields":
				// Who wrote which field is for checks of their own.
			case k == "resourceVersion" && e != "" && e != "0":
				out[k] = "RV"
			case k == "continue" && e != "":
				out[k] = "CONTINUE"
			default:
				out[k] = settle(k, e)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = settle(key, e)
		}
		return out
	}
	return v
}

// pick keeps what paths name.
func pick(v any, paths []string) any {
	out := map[string]any{}
	for _, p := range paths {
		if got := at(v, p); got != nil {
			out[p] = got
		}
	}
	return out
}

// variables are those of before with what this answer has.
func (a *answer) variables(before map[string]string) map[string]string {
	out := maps.Clone(before)
	var doc any
	if json.Unmarshal(a.body, &doc) != nil {
		return out
	}
	for name, paths := range map[string][]string{
		"RV":       {"metadata.resourceVersion"},
		"UID":      {"metadata.uid", "details.uid"},
		"CONTINUE": {"metadata.continue"},
	} {
		if i := slices.IndexFunc(paths, func(p string) bool { return str(doc, p) != "" }); i >= 0 {
			out[name] = str(doc, paths[i])
		}
	}
	return out
}
