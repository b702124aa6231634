package conformance

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"informerscope/e2e/cluster"
)

// docFile is written from the tables.
var docFile = filepath.Join("..", "..", "docs", "conformance.md")

// topics say what the part of a check's name before the colon stands for, in the order of the page.
var topics = []struct{ name, about string }{
	{"discovery", "/api, /apis, the aggregated document, OpenAPI, /version, health"},
	{"kinds", "discovery entry, columns of tables and field selectors of each built-in kind"},
	{"list", "envelopes, order, headers"},
	{"resourceVersion", "unset, 0, exact, not older than, forgotten (410), in the future (504)"},
	{"limit", "pages"},
	{"continue", "tokens, wrong and expired ones"},
	{"watch", "events, versions, selectors, timeouts, bookmarks, 410"},
	{"sendInitialEvents", "streamed lists and their end mark"},
	{"label selectors", "list and watch"},
	{"field selectors", "list and watch"},
	{"create", "metadata, generated names"},
	{"update", "conflicts, immutable metadata, generation"},
	{"status", "the status subresource"},
	{"scale", "the scale subresource"},
	{"secrets", "stringData"},
	{"dry run", "writes that are answered and not done"},
	{"delete", "finalizers, preconditions, grace, collections, namespaces"},
	{"apply", "server-side apply and managedFields"},
	{"crd", "CustomResourceDefinitions and their objects"},
	{"views", "Tables, metadata only, protobuf, YAML"},
	{"transport", "HTTP/1.1, HTTP/2, gzip, authentication, concurrent writers"},
	{"limits", "sizes"},
	{"client-go", "informers, clients, RESTMapper, leader election, pager"},
	{"errors", "bad requests: code, reason, message and causes"},
	{"options", "query parameters, odd ones too"},
	{"writes", "whole answers to creates, updates, patches and deletions"},
	{"specs", "defaults and validation of specs"},
}

// TestDoc keeps docs/conformance.md in step with the tables.
func TestDoc(t *testing.T) {
	checks, _, err := allChecks()
	if err != nil {
		t.Fatal(err)
	}
	want := document(t, checks)
	if *update {
		if err := os.WriteFile(docFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(docFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not in step with the tables; renew it: go test ./conformance -run TestDoc -update", docFile)
	}
}

func document(t *testing.T, checks []check) []byte {
	t.Helper()
	total, excused := map[string]int{}, map[string]int{}
	for _, c := range checks {
		topic, _, _ := strings.Cut(c.name, ":")
		total[topic]++
		if differences[c.name]+pending[c.name] != "" {
			excused[topic]++
		}
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, `# Conformance of the sandbox

<!-- Generated: cd e2e && go test ./conformance -run TestDoc -update -->

One suite of checks runs against kube-apiserver %s (with etcd %s) and against the sandbox: `+"`make e2e`"+`. All %d checks hold on
kube-apiserver, whose recorded answers are what is expected; %d hold on the sandbox.

| topic | | checks | hold on the sandbox |
|---|---|---:|---:|
`, cluster.KubernetesVersion, cluster.EtcdVersion, len(checks), len(checks)-len(differences)-len(pending))
	for _, topic := range topics {
		if total[topic.name] == 0 {
			t.Errorf("no check is about %q", topic.name)
		}
		fmt.Fprintf(&out, "| %s | %s | %d | %d |\n", topic.name, topic.about, total[topic.name], total[topic.name]-excused[topic.name])
		delete(total, topic.name)
	}
	for name := range total {
		t.Errorf("the topic %q is not in the table of topics", name)
	}
	fmt.Fprintf(&out, "\n## Differences that are meant\n\n| check | why the sandbox differs |\n|---|---|\n")
	writeTable(&out, differences)
	fmt.Fprintf(&out, "\n## Not there yet\n\n")
	if len(pending) == 0 {
		fmt.Fprintf(&out, "Nothing.\n")
		return out.Bytes()
	}
	fmt.Fprintf(&out, "| check | what is missing |\n|---|---|\n")
	writeTable(&out, pending)
	return out.Bytes()
}

func writeTable(out *bytes.Buffer, table map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(table)) {
		fmt.Fprintf(out, "| %s | %s |\n", strings.ReplaceAll(name, "|", `\|`), table[name])
	}
}
