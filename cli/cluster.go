package cli

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"informerscope/engine/guard"
	"informerscope/internal/phrase"
	"informerscope/scenario"
)

// checkTimeout bounds every request made before the engine starts, unless
// --request-timeout says otherwise.
const checkTimeout = 10 * time.Second

// noServer is what client-go assumes when no kubeconfig names a server.
const noServer = "localhost:8080"

// cluster is an API server to inspect and how to reach it.
type cluster struct {
	config    *rest.Config
	name      string // for the title: the context, or "sandbox"
	namespace string // where namespaced resources are watched unless -A or -n says otherwise; "" is all
	discovery discovery.CachedDiscoveryInterface

	guard  *guard.Guard    // nil for a sandbox
	server scenario.Server // of a sandbox; nil for a cluster, which is only read
	// upstream is what a sandbox tells of its watches; nil for a cluster.
	upstream func(http.Header) func(read int64) (all bool, probe chan<- struct{})
	note     string // for the screen: how to point kubectl at a sandbox
}

// host is the server's address as a person knows it.
func (c *cluster) host() string {
	if u, err := url.Parse(c.config.Host); err == nil && u.Host != "" {
		return u.Host
	}
	return c.config.Host
}

// openCluster reads the kubeconfig as kubectl does. It sends nothing. What the
// server offers is cached on disk only if the user named a place for it.
func openCluster(flags *genericclioptions.ConfigFlags, cacheOnDisk bool, maxResponse int64, program string) (*cluster, error) {
	loader := flags.ToRawKubeConfigLoader()
	config, err := loader.ClientConfig()
	raw, rawErr := loader.RawConfig()
	if err != nil {
		return nil, configFailure(err, raw, flags)
	}
	if rawErr == nil && strings.TrimPrefix(config.Host, "http://") == noServer && len(raw.Clusters) == 0 &&
		*flags.APIServer == "" && os.Getenv("KUBERNETES_MASTER") == "" {
		return nil, noKubeconfig(program)
	}
	namespace, _, err := loader.Namespace()
	if err != nil {
		return nil, configFailure(err, raw, flags)
	}
	c := &cluster{config: config, namespace: namespace, name: raw.CurrentContext, guard: guard.New(maxResponse)}
	wrap := func(config *rest.Config) *rest.Config {
		config.Wrap(c.guard.Wrap)
		return config
	}
	wrap(c.config)
	flags.WithWrapConfigFn(wrap) // for a discovery client that it makes
	if *flags.Context != "" {
		c.name = *flags.Context
	}
	if c.name == "" {
		c.name = c.host()
	}
	if cacheOnDisk {
		c.discovery, err = flags.ToDiscoveryClient()
		return c, err
	}
	return c, c.discoverInMemory()
}

// discoverInMemory makes a discovery client that leaves nothing on disk.
func (c *cluster) discoverInMemory() error {
	cfg := c.checkConfig()
	cfg.QPS, cfg.Burst = 50, 300
	d, err := discovery.NewDiscoveryClientForConfig(cfg)
	if err != nil {
		return failf(err, "the client configuration for %s is not usable: %s", c.host(), oneLine(err.Error()))
	}
	c.discovery = memory.NewMemCacheClient(d)
	return nil
}

// resolver asks the server what it serves.
func (c *cluster) resolver(ctx context.Context) (*resolver, error) {
	ctx, cancel := context.WithTimeout(ctx, c.checkConfig().Timeout)
	defer cancel()
	r, err := newResolver(ctx, c.discovery)
	if err != nil {
		return nil, c.explain(err, nil)
	}
	return r, nil
}

// checkConfig is the configuration for requests before the engine starts.
func (c *cluster) checkConfig() *rest.Config {
	cfg := rest.CopyConfig(c.config)
	if cfg.Timeout == 0 {
		cfg.Timeout = checkTimeout
	}
	return cfg
}

// engineConfig is the configuration the informers use. The request timeout is
// left out: client-go would apply it to watches too, and cut each of them.
func (c *cluster) engineConfig() *rest.Config {
	cfg := rest.CopyConfig(c.config)
	cfg.Timeout = 0
	return cfg
}

func noKubeconfig(program string) *failure {
	return failf(nil, "no kubeconfig: neither --kubeconfig, $KUBECONFIG nor ~/.kube/config names a cluster").
		hint("%s --sandbox          runs on a built-in API server", program).
		hint("%s --kubeconfig FILE  uses the cluster of that file", program)
}

// configFailure explains why a kubeconfig cannot be used.
func configFailure(err error, raw clientcmdapi.Config, flags *genericclioptions.ConfigFlags) error {
	f := failf(err, "the kubeconfig cannot be used: %s", oneLine(err.Error()))
	if want := *flags.Context; want != "" && raw.Contexts[want] == nil {
		contexts := sortedKeys(raw.Contexts)
		f = failf(err, "the kubeconfig has no context %q", want)
		if near := phrase.Near(want, contexts); len(near) > 0 {
			f.hint("did you mean %s?", strings.Join(near, ", "))
		} else if len(contexts) > 0 {
			f.hint("it has: %s", strings.Join(contexts, ", "))
		}
	}
	return f.hint("check it with `kubectl config view`, or run with --sandbox")
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
