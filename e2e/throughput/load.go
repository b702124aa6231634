package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
)

// loadObjects is how many objects the steady load writes to.
const loadObjects = 1000

// measureLoad writes at a steady rate while watches follow and one client opens a watch that it does not read.
func measureLoad(ctx context.Context, t *target, s settings) (*figures, error) {
	f := &figures{}
	client, err := configMaps(ctx, t.config)
	if err != nil {
		return nil, err
	}
	if _, err := inParallel(ctx, loadObjects, s.writers, func(n int) error {
		_, err := client.Create(ctx, object(n), metav1.CreateOptions{})
		return err
	}); err != nil {
		return nil, err
	}
	writes := int(s.load.Seconds()) * s.rate
	slow, err := openSlowWatch(ctx, t.config)
	if err != nil {
		return nil, err
	}
	defer slow.Close()
	done, err := follow(ctx, client, s.watchers, writes)
	if err != nil {
		return nil, err
	}
	before := t.memory()
	var worst atomic.Int64
	// Each writer waits for the time of its write: a late one is not made up for by a burst.
	start, interval, middle := time.Now(), time.Second/time.Duration(s.rate), 0
	took, err := inParallel(ctx, writes, s.writers, func(n int) error {
		time.Sleep(time.Until(start.Add(time.Duration(n) * interval)))
		if n == writes/2 {
			middle = t.memory()
		}
		sent := time.Now()
		_, err := client.Patch(ctx, name(n%loadObjects), types.MergePatchType, patch(1_000_000+n), metav1.PatchOptions{})
		for d := int64(time.Since(sent)); ; {
			old := worst.Load()
			if d <= old || worst.CompareAndSwap(old, d) {
				break
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := done(); err != nil {
		return nil, err
	}
	f.perSecond(fmt.Sprintf("writes a second, of %d wanted", s.rate), writes, took)
	f.add(fmt.Sprintf("%d watches had all events after, s", s.watchers), "%.2f", (time.Since(start) - took).Seconds())
	f.add("slowest write, ms", "%d", time.Duration(worst.Load()).Milliseconds())
	f.add("memory at the start, in the middle, at the end, MB", "%d, %d, %d", before, middle, t.memory())
	return f, nil
}

// openSlowWatch opens a watch on a connection of its own and leaves it unread.
func openSlowWatch(ctx context.Context, config *rest.Config) (io.Closer, error) {
	// rest.TransportFor would share the connection of the other watches.
	tlsConfig, err := rest.TLSConfigFor(config)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, config.Host+"/api/v1/namespaces/"+namespace+"/configmaps?watch=1", nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+config.BearerToken)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: tlsConfig, ForceAttemptHTTP2: true}}
	res, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusOK {
		res.Body.Close()
		return nil, fmt.Errorf("open a watch: %s", res.Status)
	}
	return res.Body, nil
}
