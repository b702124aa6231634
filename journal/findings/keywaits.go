package findings

import (
	"fmt"
	"strconv"
	"strings"

	"informerscope/journal"
)

// waitingKeys looks for keys of a priority queue that are overtaken: they are ready,
// and others that came later are taken, for so long, or so often while none of its
// priority is taken at all. In a FIFO none is; there it is the whole queue that does
// not drain.
type waitingKeys struct {
	lasts
	Resources byName[readyKeys] `json:"resources"`
}

// readyKeys are those of one priority queue.
type readyKeys struct {
	Priority bool            `json:"priority,omitempty"` // it is one
	Keys     byKey[readyKey] `json:"keys"`
	Order    byKey[string]   `json:"order"` // keys by the Seq of their add
	Gets     int64           `json:"gets,omitempty"`
	Ranks    byName[int64]   `json:"ranks"` // how many were taken of each priority
}

type readyKey struct {
	Seq   uint64 `json:"seq"` // of the Add
	Time  int64  `json:"time"`
	Run   int64  `json:"run"`
	Rank  int64  `json:"rank,omitempty"`  // its priority
	Ahead int64  `json:"ahead,omitempty"` // keys that were ready before it
	Gets  int64  `json:"gets,omitempty"`  // of the queue until then
	Peers int64  `json:"peers,omitempty"` // of these, at its priority or below
	Told  bool   `json:"told,omitempty"`
}

func newWaitingKeys() detector { return &waitingKeys{} }

func (*waitingKeys) wants() []journal.Kind {
	return []journal.Kind{journal.KindQueueLayers, journal.KindQueueAdded, journal.KindQueueGot, journal.KindQueueDone}
}

func (d *waitingKeys) apply(f *fold, e *journal.Event) {
	q := d.Resources.find(e.Resource)
	if e.Kind == journal.KindQueueLayers {
		d.Resources.of(e.Resource).Priority = e.QueueLayers().Queue == journal.QueueIsPriority
		return
	}
	if q == nil || !q.Priority {
		return
	}
	switch e.Kind {
	case journal.KindQueueAdded:
		switch x := e.QueueAdded(); x.Result {
		case journal.AddQueued:
			q.add(f, e, x.Priority)
		case journal.AddRaised:
			if k, ok := q.Keys.get(e.Key); ok {
				k.Rank = x.Priority
				q.Keys.set(e.Key, k)
			}
		}
	case journal.KindQueueDone:
		if e.Has(journal.Requeued) {
			q.add(f, e, 0)
		}
	case journal.KindQueueGot:
		q.Gets++
		*q.Ranks.of(strconv.FormatInt(e.QueueGot().Priority, 10))++
		if q.oldestStarves(f) {
			f.sooner(f.run)
		}
		if k, ok := q.Keys.delete(e.Key); ok {
			q.Order.delete(orderOf(k.Seq))
			if k.Told {
				f.end(e.Resource, e.Key, "", f.run-k.Run)
			}
		}
	}
}

func orderOf(seq uint64) string { return fmt.Sprintf("%016x", seq) }

func (q *readyKeys) add(f *fold, e *journal.Event, rank int64) {
	if _, there := q.Keys.get(e.Key); there {
		return
	}
	q.Keys.set(e.Key, readyKey{Seq: e.Seq, Time: f.now, Run: f.run, Rank: rank, Ahead: int64(q.Keys.len()), Gets: q.Gets, Peers: q.taken(rank)})
	q.Order.set(orderOf(e.Seq), e.Key)
	f.sooner(f.run + int64(f.thresholds.KeyWaits))
}

// taken is how many keys were taken so far at a priority or below.
func (q *readyKeys) taken(rank int64) (n int64) {
	for _, x := range q.Ranks {
		if p, err := strconv.ParseInt(x.Name, 10, 64); err == nil && p <= rank {
			n += x.Value
		}
	}
	return n
}

// starves reports whether k was overtaken too often, with none of its priority
// taken.
func (q *readyKeys) starves(f *fold, k *readyKey) bool {
	return q.overtaken(k) >= int64(f.thresholds.KeyOvertaken) && q.taken(k.Rank) == k.Peers
}

func (q *readyKeys) oldestStarves(f *fold) (starves bool) {
	q.Order.m.Scan(func(_ string, key string) bool {
		k, _ := q.Keys.get(key)
		starves = !k.Told && q.starves(f, &k)
		return false
	})
	return starves
}

// overtaken is how many keys were taken that came after k.
func (q *readyKeys) overtaken(k *readyKey) int64 { return max(0, q.Gets-k.Gets-k.Ahead) }

func (d *waitingKeys) ripen(f *fold) (next int64) {
	next = never
	for i := range d.Resources {
		q, resource := &d.Resources[i].Value, d.Resources[i].Name
		due := q.due(f)
		for _, key := range due {
			k, _ := q.Keys.get(key)
			k.Told = true
			q.Keys.set(key, k)
			f.report(nil, record{Resource: resource, Key: key, Seq: k.Seq, Last: k.Time, M: k.Rank})
		}
		q.Order.m.Scan(func(_ string, key string) bool {
			k, _ := q.Keys.get(key)
			if k.Told {
				return true
			}
			next = min(next, max(k.Run+int64(f.thresholds.KeyWaits), f.run+int64(1e9)))
			return false
		})
	}
	return next
}

// due are the keys that wait too long by now, of the oldest.
func (q *readyKeys) due(f *fold) (keys []string) {
	n := 0
	q.Order.m.Scan(func(_ string, key string) bool {
		k, _ := q.Keys.get(key)
		old := k.Run+int64(f.thresholds.KeyWaits) <= f.run && q.overtaken(&k) > 0
		starves := q.starves(f, &k)
		if n++; n > kept || !old && !starves {
			return n <= kept && k.Run+int64(f.thresholds.KeyWaits) <= f.run
		}
		if !k.Told {
			keys = append(keys, key)
		}
		return true
	})
	return keys
}

func (d *waitingKeys) text(f *fold, r *record) string {
	q := d.Resources.find(r.Resource)
	if q == nil || r.Over {
		return fmt.Sprintf("%s was ready for %s before a worker took it", r.Key, shortNS(r.N))
	}
	k, _ := q.Keys.get(r.Key)
	return fmt.Sprintf("%s has been ready for %s at priority %d, while %s taken that came after it%s",
		r.Key, shortNS(f.run-k.Run), k.Rank, were(q.overtaken(&k)), q.higher(k.Rank))
}

func were(n int64) string {
	if n == 1 {
		return "1 key was"
	}
	return fmt.Sprintf("%d keys were", n)
}

// higher lists what was taken at a higher priority, since the start.
func (q *readyKeys) higher(rank int64) string {
	var parts []string
	for _, x := range q.Ranks {
		if p, err := strconv.ParseInt(x.Name, 10, 64); err == nil && p > rank && len(parts) < 4 {
			parts = append(parts, fmt.Sprintf("%d at priority %s", x.Value, x.Name))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

func (d *waitingKeys) causes(_ *fold, r *record) []Cause {
	if r.M < 0 {
		return []Cause{
			{"keys that come back at a higher priority keep the workers busy: look for a hot loop or for requeues among them", "its priority is " + fmt.Sprint(r.M) + ", as what the first list and resyncs bring has"},
			{"there are too few workers for what comes", ""},
		}
	}
	return []Cause{{"there are too few workers for what comes at a higher priority", ""}}
}

func (*waitingKeys) cause(_ *fold, r *record) string { return r.Resource + "\x00" + fmt.Sprint(r.M) }

func (d *waitingKeys) joint(f *fold, rs []*record) string {
	return fmt.Sprintf("%d keys wait like this one: %s", len(rs), d.text(f, rs[0]))
}

func (d *waitingKeys) clone() detector {
	return &waitingKeys{Resources: d.Resources.clone(func(q *readyKeys) readyKeys {
		return readyKeys{q.Priority, q.Keys.clone(), q.Order.clone(), q.Gets, q.Ranks.clone(nil)}
	})}
}
