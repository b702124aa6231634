package cluster

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
)

// Versions that are built. They stand in servers/go.mod too, which TestVersionsAreThoseOfServers compares.
const (
	KubernetesVersion = "v1.37.2"
	EtcdVersion       = "v3.7.0"
)

// Binaries are the paths of the executables.
type Binaries struct {
	APIServer, Etcd, Kubectl string
}

// progressInterval is how often a build says that it is still alive.
const progressInterval = 15 * time.Second

// program is a main package of the module in servers/.
type program struct {
	name, version, pkg string
}

var (
	etcdProgram      = program{"etcd", EtcdVersion, "go.etcd.io/etcd/server/v3"}
	apiServerProgram = program{"kube-apiserver", KubernetesVersion, "k8s.io/kubernetes/cmd/kube-apiserver"}
	kubectlProgram   = program{"kubectl", KubernetesVersion, "k8s.io/kubernetes/cmd/kubectl"}
)

// Build returns the executables, building those that are not in the cache yet; that takes ten minutes and more, and
// progress goes to out as one line every 15 seconds. kubectl is that of PATH, or built where there is none; $KUBECTL
// names another.
func Build(ctx context.Context, out io.Writer) (Binaries, error) {
	var b Binaries
	var err error
	if b.Etcd, err = etcdProgram.build(ctx, out); err != nil {
		return b, err
	}
	if b.APIServer, err = apiServerProgram.build(ctx, out); err != nil {
		return b, err
	}
	if b.Kubectl = os.Getenv("KUBECTL"); b.Kubectl != "" {
		return b, nil
	}
	if b.Kubectl, err = exec.LookPath("kubectl"); err == nil {
		return b, nil
	}
	b.Kubectl, err = kubectlProgram.build(ctx, out)
	return b, err
}

// ModuleDir is the directory of the e2e module's source.
func ModuleDir() string {
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		panic("no caller information: the test binary was stripped")
	}
	return filepath.Dir(filepath.Dir(file))
}

// cached is where the executable is kept: one for each version, so that an upgrade never meets an old build.
func (p program) cached() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find a cache directory for the servers: %w", err)
	}
	return filepath.Join(dir, "informerscope-e2e", fmt.Sprintf("%s-%s-%s-%s", p.name, p.version, runtime.GOOS, runtime.GOARCH)), nil
}

func (p program) build(ctx context.Context, out io.Writer) (string, error) {
	path, err := p.cached()
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	// Built beside its place and renamed, so that a build that was cut leaves nothing that looks whole.
	tmp, err := os.MkdirTemp(filepath.Dir(path), ".building-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	built := filepath.Join(tmp, p.name)
	cmd := exec.CommandContext(ctx, "go", "build", "-v", "-trimpath", "-buildvcs=false", "-ldflags", p.ldflags(), "-o", built, p.pkg)
	cmd.Dir = filepath.Join(ModuleDir(), "servers")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
	if err := runWithProgress(cmd, out, p.name+" "+p.version); err != nil {
		return "", fmt.Errorf("build %s %s: %w", p.name, p.version, err)
	}
	return path, os.Rename(built, path)
}

// ldflags tell Kubernetes its version, which its own build script would do.
func (p program) ldflags() string {
	flags := "-s -w"
	if p.version != KubernetesVersion {
		return flags
	}
	parts := strings.Split(strings.TrimPrefix(p.version, "v"), ".")
	for _, set := range []string{"gitVersion=" + p.version, "gitMajor=" + parts[0], "gitMinor=" + parts[1], "gitTreeState=clean"} {
		flags += " -X k8s.io/component-base/version." + set
	}
	return flags
}

// runWithProgress runs a go build -v and says now and then how many packages it has compiled.
func runWithProgress(cmd *exec.Cmd, out io.Writer, what string) error {
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	start := time.Now()
	fmt.Fprintf(out, "building %s (minutes, once)\n", what)
	if err := cmd.Start(); err != nil {
		return err
	}
	var compiled atomic.Int64
	var last atomic.Value
	last.Store("none")
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(progressInterval)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				fmt.Fprintf(out, "building %s: %s, %d packages compiled, the last %s\n", what, time.Since(start).Round(time.Second), compiled.Load(), last.Load())
			case <-done:
				return
			}
		}
	}()
	var complaints bytes.Buffer
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		// What go build says besides package paths and downloads is what went wrong.
		switch line := lines.Text(); {
		case strings.HasPrefix(line, "go: downloading "):
			last.Store(line)
		case strings.ContainsAny(line, " :#"):
			fmt.Fprintln(&complaints, line)
		default:
			compiled.Add(1)
			last.Store(line)
		}
	}
	err = cmd.Wait()
	close(done)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, complaints.Bytes())
	}
	fmt.Fprintf(out, "built %s in %s\n", what, time.Since(start).Round(time.Second))
	return nil
}
