package engine_test

import (
	"slices"
	"testing"
	"time"

	"informerscope/engine"
	"informerscope/engine/stores"
	"informerscope/journal"
	"informerscope/journal/state"
	"informerscope/journal/state/document"
)

func storeOf(r *state.Resource, name string) *state.Store {
	for i := range r.Stores.Len() {
		if s := r.Stores.At(i); s.Name == name {
			return s
		}
	}
	return &state.Store{}
}

func storeKeys(s *state.Store) []string {
	var keys []string
	for i := range s.Len() {
		keys = append(keys, s.At(i).Key)
	}
	return keys
}

// What the server sends while Pop is held shows what each type is: one stream,
// six pictures. Then each Pop of the pipeline lets each queue hand out one.
func TestStoresBesideThePipeline(t *testing.T) {
	specs, err := stores.Parse("all,heap=rv,ttl=1h")
	if err != nil {
		t.Fatal(err)
	}
	r := start(t, engine.Options{Stores: specs, Workers: 1})
	r.until("synced", drained)
	r.Pause()
	r.create("b")
	r.create("a")
	r.update("b", "2")
	r.create("gone")
	r.remove("gone")
	for i := range 5 {
		r.step(journal.StageReflector)
		r.until("the event in the queue", func(x *state.Resource) bool { return x.FIFO.Deltas() == i+1 })
	}
	res := r.Snapshot().Resource("configmaps")
	for name, want := range map[string][]string{
		"Store": {"default/a", "default/b"}, "UndeltaStore": {"default/a", "default/b"}, "ExpirationCache": {"default/a", "default/b"},
		"FIFO": {"default/b", "default/a"}, "DeltaFIFO": {"default/b", "default/a", "default/gone"}, "Heap by RV": {"default/a", "default/b"},
	} {
		if got := storeKeys(storeOf(res, name)); !slices.Equal(got, want) {
			t.Errorf("%s holds %v, want %v", name, got, want)
		}
	}
	// Five changes and the Replace of the (empty) first list.
	if u := storeOf(res, "UndeltaStore"); u.Pushes != 6 || u.PushSize != 2 {
		t.Errorf("%d pushes, the last of %d", u.Pushes, u.PushSize)
	}
	r.step(journal.StageFIFO)
	res = r.until("popped", func(x *state.Resource) bool { return storeOf(x, "Heap by RV").Popped == 1 })
	for name, want := range map[string]string{"FIFO": "default/b", "DeltaFIFO": "default/b", "Heap by RV": "default/a"} {
		if s := storeOf(res, name); s.Popped != 1 || s.LastPopped.Key != want {
			t.Errorf("%s popped %d, the last %s; want one, %s", name, s.Popped, s.LastPopped.Key, want)
		}
	}
	r.Resume()
	res = r.until("drained", drained)
	d := document.Of(r.Snapshot(), time.Now()).Resources[0]
	if len(d.Stores) != 6 || d.Stores[0].Name != "Store" || d.Stores[0].Count != 2 {
		t.Errorf("the document's stores: %+v", d.Stores)
	}
	for _, name := range []string{"FIFO", "DeltaFIFO", "Heap by RV"} {
		if s := storeOf(res, name); s.Len() != 0 {
			t.Errorf("%s still holds %v", name, storeKeys(s))
		}
	}
}

func TestNoStoresUnlessAskedFor(t *testing.T) {
	r := start(t, engine.Options{})
	r.create("a")
	res := r.until("drained", func(x *state.Resource) bool { return x.Indexer.Len() == 1 })
	if n := res.Stores.Len(); n != 0 {
		t.Errorf("%d stores", n)
	}
}
