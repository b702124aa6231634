package scenario

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
)

// Operable is what the sandbox can do beside serving its API.
type Operable interface {
	RESTConfig() *rest.Config
	Compact()
	Bookmark()
	Revoke(resource schema.GroupResource)
	Grant(resource schema.GroupResource)
}

// server is a Server over a client of its own.
type server struct {
	Operable
	client dynamic.Interface
	mapper meta.RESTMapper
}

// NewServer makes a Server of the sandbox.
func NewServer(o Operable) (Server, error) {
	config := o.RESTConfig()
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("a client for the sandbox: %w", err)
	}
	d, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("a client for the sandbox: %w", err)
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(d))
	return server{o, client, restmapper.NewShortcutExpander(mapper, d, func(string) {})}, nil
}

func (s server) Client() dynamic.Interface { return s.client }
func (s server) Mapper() meta.RESTMapper   { return s.mapper }
