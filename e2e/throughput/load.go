package main

import (
	"bytes"
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
	slow, err := openWatch(ctx, t.config)
	if err != nil {
		return nil, err
	}
	defer slow.Close()
	counters, err := countEvents(ctx, t.config, s.watchers)
	if err != nil {
		return nil, err
	}
	defer counters.close()
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
	whole := counters.wait(writes)
	f.perSecond(fmt.Sprintf("writes a second, of %d wanted", s.rate), writes, took)
	f.add(fmt.Sprintf("of %d watches so many had all events", s.watchers), "%d", whole)
	f.add("the last event came after the last write, s", "%.2f", (time.Since(start) - took).Seconds())
	f.add("slowest write, ms", "%d", time.Duration(worst.Load()).Milliseconds())
	f.add("memory at the start, in the middle, at the end, MB", "%d, %d, %d", before, middle, t.memory())
	return f, nil
}

// openWatch opens a watch from now on, on a connection of its own.
func openWatch(ctx context.Context, config *rest.Config) (io.ReadCloser, error) {
	// rest.TransportFor would share the connection of other watches.
	tlsConfig, err := rest.TLSConfigFor(config)
	if err != nil {
		return nil, err
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: tlsConfig, ForceAttemptHTTP2: true}}
	path := config.Host + "/api/v1/namespaces/" + namespace + "/configmaps?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan"
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, path, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+config.BearerToken)
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

// counters are watches whose events are counted and not decoded: it is the server's speed that is measured.
type counters struct {
	streams []io.Closer
	// seen is how many events each watch had.
	seen []atomic.Int64
}

func countEvents(ctx context.Context, config *rest.Config, watches int) (*counters, error) {
	c := &counters{seen: make([]atomic.Int64, watches)}
	for i := range watches {
		stream, err := openWatch(ctx, config)
		if err != nil {
			c.close()
			return nil, err
		}
		c.streams = append(c.streams, stream)
		go func() {
			buffer := make([]byte, 64<<10)
			for {
				n, err := stream.Read(buffer)
				// An event is a line.
				c.seen[i].Add(int64(bytes.Count(buffer[:n], []byte("\n"))))
				if err != nil {
					return
				}
			}
		}()
	}
	return c, nil
}

// wait returns how many watches have had so many events, when all have or nothing has come for a while.
func (c *counters) wait(events int) (whole int) {
	last, since := int64(-1), time.Now()
	for tick := range time.Tick(10 * time.Millisecond) {
		total := int64(0)
		whole = 0
		for i := range c.seen {
			n := c.seen[i].Load()
			if total += n; n >= int64(events) {
				whole++
			}
		}
		if total != last {
			last, since = total, tick
		}
		if whole == len(c.seen) || tick.Sub(since) > 5*time.Second {
			break
		}
	}
	return whole
}

func (c *counters) close() {
	for _, s := range c.streams {
		s.Close()
	}
}
