package reflector

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"

	"informerscope/engine/gate"
	"informerscope/journal"
)

// veryShort is the age under which client-go relists after a stream that ended
// without an event (reflector.go, VeryShortWatchError).
const veryShort = time.Second

// TapOptions configure a Tap.
type TapOptions struct {
	Resource string
	Journal  *journal.Journal
	Gate     *gate.Gate         // holds watch events; nil is open
	Received *Received          // what the wire tap counts; nil when nobody does
	Flight   *Flight            // shared with the wire tap; nil when nobody asks
	Clock    clock.PassiveClock // of durations; nil is the real one
	Secrets  bool               // the resource is secrets, whose values are to be hidden
}

// Tap is a ListerWatcher that records what passes between the client and the
// Reflector, and holds each watch event at its gate.
type Tap struct {
	o     TapOptions
	inner cache.ListerWatcherWithContext
	wg    sync.WaitGroup // pumps of open watches

	disguised atomic.Bool // it has been said that a Secret came under another kind

	mu sync.Mutex
	// listed: a whole list has been received since the last relist began, so
	// that the next list is a relist and not another try of the first one.
	listed bool
	// why is what the stream said last before it ended: the reason of a relist.
	why    string
	page   time.Time // when the list that is under way began
	items  int64     // of the pages so far
	listRV string    // of the first page, which client-go's pager takes for all
	// rv is the Reflector's last resourceVersion, as its list, events and
	// bookmarks say.
	rv string
}

var (
	_ cache.ListerWatcher            = (*Tap)(nil)
	_ cache.ListerWatcherWithContext = (*Tap)(nil)
)

// NewTap puts a tap around inner.
func NewTap(inner cache.ListerWatcherWithContext, o TapOptions) *Tap {
	if o.Flight == nil {
		o.Flight = NewFlight(nil, nil)
	}
	if o.Clock == nil {
		o.Clock = clock.RealClock{}
	}
	return &Tap{o: o, inner: inner}
}

// Wait returns when the goroutines of all watches have ended. Call it after
// the Reflector has stopped.
func (t *Tap) Wait() { t.wg.Wait() }

// List implements cache.Lister.
func (t *Tap) List(o metav1.ListOptions) (runtime.Object, error) {
	return t.ListWithContext(context.Background(), o)
}

// Watch implements cache.Watcher.
func (t *Tap) Watch(o metav1.ListOptions) (watch.Interface, error) {
	return t.WatchWithContext(context.Background(), o)
}

// ListWithContext implements cache.ListerWithContext.
func (t *Tap) ListWithContext(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
	t.o.Flight.do(calling)
	defer t.o.Flight.do(working)
	if o.Continue == "" {
		t.beginList(o.ResourceVersion)
	}
	t.o.Journal.Append(journal.ListStarted{RV: o.ResourceVersion}.Event(t.o.Resource, ""))

	list, err := t.inner.ListWithContext(ctx, o)
	t.undisguiseList(list)

	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil {
		t.failedLocked(Describe(err))
		return list, err
	}
	m, _ := meta.ListAccessor(list) // the clients return nothing else
	whole := o.Continue == "" && (m == nil || m.GetContinue() == "")
	if kind := stranger(list); kind != "" {
		if whole && refused(list) {
			t.failedLocked("the server answered with a " + kind + ", which is no list")
			return list, nil
		}
		t.warnLocked(kind)
	}
	t.items += int64(meta.LenList(list))
	done := journal.ListDone{Items: t.items, ReceivedBytes: t.o.Received.Bytes(), Took: t.o.Clock.Since(t.page)}
	more := ""
	if m != nil {
		if o.Continue == "" {
			t.listRV = m.GetResourceVersion()
		}
		done.RV, more = t.listRV, m.GetContinue()
	}
	if more == "" {
		t.listed, t.why = true, ""
	} else {
		done.More = true
	}
	t.o.Journal.Append(done.Event(t.o.Resource, ""))
	if more == "" {
		t.movedLocked(done.RV)
	}
	return list, nil
}

func (t *Tap) failedLocked(why string) {
	t.why = why
	t.o.Journal.Append(journal.ListFailed{Error: why, Took: t.o.Clock.Since(t.page)}.Event(t.o.Resource, ""))
}

// beginList notes a new list, and that it is a relist when one was complete
// before.
func (t *Tap) beginList(rv string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.page, t.items = t.o.Clock.Now(), 0
	if !t.listed {
		return
	}
	t.listed = false
	t.o.Journal.Append(journal.RelistRequested{RV: rv, Reason: cmp.Or(t.why, "watch ended")}.Event(t.o.Resource, ""))
}

// WatchWithContext implements cache.WatcherWithContext.
func (t *Tap) WatchWithContext(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
	verb := journal.VerbWatch
	if o.SendInitialEvents != nil && *o.SendInitialEvents {
		verb = journal.VerbWatchList
		t.beginList(o.ResourceVersion)
	}
	t.o.Flight.do(calling)
	inner, err := t.inner.WatchWithContext(ctx, o)
	if err != nil {
		defer t.o.Flight.failed(verb, err)
		failed := journal.WatchFailed{Verb: verb, Error: Describe(err)}
		t.because(failed.Error)
		t.o.Journal.Append(failed.Event(t.o.Resource, ""))
		return nil, err
	}
	t.o.Journal.Append(journal.WatchStarted{Verb: verb, RV: o.ResourceVersion}.Event(t.o.Resource, ""))

	w := &tappedWatch{
		tap: t, inner: inner, initial: verb == journal.VerbWatchList,
		out: make(chan watch.Event), done: make(chan struct{}), probe: make(chan struct{}),
		start: t.o.Clock.Now(), since: time.Now(),
	}
	t.o.Flight.watch(w)
	t.wg.Go(w.pump)
	return w, nil
}

// because notes why the Reflector may soon relist.
func (t *Tap) because(why string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.why = why
}

// tappedWatch hands the events of inner on, one by one, through the gate.
type tappedWatch struct {
	tap     *Tap
	inner   watch.Interface
	out     chan watch.Event
	done    chan struct{} // closed by Stop
	probe   chan struct{} // the pump receives from it while it has nothing in hand
	stop    sync.Once
	initial bool // the initial events of a WatchList have not ended

	// asked counts calls of ResultChan, offered the events that were sent or are
	// being sent: the Reflector has dealt with all of them when it asks for more.
	asked, offered atomic.Int64

	start  time.Time // of the session's clock
	events int64
	// since and fresh count as client-go does for a "very short watch": from
	// the start or, in a WatchList, from the end of its initial events, and in
	// real time, whatever the session's clock is: the Reflector has no other.
	since time.Time
	fresh int64
	// failed is set by an ERROR event: that is why the stream ends, however short
	// it was.
	failed bool
	// rests: the Reflector backs off once it has stopped the watch. It is written
	// before the Reflector can know.
	rests atomic.Bool
}

// ResultChan implements watch.Interface.
func (w *tappedWatch) ResultChan() <-chan watch.Event {
	w.asked.Add(1)
	w.tap.o.Flight.pulse.Beat()
	return w.out
}

// Stop implements watch.Interface.
func (w *tappedWatch) Stop() {
	w.stop.Do(func() { close(w.done) })
	w.inner.Stop()
	w.tap.o.Flight.left(w, w.rests.Load())
}

// pump runs until the inner stream or the watch ends.
func (w *tappedWatch) pump() {
	defer w.tap.o.Flight.pumped(w)
	defer close(w.out)
	defer w.end()
	in := w.inner.ResultChan()
	for {
		select {
		case <-w.done:
			return
		case <-w.probe:
		case ev, ok := <-in:
			if !ok {
				return
			}
			if !w.tap.o.Gate.Wait(w.done) {
				return
			}
			if ev.Type != watch.Error && ev.Type != watch.Bookmark {
				ev.Object = w.tap.undisguised(ev.Object)
			}
			w.record(ev)
			w.offered.Add(1)
			select {
			case w.out <- ev:
			case <-w.done:
				return
			}
		}
	}
}

// end records that the stream is over. A stream that nobody stopped was ended
// by the server or the network.
func (w *tappedWatch) end() {
	ended := journal.WatchEnded{Events: w.events, Took: w.tap.o.Clock.Since(w.start)}
	select {
	case <-w.done:
	default:
		if d := time.Since(w.since); d < veryShort && w.fresh == 0 && !w.initial && !w.failed {
			w.rests.Store(true)
			w.tap.because("very short watch: closed in " + journal.Short(d) + " without an event")
		}
	}
	w.tap.o.Journal.Append(ended.Event(w.tap.o.Resource, ""))
}

func (w *tappedWatch) record(ev watch.Event) {
	if ev.Type == watch.Error {
		w.recordError(ev.Object)
		return
	}
	w.events++
	w.fresh++
	rv := ""
	m, err := meta.Accessor(ev.Object)
	if err == nil {
		rv = m.GetResourceVersion()
	}
	var e journal.Event
	if ev.Type == watch.Bookmark {
		end := err == nil && m.GetAnnotations()[metav1.InitialEventsAnnotationKey] == "true"
		if end {
			w.initialEventsEnd()
		}
		e = journal.WatchBookmark{RV: rv, InitialEventsEnd: end}.Event(w.tap.o.Resource, "")
	} else {
		key, _ := cache.MetaNamespaceKeyFunc(ev.Object)
		e = journal.WatchEvent{Type: string(ev.Type), RV: rv, Initial: w.initial, ReceivedBytes: w.tap.o.Received.Bytes()}.
			Event(w.tap.o.Resource, key).With(ev.Object, nil)
	}
	w.tap.o.Journal.Append(e)
	// The resourceVersions of initial events are in no order.
	if !w.initial {
		w.tap.mu.Lock()
		defer w.tap.mu.Unlock()
		w.tap.movedLocked(rv)
	}
}

func (w *tappedWatch) recordError(status runtime.Object) {
	w.failed = true
	err := apierrors.FromObject(status)
	w.rests.Store(!w.initial || retriable(err))
	e := journal.WatchError{Error: Describe(err)}
	if s, ok := status.(*metav1.Status); ok {
		e.Reason, e.Code = string(s.Reason), int64(s.Code)
	}
	w.tap.because(e.Error)
	w.tap.o.Journal.Append(e.Event(w.tap.o.Resource, ""))
}

// initialEventsEnd turns a WatchList into a plain watch.
func (w *tappedWatch) initialEventsEnd() {
	w.initial = false
	w.since, w.fresh = time.Now(), 0
	w.tap.mu.Lock()
	defer w.tap.mu.Unlock()
	w.tap.listed, w.tap.why = true, ""
}
