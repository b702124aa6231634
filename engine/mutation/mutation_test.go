package mutation

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/clock"

	"informerscope/journal"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func thing(kind, n string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"kind": kind, "apiVersion": "v1",
		"metadata": map[string]any{"name": "a", "resourceVersion": "5", "labels": map[string]any{"x.y/z": "1"}},
		"data":     map[string]any{"n": n},
		"list":     []any{"p", "q"},
	}}
}

func TestFirstChange(t *testing.T) {
	typed := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "one"}}}}
	for name, tt := range map[string]struct {
		obj    runtime.Object
		change func(runtime.Object)
		want   string
	}{
		"value": {thing("ConfigMap", "0"), func(o runtime.Object) { content(o)["data"].(map[string]any)["n"] = "1" }, `data.n: "0" -> "1"`},
		"added": {thing("ConfigMap", "0"), func(o runtime.Object) { content(o)["data"].(map[string]any)["m"] = "1" }, `data.m: (none) -> "1"`},
		"gone":  {thing("ConfigMap", "0"), func(o runtime.Object) { delete(content(o), "data") }, `data: {"n":"0"} -> (none)`},
		"element": {thing("ConfigMap", "0"), func(o runtime.Object) { content(o)["list"].([]any)[1] = "r" },
			`list[1]: "q" -> "r"`},
		"longer": {thing("ConfigMap", "0"), func(o runtime.Object) { content(o)["list"] = []any{"p", "q", "r"} }, `list[2]: (none) -> "r"`},
		"label with dots": {thing("ConfigMap", "0"), func(o runtime.Object) { o.(*unstructured.Unstructured).SetLabels(map[string]string{"x.y/z": "2"}) },
			`metadata.labels["x.y/z"]: "1" -> "2"`},
		"first of many":            {thing("ConfigMap", "0"), func(o runtime.Object) { content(o)["zz"] = "1"; content(o)["aa"] = "1" }, `aa: (none) -> "1"`},
		"typed":                    {typed, func(o runtime.Object) { o.(*corev1.Pod).Spec.Containers[0].Image = "two" }, `spec.containers[0].image: "one" -> "two"`},
		"Secret":                   {thing("Secret", "c2VjcmV0"), func(o runtime.Object) { content(o)["data"].(map[string]any)["n"] = "b3Blbg==" }, `data.n: (hidden) -> (hidden)`},
		"typed Secret":             {&corev1.Secret{Data: map[string][]byte{"n": []byte("x")}}, func(o runtime.Object) { o.(*corev1.Secret).Data["n"] = []byte("y") }, `data.n: (hidden) -> (hidden)`},
		"annotation":               {thing("ConfigMap", "0"), annotate("note", "1"), `metadata.annotations: (none) -> {"note":"1"}`},
		"annotations with a token": {thing("ConfigMap", "0"), annotate("my-token", "1"), `metadata.annotations: (hidden) -> (hidden)`},
		"token":                    {annotated("a.b/token", "0"), annotate("a.b/token", "1"), `metadata.annotations["a.b/token"]: (hidden) -> (hidden)`},
		"applied": {annotated("kubectl.kubernetes.io/last-applied-configuration", "{}"), annotate("kubectl.kubernetes.io/last-applied-configuration", "{x}"),
			`metadata.annotations["kubectl.kubernetes.io/last-applied-configuration"]: (hidden) -> (hidden)`},
		"long": {thing("ConfigMap", "0"), func(o runtime.Object) { content(o)["data"] = strings.Repeat("x", 100) },
			`data: {"n":"0"} -> "` + strings.Repeat("x", 59) + "..."},
	} {
		was := tt.obj.DeepCopyObject()
		tt.change(tt.obj)
		if same(tt.obj, was) {
			t.Errorf("%s: the change is not seen", name)
		}
		field, change := firstChange(was, tt.obj)
		if got := field + ": " + change; got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

func annotate(name, value string) func(runtime.Object) {
	return func(o runtime.Object) {
		o.(*unstructured.Unstructured).SetAnnotations(map[string]string{name: value})
	}
}

func annotated(name, value string) *unstructured.Unstructured {
	o := thing("ConfigMap", "0")
	annotate(name, value)(o)
	return o
}

func content(o runtime.Object) map[string]any { return o.(*unstructured.Unstructured).Object }

// A quantity caches its text when it is printed; that is no change.
func TestPrintingAnObjectIsNoMutation(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{CreationTimestamp: metav1.Now()}, Spec: corev1.PodSpec{Containers: []corev1.Container{{
		Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{"cpu": resource.MustParse("0.5")}},
	}}}}
	was := pod.DeepCopy()
	q := pod.Spec.Containers[0].Resources.Limits["cpu"]
	_ = q.String()
	pod.Spec.Containers[0].Resources.Limits["cpu"] = q
	if !same(pod, was) {
		t.Error("printing is taken for a mutation")
	}
}

// bubble runs a Detector on a journal.
func bubble(t *testing.T, body func(j *journal.Journal)) {
	synctest.Test(t, func(t *testing.T) {
		d := New(clock.RealClock{}, time.Second)
		j := journal.New(journal.Options{Fold: d.Observe})
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() { d.Run(ctx, j) })
		body(j)
		cancel()
		wg.Wait()
	})
}

// change is a handler that writes to a cached object, and returns.
func change(j *journal.Journal, obj *unstructured.Unstructured, v any) {
	obj.Object["data"].(map[string]any)["n"] = v
	j.Append(journal.HandlerDone{Listener: "careless"}.Event("configmaps", ""))
}

func mutations(j *journal.Journal) (all []string) {
	for v, i := j.View(), 0; i < v.Len(); i++ {
		if e := v.At(i); e.Kind == journal.KindStoreMutated {
			all = append(all, fmt.Sprintf("%s %s %s since %d rv %s", e.Key, e.StoreMutated().Field, e.StoreMutated().Change, e.StoreMutated().Since, e.RV))
		}
	}
	return all
}

func stored(kind journal.Kind, obj any) journal.Event {
	return journal.Event{Kind: kind, Resource: "configmaps", Key: "a", RV: "5", Object: obj}
}

func TestAChangeInPlaceIsToldOnceAPeriod(t *testing.T) {
	bubble(t, func(j *journal.Journal) {
		obj := thing("ConfigMap", "0")
		j.Append(journal.Paused{}.Event("", ""))
		j.Append(stored(journal.KindStoreAdded, obj))
		set := func(v string) { change(j, obj, v) }
		set("1")
		time.Sleep(3500 * time.Millisecond)
		synctest.Wait()
		set("2")
		time.Sleep(2 * time.Second)
		synctest.Wait()
		want := []string{`a data.n "0" -> "1" since 2 rv 5`, `a data.n "1" -> "2" since 2 rv 5`}
		if got := mutations(j); strings.Join(got, "; ") != strings.Join(want, "; ") {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

func TestAChangeIsFoundWhenTheObjectLeaves(t *testing.T) {
	for name, last := range map[string]journal.Event{
		"replaced": stored(journal.KindStoreUpdated, thing("ConfigMap", "9")),
		"deleted":  stored(journal.KindStoreDeleted, nil),
	} {
		bubble(t, func(j *journal.Journal) {
			obj := thing("ConfigMap", "0")
			j.Append(stored(journal.KindStoreAdded, obj))
			change(j, obj, "1")
			j.Append(last)
			synctest.Wait() // no time passes
			if got := mutations(j); len(got) != 1 || got[0] != `a data.n "0" -> "1" since 1 rv 5` {
				t.Errorf("%s: %q", name, got)
			}
			time.Sleep(5 * time.Second)
			synctest.Wait()
			if got := mutations(j); len(got) != 1 {
				t.Errorf("%s: told again: %q", name, got)
			}
		})
	}
}

func TestUntouchedObjectsAreNotToldAndAResyncKeepsTheirOrigin(t *testing.T) {
	bubble(t, func(j *journal.Journal) {
		obj := thing("ConfigMap", "0")
		j.Append(stored(journal.KindStoreAdded, obj))
		j.Append(stored(journal.KindStoreUpdated, obj)) // a resync
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if got := mutations(j); got != nil {
			t.Errorf("told without a change: %q", got)
		}
		change(j, obj, "1")
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if got := mutations(j); len(got) != 1 || !strings.HasSuffix(got[0], "since 1 rv 5") {
			t.Errorf("after a resync: %q", got)
		}
	})
}

// What JSON does not know cannot be copied: it is told, and let go.
func TestAChangeThatCannotBeCopiedIsToldOnce(t *testing.T) {
	bubble(t, func(j *journal.Journal) {
		obj := thing("ConfigMap", "0")
		j.Append(stored(journal.KindStoreAdded, obj))
		change(j, obj, struct{ X int }{1})
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if got := mutations(j); len(got) != 1 {
			t.Errorf("%q", got)
		}
	})
}
