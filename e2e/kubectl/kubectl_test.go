package kubectl

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"informerscope/e2e/cluster"
	"informerscope/sandbox"
)

var update = flag.Bool("update", false, "renew docs/kubectl.md")

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(cluster.Main(m))
}

// commandTimeout is how long one command may take, on a machine that does other things too.
const commandTimeout = 2 * time.Minute

// TestSameOnBothServers runs every command on both servers.
func TestSameOnBothServers(t *testing.T) {
	script, err := readScript()
	if err != nil {
		t.Fatal(err)
	}
	c := cluster.Shared(t)
	s, err := sandbox.Start(t.Context(), sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	var sum tally
	t.Run("section", func(t *testing.T) {
		for i, section := range script {
			t.Run(section.name, func(t *testing.T) {
				t.Parallel()
				want := runSection(t, section, i, c.Kubectl, c.Config(cluster.Admin))
				got := runSection(t, section, i, c.Kubectl, s.RESTConfig())
				for n, cmd := range section.commands {
					sum.judge(t, cmd, want[n], got[n])
				}
			})
		}
	})
	cluster.Report(t, "kubectl: %d commands; %d with the same result, %d differ on purpose, %d are pending", sum.tried, sum.same, sum.differ, sum.pending)
}

// tally counts results.
type tally struct {
	mu                           sync.Mutex
	tried, same, differ, pending int
}

// judge counts the results of one command and reports those that are not as the script says.
func (s *tally) judge(t *testing.T, cmd *command, want, got string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tried++
	switch {
	case want == got && cmd.excuse() == "":
		s.same++
	case want == got:
		t.Errorf("%s\nis the same now: take its mark away (%s)", cmd.line, cmd.excuse())
	case cmd.difference != "":
		s.differ++
	case cmd.pending != "":
		s.pending++
	default:
		t.Errorf("%s\n--- kube-apiserver\n%s\n--- sandbox\n%s", cmd.line, want, got)
	}
}

// runSection runs the commands of a section and returns what each printed, with what differs from run to run replaced.
func runSection(t *testing.T, s *section, number int, kubectl string, config *rest.Config) []string {
	t.Helper()
	namespace := fmt.Sprintf("kubectl-%02d", number)
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}
	if _, err := client.CoreV1().Namespaces().Create(t.Context(), ns, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, content := range s.files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	home := t.TempDir()
	if err := os.Symlink(kubectl, filepath.Join(home, "kubectl")); err != nil {
		t.Fatal(err)
	}
	kubeconfig := filepath.Join(home, "config")
	if err := writeKubeconfig(kubeconfig, namespace, config); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "HOME="+home, "KUBECONFIG="+kubeconfig, "PATH="+home+":"+os.Getenv("PATH"), "NS="+namespace)
	var out []string
	for _, cmd := range s.commands {
		out = append(out, normal(run(t, dir, env, cmd.line), namespace, config.Host))
	}
	return out
}

func run(t *testing.T, dir string, env []string, line string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), commandTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", line)
	cmd.Dir, cmd.Env = dir, env
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return fmt.Sprintf("%s\n[not done after %s]", out, commandTimeout)
	}
	if err != nil {
		return fmt.Sprintf("%s\n[%v]", out, err)
	}
	return string(out)
}

func writeKubeconfig(path, namespace string, config *rest.Config) error {
	return clientcmd.WriteToFile(clientcmdapi.Config{
		Clusters:       map[string]*clientcmdapi.Cluster{"e2e": {Server: config.Host, CertificateAuthorityData: config.CAData}},
		AuthInfos:      map[string]*clientcmdapi.AuthInfo{"e2e": {Token: config.BearerToken}},
		Contexts:       map[string]*clientcmdapi.Context{"e2e": {Cluster: "e2e", AuthInfo: "e2e", Namespace: namespace}},
		CurrentContext: "e2e",
	}, path)
}

// volatile are patterns of what differs from run to run.
var volatile = []struct {
	pattern *regexp.Regexp
	word    string
}{
	{regexp.MustCompile(`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`), "UID"},
	{regexp.MustCompile(`\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`), "TIME"},
	{regexp.MustCompile(`(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} 20\d\d \d\d:\d\d:\d\d [+-]\d{4}`), "TIME"},
	{regexp.MustCompile(`(?m)((?:resourceVersion"?|Resource Version): *"?)\d+`), "${1}RV"},
	{regexp.MustCompile(`Invalid value: "\{.*\}": `), `Invalid value: "{OBJECT}": `},
	{regexp.MustCompile(`\b80:3\d{4}/TCP`), "80:NODE-PORT/TCP"},
	{regexp.MustCompile(`\b10\.\d+\.\d+\.\d+\b`), "IP"},
	{regexp.MustCompile(`\b(\d+h)?(\d+m)?\d+(\.\d+)?(s|ms)\b`), "AGE"},
	{regexp.MustCompile(`<unknown>|<invalid>`), "AGE"},
	{regexp.MustCompile(`(?m)[ \t]+$`), ""},
	{regexp.MustCompile(`-{3,}`), "---"},
	// Columns are as wide as what is replaced was.
	{regexp.MustCompile(`(\S)[ \t]{2,}`), "$1  "},
}

func normal(text, namespace, host string) string {
	text = strings.NewReplacer(namespace, "NS", host, "SERVER", strings.TrimPrefix(host, "https://"), "SERVER").Replace(text)
	for _, v := range volatile {
		text = v.pattern.ReplaceAllString(text, v.word)
	}
	return strings.TrimSpace(text)
}
