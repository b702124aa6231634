package differential

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"informerscope/internal/testing/apiscript"
)

// change is one entry of the server's history.
type change struct {
	typ string // ADDED, MODIFIED, DELETED
	obj apiscript.Object
	rv  int
}

// world is the server of one script: objects with a history, and a dice that
// decides how each request is answered. Given the same requests in the same
// order it does the same.
type world struct {
	dice *rand.Rand
	// bursts lets several events of a stream come without a pause between them.
	bursts bool

	rv      int
	objects map[string]apiscript.Object
	history []change
	pages   map[string]page // of lists in pages, by continue token
	// trouble is how many requests may still be answered otherwise than with
	// everything and an open stream.
	trouble int

	start   time.Time
	relists map[time.Duration]bool // when the initial events of a WATCHLIST ended
	settled chan struct{}          // closed when the last stream has said all
	done    bool
}

func newWorld(seed uint64, bursts bool) *world {
	w := &world{
		dice: rand.New(rand.NewPCG(seed, 1)), bursts: bursts, rv: 100,
		objects: map[string]apiscript.Object{}, pages: map[string]page{}, start: time.Now(), relists: map[time.Duration]bool{}, settled: make(chan struct{}),
	}
	for range w.dice.IntN(6) {
		w.change()
	}
	w.trouble = w.dice.IntN(9)
	return w
}

// change creates, updates or deletes an object.
func (w *world) change() change {
	w.rv += 1 + w.dice.IntN(3)
	key := fmt.Sprintf("n%d/%c", w.dice.IntN(2), 'a'+w.dice.IntN(5))
	obj := apiscript.ConfigMap(key, strconv.Itoa(w.rv)).Label("app", string(rune('x'+w.dice.IntN(3))))
	c := change{typ: "ADDED", obj: obj, rv: w.rv}
	if _, ok := w.objects[key]; ok {
		c.typ = "MODIFIED"
		if w.dice.IntN(3) == 0 {
			c.typ = "DELETED"
		}
	}
	if c.typ == "DELETED" {
		delete(w.objects, key)
	} else {
		w.objects[key] = obj
	}
	w.history = append(w.history, c)
	return c
}

// list is everything, by key.
func (w *world) list() []apiscript.Object {
	var l []apiscript.Object
	for _, key := range slices.Sorted(maps.Keys(w.objects)) {
		l = append(l, w.objects[key])
	}
	return l
}

func (w *world) now() string { return strconv.Itoa(w.rv) }

// answer is for apiscript.Server.Otherwise.
func (w *world) answer(r apiscript.Request) apiscript.Answer {
	trouble := w.trouble > 0
	if trouble {
		w.trouble--
		for range w.dice.IntN(4) {
			w.change() // while nobody watched
		}
		if f := w.failure(r); f != nil {
			return f
		}
	}
	if r.Verb == apiscript.List {
		return w.listing(r)
	}
	steps := []apiscript.Step{w.pause()}
	from, _ := strconv.Atoi(r.RV)
	if r.Verb == apiscript.WatchList {
		for _, o := range w.list() {
			steps = append(steps, apiscript.Added(o))
		}
		if trouble && w.dice.IntN(8) == 0 { // never completes
			return apiscript.Stream(append(steps, w.ending()...)...)
		}
		steps = append(steps, apiscript.Do(func() { w.relists[time.Since(w.start)] = true }), apiscript.InitialEventsEnd(w.now()), w.pause())
		from = w.rv
	}
	if trouble && r.Verb == apiscript.Watch && w.dice.IntN(10) == 0 {
		return apiscript.Stream() // a very short watch
	}
	return apiscript.Stream(append(steps, w.events(from, trouble)...)...)
}

// events are what a stream sends after its start, and how it ends.
func (w *world) events(from int, trouble bool) (steps []apiscript.Step) {
	for _, c := range w.history {
		if c.rv > from {
			steps = append(steps, send(c), w.between())
		}
	}
	for range w.dice.IntN(8) {
		switch w.dice.IntN(12) {
		case 0: // an event is lost
			w.change()
		case 1:
			steps = append(steps, apiscript.Bookmark(w.now()))
		case 2: // an event comes twice
			if len(w.history) > 0 {
				steps = append(steps, w.pause(), send(w.history[len(w.history)-1]))
			}
		case 3:
			steps = append(steps, apiscript.Deleted(apiscript.ConfigMap("n9/never", w.now())))
		case 4: // long enough for resyncs
			steps = append(steps, apiscript.Wait(time.Duration(w.dice.Int64N(int64(12*time.Second)))))
		default:
			steps = append(steps, send(w.change()))
		}
		steps = append(steps, w.between())
	}
	if trouble {
		return append(steps, w.ending()...)
	}
	return append(steps, apiscript.Do(func() {
		if !w.done {
			w.done = true
			close(w.settled)
		}
	}), apiscript.Hold())
}

func send(c change) apiscript.Step {
	switch c.typ {
	case "ADDED":
		return apiscript.Added(c.obj)
	case "MODIFIED":
		return apiscript.Modified(c.obj)
	}
	return apiscript.Deleted(c.obj)
}

// pause lets everything settle. Its length is odd, so that it ends at the same
// instant as nothing else.
func (w *world) pause() apiscript.Step {
	return apiscript.Wait(time.Duration(1 + w.dice.Int64N(int64(20*time.Millisecond))))
}

// between two events there is a pause, or none.
func (w *world) between() apiscript.Step {
	if w.bursts && w.dice.IntN(2) == 0 {
		return apiscript.Do(func() {})
	}
	return w.pause()
}

// ending is how a stream in trouble ends.
func (w *world) ending() []apiscript.Step {
	o := apiscript.ConfigMap("n0/a", w.now())
	return [][]apiscript.Step{
		{}, {}, // closed by the server
		{w.pause(), apiscript.Abort()},
		{w.pause(), apiscript.Half(o), apiscript.Abort()},
		{w.pause(), apiscript.Half(o)},
		{w.pause(), apiscript.Malformed()},
		{w.pause(), apiscript.Error(apiscript.Expired)},
		{w.pause(), apiscript.Error(apiscript.Expired)},
		{w.pause(), apiscript.Error(apiscript.TooManyRequests)},
		{w.pause(), apiscript.Error(apiscript.Internal)},
		{w.pause(), apiscript.Error(apiscript.Unavailable)},
	}[w.dice.IntN(11)]
}

// failure refuses a request, or is nil.
func (w *world) failure(r apiscript.Request) apiscript.Answer {
	n := w.dice.IntN(24)
	old := r.RV != "" && r.RV != "0"
	switch {
	case n < 10 && r.Query.Get("continue") != "": // the token has expired
		return apiscript.Status(apiscript.Expired)
	case n < 3 && old:
		return apiscript.Status(apiscript.Expired)
	case n == 3 && old && r.Verb != apiscript.Watch:
		return apiscript.Status(apiscript.TooLargeRV)
	case n == 4:
		return apiscript.Status(apiscript.TooManyRequests)
	case n == 5:
		return apiscript.Status(apiscript.TooManyRequests.After(1 + w.dice.IntN(3)))
	case n == 6:
		return apiscript.Status(apiscript.Forbidden)
	case n == 7:
		return apiscript.Status(apiscript.Internal)
	case n == 8:
		return apiscript.Refuse()
	case n == 9:
		return apiscript.Status(apiscript.NotAllowed)
	}
	return nil
}

// page is what is left of a list, as it was when its first page was sent.
type page struct {
	rv   string
	rest []apiscript.Object
}

// listing answers a LIST, half of those that ask for pages in pages.
func (w *world) listing(r apiscript.Request) apiscript.Answer {
	p := page{w.now(), w.list()}
	if token := r.Query.Get("continue"); token != "" {
		p = w.pages[token]
		if w.dice.IntN(4) == 0 {
			p.rv = w.now() // no API server says so; the first page counts
		}
	}
	if r.Query.Get("limit") == "" && r.Query.Get("continue") == "" || len(p.rest) < 2 || w.dice.IntN(2) == 0 {
		return apiscript.Objects(p.rv, p.rest...)
	}
	n := 1 + w.dice.IntN(len(p.rest)-1)
	token := fmt.Sprintf("token-%d", len(w.pages))
	w.pages[token] = page{p.rv, p.rest[n:]}
	return apiscript.Page(p.rv, token, p.rest[:n]...)
}
