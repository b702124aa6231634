package ui

import (
	tea "charm.land/bubbletea/v2"

	"informerscope/journal"
	"informerscope/journal/state"
)

// selected is the item under the cursor.
func (v *storesView) selected(m *model) (state.StoreItem, bool) {
	if v.at >= m.r.Stores.Len() || v.at >= len(v.lists) {
		return state.StoreItem{}, false
	}
	s, rows := m.r.Stores.At(v.at), &v.rows[v.at]
	rows.update(m, s, &v.flt)
	i := v.lists[v.at].Cursor()
	if i >= rows.len(s) {
		return state.StoreItem{}, false
	}
	return rows.at(s, i), true
}

func (v *storesView) act(m *model, a action) tea.Cmd {
	n := m.r.Stores.Len()
	switch a {
	case actBack:
		if v.flt.on() {
			v.flt = filter{}
		} else {
			m.stores = nil
		}
		return nil
	case actStores:
		m.stores = nil
		return nil
	case actFilter:
		m.startFilter(v.flt, func(f filter) { v.flt = f })
		return nil
	case actNextPane, actRight:
		v.at = (v.at + 1) % max(1, n)
		return nil
	case actPrevPane, actLeft:
		v.at = (v.at + max(1, n) - 1) % max(1, n)
		return nil
	case actStep:
		return m.stepFirst("", journal.StageFIFO, journal.StageReflector)
	case actOpen:
		if item, ok := v.selected(m); ok {
			m.openItem(m.r.Stores.At(v.at), item)
		} else {
			m.refuse("no object is selected to open")
		}
		return nil
	case actCopy:
		item, ok := v.selected(m)
		if !ok {
			m.refuse("no key is selected to copy")
			return nil
		}
		m.say("copied " + item.Key)
		return tea.SetClipboard(item.Key)
	}
	if v.at < len(v.lists) && moveList(&v.lists[v.at], a) {
		v.moved(m)
		return nil
	}
	return m.common(a)
}

// openItem opens what a store holds under a key.
func (m *model) openItem(s *state.Store, item state.StoreItem) {
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
	if e, ok := m.r.Indexer.Get(item.Key); ok && item.Object != nil {
		v.gone = ""
		v.versions = append(v.versions, version{label: "Indexer", rv: e.RV, object: e.Object, note: m.storedNote(e.Time)})
	}
	if item.Object != nil {
		v.versions = append(v.versions, version{label: s.Name, rv: item.RV, object: item.Object,
			note: "put " + journal.Short(m.age(item.Time)) + " ago, " + m.clock(item.Time)})
	}
	v.none = "The event of this entry carried no object."
	v.at = max(0, len(v.versions)-1)
	v.diff = false
	m.viewer = v
}

func (v *storesView) cellAt(x, y int) int {
	for i := range v.cells {
		if v.cells[i].Contains(x, y) {
			return i
		}
	}
	return -1
}

func (v *storesView) click(m *model, x, y int) {
	i := v.cellAt(x, y)
	if i < 0 {
		return
	}
	had := v.at == i
	v.at = i
	l := &v.lists[i]
	// The rows end above the lower border.
	row := l.Top() + y - (v.cells[i].Y + v.cells[i].H - 1 - l.Height())
	if row < l.Top() || row >= l.End() {
		return
	}
	again := had && row == l.Cursor()
	l.Set(row)
	v.moved(m)
	if again {
		v.act(m, actOpen)
	}
}

func (v *storesView) scroll(x, y, rows int) {
	if i := v.cellAt(x, y); i >= 0 {
		v.lists[i].Scroll(rows)
		v.keys[i] = ""
	}
}
