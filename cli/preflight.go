package cli

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"

	"informerscope/engine"
)

// checkParallel is how many targets are checked at once.
const checkParallel = 8

// preflight asks for one object of every target and opens its watch once, so
// that what a server refuses is said before the screen opens. It returns the
// first failure in the order of the targets.
func (c *cluster) preflight(ctx context.Context, targets []engine.Target) error {
	client, err := dynamic.NewForConfig(c.checkConfig())
	if err != nil {
		return failf(err, "the client configuration for %s is not usable: %s", c.host(), oneLine(err.Error()))
	}
	errs := make([]error, len(targets))
	var wg sync.WaitGroup
	slots := make(chan struct{}, checkParallel)
	for i := range targets {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			errs[i] = c.check(ctx, client, &targets[i])
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *cluster) check(ctx context.Context, client dynamic.Interface, t *engine.Target) error {
	ctx, cancel := context.WithTimeout(ctx, c.checkConfig().Timeout)
	defer cancel()
	resource := client.Resource(t.GVR).Namespace(t.Namespace)
	options := metav1.ListOptions{LabelSelector: t.LabelSelector, FieldSelector: t.FieldSelector, Limit: 1}
	list, err := resource.List(ctx, options)
	if err != nil {
		return c.explain(err, t)
	}
	one := int64(1)
	options.Limit, options.ResourceVersion, options.TimeoutSeconds = 0, list.GetResourceVersion(), &one
	w, err := resource.Watch(ctx, options)
	switch {
	case err == nil:
		w.Stop()
	case apierrors.IsForbidden(err), apierrors.IsUnauthorized(err), apierrors.IsMethodNotSupported(err):
		return c.explain(err, t)
	case ctx.Err() != nil && errors.Is(context.Cause(ctx), context.Canceled):
		return c.explain(ctx.Err(), t)
	}
	// Anything else, such as a server that sends no headers before its first
	// event, is for the Reflector to show.
	return nil
}

// progressAfter is how long a start may take in silence.
const progressAfter = time.Second

// announce prints text to stderr if done is not called within progressAfter.
func (o *Options) announce(format string, args ...any) (done func()) {
	if o.env.patient {
		return func() {}
	}
	t := time.AfterFunc(progressAfter, func() { fmt.Fprintf(o.ErrOut, format+"\n", args...) })
	return func() { t.Stop() }
}
