package recording

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/cache"
	"pgregory.net/rapid"

	"informerscope/journal"
	"informerscope/journal/object"
	"informerscope/journal/state"
)

var update = flag.Bool("update", false, "write testdata/golden.rec and its texts anew; only when the format has a new major version")

// anyEvent draws an event of any shape, with objects out of a few.
func anyEvent(objects []any) *rapid.Generator[journal.Event] {
	text := rapid.OneOf(rapid.SampledFrom([]string{"", "", "pods", "x/a", "x/b", "namespace", "10", "\xff\x00"}), rapid.String())
	number := rapid.OneOf(rapid.SampledFrom([]int64{0, 0, 1, -1, math.MaxInt64, math.MinInt64}), rapid.Int64())
	obj := rapid.Custom(func(t *rapid.T) any {
		one := rapid.SampledFrom(objects).Draw(t, "object")
		switch rapid.IntRange(0, 9).Draw(t, "as") {
		case 0:
			return cache.DeletedFinalStateUnknown{Key: text.Draw(t, "key"), Obj: one}
		case 1:
			return &cache.DeletedFinalStateUnknown{Key: "x/a", Obj: one}
		case 2:
			return rapid.SliceOfN(rapid.SampledFrom(objects), 0, 5).Draw(t, "list")
		case 3:
			return cache.DeletedFinalStateUnknown{Key: "x/a"}
		}
		return one
	})
	return rapid.Custom(func(t *rapid.T) journal.Event {
		e := journal.Event{
			Kind:     journal.Kind(rapid.IntRange(0, len(journal.Kinds())).Draw(t, "kind")),
			Flags:    journal.Flag(rapid.Byte().Draw(t, "flags")),
			Resource: text.Draw(t, "resource"), Key: text.Draw(t, "key"), RV: text.Draw(t, "rv"), Dur: time.Duration(number.Draw(t, "dur")),
		}.WithRaw(journal.Raw{
			Type: text.Draw(t, "type"), Name: text.Draw(t, "name"), Text: text.Draw(t, "text"), N: number.Draw(t, "n"), M: number.Draw(t, "m"),
		})
		if rapid.Bool().Draw(t, "objects") {
			e.Object = obj.Draw(t, "object")
		}
		if rapid.Bool().Draw(t, "olds") {
			e.Old = obj.Draw(t, "old")
		}
		for range rapid.IntRange(0, 3).Draw(t, "changes") {
			e.Changes = append(e.Changes, journal.IndexChange{Index: text.Draw(t, "index"), Value: text.Draw(t, "value"), Added: rapid.Bool().Draw(t, "added")})
		}
		return e
	})
}

// loaded is v with objects in the place of what loads them.
func loaded(v any) any {
	switch t := v.(type) {
	case cache.DeletedFinalStateUnknown:
		return cache.DeletedFinalStateUnknown{Key: t.Key, Obj: loaded(t.Obj)}
	case *cache.DeletedFinalStateUnknown:
		return &cache.DeletedFinalStateUnknown{Key: t.Key, Obj: loaded(t.Obj)}
	case []any:
		list := make([]any, len(t))
		for i := range t {
			list[i] = loaded(t[i])
		}
		return list
	}
	return object.Load(v)
}

// Events of any shape come back as they are.
func TestEventsOfAnyShapeComeBack(t *testing.T) {
	objects := []any{thing("a", "1"), thing("b", "2"), thing("c", "3")}
	rapid.Check(t, func(t *rapid.T) {
		w := newObjectWriter(false, false)
		b := newBlockWriter(w.number)
		seq := rapid.Uint64Range(1, 1<<40).Draw(t, "seq")
		at := time.Unix(0, rapid.Int64().Draw(t, "time"))
		var want []journal.Event
		for i, e := range rapid.SliceOfN(anyEvent(objects), 1, 20).Draw(t, "events") {
			e.Seq, e.Time = seq+uint64(i), at
			at = time.Unix(0, at.UnixNano()+rapid.Int64().Draw(t, "later"))
			want = append(want, e)
			w.note(&e)
			b.add(&e)
		}
		texts, err := cutObjects(w.append(nil), uint32(w.collected()))
		if err != nil {
			t.Fatal(err)
		}
		r, err := newBlockReader(frame{number: b.first, time: b.start, count: uint32(b.count)}, b.append(nil), (&Header{Kinds: kindNames(), Flags: flagNames}).names(),
			func(n uint64) any { return readObject(texts[n-1]) })
		if err != nil {
			t.Fatal(err)
		}
		var e journal.Event
		for _, w := range want {
			if !r.next(&e) {
				t.Fatalf("event %d is missing: %v", w.Seq, r.Err())
			}
			e.Object, e.Old = loaded(e.Object), loaded(e.Old)
			if nanoseconds(w.Time) != nanoseconds(e.Time) {
				t.Fatalf("time %v, want %v", e.Time, w.Time)
			}
			if w.Time = e.Time; !reflect.DeepEqual(e, w) {
				t.Fatalf("%+v\nwant\n%+v", e, w)
			}
		}
		if r.next(&e) || r.Err() != nil {
			t.Fatalf("more than there was: %v", r.Err())
		}
	})
}

// Objects of all clients look as they did.
func TestObjectsLookAsTheyDid(t *testing.T) {
	strange := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "example.com/v1", "kind": "Strange", "metadata": map[string]any{"name": "é<&>\"\\\n\u2028", "resourceVersion": "5"},
		"n": []any{int64(math.MaxInt64), int64(-1), 0.5, 3.0, 1e300, true, nil, "", map[string]any{}, []any{}},
	}}
	for name, obj := range map[string]any{
		"unstructured":  strange,
		"typed":         &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop", ResourceVersion: "7"}, Spec: corev1.PodSpec{NodeName: "n"}},
		"typed, named":  &corev1.ConfigMap{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}, Data: map[string]string{"a": "b"}},
		"metadata only": &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "web", ResourceVersion: "7"}},
		"typed Secret":  &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "s"}, Data: map[string][]byte{"password": []byte("hunter2")}},
		"Secret":        secret(),
	} {
		got := readObject(new(encoder).append(nil, obj))
		g, w := object.YAML(got, object.Options{}), object.YAML(obj, object.Options{})
		if strings.Join(g, "\n") != strings.Join(w, "\n") {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(g, "\n"), strings.Join(w, "\n"))
		}
		if object.RV(got) != object.RV(obj) || object.Key(got) != object.Key(obj) {
			t.Errorf("%s: %s@%s", name, object.Key(got), object.RV(got))
		}
	}
	for name, obj := range map[string]any{"channel": make(chan int), "in an object": &unstructured.Unstructured{Object: map[string]any{"x": make(chan int)}}} {
		if got := object.YAML(readObject(new(encoder).append(nil, obj)), object.Options{}); len(got) != 1 || !strings.Contains(got[0], "could not be recorded") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

const jwt = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzeXN0ZW0ifQ.c2lnbmF0dXJl"

func secret() *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Secret",
		"metadata":   map[string]any{"name": "s", "annotations": map[string]any{"note": "stays"}},
		"data":       map[string]any{"password": "aHVudGVyMg=="},
		"stringData": map[string]any{"other": "hunter3"},
	}}
}

// What must not leave the cluster is not in the file, in no form.
func TestSecretValuesAreNotInTheFile(t *testing.T) {
	applied := "kubectl.kubernetes.io/last-applied-configuration"
	typed := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "t", Annotations: map[string]string{applied: `{"data":{"a":"hunter4"}}`}},
		Data: map[string][]byte{"password": []byte("hunter5")}, StringData: map[string]string{"x": "hunter6"}}
	config := thing("c", "1")
	config.SetAnnotations(map[string]string{
		applied: `{"x":"hunter7"}`, "vault/token": "hunter8", "db-Password": "hunter9", "example.com/client-secret": "hunter10",
		"header": "Bearer hunter11hunter11", "session": jwt, "note": "stays", "count": "12",
	})
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", Annotations: map[string]string{"my-token": "hunter12", "note": "stays"}}}
	meta := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "m", Annotations: map[string]string{applied: `{"data":{"a":"hunter13"}}`}}}
	all := []any{secret(), typed, config, pod, meta}
	leaks := func(b []byte) (found []string) {
		for i := 2; i <= 13; i++ {
			if strings.Contains(string(b), fmt.Sprint("hunter", i)) {
				found = append(found, fmt.Sprint("hunter", i))
			}
		}
		for _, s := range []string{"aHVudGVyMg==", "aHVudGVyNQ==", jwt} {
			if bytes.Contains(b, []byte(s)) {
				found = append(found, s)
			}
		}
		return found
	}
	for _, obj := range all {
		was := object.YAML(obj, object.Options{Unmask: true})
		b := new(encoder).append(nil, obj)
		if found := leaks(b); found != nil {
			t.Errorf("%s: %q is in it", b, found)
		}
		if _, isMeta := obj.(*metav1.PartialObjectMetadata); !isMeta && obj != any(typed) && !bytes.Contains(b, []byte(`"note":"stays"`)) {
			t.Errorf("%s: too much is hidden", b)
		}
		if now := object.YAML(obj, object.Options{Unmask: true}); strings.Join(now, "\n") != strings.Join(was, "\n") {
			t.Errorf("the object itself was changed: %q", now)
		}
		if found := leaks((&encoder{unmask: true}).append(nil, obj)); found == nil {
			t.Errorf("unmasked, nothing is in it: %s", (&encoder{unmask: true}).append(nil, obj))
		}
	}
}

func TestARecordingWithoutObjects(t *testing.T) {
	s := newSource(journal.Options{})
	r := begin(t, s, Options{NoObjects: true})
	s.life("a", 1)
	s.journal.Append(journal.FIFOEnqueued{Type: "ReplacedAll", Deltas: 1}.Event("configmaps", "").With([]any{thing("a", "2")}, nil))
	wait(t, s, r)
	want := text(t, s.Snapshot())
	seq := s.journal.View().Last()
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	f := reopen(t, r.Stats().Path)
	if h := f.Header(); h.Objects || !h.Masked || len(f.objects) != 0 {
		t.Errorf("header %+v, %d blocks of objects", h, len(f.objects))
	}
	f.Scan(t.Context(), 1, seq, func(e *journal.Event) bool {
		if list, ok := e.Object.([]any); e.Old != nil || e.Object != nil && (!ok || list[0] != nil) {
			t.Errorf("event %d has an object", e.Seq)
		}
		return true
	})
	st, err := f.At(seq)
	if err != nil || text(t, st) != want {
		t.Errorf("%v, %v", text(t, st), err)
	}
}

// An object that was changed in place is recorded as it was, and as it is.
func TestAMutatedObjectIsRecordedAgain(t *testing.T) {
	s := newSource(journal.Options{})
	r := begin(t, s, Options{})
	obj := thing("a", "1")
	stored := s.journal.Append
	stored(journal.StoreAdded{RV: "1"}.Event("configmaps", "shop/a").With(obj, nil))
	wait(t, s, r)
	was := obj.DeepCopy()
	obj.Object["data"] = map[string]any{"n": "changed"}
	stored(journal.StoreMutated{Field: "data.n"}.Event("configmaps", "shop/a").With(obj, was))
	stored(journal.ReconcileStarted{}.Event("configmaps", "shop/a").With(obj, nil))
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	f := reopen(t, r.Stats().Path)
	var got []any
	f.Scan(t.Context(), 1, 10, func(e *journal.Event) bool {
		if u, ok := object.Load(e.Object).(*unstructured.Unstructured); ok {
			got = append(got, u.Object["data"].(map[string]any)["n"])
		}
		return true
	})
	if fmt.Sprint(got) != "[1 changed changed]" {
		t.Errorf("%v", got)
	}
}

// A recording of the first version opens for ever.
func TestGoldenRecordingOpens(t *testing.T) {
	path := filepath.Join("testdata", "golden.rec")
	if *update {
		file, events := small(t)
		for name, b := range map[string][]byte{"golden.rec": file, "golden.events": []byte(strings.Join(events, "\n") + "\n")} {
			if err := os.WriteFile(filepath.Join("testdata", name), b, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	want, err := os.ReadFile(filepath.Join("testdata", "golden.events"))
	if err != nil {
		t.Fatal(err)
	}
	f := reopen(t, path)
	if f.Lost() != "" {
		t.Error(f.Lost())
	}
	var got []byte
	var rvs []string
	if err := f.Scan(t.Context(), 1, 1<<62, func(e *journal.Event) bool {
		got = append(e.AppendJSON(got), '\n')
		if e.Kind == journal.KindStoreUpdated {
			rvs = append(rvs, object.RV(e.Object))
		}
		return true
	}); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if fmt.Sprint(rvs) != "[0 1 2 3 4 5]" {
		t.Errorf("objects of versions %v", rvs)
	}
	// The state does not need a keyframe that this program can read.
	fold := state.NewWith(f.Header().Thresholds)
	f.Scan(t.Context(), 1, 70, func(e *journal.Event) bool {
		fold.Apply(e)
		return true
	})
	st, err := f.At(70)
	if err != nil {
		t.Fatal(err)
	}
	if g, w := hash(st), hash(fold.Snapshot(journal.View{})); g != w {
		t.Errorf("the state after event 70 is another")
	}
}
