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
	rapid.Check(t, func(r *rapid.T) {
		ops := rapid.SliceOfN(randomRequest(), 1, 30).Draw(r, "requests")
		var transcripts [][]string
		for _, s := range both {
			var transcript []string
			if failures := runCheck(t.Context(), func(t *T) { transcript = play(t, s, ops) }); len(failures) > 0 {
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
	opData   = []string{`{}`, `{"k":"v"}`, `{"k":"w","l":"x"}`, `{"l":"y"}`, `null`}
	opFinal  = []string{`[]`, `[]`, `[]`, `["example.com/one"]`, `["example.com/one","example.com/two"]`, `null`}
	// $CURRENT is the version of the last answer about the object, $FIRST that of the first.
	opVersions = []string{``, ``, `"resourceVersion":"$CURRENT",`, `"resourceVersion":"$FIRST",`, `"uid":"$UID",`}
	opManagers = []string{"one", "two", "one&force=true", "two&force=true", "one&dryRun=All"}
	opQueries  = []string{"", "", "", "?dryRun=All", "?fieldManager=tool"}
)

func randomRequest() *rapid.Generator[randomOp] {
	return rapid.Custom(func(r *rapid.T) randomOp {
		pick := func(what string, from []string) string { return rapid.SampledFrom(from).Draw(r, what) }
		op := randomOp{Name: pick("name", opNames)}
		object := func(version string) string {
			return fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{%s"name":%q,"labels":%s,"finalizers":%s},"data":%s}`,
				version, op.Name, pick("labels", opLabels), pick("finalizers", opFinal), pick("data", opData))
		}
		switch pick("what", []string{"create", "create", "update", "merge", "merge", "json", "strategic", "apply", "apply", "delete", "get", "list", "collection"}) {
		case "create":
			op.Method, op.Body, op.Query = "POST", object(""), pick("query", opQueries)
		case "update":
			op.Method, op.Body, op.Query = "PUT", object(pick("version", opVersions)), pick("query", opQueries)
		case "merge":
			op.Method, op.Type, op.Query = "PATCH", mergePatch, pick("query", opQueries)
			op.Body = object(pick("version", opVersions))
		case "strategic":
			op.Method, op.Type, op.Query = "PATCH", strategicPatch, pick("query", opQueries)
			op.Body = object(pick("version", opVersions))
		case "json":
			op.Method, op.Type = "PATCH", jsonPatch
			op.Body = pick("patch", []string{
				`[{"op":"add","path":"/data","value":{"k":"j"}}]`, `[{"op":"remove","path":"/data/k"}]`,
				`[{"op":"replace","path":"/data/k","value":"r"}]`, `[{"op":"remove","path":"/metadata/finalizers"}]`,
				`[{"op":"test","path":"/data/k","value":"v"},{"op":"move","from":"/data/k","path":"/data/m"}]`,
			})
		case "apply":
			op.Method, op.Type, op.Query = "PATCH", applyPatch, "?fieldManager="+pick("manager", opManagers)
			op.Body = fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":%q,"labels":%s},"data":%s}`,
				op.Name, pick("labels", opLabels[:3]), pick("data", opData[:4]))
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
func play(t *T, s *server, ops []randomOp) []string {
	ns, path := watched(t, s)
	w := s.watch(t, path)
	versions, uids := map[string][]string{}, map[string]string{}
	var out []string
	for _, op := range ops {
		url := configMaps(ns)
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
		out = append(out, fmt.Sprintf("%s %s%s %s\n%s", op.Method, op.Name, op.Query, op.Body,
			strings.Join(a.normal(ns, ""), "\n")+"\n"+ownership(a)))
	}
	s.configMap(t, ns, "the-end")
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

// ownership is managedFields without their times.
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
	return strings.Join(out, "\n")
}
