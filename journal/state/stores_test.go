package state_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"informerscope/journal"
	"informerscope/journal/state/document"
)

func TestStoresFoldInTheOrderOfHandingOut(t *testing.T) {
	f := newFeeder()
	put := func(store, key, rv, rank string) journal.Event {
		return journal.StorePut{Store: store, RV: rv, Rank: rank}.Event("", key)
	}
	f.feed(
		journal.StoreOpened{Store: "FIFO", Type: journal.OpenedQueue, How: "cache.NewFIFO"}.Event("", ""),
		journal.StoreOpened{Store: "TTL", Type: journal.OpenedStore, TTL: 10 * time.Second}.Event("", ""),
		put("FIFO", "a", "1", "02"), put("FIFO", "b", "2", "01"), put("FIFO", "c", "3", "01"),
		put("TTL", "b", "2", ""), put("TTL", "a", "1", ""),
	)
	f.now = epoch.Add(6 * time.Second)
	f.feed(put("TTL", "b", "4", ""), journal.StorePushed{Store: "TTL", Items: 2}.Event("", ""))
	old := f.pods()
	oldText := text(t, f.Snapshot(journal.View{}))
	got := shown(old, epoch.Add(11*time.Second)).Stores
	want := []document.Store{
		{Name: "FIFO", How: "cache.NewFIFO", Count: 3, Next: "b", NextOneOf: 2, Keys: []document.StoreKey{{Key: "b", ResourceVersion: "2"}, {Key: "c", ResourceVersion: "3"}, {Key: "a", ResourceVersion: "1"}}},
		{Name: "TTL", Count: 2, TTLSeconds: 10, Pushes: 1, PushSize: 2, Keys: []document.StoreKey{{Key: "a", ResourceVersion: "1", Expired: true}, {Key: "b", ResourceVersion: "4"}}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatal(d)
	}
	f.feed(
		put("FIFO", "a", "5", "00"), // a new rank takes the place of the old one
		journal.StoreDropped{Store: "FIFO", Why: journal.DroppedPopped}.Event("", "c"),
		journal.StoreDropped{Store: "TTL", Why: journal.DroppedExpired}.Event("", "a"),
		journal.StoreDropped{Store: "TTL", Why: journal.DroppedDeleted}.Event("", "x"),
		journal.StoreRefused{Store: "FIFO", Error: "Delete: object not found"}.Event("", ""),
	)
	got = shown(f.pods(), epoch.Add(11*time.Second)).Stores
	want = []document.Store{
		{Name: "FIFO", How: "cache.NewFIFO", Count: 2, Next: "a", Popped: 1, LastPopped: &document.StoreKey{Key: "c", ResourceVersion: "3"}, Errors: 1, LastError: "Delete: object not found",
			Keys: []document.StoreKey{{Key: "a", ResourceVersion: "5"}, {Key: "b", ResourceVersion: "2"}}},
		{Name: "TTL", Count: 1, TTLSeconds: 10, Pushes: 1, PushSize: 2, Expired: 1, Keys: []document.StoreKey{{Key: "b", ResourceVersion: "4"}}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatal(d)
	}
	if old.Stores.At(0).Len() != 3 || !strings.Contains(oldText, `"nextOneOf":2`) {
		t.Errorf("an old snapshot changed: %d, %s", old.Stores.At(0).Len(), oldText)
	}
}

func TestStoresAreNotInTheDocumentUnlessAskedFor(t *testing.T) {
	f := newFeeder()
	f.feed(journal.StoreAdded{}.Event("", "a"))
	b, err := json.Marshal(document.Of(f.Snapshot(journal.View{}), epoch))
	if err != nil || strings.Contains(string(b), "stores") {
		t.Errorf("%s, %v", b, err)
	}
}
