package stores

import (
	"slices"
	"strings"
)

// line follows the queue of keys inside a cache.FIFO. Two things are not what
// one expects of it:
//
// A delete leaves the key's entry in the queue, to be passed over by the Pop
// that gets there. If the key has come back by then it is handed out there, at
// its old place, and the entry that its return made is passed over.
//
// Replace puts its keys into the queue in the random order of a map. They are
// a group here: any of them may be the next. What a Pop passed over on its way
// through the group is not known either; such entries are unsure, and as long
// as there are any, more than one answer is accepted.
type line struct {
	held  map[string]bool
	group group
	queue []entry // after the group, in order

	// ranks are those of a key's entries in queue, oldest first, also when the
	// key is not held.
	ranks map[string][]uint64
	last  uint64 // rank of the newest entry
}

// A held key has at least one sure entry, in the group or in queue.
type entry struct {
	key  string
	sure bool // certainly still in the real queue
}

type group struct {
	rank  uint64
	sure  map[string]bool     // the entries' keys -> certainly still in the real queue
	stale map[string]struct{} // keys of sure entries that are not held
	due   int                 // sure entries with a held key: the next Pop takes one of them
}

func newLine() line {
	return line{held: map[string]bool{}, ranks: map[string][]uint64{}}
}

// rank is where key, which is held, will be handed out; the lowest is first.
func (l *line) rank(key string) uint64 {
	if _, ok := l.group.sure[key]; ok {
		return l.group.rank
	}
	return l.ranks[key][0]
}

// arrive is the Add of a key that is not held.
func (l *line) arrive(key string) {
	l.last++
	l.queue = append(l.queue, entry{key, true})
	l.ranks[key] = append(l.ranks[key], l.last)
	l.held[key] = true
	if l.group.sure[key] {
		delete(l.group.stale, key)
		l.group.due++
	}
}

// leave is the Delete of a key that is held.
func (l *line) leave(key string) {
	delete(l.held, key)
	if l.group.sure[key] {
		l.group.stale[key] = struct{}{}
		l.group.due--
	}
}

// replace is a Replace, after which only keys are queued.
func (l *line) replace(keys []string) {
	last := l.last + 1
	*l = newLine()
	l.last = last
	l.group = group{rank: last, sure: make(map[string]bool, len(keys)), stale: map[string]struct{}{}, due: len(keys)}
	for _, key := range keys {
		l.group.sure[key], l.held[key] = true, true
	}
}

// pop follows a Pop that handed out key. moved are the held keys that stand
// elsewhere now; foreseen is false when it should have been another key, and
// then key only ceases to be held.
func (l *line) pop(key string) (moved []string, foreseen bool) {
	if !l.held[key] {
		return nil, false
	}
	_, grouped := l.group.sure[key]
	first, last := l.reach(key)
	if !grouped && first < 0 {
		l.leave(key)
		return nil, false
	}
	delete(l.held, key)
	if grouped {
		l.group.take(key)
		first = -1
	} else {
		moved = l.endGroup(moved)
	}
	// What could have been handed out by a later entry may have passed these.
	for i := first + 1; i <= last; i++ {
		l.queue[i].sure = false
	}
	return l.pass(first+1, moved), true
}

// reach finds the first and the last entry in queue by which the next Pop may
// hand out key; -1 when there is none.
func (l *line) reach(key string) (first, last int) {
	first, last = -1, -1
	if l.group.due > 0 {
		return first, last
	}
	for i, e := range l.queue {
		if e.key == key {
			if last = i; first < 0 {
				first = i
			}
		}
		if e.sure && l.held[e.key] {
			break
		}
	}
	return first, last
}

// take takes key's entry out of the group. On the way there the real queue may
// have passed over any entry that was stale.
func (g *group) take(key string) {
	if g.sure[key] {
		g.due--
	}
	delete(g.sure, key)
	for k := range g.stale {
		g.sure[k] = false
	}
	clear(g.stale)
}

// endGroup forgets the group: the real queue is past it. Keys that it might
// still have handed out are handed out later.
func (l *line) endGroup(moved []string) []string {
	for k := range l.group.sure {
		if l.held[k] {
			moved = append(moved, k)
		}
	}
	l.group = group{}
	return moved
}

// pass drops the first n entries of queue.
func (l *line) pass(n int, moved []string) []string {
	for _, e := range l.queue[:n] {
		if ranks := l.ranks[e.key][1:]; len(ranks) > 0 {
			l.ranks[e.key] = ranks
		} else {
			delete(l.ranks, e.key)
		}
		if _, grouped := l.group.sure[e.key]; l.held[e.key] && !grouped && !slices.Contains(moved, e.key) {
			moved = append(moved, e.key)
		}
	}
	l.queue = l.queue[n:]
	return moved
}

// expected names what the next Pop may hand out.
func (l *line) expected() string {
	var keys []string
	for k := range l.group.sure {
		if l.held[k] {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	if l.group.due > 0 {
		return strings.Join(keys, " or ")
	}
	for _, e := range l.queue {
		if l.held[e.key] && !slices.Contains(keys, e.key) {
			keys = append(keys, e.key)
		}
		if e.sure && l.held[e.key] {
			break
		}
	}
	if len(keys) == 0 {
		return "nothing"
	}
	return strings.Join(keys, " or ")
}
