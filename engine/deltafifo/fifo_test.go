package deltafifo

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"informerscope/engine/gate"
)

func ignore(any, bool) error { return nil }

// scripted is a glass over a known store, with what its Pops said.
type scripted struct {
	*FIFO
	r     *recorded
	known *ordered
}

func script(o Options) *scripted {
	s := &scripted{r: record(), known: newOrdered()}
	o.Resource, o.Journal, o.Known, o.Logger = "pods", s.r.Journal, s.known, quiet()
	s.FIFO = New(o)
	return s
}

// drain pops everything and prints it in order of the queue.
func (s *scripted) drain(t *testing.T) string {
	t.Helper()
	var all []string
	for len(s.Snapshot()) > 0 {
		want := keysText(s.Snapshot()[:1])
		item, err := s.Pop(func(obj any, _ bool) error { return s.known.store(obj.(cache.Deltas)) })
		if err != nil {
			t.Fatal(err)
		}
		key, _ := s.KeyOf(item)
		got := key + deltasText(item)
		if got != want {
			t.Errorf("popped %s, the snapshot said %s", got, want)
		}
		all = append(all, got)
		agree(t, s.FIFO, s.r)
	}
	return strings.Join(all, " ")
}

// E5: DeltaFIFO loses the order across keys.
func TestDeltasOfOneKeyArePoppedTogether(t *testing.T) {
	s := script(Options{})
	_ = s.Update(pod("a", "10"))
	_ = s.Update(pod("b", "11"))
	_ = s.Update(pod("a", "12"))
	if got, want := s.drain(t), "a[Updated@10 Updated@12] b[Updated@11]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// E6, column delta.
func TestReplaceDeletesWhatTheQueueAndTheStoreHaveBesideIt(t *testing.T) {
	s := script(Options{})
	s.known.set("a", pod("a", "5"))
	s.known.set("b", pod("b", "11"))
	_ = s.Add(pod("c", "13"))
	seq := s.r.View().Last()
	if err := s.Replace([]any{pod("a", "14")}, "14"); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"replace @14 1/0",
		"enqueued a Replaced@14 1/2",
		"enqueued c Deleted@13 tombstone 2/2",
		"enqueued b Deleted@11 tombstone 1/3",
	}
	if d := cmp.Diff(want, s.r.events(seq)); d != "" {
		t.Error(d)
	}
	if got, want := s.drain(t), "c[Added@13 Deleted@13!] a[Replaced@14] b[Deleted@11!]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestOfTwoDeletedTheOneWithTheFinalStateStays(t *testing.T) {
	final, later := pod("a", "2"), pod("a", "3")
	unknown := cache.DeletedFinalStateUnknown{Key: "a", Obj: pod("a", "1")}
	tests := []struct {
		name          string
		first, second any
		want          string
	}{
		{"both known: the older", final, later, "a[Added@0 Deleted@2]"},
		{"tombstone then known: the known", unknown, final, "a[Added@0 Deleted@2]"},
		{"known then tombstone: the known", final, unknown, "a[Added@0 Deleted@2]"},
		{"two tombstones: the newer", unknown, cache.DeletedFinalStateUnknown{Key: "a", Obj: later}, "a[Added@0 Deleted@3!]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := script(Options{})
			_ = s.Add(pod("a", "0"))
			_ = s.Delete(tt.first)
			_ = s.Delete(tt.second)
			events := s.r.events(0)
			if last := events[len(events)-1]; !strings.Contains(last, "coalesced 2/1") {
				t.Errorf("last event %q is not coalesced with 2 deltas", last)
			}
			if got := s.drain(t); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestDeleteOfAnUnknownKeyIsDropped(t *testing.T) {
	s := script(Options{})
	if err := s.Delete(pod("a", "1")); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"dropped a Deleted@1", "synced"}, s.r.events(0)); d != "" {
		t.Error(d)
	}
	s.known.set("b", pod("b", "1"))
	_ = s.Delete(pod("b", "2"))
	if got, want := s.drain(t), "b[Deleted@2]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestResyncSkipsKeysWithDeltas(t *testing.T) {
	s := script(Options{})
	for _, k := range []string{"a", "b", "c"} {
		s.known.set(k, pod(k, "1"))
	}
	_ = s.Update(pod("b", "2"))
	seq := s.r.View().Last()
	if err := s.Resync(); err != nil {
		t.Fatal(err)
	}
	want := []string{"enqueued a Sync@1 1/2", "enqueued c Sync@1 1/3", "resync 2/1"}
	if d := cmp.Diff(want, s.r.events(seq)); d != "" {
		t.Error(d)
	}
	if got, want := s.drain(t), "b[Updated@2] a[Sync@1] c[Sync@1]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestSyncedIsWrittenWhenTheFirstListIsPopped(t *testing.T) {
	s := script(Options{})
	_ = s.Replace([]any{pod("a", "1"), pod("b", "2")}, "2")
	_ = s.Update(pod("a", "3"))
	_ = s.Update(pod("c", "4"))
	if s.HasSynced() {
		t.Error("synced before any Pop")
	}
	seq := s.r.View().Last()
	s.drain(t)
	want := []string{"popped a Updated@3 2/2 initial", "popped b Replaced@2 1/1 initial", "synced", "popped c Updated@4 1/0"}
	got := s.r.events(seq)
	for i := range want {
		// events prints flags before counts.
		want[i] = strings.NewReplacer("2/2 initial", "initial 2/2", "1/1 initial", "initial 1/1").Replace(want[i])
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	select {
	case <-s.HasSyncedChecker().Done():
	default:
		t.Error("the checker is not done")
	}
}

func TestAnEmptyListSyncsAtOnce(t *testing.T) {
	s := script(Options{})
	_ = s.Replace(nil, "9")
	if d := cmp.Diff([]string{"replace @9", "synced"}, s.r.events(0)); d != "" {
		t.Error(d)
	}
}

func TestPoppedIsWrittenBeforeWhatProcessWrites(t *testing.T) {
	s := script(Options{})
	_ = s.Add(pod("a", "1"))
	_, _ = s.Pop(func(any, bool) error {
		events := s.r.events(0)
		if last := events[len(events)-1]; last != "popped a Added@1 1/0" {
			t.Errorf("last event inside process: %q", last)
		}
		return nil
	})
}

func TestErrorsAreWrittenWithoutTheObject(t *testing.T) {
	s := script(Options{Transformer: func(obj any) (any, error) {
		if obj.(*corev1.Pod).Name == "bad" {
			return nil, errors.New("no transform")
		}
		return obj, nil
	}})
	secret := struct{ Data string }{"hunter2"}
	_ = s.Add(secret)
	_ = s.Update(pod("bad", "1"))
	_ = s.Add(pod("a", "2"))
	_, err := s.Pop(func(any, bool) error { return errors.New("no process") })
	if err == nil || err.Error() != "no process" {
		t.Errorf("Pop returned %v", err)
	}
	all := strings.Join(s.r.events(0), "\n")
	for _, want := range []string{"error: Add: no key for struct", "error: Update: no transform", "error: Pop: no process"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
	if strings.Contains(all, "hunter2") {
		t.Errorf("the object is in the journal:\n%s", all)
	}
	agree(t, s.FIFO, s.r)
}

func TestAPanicOfProcessLeavesTheQueueUsable(t *testing.T) {
	s := script(Options{})
	_ = s.Add(pod("a", "1"))
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is gone")
			}
		}()
		_, _ = s.Pop(func(any, bool) error { panic("boom") })
	}()
	_ = s.Add(pod("b", "2"))
	if got, want := s.drain(t), "b[Added@2]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestPopBlocksUntilAKeyIsQueued(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := script(Options{})
		popped := make(chan string, 1)
		go func() {
			item, _ := s.Pop(ignore)
			popped <- deltasText(item)
		}()
		synctest.Wait()
		if len(popped) != 0 {
			t.Fatal("popped from an empty queue")
		}
		_ = s.Add(pod("a", "1"))
		if got := <-popped; got != "[Added@1]" {
			t.Errorf("got %s", got)
		}
	})
}

func TestCloseEndsAPopThatWaits(t *testing.T) {
	tests := []struct {
		name   string
		queued bool // a key waits at the gate
		gate   func(*gate.Gate)
	}{
		{"for a key", false, func(*gate.Gate) {}},
		{"for a key, paused", false, (*gate.Gate).Close},
		{"at a closed gate", true, (*gate.Gate).Close},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := gate.New(nil)
				tt.gate(g)
				s := script(Options{Gate: g})
				if tt.queued {
					_ = s.Add(pod("a", "1"))
				}
				done := make(chan error, 1)
				go func() {
					_, err := s.Pop(ignore)
					done <- err
				}()
				synctest.Wait()
				if len(done) != 0 {
					t.Fatal("Pop did not wait")
				}
				s.Close()
				if err := <-done; !errors.Is(err, cache.ErrFIFOClosed) {
					t.Errorf("Pop returned %v", err)
				}
				if n := len(s.Snapshot()); (n == 1) != tt.queued {
					t.Errorf("%d keys left", n)
				}
				agree(t, s.FIFO, s.r)
			})
		})
	}
}

func TestAClosedQueueIsDrainedUnlessHeld(t *testing.T) {
	s := script(Options{Gate: gate.New(nil)})
	_ = s.Add(pod("a", "1"))
	_ = s.Add(pod("b", "2"))
	s.Close()
	if got, want := s.drain(t), "a[Added@1] b[Added@2]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if _, err := s.Pop(ignore); !errors.Is(err, cache.ErrFIFOClosed) {
		t.Errorf("Pop returned %v", err)
	}
}

func TestStepLetsOneKeyThroughAClosedGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := gate.New(nil)
		g.Close()
		s := script(Options{Gate: g})
		var popped []string
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			for {
				item, err := s.Pop(ignore)
				if err != nil {
					return
				}
				key, _ := s.KeyOf(item)
				popped = append(popped, key+deltasText(item))
			}
		}()
		step := func(want ...string) {
			t.Helper()
			synctest.Wait()
			if !slices.Equal(popped, want) {
				t.Fatalf("popped %v, want %v", popped, want)
			}
		}
		_ = s.Add(pod("a", "1"))
		_ = s.Add(pod("b", "2"))
		step()
		// What comes while the key waits at the gate is popped with it.
		_ = s.Update(pod("a", "3"))
		g.Step()
		step("a[Added@1 Updated@3]")
		g.Step()
		step("a[Added@1 Updated@3]", "b[Added@2]")
		g.Step() // nothing there: the step waits for the next key
		_ = s.Add(pod("c", "4"))
		step("a[Added@1 Updated@3]", "b[Added@2]", "c[Added@4]")
		s.Close()
		<-ended
		agree(t, s.FIFO, s.r)
	})
}

func TestPaceSpacesPops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := gate.New(nil)
		g.SetPace(4)
		s := script(Options{Gate: g})
		for _, k := range []string{"a", "b", "c"} {
			_ = s.Add(pod(k, "1"))
		}
		start := time.Now()
		for range 3 {
			_, _ = s.Pop(ignore)
		}
		if d := time.Since(start); d != 500*time.Millisecond {
			t.Errorf("three Pops at 4/s took %v", d)
		}
	})
}

func TestKeysAreNamespaceAndName(t *testing.T) {
	s := script(Options{})
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", ResourceVersion: "1"}}
	_ = s.Add(p)
	if got := keysText(s.Snapshot()); got != "shop/web[Added@1]" {
		t.Errorf("got %s", got)
	}
	if key, err := s.KeyOf(cache.Deltas{}); err == nil {
		t.Errorf("KeyOf no deltas: %q", key)
	}
}
