package sandbox

import (
	"fmt"
	"os"
	"path/filepath"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// contextName names the cluster, the user and the context of the kubeconfig.
const contextName = "informerscope-sandbox"

// RESTConfig returns a client configuration with an administrator's token and no client-side rate limit. Each call
// returns a fresh copy, which the caller may change.
func (s *Server) RESTConfig() *rest.Config {
	return &rest.Config{
		Host:            s.url,
		BearerToken:     s.token,
		TLSClientConfig: rest.TLSClientConfig{CAData: append([]byte(nil), s.ca...)},
		QPS:             -1,
	}
}

// Kubeconfig returns a kubeconfig for kubectl, with everything inline and "default" as its namespace.
func (s *Server) Kubeconfig() ([]byte, error) {
	return clientcmd.Write(clientcmdapi.Config{
		Clusters:       map[string]*clientcmdapi.Cluster{contextName: {Server: s.url, CertificateAuthorityData: s.ca}},
		AuthInfos:      map[string]*clientcmdapi.AuthInfo{contextName: {Token: s.token}},
		Contexts:       map[string]*clientcmdapi.Context{contextName: {Cluster: contextName, AuthInfo: contextName, Namespace: "default"}},
		CurrentContext: contextName,
	})
}

// WriteKubeconfig writes the kubeconfig to path, readable by its owner only. It replaces nothing: path must not exist.
// A reader sees the whole file or none.
func (s *Server) WriteKubeconfig(path string) error {
	data, err := s.Kubeconfig()
	if err != nil {
		return err
	}
	// os.CreateTemp makes the file with mode 0600.
	tmp, err := os.CreateTemp(filepath.Dir(path), ".kubeconfig-*")
	if err != nil {
		return fmt.Errorf("write kubeconfig: %w", err)
	}
	defer os.Remove(tmp.Name())
	if _, err = tmp.Write(data); err == nil {
		err = tmp.Sync()
	}
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		// A link, unlike a rename, fails when path exists, even as a symbolic link.
		err = os.Link(tmp.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("write kubeconfig: %w", err)
	}
	return nil
}
