package sandbox

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"

	"informerscope/sandbox/tree"
)

// A minute of load by hand:
//
//	go test ./sandbox -run TestLoad -v -load 1m
var (
	loadTime     = flag.Duration("load", time.Second, "how long TestLoad writes")
	loadWatchers = flag.Int("load.watchers", 100, "watchers of TestLoad")
	loadRate     = flag.Int("load.rate", 1000, "writes a second of TestLoad")
)

// TestLoad has many watchers follow a stream of writes, while one more reads nothing. Every watcher must end with exactly
// what the server holds, nobody may wait for the one that does not read, and memory may not grow.
func TestLoad(t *testing.T) {
	s := start(t, Options{History: 2000})
	ctx, cancel := context.WithTimeout(t.Context(), *loadTime+5*time.Minute)
	defer cancel()
	w := newWire(t, s)
	w.ctx = ctx
	first := strconv.FormatUint(s.ResourceVersion(), 10)
	stalled := w.send("GET", cms+"?watch=1&resourceVersion="+first, "")
	defer stalled.Body.Close()
	l := &load{wire: w}
	var watching sync.WaitGroup
	followers := make([]*follower, *loadWatchers)
	for i := range followers {
		f := &follower{load: l, rv: first, state: map[string]string{}}
		followers[i] = f
		watching.Go(func() { f.follow(ctx) })
	}
	c := clientset(t, s).CoreV1().ConfigMaps("default")
	cpu := cpuTime()
	writes, took, early := l.write(ctx, t, c)
	// A write that every watcher must see ends their wait.
	if _, err := c.Create(ctx, configMap("the-end", nil), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	watching.Wait()
	cpu = cpuTime() - cpu
	late := heapNow() // what is on its way to a watcher does not count
	want := map[string]string{}
	for _, o := range tree.List(w.must("GET", cms, ""), "items") {
		m := o.(map[string]any)
		want[tree.String(tree.Meta(m), "name")] = rvOf(m)
	}
	for i, f := range followers {
		if f.err != nil || !maps.Equal(f.state, want) {
			t.Errorf("watcher %d ends with %d objects, want %d: %v", i, len(f.state), len(want), f.err)
		}
	}
	t.Logf("%d writes in %.1fs: %.0f creates/s, %.0f updates/s, %.0f deletes/s; %.0f events/s to %d watchers, resumed %d times, relisted %d; %d µs of processor a write, server and clients; heap %d MB, then %d MB",
		writes.total(), took.Seconds(), writes.rate(&writes.creates, took), writes.rate(&writes.updates, took), writes.rate(&writes.deletes, took),
		float64(l.events.Load())/took.Seconds(), *loadWatchers, l.resumed.Load(), l.relisted.Load(), cpu.Microseconds()/max(writes.total(), 1), early>>20, late>>20)
	if late > early+early/2+(8<<20) {
		t.Errorf("the heap grew from %d to %d bytes", early, late)
	}
}

// load is what the parts of a load test share.
type load struct {
	*wire
	events, resumed, relisted atomic.Int64
}

// tally counts writes.
type tally struct{ creates, updates, deletes atomic.Int64 }

func (c *tally) total() int64 { return c.creates.Load() + c.updates.Load() + c.deletes.Load() }

func (c *tally) rate(n *atomic.Int64, took time.Duration) float64 {
	return float64(n.Load()) / took.Seconds()
}

// write makes loadRate writes a second for loadTime, from 8 clients, and measures the heap when a third is done.
func (l *load) write(ctx context.Context, t *testing.T, c corev1client.ConfigMapInterface) (n *tally, took time.Duration, heap uint64) {
	const clients = 8
	n = &tally{}
	began := time.Now()
	due := func(i int64) time.Time { return began.Add(time.Duration(i) * time.Second / time.Duration(*loadRate)) }
	var turn atomic.Int64
	var writing sync.WaitGroup
	third := make(chan struct{})
	var once sync.Once
	for client := range clients {
		writing.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				at := due(turn.Add(1))
				if at.Sub(began) > *loadTime {
					return
				}
				if at.Sub(began) > *loadTime/3 {
					once.Do(func() { close(third) })
				}
				if wait := time.Until(at); wait > 0 {
					timer := time.NewTimer(wait)
					<-timer.C
				}
				if err := n.one(ctx, c, client, i); err != nil {
					t.Errorf("write: %v", err)
					return
				}
			}
		})
	}
	select {
	case <-third:
		heap = heapNow()
	case <-ctx.Done():
	}
	writing.Wait()
	return n, time.Since(began), heap
}

// one is the i-th write of a client: an object is created, updated eight times and deleted.
func (n *tally) one(ctx context.Context, c corev1client.ConfigMapInterface, client, i int) error {
	name := fmt.Sprintf("c%d-%d", client, i/10%20)
	var err error
	switch i % 10 {
	case 0:
		n.creates.Add(1)
		_, err = c.Create(ctx, configMap(name, map[string]string{"x": "y"}), metav1.CreateOptions{})
	case 9:
		n.deletes.Add(1)
		err = c.Delete(ctx, name, metav1.DeleteOptions{})
	default:
		n.updates.Add(1)
		_, err = c.Patch(ctx, name, types.MergePatchType, fmt.Appendf(nil, `{"data":{"i":"%d"}}`, i), metav1.PatchOptions{})
	}
	return err
}

func heapNow() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// follower is a client that folds a watch into a state, and resumes when the watch ends.
type follower struct {
	*load
	rv    string
	state map[string]string
	err   error
}

func (f *follower) follow(ctx context.Context) {
	for ctx.Err() == nil {
		done, err := f.once(ctx)
		if done || err != nil {
			f.err = err
			return
		}
		f.resumed.Add(1)
	}
	f.err = ctx.Err()
}

// once follows one watch; done says that the last write was seen.
func (f *follower) once(ctx context.Context) (done bool, err error) {
	req, err := http.NewRequestWithContext(ctx, "GET", f.base+cms+"?watch=1&resourceVersion="+f.rv, nil)
	if err != nil {
		return false, err
	}
	req.Header.Set("Authorization", "Bearer "+f.token)
	resp, err := f.client.Do(req)
	if err != nil {
		return false, err
	}
	defer resp.Body.Close()
	r := bufio.NewReaderSize(resp.Body, 64<<10)
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			if err == io.EOF {
				err = nil
			}
			return false, err
		}
		var e struct {
			Type   string
			Object struct {
				Code     int
				Metadata struct{ Name, ResourceVersion string }
			}
		}
		// Only the head of each event is of interest, and decoding all of it would be most of the test's work.
		if !bytes.HasPrefix(line, []byte(`{"type":"ERROR"`)) {
			e.Type, e.Object.Metadata.Name, e.Object.Metadata.ResourceVersion = skim(line)
		} else if err := json.Unmarshal(line, &e); err != nil {
			return false, err
		}
		if e.Type == "ERROR" {
			if e.Object.Code != http.StatusGone {
				return false, fmt.Errorf("%s", line)
			}
			return false, f.relist(ctx)
		}
		f.events.Add(1)
		m := e.Object.Metadata
		f.rv = m.ResourceVersion
		if f.state[m.Name] = m.ResourceVersion; e.Type == "DELETED" {
			delete(f.state, m.Name)
		}
		if m.Name == "the-end" {
			return true, nil
		}
	}
}

// skim takes the type, the name and the resourceVersion out of an event.
func skim(line []byte) (typ, name, rv string) {
	after := func(key string, s []byte) string {
		_, rest, _ := bytes.Cut(s, []byte(key))
		value, _, _ := bytes.Cut(rest, []byte(`"`))
		return string(value)
	}
	// managedFields may hold a name too, but not before the namespace.
	before, _, _ := bytes.Cut(line, []byte(`","namespace":"`))
	name = string(before[bytes.LastIndexByte(before, '"')+1:])
	return after(`"type":"`, line), name, after(`"resourceVersion":"`, line)
}

func (f *follower) relist(ctx context.Context) error {
	f.relisted.Add(1)
	req, err := http.NewRequestWithContext(ctx, "GET", f.base+cms, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+f.token)
	resp, err := f.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var l struct {
		Metadata struct{ ResourceVersion string }
		Items    []struct {
			Metadata struct{ Name, ResourceVersion string }
		}
	}
	if err := json.NewDecoder(resp.Body).Decode(&l); err != nil {
		return err
	}
	f.rv, f.state = l.Metadata.ResourceVersion, map[string]string{}
	for _, o := range l.Items {
		f.state[o.Metadata.Name] = o.Metadata.ResourceVersion
	}
	return nil
}
