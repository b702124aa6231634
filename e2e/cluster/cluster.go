package cluster

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"k8s.io/client-go/rest"
)

// readyTimeout is how long a server may take to be ready, on a machine that does other things too.
const readyTimeout = 2 * time.Minute

// Cluster is a running etcd and kube-apiserver. Methods that stop and start servers must not be called from two
// goroutines at a time.
type Cluster struct {
	// Kubectl is the path of a kubectl to use with it.
	Kubectl string

	dir         string
	binaries    Binaries
	credentials credentials
	tokens      map[User]string
	port        int
	etcdURL     string
	etcd        *process
	apiServer   *process
}

// Start builds what is missing, with progress to out, and starts a cluster that is ready when Start returns. Stop must
// be called; a test binary that dies without takes the servers with it.
func Start(ctx context.Context, out io.Writer) (*Cluster, error) {
	binaries, err := Build(ctx, out)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "informerscope-e2e-*")
	if err != nil {
		return nil, err
	}
	c := &Cluster{Kubectl: binaries.Kubectl, dir: dir, binaries: binaries, tokens: map[User]string{}}
	if err := c.start(ctx); err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	return c, nil
}

func (c *Cluster) start(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	var err error
	if c.credentials, err = writeCredentials(c.dir); err != nil {
		return err
	}
	for _, u := range []User{Admin, Reader} {
		secret := make([]byte, 16)
		rand.Read(secret)
		c.tokens[u] = hex.EncodeToString(secret)
	}
	if err := c.writeTokens(c.path("tokens.csv")); err != nil {
		return err
	}
	if err := os.WriteFile(c.path("audit-policy.yaml"), []byte(auditPolicy), 0o600); err != nil {
		return err
	}
	if err := c.startEtcd(ctx, c.binaries.Etcd); err != nil {
		return err
	}
	// The port stays the same when the API server is started again: clients come back to it.
	ports, err := freePorts(1)
	if err != nil {
		return err
	}
	c.port = ports[0]
	for u := range c.tokens {
		if err := c.writeKubeconfig(u); err != nil {
			return err
		}
	}
	return c.StartAPIServer(ctx)
}

// URL is the https address of the API server.
func (c *Cluster) URL() string { return fmt.Sprintf("https://127.0.0.1:%d", c.port) }

// AuditLog is the path of the audit log: one JSON event a line for each request that was answered.
func (c *Cluster) AuditLog() string { return c.path("audit.log") }

// APIServerPID is the process of the API server, for measurements.
func (c *Cluster) APIServerPID() int { return c.apiServer.cmd.Process.Pid }

// EtcdPID is the process of etcd, for measurements.
func (c *Cluster) EtcdPID() int { return c.etcd.cmd.Process.Pid }

// auditPolicy keeps who asked for what, and no bodies.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
`

// StartAPIServer starts the API server at the same address as before and waits until it is ready.
func (c *Cluster) StartAPIServer(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	var err error
	c.apiServer, err = startProcess("kube-apiserver", c.path("kube-apiserver.log"), c.binaries.APIServer,
		"--etcd-servers="+c.etcdURL,
		// History is forgotten when a test says so and not every five minutes.
		"--etcd-compaction-interval=0",
		"--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", c.port),
		"--tls-cert-file="+c.credentials.certFile, "--tls-private-key-file="+c.credentials.keyFile,
		"--token-auth-file="+c.path("tokens.csv"), "--authorization-mode=RBAC",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-signing-key-file="+c.credentials.serviceAccount,
		"--service-account-key-file="+c.credentials.serviceAccount,
		"--service-cluster-ip-range=10.0.0.0/16",
		// Without a controller manager no namespace gets the service account that this plugin would give to pods.
		"--disable-admission-plugins=ServiceAccount",
		"--audit-policy-file="+c.path("audit-policy.yaml"), "--audit-log-path="+c.AuditLog(),
		"--audit-log-mode=blocking",
		// Watches would keep a server that is to end for as long as a request may take, a minute.
		"--shutdown-watch-termination-grace-period=1s",
	)
	if err != nil {
		return err
	}
	transport, err := rest.TransportFor(c.Config(Admin))
	if err != nil {
		return err
	}
	return c.apiServer.waitReady(ctx, &http.Client{Transport: transport}, c.URL()+"/readyz")
}

// StopAPIServer ends the API server as an upgrade would: running watches are ended, then connections are closed.
func (c *Cluster) StopAPIServer() error { return c.apiServer.stop() }

// KillAPIServer ends the API server as a crash would.
func (c *Cluster) KillAPIServer() error { return c.apiServer.kill() }

// CompactEtcd makes etcd forget the past and returns the revision from which it remembers. A running API server may
// still answer watches from its own cache.
func (c *Cluster) CompactEtcd(ctx context.Context) (int64, error) { return c.compactEtcd(ctx) }

// Stop ends the servers and removes their files; those stay when $E2E_KEEP is set.
func (c *Cluster) Stop() error {
	var errs []error
	for _, p := range []*process{c.apiServer, c.etcd} {
		if p != nil {
			// What it holds is thrown away: no reason to wait for a graceful end.
			errs = append(errs, p.kill())
		}
	}
	if os.Getenv("E2E_KEEP") != "" {
		fmt.Fprintln(os.Stderr, "kept", c.dir)
	} else {
		errs = append(errs, os.RemoveAll(c.dir))
	}
	return errors.Join(errs...)
}

func (c *Cluster) path(name string) string { return filepath.Join(c.dir, name) }
