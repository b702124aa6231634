package stores

import (
	tea "charm.land/bubbletea/v2"

	"informerscope/journal"
	"informerscope/journal/state"
	"informerscope/ui/control"
	"informerscope/ui/life"
	"informerscope/ui/view"
	"informerscope/ui/viewer"
)

// selected is the item under the cursor.
func (v *storesView) selected(c *view.Context) (state.StoreItem, bool) {
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
func (v *storesView) Act(c *view.Context, a view.Action) (cmd tea.Cmd, done bool) {
	n := max(1, c.Resource.Stores.Len())
	item, ok := v.selected(c)
	switch a {
	case view.ActStores:
		c.Remove(v)
	case view.ActNextPane, view.ActRight:
		v.at = (v.at + 1) % n
	case view.ActPrevPane, view.ActLeft:
		v.at = (v.at + n - 1) % n
	case view.ActStep:
		return control.Step(c, "", journal.StageFIFO, journal.StageReflector), true
	case view.ActFollow:
		return life.Follow(c, item.Key), true
	case view.ActOpen:
		if ok {
			openItem(c, c.Resource.Stores.At(v.at), item)
		} else {
			c.Refuse("no object is selected to open")
		}
	case view.ActCopy:
		if !ok {
			c.Refuse("no key is selected to copy")
			return nil, true
		}
		c.Say("copied " + item.Key)
		return tea.SetClipboard(item.Key), true
	default:
		if v.at >= len(v.lists) || !view.MoveList(&v.lists[v.at], a) {
			return nil, false
		}
		v.moved(c)
	}
	return nil, true
}

// openItem opens what a store holds under a key.
func openItem(c *view.Context, s *state.Store, item state.StoreItem) {
	v := &viewer.Viewer{Title: s.Name + " " + item.Key, Diff: true, Gone: "the Indexer does not hold it"}
	if s.How != "" {
		v.Facts = append(v.Facts, [2]string{"store", s.How})
	}
	if s.LastRefusal != "" {
		v.Facts = append(v.Facts, [2]string{"refused last", s.LastRefusal})
	}
	if item.Rank != "" {
		v.Facts = append(v.Facts, [2]string{"rank", item.Rank})
	}
	if e, ok := c.Resource.Indexer.Get(item.Key); ok && item.Object != nil {
		v.Gone = ""
		v.Versions = append(v.Versions, viewer.Version{Label: "Indexer", Rv: e.RV, Object: e.Object, Note: viewer.StoredNote(c, e.Time)})
	}
	if item.Object != nil {
		v.Versions = append(v.Versions, viewer.Version{Label: s.Name, Rv: item.RV, Object: item.Object,
			Note: "put " + journal.Short(c.Age(item.Time)) + " ago, " + c.ClockText(item.Time)})
	}
	v.None = "The event of this entry carried no object."
	v.At = max(0, len(v.Versions)-1)
	v.Diff = false
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
func (v *storesView) Click(c *view.Context, x, y int) tea.Cmd {
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
		v.Act(c, view.ActOpen)
	}
	return nil
}

// Wheel scrolls the store under the pointer.
func (v *storesView) Wheel(_ *view.Context, x, y, rows int) {
	if i := v.cellAt(x, y); i >= 0 {
		v.lists[i].Scroll(rows)
		v.keys[i] = ""
	}
}

// Hint says what is other than in the panes.
func (v *storesView) Hint(c *view.Context, b *view.Binding) string {
	switch b.Act {
	case view.ActFollow:
		return life.FollowHint(c, b)
	case view.ActNextPane:
		return "store"
	case view.ActCompare, view.ActStores:
		return ""
	}
	return b.Hint
}

// moved is called when the user chose another row of the store with the focus.
func (v *storesView) moved(c *view.Context) {
	if item, ok := v.selected(c); ok {
		c.Key, v.keys[v.at] = item.Key, item.Key
	}
}
