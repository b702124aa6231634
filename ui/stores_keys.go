package ui

import (
	tea "charm.land/bubbletea/v2"

	"informerscope/journal"
	"informerscope/journal/state"
)

// selected is the item under the cursor.
func (v *storesView) selected(c *Context) (state.StoreItem, bool) {
	if v.at >= c.Resource.Stores.Len() || v.at >= len(v.lists) {
		return state.StoreItem{}, false
	}
	s, rows := c.Resource.Stores.At(v.at), &v.rows[v.at]
	rows.update(c, s, &v.flt)
	i := v.lists[v.at].Cursor()
	if i >= rows.len(s) {
		return state.StoreItem{}, false
	}
	return rows.at(s, i), true
}

// Act does what a key asks for in the store with the focus.
func (v *storesView) Act(c *Context, a Action) (cmd tea.Cmd, done bool) {
	n := max(1, c.Resource.Stores.Len())
	item, ok := v.selected(c)
	switch a {
	case actStores:
		c.Remove(v)
	case actNextPane, actRight:
		v.at = (v.at + 1) % n
	case actPrevPane, actLeft:
		v.at = (v.at + n - 1) % n
	case actStep:
		return stepFirst(c, "", journal.StageFIFO, journal.StageReflector), true
	case actFollow:
		return follow(c, item.Key), true
	case actOpen:
		if ok {
			openItem(c, c.Resource.Stores.At(v.at), item)
		} else {
			c.Refuse("no object is selected to open")
		}
	case actCopy:
		if !ok {
			c.Refuse("no key is selected to copy")
			return nil, true
		}
		c.Say("copied " + item.Key)
		return tea.SetClipboard(item.Key), true
	default:
		if v.at >= len(v.lists) || !moveList(&v.lists[v.at], a) {
			return nil, false
		}
		v.moved(c)
	}
	return nil, true
}

// openItem opens what a store holds under a key.
func openItem(c *Context, s *state.Store, item state.StoreItem) {
	v := &viewer{title: s.Name + " " + item.Key, diff: true, gone: "the Indexer does not hold it"}
	if s.How != "" {
		v.facts = append(v.facts, [2]string{"store", s.How})
	}
	if s.LastRefusal != "" {
		v.facts = append(v.facts, [2]string{"refused last", s.LastRefusal})
	}
	if item.Rank != "" {
		v.facts = append(v.facts, [2]string{"rank", item.Rank})
	}
	if e, ok := c.Resource.Indexer.Get(item.Key); ok && item.Object != nil {
		v.gone = ""
		v.versions = append(v.versions, version{label: "Indexer", rv: e.RV, object: e.Object, note: storedNote(c, e.Time)})
	}
	if item.Object != nil {
		v.versions = append(v.versions, version{label: s.Name, rv: item.RV, object: item.Object,
			note: "put " + journal.Short(c.Age(item.Time)) + " ago, " + c.ClockText(item.Time)})
	}
	v.none = "The event of this entry carried no object."
	v.at = max(0, len(v.versions)-1)
	v.diff = false
	c.Open(v)
}

func (v *storesView) cellAt(x, y int) int {
	for i := range v.cells {
		if v.cells[i].Contains(x, y) {
			return i
		}
	}
	return -1
}

// Click gives the focus to a store and selects a row of it.
func (v *storesView) Click(c *Context, x, y int) tea.Cmd {
	i := v.cellAt(x, y)
	if i < 0 {
		return nil
	}
	had := v.at == i
	v.at = i
	l := &v.lists[i]
	// The rows end above the lower border.
	row := l.Top() + y - (v.cells[i].Y + v.cells[i].H - 1 - l.Height())
	if row < l.Top() || row >= l.End() {
		return nil
	}
	again := had && row == l.Cursor()
	l.Set(row)
	v.moved(c)
	if again {
		v.Act(c, actOpen)
	}
	return nil
}

// Wheel scrolls the store under the pointer.
func (v *storesView) Wheel(_ *Context, x, y, rows int) {
	if i := v.cellAt(x, y); i >= 0 {
		v.lists[i].Scroll(rows)
		v.keys[i] = ""
	}
}

// Hint says what is other than in the panes.
func (v *storesView) Hint(c *Context, b *Binding) string {
	switch b.Act {
	case actFollow:
		return followHint(c, b)
	case actNextPane:
		return "store"
	case actCompare, actStores:
		return ""
	}
	return b.Hint
}
