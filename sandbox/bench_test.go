package sandbox

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"informerscope/sandbox/kinds"
)

func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		s, err := Start(context.Background(), Options{Objects: 60, Seed: 1})
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		s.Close()
		b.StartTimer()
	}
}

// BenchmarkList is a LIST over HTTPS of all of 10,000 objects that are pods.
func BenchmarkList(b *testing.B) {
	s := start(b, Options{Objects: 10_000, Seed: 1})
	w := newWire(b, s)
	b.ReportAllocs()
	for b.Loop() {
		resp := w.send("GET", "/api/v1/pods", "", "Accept-Encoding", "identity")
		n, err := io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(n)
	}
}

// BenchmarkCreateOverHTTPS is a typed client's create, with validation, defaults and the answer.
func BenchmarkCreateOverHTTPS(b *testing.B) {
	s := start(b, Options{})
	c := clientset(b, s).CoreV1().ConfigMaps("default")
	i := 0
	for b.Loop() {
		i++
		if _, err := c.Create(context.Background(), configMap(fmt.Sprint("c", i), nil), metav1.CreateOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkWatchFanOut is one write that 100 watches over HTTPS receive.
func BenchmarkWatchFanOut(b *testing.B) {
	const watchers = 100
	s := start(b, Options{})
	w := newWire(b, s)
	w.ctx = context.Background()
	o, err := s.store.Create(kinds.ConfigMaps, map[string]any{"metadata": map[string]any{"namespace": "default", "name": "a"}})
	if err != nil {
		b.Fatal(err)
	}
	got := make(chan bool, watchers)
	for range watchers {
		resp := w.send("GET", fmt.Sprintf("%s?watch=1&resourceVersion=%d", cms, o.RV()), "")
		defer resp.Body.Close()
		go func() {
			r := bufio.NewReader(resp.Body)
			for {
				line, err := r.ReadBytes('\n')
				if err != nil || !bytes.HasPrefix(line, []byte(`{"type":"MODIFIED"`)) {
					return
				}
				got <- true
			}
		}()
	}
	b.ReportAllocs()
	for b.Loop() {
		if o, err = s.store.Swap(o, o.Content()); err != nil {
			b.Fatal(err)
		}
		for range watchers {
			<-got
		}
	}
	b.ReportMetric(float64(watchers)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkPatchOverHTTPS is a merge patch of a pod that a client made, so that managedFields are kept: 8 writers.
func BenchmarkPatchOverHTTPS(b *testing.B) {
	s := start(b, Options{})
	c := clientset(b, s).CoreV1().Pods("default")
	for i := range 64 {
		if _, err := c.Create(context.Background(), plainPod(fmt.Sprint("p", i)), metav1.CreateOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	var n atomic.Int64
	b.SetParallelism(4)
	b.ReportAllocs()
	b.ResetTimer()
	began := cpuTime()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			i := n.Add(1)
			body := fmt.Appendf(nil, `{"metadata":{"annotations":{"bench/update":"%d"}}}`, i)
			if _, err := c.Patch(context.Background(), fmt.Sprint("p", i%64), types.MergePatchType, body, metav1.PatchOptions{}); err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "patches/s")
	b.ReportMetric(float64((cpuTime()-began).Microseconds())/float64(b.N), "cpu-µs/op")
}

// cpuTime is what the process has used of the processors, client and server alike: it does not depend on what else runs.
func cpuTime() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// plainPod is a pod as a user writes it.
func plainPod(name string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": "web", "tier": "front"}},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "i",
			Ports: []corev1.ContainerPort{{ContainerPort: 80}},
			Env:   []corev1.EnvVar{{Name: "A", Value: "1"}, {Name: "B", Value: "2"}},
			Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{
				corev1.ResourceCPU: resource.MustParse("100m"), corev1.ResourceMemory: resource.MustParse("64Mi")}}}}}}
}
