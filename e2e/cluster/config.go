package cluster

import (
	"fmt"
	"os"
	"path/filepath"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// User is who a client says it is.
type User string

// The users of the token file.
const (
	// Admin is in system:masters: RBAC does not stop it.
	Admin User = "admin"
	// Reader has no rights until a test binds some. Its groups are system:authenticated only.
	Reader User = "reader"
)

func (u User) groups() string {
	if u == Admin {
		return "system:masters"
	}
	return ""
}

// Config returns a client configuration for u without a client-side rate limit. Each call returns a fresh copy.
func (c *Cluster) Config(u User) *rest.Config {
	return &rest.Config{
		Host:            c.URL(),
		BearerToken:     c.tokens[u],
		TLSClientConfig: rest.TLSClientConfig{CAData: append([]byte(nil), c.credentials.caPEM...)},
		QPS:             -1,
	}
}

// Kubeconfig is the path of a kubeconfig file for u, with "default" as its namespace.
func (c *Cluster) Kubeconfig(u User) string { return filepath.Join(c.dir, string(u)+".kubeconfig") }

func (c *Cluster) writeKubeconfig(u User) error {
	name := "e2e-" + string(u)
	return clientcmd.WriteToFile(clientcmdapi.Config{
		Clusters:       map[string]*clientcmdapi.Cluster{name: {Server: c.URL(), CertificateAuthorityData: c.credentials.caPEM}},
		AuthInfos:      map[string]*clientcmdapi.AuthInfo{name: {Token: c.tokens[u]}},
		Contexts:       map[string]*clientcmdapi.Context{name: {Cluster: name, AuthInfo: name, Namespace: "default"}},
		CurrentContext: name,
	}, c.Kubeconfig(u))
}

// writeTokens writes the token file: token, user, uid and groups a line.
func (c *Cluster) writeTokens(path string) error {
	var out []byte
	for u, token := range c.tokens {
		out = fmt.Appendf(out, "%s,%s,%s,%q\n", token, u, u, u.groups())
	}
	return os.WriteFile(path, out, 0o600)
}
