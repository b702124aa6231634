package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"time"
)

// startEtcd starts an etcd that need not survive a crash of the machine.
func (c *Cluster) startEtcd(ctx context.Context, binary string) error {
	ports, err := freePorts(2)
	if err != nil {
		return err
	}
	c.etcdURL = fmt.Sprintf("http://127.0.0.1:%d", ports[0])
	peer := fmt.Sprintf("http://127.0.0.1:%d", ports[1])
	c.etcd, err = startProcess("etcd", filepath.Join(c.dir, "etcd.log"), binary,
		"--name=e2e", "--data-dir="+filepath.Join(c.dir, "etcd"), "--unsafe-no-fsync", "--log-level=warn",
		"--listen-client-urls="+c.etcdURL, "--advertise-client-urls="+c.etcdURL,
		"--listen-peer-urls="+peer, "--initial-advertise-peer-urls="+peer, "--initial-cluster=e2e="+peer)
	if err != nil {
		return err
	}
	return c.etcd.waitReady(ctx, http.DefaultClient, c.etcdURL+"/readyz")
}

// compactEtcd makes etcd forget every revision before the present one and returns that.
func (c *Cluster) compactEtcd(ctx context.Context) (int64, error) {
	var status struct {
		Header struct{ Revision string }
	}
	if err := c.callEtcd(ctx, "/v3/maintenance/status", struct{}{}, &status); err != nil {
		return 0, err
	}
	revision, err := strconv.ParseInt(status.Header.Revision, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("read etcd's revision: %w", err)
	}
	return revision, c.callEtcd(ctx, "/v3/kv/compaction", map[string]any{"revision": revision, "physical": true}, nil)
}

// callEtcd speaks etcd's JSON gateway.
func (c *Cluster) callEtcd(ctx context.Context, path string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.etcdURL+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("etcd %s: %w", path, err)
	}
	defer res.Body.Close()
	var answer bytes.Buffer
	if _, err := answer.ReadFrom(res.Body); err != nil {
		return fmt.Errorf("etcd %s: %w", path, err)
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("etcd %s: %s: %s", path, res.Status, answer.Bytes())
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(answer.Bytes(), out)
}

// readyInterval is how often a server that starts is asked whether it is ready.
const readyInterval = 50 * time.Millisecond

// waitReady waits until url answers 200, the process ends or ctx is done.
func (p *process) waitReady(ctx context.Context, client *http.Client, url string) error {
	tick := time.NewTicker(readyInterval)
	defer tick.Stop()
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		if res, err := client.Do(req); err == nil {
			res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-p.exited:
			return fmt.Errorf("%s ended before it was ready (%v); the end of its log:\n%s", p.name, p.err, p.tail())
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready: %w; the end of its log:\n%s", p.name, ctx.Err(), p.tail())
		case <-tick.C:
		}
	}
}

// freePorts finds loopback ports that nobody listens on at the moment.
func freePorts(n int) ([]int, error) {
	var out []int
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close() // after all are found, so that they differ
		out = append(out, l.Addr().(*net.TCPAddr).Port)
	}
	return out, nil
}
