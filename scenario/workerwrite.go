package scenario

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/cache"

	"informerscope/journal"
)

// reconciledAt is the annotation that reconciles write.
const reconciledAt = "informerscope/reconciled"

// workerWrite makes reconciles write to the sandbox, as those of a controller do
// that stamps a status: with "always" each one causes the next.
func workerWrite(c *call) (string, error) {
	h, err := c.manual()
	if err != nil {
		return "", err
	}
	when := c.arg(0)
	switch when {
	case "off":
		h.WriteInReconcile(nil)
		return "reconciles write nothing", nil
	case "always", "changed":
	default:
		return "", fmt.Errorf("%q is not accepted: use always, changed or off", when)
	}
	if c.s.Server == nil {
		return "", errNoServer
	}
	gvr, err := c.gvr(journal.BaseOf(c.resource))
	if err != nil {
		return "", err
	}
	client, now := c.s.Server.Client().Resource(gvr), c.s.Session.Now
	h.WriteInReconcile(func(ctx context.Context, key string, obj any) (string, error) {
		m, err := meta.Accessor(obj)
		if err != nil {
			return "", err
		}
		if _, there := m.GetAnnotations()[reconciledAt]; there && when == "changed" {
			return "", nil
		}
		namespace, name, err := cache.SplitMetaNamespaceKey(key)
		if err != nil {
			return "", err
		}
		body := fmt.Appendf(nil, `{"metadata":{"annotations":{%q:%q}}}`, reconciledAt, now().UTC().Format(time.RFC3339Nano))
		in := dynamic.ResourceInterface(client)
		if namespace != "" {
			in = client.Namespace(namespace)
		}
		written, err := in.Patch(ctx, name, types.MergePatchType, body, metav1.PatchOptions{})
		if err != nil {
			return "", err
		}
		return written.GetResourceVersion(), nil
	})
	if when == "always" {
		return "each reconcile writes the time into annotation " + reconciledAt, nil
	}
	return "a reconcile writes annotation " + reconciledAt + " if it is not there", nil
}
