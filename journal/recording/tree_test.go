package recording

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// kubernetesJSON draws values as they are in objects, with names from so few
// that patterns are met again, and from so many that some are not.
func kubernetesJSON(names *rapid.Generator[string]) *rapid.Generator[any] {
	return rapid.Deferred(func() *rapid.Generator[any] {
		leaf := rapid.OneOf(
			rapid.Just[any](nil), rapid.Map(rapid.String(), func(s string) any { return s }), rapid.Map(rapid.Bool(), func(b bool) any { return b }),
			rapid.Map(rapid.Int64Range(-1<<53, 1<<53), func(n int64) any { return n }),
			rapid.Map(rapid.Float64Range(-1e20, 1e20), func(f float64) any { return f }),
		)
		deeper := kubernetesJSON(names)
		return rapid.OneOf(leaf,
			rapid.Map(rapid.MapOfN(names, deeper, 0, 4), func(m map[string]any) any { return m }),
			rapid.Map(rapid.SliceOfN(deeper, 0, 3), func(l []any) any { return l }),
		)
	})
}

// What is written reads as what it was, and the same tree is written the same
// way before and after its pattern was learned.
func TestTreesAreWrittenAsJSON(t *testing.T) {
	names := rapid.OneOf(rapid.SampledFrom([]string{"a", "b", "c", `k:{"name":"x"}`, "é", "\x01", `\`}), rapid.StringN(0, 3, 12))
	rapid.Check(t, func(t *rapid.T) {
		var w trees
		for range rapid.IntRange(1, 12).Draw(t, "objects") {
			tree := rapid.MapOfN(names, kubernetesJSON(names), 0, 5).Draw(t, "tree")
			tree["kind"] = rapid.SampledFrom([]string{"Pod", "Node"}).Draw(t, "kind")
			got, err := w.append(nil, tree)
			if err != nil {
				t.Fatal(err)
			}
			again, _ := w.append(nil, tree)
			new, _ := new(trees).append(nil, tree)
			if string(again) != string(got) || string(new) != string(got) {
				t.Fatalf("%s\nthen\n%s\nby another\n%s", got, again, new)
			}
			want, err := json.Marshal(tree)
			if err != nil {
				t.Fatal(err)
			}
			if a, b := decode(t, got), decode(t, want); !reflect.DeepEqual(a, b) {
				t.Fatalf("%s\nwant\n%s", got, want)
			}
		}
	})
}

func decode(t *rapid.T, b []byte) (v any) {
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	return v
}

// What it remembers has an end, whatever it is given.
func TestTreesRememberSoMuch(t *testing.T) {
	var w trees
	for i := range 3 * allPatterns {
		name := strconv.Itoa(i)
		tree := map[string]any{"kind": strconv.Itoa(i % (2 * allKinds)), name: map[string]any{name: map[string]any{name: "x"}}}
		if _, err := w.append(nil, tree); err != nil {
			t.Fatal(err)
		}
	}
	if len(w.kinds) != allKinds || w.learned > allPatterns {
		t.Errorf("%d kinds, %d patterns", len(w.kinds), w.learned)
	}
}

// An object that cannot be written leaves nothing behind.
func TestTreesAfterAnError(t *testing.T) {
	var w trees
	bad := map[string]any{"kind": "Pod", "a": "1", "b": []any{map[string]any{"c": make(chan int)}}}
	for range 2 {
		if _, err := w.append(nil, bad); err == nil {
			t.Fatal("a channel was written")
		}
	}
	good := map[string]any{"kind": "Pod", "a": "1", "b": []any{map[string]any{"c": int64(3)}}}
	if b, err := w.append(nil, good); err != nil || string(b) != `{"a":"1","b":[{"c":3}],"kind":"Pod"}` {
		t.Errorf("%s %v", b, err)
	}
	for _, v := range w.values[:cap(w.values)] {
		if m, ok := v.(map[string]any); ok && m["c"] != int64(3) {
			t.Errorf("it holds %v", v)
		}
	}
}

// The same pods, with and without what was learned from those before.
func BenchmarkAppendObject(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	var pods []map[string]any
	for i := range 500 {
		tree := pod(r, i, i).Object
		tree["metadata"].(map[string]any)["managedFields"] = []any{managed("kubectl", "spec"), managed("kubelet", "status")}
		pods = append(pods, tree)
	}
	var out []byte
	for _, side := range []struct {
		name  string
		write func(i int)
	}{
		{"learned", func() func(int) {
			var w trees
			return func(i int) { out, _ = w.append(out[:0], pods[i%len(pods)]) }
		}()},
		{"plain", func(i int) { out, _ = new(trees).appendValue(out[:0], pods[i%len(pods)], nil) }},
	} {
		b.Run(side.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := range b.N {
				side.write(i)
			}
			b.SetBytes(int64(len(out)))
		})
	}
}

// managed is an entry of managedFields.
func managed(by, part string) map[string]any {
	none := map[string]any{}
	return map[string]any{"manager": by, "operation": "Update", "apiVersion": "v1", "time": "2026-05-01T10:00:00Z", "fieldsType": "FieldsV1",
		"fieldsV1": map[string]any{
			"f:metadata": map[string]any{"f:labels": map[string]any{".": none, "f:app": none, "f:tier": none}},
			"f:" + part: map[string]any{"f:restartPolicy": none, `k:{"name":"web"}`: map[string]any{".": none, "f:image": none, "f:name": none,
				"f:ports": map[string]any{`k:{"containerPort":8080,"protocol":"TCP"}`: map[string]any{".": none, "f:containerPort": none}}}},
		}}
}
