package cli

import (
	"encoding/json"
	"encoding/pem"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// fails checks an exit code, that stderr has each of texts, that stdout is
// empty, and that the first line is the error.
func (r result) fails(t *testing.T, code int, texts ...string) {
	t.Helper()
	if r.code != code {
		t.Errorf("exit %d, want %d", r.code, code)
	}
	if r.out != "" {
		t.Errorf("stdout: %q", r.out)
	}
	if !strings.HasPrefix(r.err, "error: ") {
		t.Errorf("stderr does not start with the error:\n%s", r.err)
	}
	for _, text := range texts {
		if !strings.Contains(r.err, text) {
			t.Errorf("no %q in:\n%s", text, r.err)
		}
	}
}

func TestUsageErrorsExit2(t *testing.T) {
	useKubeconfig(t, filepath.Join(t.TempDir(), "none"))
	for args, texts := range map[string]string{
		"pods":                                 "stdout is not a terminal|-o json|--events",
		"--sandbox":                            "stdout is not a terminal|-o json|--events",
		"--sandbx":                             "unknown flag: --sandbx|did you mean --sandbox?|--help",
		"--until-synced":                       "unknown flag: --until-synced|--help",
		"-x":                                   "unknown flag: -x",
		"-o":                                   "--output needs a value|json|yaml",
		"-o jsn":                               `--output: "jsn" is not accepted: use json or yaml`,
		"-o json --until never":                `--until: "never" is not accepted: use synced, drained, hit, or a duration`,
		"-o json --pace fast":                  `--pace: "fast" is not accepted|4/s|realtime`,
		"-o json --workers -1":                 `--workers: "-1" is not accepted`,
		"-o json --workers two":                `--workers: "two" is not accepted: use a whole number`,
		"-o json --work 5":                     `--work: "5" is not accepted: use a duration`,
		"-o json --fail 2":                     `--fail: "2" is not accepted: use a share from 0 to 1`,
		"-o json --resync -1s":                 `--resync: "-1s" is not accepted`,
		"-o json --resync 10ms":                `--resync: "10ms" is not accepted|at least 1s`,
		"-o json --index foo":                  "--index: |label:NAME|owner|node|jsonpath:EXPR",
		"-o json --history 0":                  `--history: "0" is not accepted`,
		"-o json --timeout soon":               `--timeout: "soon" is not accepted`,
		"-o json --paused=maybe":               `--paused: "maybe" is not accepted: use true or false`,
		"-o json --sandbox --seed x":           `--seed: "x" is not accepted: use a whole number`,
		"-o json --sandbox --objects -1":       `--objects: "-1" is not accepted`,
		"-o json --sandbox --churn -1":         `--churn: "-1" is not accepted`,
		"-o json --objects 5":                  "--objects is for the sandbox only|--sandbox",
		"-o json --sandbox --context x":        "--context and --sandbox cannot be used together",
		"-o json --events":                     "-o and --events cannot be used together",
		"--until synced":                       "--until needs -o or --events",
		"-o json --break tombston":             `--break: there is no word "tombston"; do you mean tombstone?`,
		"-o json --until hit":                  "--until hit needs --break",
		"-o json --paused --break dirty":       "--paused and --until hit cannot be used together",
		"-o json --paused":                     "--paused and --until synced cannot be used together",
		"-o json --until drained --workers 0":  "--workers 0 and --until drained",
		"-o json --until drained --fail 1":     "--fail 1 and --until drained",
		"-o json pods -l a==b==c":              `--selector: "a==b==c" is not a label selector`,
		"-o json pods --field-selector status": `--field-selector: "status" is not a field selector|such as`,
		"-o json pods --field-selector =x":     `--field-selector: "=x" is not a field selector`,
		"-o json pods -n Shop":                 `--namespace: "Shop" is not a namespace name`,
		"-o json --request-timeout soon":       `--request-timeout: "soon" is not accepted`,
		"-o json pods a -l app=web":            "a NAME and a selector cannot be used together",
		"-o json pods/a b":                     "cannot be mixed",
		"-o json pods,,cm":                     "empty",
		"sandbox pods":                         "sandbox takes no arguments|--sandbox pods",
		"sandbox --addr 0.0.0.0:0":             `--addr: "0.0.0.0:0" is not accepted|loopback`,
		"sandbox --addr 8443":                  `--addr: "8443" is not accepted|HOST:PORT`,
		"sandbox --objects x":                  `--objects: "x" is not accepted`,
		"version 1":                            "version takes no arguments",
	} {
		t.Run(args, func(t *testing.T) {
			command(t, strings.Fields(args)...).fails(t, exitUsage, strings.Split(texts, "|")...)
		})
	}
}

func TestTerminalsThatCannotShowTheScreenExit2(t *testing.T) {
	for term, text := range map[string]string{"": "TERM is not set", "dumb": "TERM=dumb cannot move the cursor"} {
		var out, errOut lockedBuffer
		o := NewOptions(genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &errOut}, "informerscope")
		o.env.terminal = true
		o.env.getenv = func(name string) string { return map[string]string{"TERM": term}[name] }
		code := run(t.Context(), o, []string{"--sandbox"})
		result{code, out.String(), errOut.String()}.fails(t, exitUsage, text, "xterm-256color", "-o json")
	}
}

func TestNoKubeconfigSuggestsTheSandbox(t *testing.T) {
	useKubeconfig(t, filepath.Join(t.TempDir(), "none"))
	command(t, "pods", "-o", "json").fails(t, exitFailure, "no kubeconfig", "informerscope --sandbox", "--kubeconfig")
	command(t, "sandbx", "-o", "json").fails(t, exitFailure, "no kubeconfig", "`informerscope sandbox`")
	command(t, "--kubeconfig", filepath.Join(t.TempDir(), "gone"), "-o", "json").fails(t, exitFailure, "the kubeconfig cannot be used", "gone", "no such file")
}

func TestAServerWithoutKubeconfigIsEnough(t *testing.T) {
	useKubeconfig(t, filepath.Join(t.TempDir(), "none"))
	addr := closedPort(t)
	command(t, "--server", "https://"+addr, "-o", "json").fails(t, exitFailure, "cannot reach the API server at "+addr, "connection refused", "kubectl cluster-info", "--sandbox")
}

func TestUnknownContextNamesThoseThereAre(t *testing.T) {
	useSandbox(t, 0)
	command(t, "--context", "informerscope-sandbx", "-o", "json").fails(t, exitFailure, `no context "informerscope-sandbx"`, "did you mean informerscope-sandbox?")
	command(t, "--context", "prod", "-o", "json").fails(t, exitFailure, `no context "prod"`, "it has: informerscope-sandbox")
}

func TestErrorsOfARealServer(t *testing.T) {
	s := useSandbox(t, 5)
	command(t, "podz", "-o", "json").fails(t, exitFailure, `no resource type "podz"`, "did you mean pods?", "kubectl api-resources")
	command(t, "deploymnets,pods", "-o", "json").fails(t, exitFailure, "did you mean deployments?")
	command(t, "sandbx", "-o", "json").fails(t, exitFailure, "`informerscope sandbox`")
	command(t, "pods", "--field-selector", "spec.colour=red", "-o", "json").fails(t, exitFailure, "does not accept the selector for pods", "spec.colour")
	host := strings.TrimPrefix(s.RESTConfig().Host, "https://")
	command(t, "pods", "--token", "stale", "-o", "json").fails(t, exitFailure, host, "401", "token", "log in again")
	command(t, "pods", "--insecure-skip-tls-verify=false", "--certificate-authority", otherCA(t), "-o", "json").fails(t, exitFailure, host, "unknown authority", "--certificate-authority")
	command(t, "pods", "--tls-server-name", "elsewhere", "-o", "json").fails(t, exitFailure, "not valid", "--tls-server-name")
	// A label of over 63 characters is no name for any resolver: none is asked.
	nobody := strings.Repeat("nobody", 11) + ".invalid"
	command(t, "pods", "--server", "https://"+nobody, "-o", "json").fails(t, exitFailure, nobody, "cannot be resolved")
}

// fakeServer answers discovery, and everything else by answer.
func fakeServer(t *testing.T, answer func(w http.ResponseWriter, r *http.Request)) {
	t.Helper()
	useServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api":
			reply(w, 200, metav1.APIVersions{TypeMeta: metav1.TypeMeta{Kind: "APIVersions", APIVersion: "v1"}, Versions: []string{"v1"}})
		case "/apis":
			reply(w, 200, metav1.APIGroupList{TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"}})
		case "/api/v1":
			l := offer()[0]
			l.TypeMeta = metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"}
			reply(w, 200, l)
		default:
			answer(w, r)
		}
	}))
}

// useServer makes user jane's kubeconfig for a server of the test's own.
func useServer(t *testing.T, h http.Handler) {
	t.Helper()
	server := httptest.NewTLSServer(h)
	t.Cleanup(server.Close)
	path := filepath.Join(t.TempDir(), "kubeconfig")
	err := clientcmd.WriteToFile(clientcmdapi.Config{
		Clusters:       map[string]*clientcmdapi.Cluster{"c": {Server: server.URL, InsecureSkipTLSVerify: true}},
		AuthInfos:      map[string]*clientcmdapi.AuthInfo{"jane": {Token: "x"}},
		Contexts:       map[string]*clientcmdapi.Context{"c": {Cluster: "c", AuthInfo: "jane", Namespace: "shop"}},
		CurrentContext: "c",
	}, path)
	if err != nil {
		t.Fatal(err)
	}
	useKubeconfig(t, path)
}

func reply(w http.ResponseWriter, code int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(body)
}

func status(code int, reason metav1.StatusReason, message string) metav1.Status {
	return metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: "Failure", Code: int32(code), Reason: reason, Message: message}
}

func TestForbiddenSaysWhoMayNotDoWhat(t *testing.T) {
	fakeServer(t, func(w http.ResponseWriter, r *http.Request) {
		reply(w, 403, status(403, metav1.StatusReasonForbidden, `pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "shop"`))
	})
	command(t, "pods", "-o", "json").fails(t, exitFailure, "user jane may not list pods in namespace shop", "403", "kubectl auth can-i list pods -n shop")
	command(t, "nodes", "-o", "json").fails(t, exitFailure, "may not list nodes", "kubectl auth can-i list nodes")
}

func TestAWatchThatIsForbiddenFailsEarly(t *testing.T) {
	fakeServer(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("watch") == "" {
			reply(w, 200, map[string]any{"kind": "PodList", "apiVersion": "v1", "metadata": map[string]any{"resourceVersion": "5"}, "items": []any{}})
			return
		}
		reply(w, 403, status(403, metav1.StatusReasonForbidden, `pods is forbidden: User "jane" cannot watch resource "pods" in API group "" in the namespace "shop"`))
	})
	command(t, "pods", "-o", "json").fails(t, exitFailure, "user jane may not watch pods in namespace shop", "kubectl auth can-i watch pods -n shop")
}

func TestServersInTroubleAreNamed(t *testing.T) {
	fakeServer(t, func(w http.ResponseWriter, r *http.Request) {
		reply(w, 503, status(503, metav1.StatusReasonServiceUnavailable, "etcd is away"))
	})
	command(t, "pods", "-o", "json").fails(t, exitFailure, "could not list pods now", "etcd is away", "/readyz")
}

func TestOnlyListAndWatchAreSent(t *testing.T) {
	var methods lockedBuffer
	fakeServer(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = methods.Write([]byte(r.Method + " "))
		reply(w, 404, status(404, metav1.StatusReasonNotFound, "the server could not find the requested resource"))
	})
	command(t, "pods", "-o", "json").fails(t, exitFailure, "does not serve", "pods")
	if got := methods.String(); got != "GET " {
		t.Errorf("sent %s", got)
	}
}

func TestASilentServerIsGivenUp(t *testing.T) {
	useKubeconfig(t, filepath.Join(t.TempDir(), "none"))
	l, err := net.Listen("tcp", "127.0.0.1:0") // connects, but nobody answers
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	command(t, "--server", "https://"+l.Addr().String(), "--request-timeout", "800ms", "-o", "json").
		fails(t, exitFailure, "cannot reach the API server at "+l.Addr().String(), "no answer in time")
}

func TestASlowStartSaysWhatItWaitsFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var quick, slow lockedBuffer
		NewOptions(streamsOf(&quick), "informerscope").announce("connecting to %s", "a")()
		done := NewOptions(streamsOf(&slow), "informerscope").announce("connecting to %s ...", "host")
		time.Sleep(progressAfter + time.Millisecond)
		synctest.Wait()
		done()
		if quick.String() != "" || slow.String() != "connecting to host ...\n" {
			t.Errorf("quick %q, slow %q", quick.String(), slow.String())
		}
	})
}

func TestDiscoveryThatIsForbiddenIsNamed(t *testing.T) {
	forbidden := func(w http.ResponseWriter, r *http.Request) {
		reply(w, 403, status(403, metav1.StatusReasonForbidden, `forbidden: User "jane" cannot get path "/api"`))
	}
	useServer(t, http.HandlerFunc(forbidden))
	command(t, "pods", "-o", "json").fails(t, exitFailure, "does not let you read what it offers", "403", "system:discovery")
}

// closedPort is an address where nobody listens, and nobody can before the end of
// the test: a connection that is open has bound it.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	local := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}}
	c, err := local.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	end, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { end.Close() })
	return c.LocalAddr().String()
}

// otherCA is the CA of somebody else.
func otherCA(t *testing.T) string {
	t.Helper()
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	path := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(path, pemOf(server.Certificate().Raw), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func pemOf(der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

// What a variable of the shell gives that is not set is not taken for no flag.
func TestAnEmptyNameIsRefused(t *testing.T) {
	useKubeconfig(t, filepath.Join(t.TempDir(), "none"))
	for _, args := range [][]string{
		{"--sandbox", "-o", "json", "--record", ""}, {"--sandbox", "-o", "json", "--record="}, {"pods", "--context", ""}, {"pods", "-n", ""}, {"pods", "--kubeconfig", ""},
		{"--sandbox", "--write-kubeconfig", ""}, {"sandbox", "--write-kubeconfig", ""}, {"sandbox", "--addr", ""}, {"replay", "a.rec", "--at", ""}, {"--sandbox", "--thresholds", ""},
	} {
		r := commandContext(t.Context(), args...)
		if r.code != exitUsage || !strings.Contains(r.err, "is empty") {
			t.Errorf("%q: exit %d: %s", args, r.code, r.err)
		}
	}
	if r := commandContext(t.Context(), "pods", "-l", "", "-o", "json"); r.code == exitUsage {
		t.Errorf("an empty selector: %s", r.err)
	}
}
