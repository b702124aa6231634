package world

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/rest"
	"informerscope/sandbox/store"
)

const hats = `{"metadata":{"name":"hats.example.com"},"spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"hats","singular":"hat","kind":"Hat","listKind":"HatList"},
	"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","description":"A hat."}}}]}}`

func TestChangedDefinitionEndsTheWatchesThatWereOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, w := testWorld(Options{})
		if err := w.Populate(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { w.Run(ctx) })
		defer running.Wait()
		defer cancel()
		if _, _, err := w.api.Create(kinds.Definitions, "", []byte(hats), rest.Options{}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second) // of the bubble: until it is established, and what that may have planned
		hat := s.Catalog().Lookup(schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "hats"})
		if hat == nil {
			t.Fatal("hats are not served")
		}
		open := func() *store.WatchStart {
			start, err := s.Watch(hat, "", 0, true, false)
			if err != nil {
				t.Fatal(err)
			}
			return start
		}
		patch := func(body string) {
			r := store.Ref{Kind: kinds.Definitions, Name: "hats.example.com"}
			if _, _, err := w.api.Patch(ctx, r, "", types.MergePatchType, []byte(body), rest.Options{}); err != nil {
				t.Fatal(err)
			}
		}
		first := open()
		patch(`{"metadata":{"labels":{"a":"b"}}}`)
		time.Sleep(time.Minute)
		if first.Ended().Err() != nil {
			t.Error("a change of metadata ended a watch")
		}
		patch(fmt.Sprintf(`{"spec":{"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","description":%q}}}]}}`, "Another hat."))
		second := open()
		time.Sleep(999 * time.Millisecond)
		if first.Ended().Err() != nil {
			t.Error("the watch ended within a second")
		}
		time.Sleep(time.Minute)
		if first.Ended().Err() == nil {
			t.Error("the watch that was open when the definition changed goes on")
		}
		if second.Ended().Err() != nil {
			t.Error("a watch that began after the change ended")
		}
	})
}
