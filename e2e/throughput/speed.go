package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
)

const namespace = "throughput"

// patience is how long events may take to arrive after the last write.
const patience = time.Minute

// configMaps makes the namespace and returns its client.
func configMaps(ctx context.Context, config *rest.Config) (typedcorev1.ConfigMapInterface, error) {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}
	if _, err := client.CoreV1().Namespaces().Create(ctx, ns, metav1.CreateOptions{}); err != nil {
		return nil, err
	}
	return client.CoreV1().ConfigMaps(namespace), nil
}

func name(n int) string { return fmt.Sprintf("object-%06d", n) }

func object(n int) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name(n), Labels: map[string]string{"app": "web"}},
		Data: map[string]string{"n": fmt.Sprint(n), "text": "a value of the size that a small setting has"}}
}

func patch(value int) []byte { return fmt.Appendf(nil, `{"data":{"n":"%d"}}`, value) }

// inParallel calls do for 0 to n-1 in so many goroutines and returns the first error and how long it took.
func inParallel(ctx context.Context, n, goroutines int, do func(int) error) (time.Duration, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	start := time.Now()
	var next atomic.Int64
	var all sync.WaitGroup
	for range goroutines {
		all.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := do(i); err != nil {
					cancel(err)
				}
			}
		})
	}
	all.Wait()
	return time.Since(start), context.Cause(ctx)
}

func measureSpeed(ctx context.Context, t *target, s settings) (*figures, error) {
	f := &figures{}
	f.add("start, s", "%.2f", t.ready.Seconds())
	f.add("memory, empty, MB", "%d", t.memory())
	client, err := configMaps(ctx, t.config)
	if err != nil {
		return nil, err
	}
	took, err := inParallel(ctx, s.objects, s.writers, func(n int) error {
		_, err := client.Create(ctx, object(n), metav1.CreateOptions{})
		return err
	})
	if err != nil {
		return nil, err
	}
	f.perSecond("creates a second", s.objects, took)
	update := func(value int) (time.Duration, error) {
		return inParallel(ctx, s.objects, s.writers, func(n int) error {
			_, err := client.Patch(ctx, name(n), types.MergePatchType, patch(value+n), metav1.PatchOptions{})
			return err
		})
	}
	if took, err = update(1_000_000); err != nil {
		return nil, err
	}
	f.perSecond("patches a second", s.objects, took)

	done, err := follow(ctx, client, s.watchers, s.objects)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	if took, err = update(2_000_000); err != nil {
		return nil, err
	}
	if err := done(); err != nil {
		return nil, err
	}
	f.perSecond(fmt.Sprintf("patches a second with %d watches", s.watchers), s.objects, took)
	f.perSecond(fmt.Sprintf("events delivered a second to %d watches", s.watchers), s.objects*s.watchers, time.Since(start))

	const lists = 10
	took, err = inParallel(ctx, lists, 1, func(int) error {
		got, err := client.List(ctx, metav1.ListOptions{})
		if err == nil && len(got.Items) != s.objects {
			err = fmt.Errorf("a list of %d objects, want %d", len(got.Items), s.objects)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	f.add(fmt.Sprintf("list of %d objects, ms", s.objects), "%.0f", took.Seconds()*1000/lists)
	f.add(fmt.Sprintf("memory with %d objects, MB", s.objects), "%d", t.memory())
	return f, nil
}

// follow opens so many watches; done waits until each has had so many events.
func follow(ctx context.Context, client typedcorev1.ConfigMapInterface, watches, events int) (done func() error, err error) {
	list, err := client.List(ctx, metav1.ListOptions{Limit: 1})
	if err != nil {
		return nil, err
	}
	errs := make(chan error, watches)
	for range watches {
		w, err := client.Watch(ctx, metav1.ListOptions{ResourceVersion: list.ResourceVersion})
		if err != nil {
			return nil, err
		}
		go func() {
			defer w.Stop()
			errs <- receive(w, events)
		}()
	}
	return func() error {
		late := time.After(patience)
		for range watches {
			select {
			case err := <-errs:
				if err != nil {
					return err
				}
			case <-late:
				return fmt.Errorf("after %s a watch still lacks events", patience)
			}
		}
		return nil
	}, nil
}

func receive(w watch.Interface, events int) error {
	for n := range events {
		e, ok := <-w.ResultChan()
		if !ok || e.Type != watch.Modified {
			return fmt.Errorf("a watch ended, or had %s, after %d of %d events", e.Type, n, events)
		}
	}
	return nil
}
