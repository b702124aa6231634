package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"informerscope/sandbox"
)

const (
	namespaces = 20
	// sentinel is the object whose reconcile ends a run.
	sentinel = "sentinel"
	writers  = 8
)

// server serves the objects and, at each line "update", changes them and then
// the sentinel.
func server(s settings) error {
	ctx := context.Background()
	srv, err := sandbox.Start(ctx, sandbox.Options{History: 2 * s.updates})
	if err != nil {
		return err
	}
	defer srv.Close()
	client, err := kubernetes.NewForConfig(srv.RESTConfig())
	if err != nil {
		return err
	}
	for i := range namespaces {
		ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace(i)}}
		if _, err := client.CoreV1().Namespaces().Create(ctx, ns, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	if err := parallel(s.objects, func(i int) error {
		_, err := client.CoreV1().Pods(namespace(i)).Create(ctx, pod(i), metav1.CreateOptions{})
		return err
	}); err != nil {
		return err
	}
	last := pod(0)
	last.Name = sentinel
	if _, err := client.CoreV1().Pods(namespace(0)).Create(ctx, last, metav1.CreateOptions{}); err != nil {
		return err
	}
	if err := quiet(ctx, client); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "informerscope-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	config := filepath.Join(dir, "kubeconfig")
	if err := srv.WriteKubeconfig(config); err != nil {
		return err
	}
	fmt.Println("serving", config)

	round := 0
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		round++
		patch := func(name string, i, n int) error {
			body := fmt.Sprintf(`{"metadata":{"annotations":{"bench/update":"%d.%d"}}}`, round, n)
			_, err := client.CoreV1().Pods(namespace(i)).Patch(ctx, name, types.MergePatchType, []byte(body), metav1.PatchOptions{})
			return err
		}
		if err := parallel(s.updates, func(n int) error { return patch(pod(n%s.objects).Name, n%s.objects, n) }); err != nil {
			return err
		}
		if err := patch(sentinel, 0, s.updates); err != nil {
			return err
		}
		fmt.Println("updated ok")
	}
	return nil
}

// quiet waits until the sandbox's controllers have nothing more to do with the
// pods: their writes would count as updates of the first round.
func quiet(ctx context.Context, client kubernetes.Interface) error {
	for last := ""; ; time.Sleep(3 * time.Second) {
		list, err := client.CoreV1().Pods("").List(ctx, metav1.ListOptions{Limit: 1})
		if err != nil || list.ResourceVersion == last {
			return err
		}
		last = list.ResourceVersion
	}
}

// parallel calls f(0) ... f(n-1) from some goroutines and returns the first
// error.
func parallel(n int, f func(int) error) error {
	var wg sync.WaitGroup
	errs := make(chan error, writers)
	for w := range writers {
		wg.Go(func() {
			for i := w; i < n; i += writers {
				if err := f(i); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	wg.Wait()
	select {
	case err := <-errs:
		return err
	default:
		return nil
	}
}

func namespace(i int) string { return "bench-" + strconv.Itoa(i%namespaces) }

// pod is as large as pods of real clusters are without managedFields.
func pod(i int) *corev1.Pod {
	name := fmt.Sprintf("web-7f9c6d5b8-%05d", i)
	env := make([]corev1.EnvVar, 12)
	for k := range env {
		env[k] = corev1.EnvVar{Name: fmt.Sprintf("SETTING_%d", k), Value: fmt.Sprintf("value-%d-%d", i, k)}
	}
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: name, Namespace: namespace(i),
			Labels:      map[string]string{"app": "web", "tier": "front", "pod-template-hash": "7f9c6d5b8"},
			Annotations: map[string]string{"prometheus.io/scrape": "true", "prometheus.io/port": "9090"},
		},
		Spec: corev1.PodSpec{
			NodeName: fmt.Sprintf("node-%d", i%50), ServiceAccountName: "web", RestartPolicy: corev1.RestartPolicyAlways,
			Containers: []corev1.Container{{
				Name: "web", Image: "registry.example/shop/web:1.27.3", Env: env,
				Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080}, {Name: "metrics", ContainerPort: 9090}},
				Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{
					corev1.ResourceCPU: resource.MustParse("100m"), corev1.ResourceMemory: resource.MustParse("128Mi"),
				}},
				VolumeMounts: []corev1.VolumeMount{{Name: "config", MountPath: "/etc/web", ReadOnly: true}},
			}},
			Volumes: []corev1.Volume{{Name: "config", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: "web"}}}}},
		},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, PodIP: "10.1.2.3"},
	}
}
