package inspector

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"informerscope/e2e/cluster"
)

// manyObjects is how many objects TestManyObjects makes.
const manyObjects = 10000

// All of ten thousand objects are in the cache, with each client and each queue.
func TestManyObjects(t *testing.T) {
	c := cluster.Shared(t)
	informerscope(t) // built before the times are taken
	ns := namespace(t, c)
	client, err := kubernetes.NewForConfig(c.Config(cluster.Admin))
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	createMany(t, client, ns)
	cluster.Report(t, "inspector: %d objects made in %s", manyObjects, time.Since(start).Round(time.Millisecond))
	for _, args := range [][]string{
		{}, {"--client", "typed"}, {"--client", "metadata"}, {"--client", "rest"}, {"--fifo", "inorder"}, {"--fifo", "atomic"},
		{"--compare", "delta,atomic"},
	} {
		t.Run(fmt.Sprint(args), func(t *testing.T) {
			start := time.Now()
			out := runOnce(t, c, cluster.Admin, append([]string{"configmaps", "-n", ns, "-o", "json", "--until", "drained", "--timeout", patience.String()}, args...)...)
			if out.code != 0 {
				t.Fatalf("exit code %d: %s", out.code, out.stderr)
			}
			var snapshot struct {
				Resources []struct {
					Indexer   struct{ Count int }
					Workqueue struct{ Queue []any }
				}
				Divergences int
			}
			if err := json.Unmarshal([]byte(out.stdout), &snapshot); err != nil {
				t.Fatal(err)
			}
			if len(snapshot.Resources) == 0 {
				t.Fatal("no resource in the snapshot")
			}
			for _, r := range snapshot.Resources {
				if r.Indexer.Count != manyObjects || len(r.Workqueue.Queue) != 0 {
					t.Errorf("%d objects in the Indexer, %d keys queued", r.Indexer.Count, len(r.Workqueue.Queue))
				}
			}
			if snapshot.Divergences != 0 {
				t.Errorf("%d divergences", snapshot.Divergences)
			}
			cluster.Report(t, "inspector: %v: from start to the end of the work %s", args, time.Since(start).Round(time.Millisecond))
		})
	}
	// Left behind, they would slow every later watch over all namespaces.
	if err := client.CoreV1().ConfigMaps(ns).DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
		t.Error(err)
	}
}

func createMany(t *testing.T, client kubernetes.Interface, ns string) {
	t.Helper()
	numbers := make(chan int)
	var writers sync.WaitGroup
	for range 16 {
		writers.Go(func() {
			for n := range numbers {
				cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("many-%05d", n)}, Data: map[string]string{"n": fmt.Sprint(n)}}
				if _, err := client.CoreV1().ConfigMaps(ns).Create(t.Context(), cm, metav1.CreateOptions{}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for n := range manyObjects {
		numbers <- n
	}
	close(numbers)
	writers.Wait()
}
