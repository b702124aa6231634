package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"informerscope/e2e/cluster"
)

// target is a running server.
type target struct {
	config *rest.Config
	// pids are the processes whose memory counts.
	pids []int
	// ready is how long the start took.
	ready time.Duration
	stop  func() error
}

func startCluster(ctx context.Context) (*target, error) {
	if _, err := cluster.Build(ctx, os.Stderr); err != nil {
		return nil, err
	}
	start := time.Now()
	c, err := cluster.Start(ctx, os.Stderr)
	if err != nil {
		return nil, err
	}
	return &target{config: c.Config(cluster.Admin), pids: []int{c.APIServerPID(), c.EtcdPID()}, ready: time.Since(start), stop: c.Stop}, nil
}

// startSandbox runs the sandbox as a process of its own, so that its memory and its share of the processors are its own.
func startSandbox(ctx context.Context) (*target, error) {
	dir, err := os.MkdirTemp("", "throughput-*")
	if err != nil {
		return nil, err
	}
	cleanup := func() error { return os.RemoveAll(dir) }
	binary, kubeconfig := filepath.Join(dir, "informerscope"), filepath.Join(dir, "kubeconfig")
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, ".")
	build.Dir = filepath.Dir(cluster.ModuleDir())
	if out, err := build.CombinedOutput(); err != nil {
		return nil, errors.Join(fmt.Errorf("build informerscope: %w\n%s", err, out), cleanup())
	}
	start := time.Now()
	cmd := exec.CommandContext(ctx, binary, "sandbox", "--objects", "0", "--churn", "0", "--write-kubeconfig", kubeconfig)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, errors.Join(err, cleanup())
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(err, cleanup())
	}
	stop := func() error {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait() // ended by a signal
		return cleanup()
	}
	// Its first line says that it serves.
	if _, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		return nil, errors.Join(fmt.Errorf("the sandbox does not start: %w", err), stop())
	}
	ready := time.Since(start)
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, errors.Join(err, stop())
	}
	config.QPS = -1
	return &target{config: config, pids: []int{cmd.Process.Pid}, ready: ready, stop: stop}, nil
}

// memory is the resident memory of the target in MB, 0 where the system does not tell.
func (t *target) memory() int {
	total := 0
	for _, pid := range t.pids {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			return 0
		}
		for line := range strings.Lines(string(data)) {
			if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
				kb, _ := strconv.Atoi(strings.Fields(rest)[0])
				total += kb
			}
		}
	}
	return total / 1024
}
