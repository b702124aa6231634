package check

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"informerscope/engine/reflector"
)

// PageSize is how many objects one request asks for, as in client-go's pager.
const PageSize = 500

// ListTimeout is how long all pages of a LIST may take.
const ListTimeout = 30 * time.Second

// accept asks for the metadata alone; a server that has no such view answers
// with whole objects, of which only the metadata are read.
const (
	accept    = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json"
	acceptOne = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json"
)

// Scope is what is listed: the same as what the watch was asked for.
type Scope struct {
	GVR           schema.GroupVersionResource
	Namespace     string // "" is all, or a cluster-scoped resource
	LabelSelector string
	FieldSelector string
}

// Listed is what the server has.
type Listed struct {
	RV       string            // at which all of it was so
	Versions map[string]string // key -> resourceVersion
	Pages    int
}

// page is what is read of an answer. Its JSON names are those of any list.
type page struct {
	Kind     string
	Metadata metav1.ListMeta
	Items    []struct {
		Metadata struct{ Namespace, Name, ResourceVersion string }
	}
}

// List asks the server, without a resourceVersion: the answer is the newest
// state, not one of a watch cache that lags. When the snapshot behind the pages
// expires, it is asked once more, for all in one page. Errors say what to do.
func List(ctx context.Context, config *rest.Config, s Scope) (*Listed, error) {
	client, err := clientFor(config)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, ListTimeout, errSlow)
	defer cancel()
	l, err := list(ctx, client, s, PageSize)
	if apierrors.IsResourceExpired(err) {
		l, err = list(ctx, client, s, 0)
	}
	if err != nil {
		return nil, explain(ctx, "list", s.GVR.Resource, err)
	}
	return l, nil
}

func clientFor(config *rest.Config) (rest.Interface, error) {
	c := rest.CopyConfig(config)
	c.GroupVersion, c.APIPath = &schema.GroupVersion{}, "/"
	c.AcceptContentTypes, c.ContentType = "", "application/json"
	c.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	client, err := rest.UnversionedRESTClientFor(c)
	if err != nil {
		return nil, fmt.Errorf("make a client for the check: %w", err)
	}
	return client, nil
}

var errSlow = fmt.Errorf("the server has not answered within %v", ListTimeout)

func list(ctx context.Context, client rest.Interface, s Scope, limit int64) (*Listed, error) {
	l := &Listed{Versions: map[string]string{}}
	o := metav1.ListOptions{LabelSelector: s.LabelSelector, FieldSelector: s.FieldSelector, Limit: limit}
	for {
		res := client.Get().AbsPath(path(s)...).SetHeader("Accept", accept).
			SpecificallyVersionedParams(&o, scheme.ParameterCodec, schema.GroupVersion{Version: "v1"}).Do(ctx)
		if err := res.Error(); err != nil {
			return nil, err
		}
		body, err := res.Raw()
		if err != nil {
			return nil, err
		}
		var p page
		if err := json.Unmarshal(body, &p); err != nil {
			return nil, fmt.Errorf("the answer is no JSON that can be read: %w", err)
		}
		if p.Items == nil && !strings.HasSuffix(p.Kind, "List") {
			return nil, fmt.Errorf("the server answered with a %q, which is no list", p.Kind)
		}
		for _, i := range p.Items {
			key := cache.NewObjectName(i.Metadata.Namespace, i.Metadata.Name).String()
			l.Versions[key] = i.Metadata.ResourceVersion
		}
		if l.Pages++; l.Pages == 1 {
			l.RV = p.Metadata.ResourceVersion
		}
		if o.Continue = p.Metadata.Continue; o.Continue == "" {
			return l, nil
		}
	}
}

func path(s Scope) []string {
	p := []string{"apis", s.GVR.Group, s.GVR.Version}
	if s.GVR.Group == "" {
		p = []string{"api", s.GVR.Version}
	}
	if s.Namespace != "" {
		p = append(p, "namespaces", s.Namespace)
	}
	return append(p, s.GVR.Resource)
}

func explain(ctx context.Context, verb, what string, err error) error {
	how, next := reflector.Describe(err), ""
	switch {
	case apierrors.IsForbidden(err), apierrors.IsUnauthorized(err):
		next = "; the check needs the right to " + verb
		if verb == "list" {
			next += ", as the informer does"
		}
	case errors.Is(context.Cause(ctx), errSlow):
		how, next = errSlow.Error(), "; try again, or see why it is slow"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		how, next = "the connection was cut before the answer was complete", "; try again"
	}
	return &listError{fmt.Sprintf("%s %s: %s%s", verb, what, how, next), err}
}

// listError has a text of its own, as client-go's say more than a person needs.
type listError struct {
	text string
	err  error
}

func (e *listError) Error() string { return e.text }
func (e *listError) Unwrap() error { return e.err }
