package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// The clients that an informer can list and watch with (Options.Client). They
// cost differently: bytes on the wire, work in the decoder, memory in the cache.
const (
	ClientDynamic  = "dynamic"  // any kind, as unstructured maps, in JSON
	ClientTyped    = "typed"    // built-in kinds, as Go structs, in protobuf: as clientsets are used by controllers
	ClientMetadata = "metadata" // any kind, only its ObjectMeta
	ClientREST     = "rest"     // built-in kinds, as Go structs, in JSON: a bare RESTClient
)

// Clients lists the values of Options.Client, the default first.
var Clients = []string{ClientDynamic, ClientTyped, ClientMetadata, ClientREST}

// source is where the objects of a Target come from.
type source struct {
	cache.ListerWatcherWithContext
	example runtime.Object // of the type that the Reflector expects
}

func newSource(config *rest.Config, client string, t Target) (source, error) {
	s := source{}
	var err error
	switch client {
	case ClientDynamic:
		s.example = exampleOf(t)
		s.ListerWatcherWithContext, err = dynamicSource(config, t)
	case ClientMetadata:
		s.example = &metav1.PartialObjectMetadata{}
		s.ListerWatcherWithContext, err = metadataSource(config, t)
	case ClientTyped, ClientREST:
		if s.example, err = scheme.Scheme.New(t.GVR.GroupVersion().WithKind(t.Kind)); err != nil {
			return s, fmt.Errorf("--client=%s knows only the kinds that are built into client-go, and %s (%s) is none of them: use --client=%s, or --client=%s for its metadata",
				client, t.Name, t.GVR.GroupVersion(), ClientDynamic, ClientMetadata)
		}
		s.ListerWatcherWithContext, err = structSource(config, client, t)
	default:
		return s, fmt.Errorf("client %q: use %s", client, strings.Join(Clients, ", "))
	}
	if err != nil {
		return s, fmt.Errorf("make a %s client for %s: %w", client, t.Name, err)
	}
	return s, nil
}

func validateClient(client string) error {
	if !slices.Contains(Clients, client) {
		return fmt.Errorf("client %q: use %s", client, strings.Join(Clients, ", "))
	}
	return nil
}

func exampleOf(t Target) runtime.Object {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(t.GVR.GroupVersion().WithKind(t.Kind))
	return u
}

// selected are the options of one request, within the scope of the target.
func (t Target) selected(o metav1.ListOptions) metav1.ListOptions {
	o.LabelSelector, o.FieldSelector = t.LabelSelector, t.FieldSelector
	return o
}

// lists and watches are the two requests of any client.
type (
	lists   func(context.Context, metav1.ListOptions) (runtime.Object, error)
	watches func(context.Context, metav1.ListOptions) (watch.Interface, error)
)

func listWatch(t Target, list lists, watching watches) *cache.ListWatch {
	return &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			return list(ctx, t.selected(o))
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			return watching(ctx, t.selected(o))
		},
	}
}

func dynamicSource(config *rest.Config, t Target) (*cache.ListWatch, error) {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	// Not Namespace(""): it is the same, but kubectl's way is to ask the
	// cluster-wide interface.
	resource := dynamic.ResourceInterface(client.Resource(t.GVR))
	if t.Namespace != "" {
		resource = client.Resource(t.GVR).Namespace(t.Namespace)
	}
	return listWatch(t, func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
		return resource.List(ctx, o)
	}, resource.Watch), nil
}

func metadataSource(config *rest.Config, t Target) (*cache.ListWatch, error) {
	client, err := metadata.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	resource := metadata.ResourceInterface(client.Resource(t.GVR))
	if t.Namespace != "" {
		resource = client.Resource(t.GVR).Namespace(t.Namespace)
	}
	return listWatch(t, func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
		return resource.List(ctx, o)
	}, resource.Watch), nil
}

// structSource sets a RESTClient up as the generated clientsets do. Typed asks
// for protobuf, and takes JSON from a server that has none.
func structSource(config *rest.Config, client string, t Target) (*cache.ListWatch, error) {
	c := rest.CopyConfig(config)
	gv := t.GVR.GroupVersion()
	c.GroupVersion, c.APIPath = &gv, "/apis"
	if gv.Group == "" {
		c.APIPath = "/api"
	}
	c.NegotiatedSerializer = rest.CodecFactoryForGeneratedClient(scheme.Scheme, scheme.Codecs).WithoutConversion()
	c.AcceptContentTypes, c.ContentType = "", runtime.ContentTypeJSON
	if client == ClientTyped {
		c.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
		c.ContentType = runtime.ContentTypeProtobuf
	}
	r, err := rest.RESTClientFor(c)
	if err != nil {
		return nil, err
	}
	get := func(o metav1.ListOptions) *rest.Request {
		var timeout time.Duration
		if o.TimeoutSeconds != nil {
			timeout = time.Duration(*o.TimeoutSeconds) * time.Second
		}
		return r.Get().NamespaceIfScoped(t.Namespace, t.Namespace != "").Resource(t.GVR.Resource).
			VersionedParams(&o, scheme.ParameterCodec).Timeout(timeout)
	}
	return listWatch(t, func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
		return get(o).Do(ctx).Get()
	}, func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
		o.Watch = true
		return get(o).Watch(ctx)
	}), nil
}
