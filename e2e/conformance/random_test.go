package conformance

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestRandomRequestsHaveTheSameAnswers makes sequences of random requests to both servers and compares every answer, who
// owns which field included, and in the end what a watch has seen.
func TestRandomRequestsHaveTheSameAnswers(t *testing.T) {
	both := []*server{realServer(t), sandboxServer(t)}
	for _, s := range both {
		if failures := runCheck(t.Context(), func(t *T) { lamps.establish(t, s, `{"status":{}}`) }); len(failures) > 0 {
			t.Fatalf("%s: %s", s.name, failures)
		}
	}
	for _, kind := range randomKinds {
		t.Run(kind.kind, func(t *testing.T) { compareRandom(t, both, kind) })
	}
}

func compareRandom(t *testing.T, both []*server, kind *randomKind) {
	rapid.Check(t, func(r *rapid.T) {
		ops := rapid.SliceOfN(randomRequest(kind), 1, 30).Draw(r, "requests")
		var transcripts [][]string
		for _, s := range both {
			var transcript []string
			if failures := runCheck(t.Context(), func(t *T) { transcript = play(t, s, kind, ops) }); len(failures) > 0 {
				r.Fatalf("%s: %s", s.name, strings.Join(failures, "\n"))
			}
			transcripts = append(transcripts, transcript)
		}
		for i := range transcripts[0] {
			if transcripts[0][i] != transcripts[1][i] {
				r.Fatalf("%s", difference(strings.Split(transcripts[0][i], "\n"), strings.Split(transcripts[1][i], "\n")))
			}
		}
	})
}

// randomOp is a request in which the name and the versions are symbols.
type randomOp struct {
	Method, Name, Query, Type, Body string
}

// Fragments that bodies are put together from.
var (
	opNames  = []string{"a", "b"}
	opLabels = []string{`{}`, `{"app":"web"}`, `{"app":"db","tier":"x"}`, `null`}
	opFinal  = []string{`[]`, `[]`, `[]`, `["example.com/one"]`, `["example.com/one","example.com/two"]`, `null`}
	// $CURRENT is the version of the last answer about the object, $FIRST that of the first.
	opVersions = []string{``, ``, `"resourceVersion":"$CURRENT",`, `"resourceVersion":"$FIRST",`, `"uid":"$UID",`}
	opManagers = []string{"one", "two", "one&force=true", "two&force=true", "one&dryRun=All"}
	opQueries  = []string{"", "", "", "?dryRun=All", "?fieldManager=tool"}
)

func randomRequest(kind *randomKind) *rapid.Generator[randomOp] {
	return rapid.Custom(func(r *rapid.T) randomOp {
		pick := func(what string, from []string) string { return rapid.SampledFrom(from).Draw(r, what) }
		op := randomOp{Name: pick("name", opNames)}
		object := func(version, body string) string {
			return fmt.Sprintf(`{"apiVersion":%q,"kind":%q,"metadata":{%s"name":%q,"labels":%s,"finalizers":%s},%s}`,
				kind.apiVersion, kind.kind, version, op.Name, pick("labels", opLabels), pick("finalizers", opFinal), body)
		}
		whats := []string{"create", "create", "update", "merge", "merge", "json", "strategic", "apply", "apply", "delete", "get", "list", "collection"}
		if len(kind.statuses) > 0 {
			whats = append(whats, "status", "status")
		}
		switch pick("what", whats) {
		case "create":
			op.Method, op.Body, op.Query = "POST", object("", pick("body", kind.bodies)), pick("query", opQueries)
		case "update":
			op.Method, op.Body, op.Query = "PUT", object(pick("version", opVersions), pick("body", kind.bodies)), pick("query", opQueries)
		case "merge":
			op.Method, op.Type, op.Query = "PATCH", mergePatch, pick("query", opQueries)
			op.Body = object(pick("version", opVersions), pick("part", kind.parts))
		case "strategic":
			op.Method, op.Type, op.Query = "PATCH", strategicPatch, pick("query", opQueries)
			op.Body = object(pick("version", opVersions), pick("part", kind.parts))
		case "status":
			op.Method, op.Type, op.Query = "PATCH", mergePatch, "/status"
			op.Body = fmt.Sprintf(`{"metadata":{%s"name":%q},%s}`, pick("version", opVersions), op.Name, pick("status", kind.statuses))
		case "json":
			op.Method, op.Type, op.Body = "PATCH", jsonPatch, pick("patch", append(slices.Clone(kind.patches), `[{"op":"remove","path":"/metadata/finalizers"}]`))
		case "apply":
			bodies := kind.bodies
			if !kind.whole {
				bodies = append(slices.Clone(bodies), kind.parts...)
			}
			op.Method, op.Type, op.Query = "PATCH", applyPatch, "?fieldManager="+pick("manager", opManagers)
			op.Body = fmt.Sprintf(`{"apiVersion":%q,"kind":%q,"metadata":{"name":%q,"labels":%s},%s}`,
				kind.apiVersion, kind.kind, op.Name, pick("labels", opLabels[:3]), pick("body", bodies))
		case "delete":
			op.Method, op.Body = "DELETE", pick("options", []string{"", "", `{"preconditions":{"uid":"$UID"}}`,
				`{"preconditions":{"resourceVersion":"$FIRST"}}`, `{"dryRun":["All"]}`, `{"propagationPolicy":"Background"}`, `{"gracePeriodSeconds":0}`})
		case "get":
			op.Method = "GET"
		case "list":
			op.Method, op.Name, op.Query = "GET", "", pick("selector", []string{"", "?labelSelector=app%3Dweb", "?labelSelector=!app", "?limit=1"})
		case "collection":
			op.Method, op.Name, op.Query = "DELETE", "", pick("selector", []string{"?labelSelector=app%3Dweb", "?labelSelector=!app", "?dryRun=All"})
		}
		return op
	})
}

// play makes the requests in a namespace of their own and returns what was answered, each with its request, and the events.
func play(t *T, s *server, kind *randomKind, ops []randomOp) []string {
	ns := s.namespace(t)
	collection := strings.ReplaceAll(kind.path, "NS", ns)
	w := s.watch(t, collection+"?watch=1&resourceVersion="+str(s.get(t, collection).ok(t), "metadata.resourceVersion"))
	versions, uids := map[string][]string{}, map[string]string{}
	var out []string
	for _, op := range ops {
		url := collection
		if op.Method != "POST" && op.Name != "" {
			url += "/" + op.Name
		}
		known := append(slices.Clone(versions[op.Name]), "1")
		body := strings.NewReplacer("$FIRST", known[0], "$CURRENT", known[max(0, len(known)-2)], "$UID", uids[op.Name]).Replace(op.Body)
		var headers []header
		if op.Type != "" {
			headers = append(headers, contentType(op.Type))
		}
		a := s.do(t, op.Method, url+op.Query, body, headers...)
		if op.Name != "" && !strings.Contains(op.Query+op.Body, "dryRun") {
			var doc any
			if json.Unmarshal(a.body, &doc) == nil && str(doc, "metadata.resourceVersion") != "" {
				versions[op.Name] = append(versions[op.Name], str(doc, "metadata.resourceVersion"))
				uids[op.Name] = str(doc, "metadata.uid")
			}
		}
		answer := strings.Join(a.normal(ns, ""), "\n") + "\n" + ownership(a)
		if strings.Contains(answer, "FieldManagerConflict") {
			// Conflicts with several managers come in any order, as causes and in the message.
			parts := strings.Split(strings.ReplaceAll(answer, `\n`, "\n"), "\n")
			for i, p := range parts {
				parts[i] = strings.Trim(p, ` ",`)
			}
			answer = strings.Join(sorted(parts), "\n")
		}
		out = append(out, fmt.Sprintf("%s %s%s %s\n%s", op.Method, op.Name, op.Query, op.Body, answer))
	}
	s.must(t, "POST", collection, fmt.Sprintf(`{"apiVersion":%q,"kind":%q,"metadata":{"name":"the-end"},%s}`, kind.apiVersion, kind.kind, kind.bodies[0]))
	events := "events"
	for {
		e := w.next(t)
		if str(e.Object, "metadata.name") == "the-end" {
			return append(out, withoutVolatile(events, ns))
		}
		data, _ := json.Marshal(settle("", e.Object))
		events += "\n" + e.Type + " " + string(data)
	}
}

// ownership is managedFields without their times, by which they are ordered.
func ownership(a *answer) string {
	var doc any
	if json.Unmarshal(a.body, &doc) != nil {
		return ""
	}
	var out []string
	for _, e := range list(doc, "metadata.managedFields") {
		entry := e.(map[string]any)
		delete(entry, "time")
		out = append(out, strings.Join(lines(entry), " "))
	}
	return strings.Join(sorted(out), "\n")
}
