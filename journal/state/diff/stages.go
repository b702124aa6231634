package diff

import (
	"cmp"
	"fmt"
	"strings"

	"informerscope/journal"
	"informerscope/journal/state"
)

func (d *differ) reflector(a, b *state.Reflector) {
	const s = StructureReflector
	d.says(s, "", string(a.Phase), string(b.Phase))
	d.says(s, "rv", a.RV, b.RV)
	if !a.WatchSince.Equal(b.WatchSince) && !a.WatchSince.IsZero() && !b.WatchSince.IsZero() {
		d.changed(s, "", "another watch is open", a.WatchSince.Format(clockTime), b.WatchSince.Format(clockTime))
	}
	d.says(s, "client", a.Client, b.Client)
	d.says(s, "content type", a.ContentType, b.ContentType)
	d.says(s, "last list:", lastList(a), lastList(b))
	d.count(s, "bytes received", uint64(a.Bytes), uint64(b.Bytes))
	d.count(s, "objects received", a.Objects, b.Objects)
	d.count(s, "ADDED", a.Added, b.Added)
	d.count(s, "MODIFIED", a.Modified, b.Modified)
	d.count(s, "DELETED", a.Deleted, b.Deleted)
	d.count(s, "BOOKMARK", a.Bookmarks, b.Bookmarks)
	d.count(s, "ERROR", a.Errors, b.Errors)
	d.count(s, "LIST requests", a.Lists, b.Lists)
	d.count(s, "WATCHLIST requests", a.WatchLists, b.WatchLists)
	d.count(s, "WATCH requests", a.Watches, b.Watches)
	if a.Relists != b.Relists {
		text := fmt.Sprintf("relists %d -> %d", a.Relists, b.Relists)
		if b.Relists > a.Relists {
			text += ": " + b.RecentRelists()[0].Reason
		}
		d.changed(s, "", text, fmt.Sprint(a.Relists), fmt.Sprint(b.Relists))
	}
	d.count(s, "resyncs", a.Resyncs, b.Resyncs)
	if a.RVBackwards != b.RVBackwards {
		d.changed(s, "", fmt.Sprintf("rv went backwards %d -> %d times: %s", a.RVBackwards, b.RVBackwards, b.LastBackwards),
			fmt.Sprint(a.RVBackwards), fmt.Sprint(b.RVBackwards))
	}
	if a.LastError != b.LastError || !a.LastErrorTime.Equal(b.LastErrorTime) {
		d.changed(s, "", "error: "+cmp.Or(b.LastError, "none"), a.LastError, b.LastError)
	}
}

// lastList says the last complete list in a few words; "" before the first.
func lastList(r *state.Reflector) string {
	if r.ListVerb == "" {
		return ""
	}
	return fmt.Sprintf("%s of %d at rv %s in %s", r.ListVerb, r.ListItems, r.ListRV, journal.Short(r.ListTook))
}

const clockTime = "15:04:05.000"

func (d *differ) fifo(a, b *state.FIFO) {
	const s = StructureDeltaFIFO
	d.says(s, "discipline", a.Discipline, b.Discipline)
	d.says(s, "in the process function:", a.InProcess, b.InProcess)
	d.count(s, "deltas queued", a.Enqueued, b.Enqueued)
	d.count(s, "Pops", a.Popped, b.Popped)
	d.count(s, "batches", a.Batches, b.Batches)
	d.count(s, "coalesced", a.Coalesced, b.Coalesced)
	d.count(s, "dropped", a.Dropped, b.Dropped)
	d.count(s, "Replace", a.Replaces, b.Replaces)
	d.count(s, "Resync", a.Resyncs, b.Resyncs)
	d.yes(s, "synced", a.Synced, b.Synced)
	d.yes(s, "closed", a.Closed, b.Closed)
	d.says(s, "error:", a.LastError, b.LastError)
	a.Beside(b, func(key string, was, is *state.FIFOKey) { d.fifoKey(key, was, is, b) })
}

func (d *differ) fifoKey(key string, was, is *state.FIFOKey, q *state.FIFO) {
	if was != nil && is != nil && sameDeltas(was.Deltas, is.Deltas) || d.full() {
		return
	}
	c := Change{Resource: d.resource, Structure: StructureDeltaFIFO, Key: key}
	if was != nil {
		c.Was = deltasText(was.Deltas)
	}
	if is == nil {
		c.Text = "left the queue"
		if key == "" {
			c.Text = c.Was + " left the queue"
		}
		d.changes = append(d.changes, c)
		return
	}
	c.Is = deltasText(is.Deltas)
	place := 1 + q.Place(is)
	switch {
	case was == nil:
		c.Text = fmt.Sprintf("new, at place %d: %s", place, c.Is)
	case was.Deltas[0].Seq != is.Deltas[0].Seq && was.Deltas[len(was.Deltas)-1].Seq < is.Deltas[0].Seq:
		c.Text = fmt.Sprintf("left the queue and is back, at place %d: %s", place, c.Is)
	default:
		c.Text = c.Was + " -> " + c.Is
	}
	d.changes = append(d.changes, c)
}

func sameDeltas(a, b []state.Delta) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Seq != b[i].Seq {
			return false
		}
	}
	return true
}

// shownDeltas is how many deltas of one key a Change spells out, the newest.
const shownDeltas = 6

// deltasText is "Updated@903 Deleted@906".
func deltasText(ds []state.Delta) string {
	var b strings.Builder
	if older := len(ds) - shownDeltas; older > 0 {
		fmt.Fprintf(&b, "(%d older) ", older)
		ds = ds[older:]
	}
	for i := range ds {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(ds[i].Type)
		if ds[i].Items > 0 {
			fmt.Fprintf(&b, " of %d objects", ds[i].Items)
		}
		if ds[i].RV != "" {
			b.WriteString("@" + ds[i].RV)
		}
	}
	return b.String()
}

func (d *differ) indexer(a, b *state.Indexer) {
	const s = StructureIndexer
	if a.Len() != b.Len() {
		d.count(s, "objects", uint64(a.Len()), uint64(b.Len()))
	}
	d.says(s, "rv of the store", a.StoreRV, b.StoreRV)
	d.count(s, "added", a.Adds, b.Adds)
	d.count(s, "updated", a.Updates, b.Updates)
	d.count(s, "deleted", a.Deletes, b.Deletes)
	d.count(s, "transactions", a.Transactions, b.Transactions)
	d.count(s, "changed in place", a.Mutated, b.Mutated)
	if a.FailedText != b.FailedText || a.FailedKey != b.FailedKey || a.FailedIndex != b.FailedIndex {
		d.changed(s, b.FailedKey, "index "+b.FailedIndex+" failed: "+b.FailedText, a.FailedText, b.FailedText)
	}
	if b.Check != nil && a.Check != b.Check && (a.Check == nil || a.Check.Seq != b.Check.Seq || len(a.Check.Differences) != len(b.Check.Differences)) {
		d.changed(s, "", "compared with a LIST: "+checkText(b.Check), checkText(a.Check), checkText(b.Check))
	} else if b.Check == nil && a.Check != nil {
		d.changed(s, "", "not compared with a LIST", checkText(a.Check), "")
	}
	moved := d.indexMoves(a, b)
	a.Beside(b, func(key string, was, is *state.Entry) {
		switch {
		case was == nil:
			d.stored(key, "stored@"+is.RV, "", is.RV)
		case is == nil:
			d.stored(key, "stored@"+was.RV+" -> gone", was.RV, "")
		case was.Seq == is.Seq:
		case was.RV == is.RV:
			d.stored(key, "stored again @"+is.RV, was.RV, is.RV)
		default:
			d.stored(key, "stored@"+was.RV+" -> @"+is.RV, was.RV, is.RV)
		}
		if m := moved[key]; was != nil && is != nil {
			for i := range m {
				old, now := strings.Join(m[i].left, " "), strings.Join(m[i].entered, " ")
				d.changed(s, key, "index "+m[i].index+": "+arrow(old, now), old, now)
			}
		}
	})
	for _, m := range b.Mutations() {
		if m.Seq > newest(a.Mutations()) {
			d.changed(s, m.Key, "changed in place: "+m.Field+" "+m.Change, "", m.Change)
		}
	}
}

// checkText says in a few words what the check said; "" before the first.
func checkText(c *state.CacheCheck) string {
	switch {
	case c == nil:
		return ""
	case c.Error != "":
		return c.Error
	}
	return fmt.Sprintf("%d of %d objects differ", c.Differ, c.Objects)
}

func newest(ms []state.Mutation) uint64 {
	if len(ms) == 0 {
		return 0
	}
	return ms[0].Seq
}

func (d *differ) stored(key, text, was, is string) {
	d.changed(StructureIndexer, key, text, was, is)
}

// move is what changed for one key in one index.
type move struct {
	index         string
	left, entered []string // values
}

// indexMoves are the moves by key.
func (d *differ) indexMoves(a, b *state.Indexer) map[string][]move {
	moved := map[string][]move{}
	self := func(name *string) string { return *name }
	named(a.Indices(), b.Indices(), self, func(was, is *string) {
		switch {
		case was == nil:
			d.changed(StructureIndexer, "", "new index: "+*is, "", *is)
			return
		case is == nil:
			d.changed(StructureIndexer, "", "no index: "+*was, *was, "")
			return
		}
		before, _ := a.Index(*was)
		after, _ := b.Index(*is)
		before.Beside(after, func(key, value string, entered bool) { noteMove(moved, key, *is, value, entered) })
	})
	return moved
}

func noteMove(moved map[string][]move, key, index, value string, entered bool) {
	ms := moved[key]
	if len(ms) == 0 || ms[len(ms)-1].index != index {
		ms = append(ms, move{index: index})
	}
	if m := &ms[len(ms)-1]; entered {
		m.entered = append(m.entered, value)
	} else {
		m.left = append(m.left, value)
	}
	moved[key] = ms
}
