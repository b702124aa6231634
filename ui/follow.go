package ui

import (
	"context"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"informerscope/journal"
	"informerscope/journal/life"
	"informerscope/ui/screen"
	"informerscope/ui/vlist"
)

// followed is the key that the user follows: it is lit in all panes.
type followedKey struct{ resource, key string }

// lifeView shows the life of the followed key, up to the event that the screen
// shows.
type lifeView struct {
	followedKey
	life *life.Life
	from uint64 // the first event that could be looked at
	upTo uint64 // events looked at
	scan *lifeScan

	list   vlist.List
	tail   bool         // the cursor is on the newest row
	folded bool         // passages without their events, but for those in other
	other  map[int]bool // by number: passages that are not as folded says
	rows   []lifeRow
	area   screen.Area // of the rows, for the mouse
}

// lifeRow is a row of a passage: its times, what is to be said of it, or one of
// its events.
type lifeRow struct {
	p     *life.Passage
	event int // of p.Events; rowTimes, rowNote
}

const (
	rowTimes = -1
	rowNote  = -2
)

// lifeScan reads the events of a key out of a recording, beside the screen.
type lifeScan struct {
	done   atomic.Uint64 // events read
	total  uint64
	stop   context.CancelFunc
	events []journal.Event // of the key; complete after its lifeMsg
	ready  bool
	err    error
}

// lifeMsg says that a scan is done.
type lifeMsg struct {
	scan   *lifeScan
	events []journal.Event
	err    error
}

// followKey opens the life of the selected key, or goes from the life back to
// the panes, where the key stays lit.
func (m *model) followKey() tea.Cmd {
	if m.life != nil {
		m.closeLife()
		m.say("following " + m.follow.key + ": it is lit in all panes; f shows its life, esc ends that")
		return nil
	}
	key := ""
	switch {
	case m.wrongs != nil:
		if r := m.wrongs.selected(); r == nil || r.Key == "" {
			m.refuse("this row is of no key that can be followed")
			return nil
		}
		m.wrongs.shown(m)
		key, m.wrongs = m.key, nil
	case m.compare == nil && m.stores == nil:
		key = m.panes[m.focus].selected(m)
	case m.stores != nil:
		if item, ok := m.stores.selected(m); ok {
			key = item.Key
		}
	}
	if key == "" {
		key = m.key
	}
	if key == "" && m.follow.resource == m.resource {
		key = m.follow.key
	}
	if key == "" {
		m.refuse("no key is selected to follow")
		return nil
	}
	m.follow, m.key = followedKey{m.resource, key}, key
	v := &lifeView{followedKey: m.follow, tail: true, other: map[int]bool{}}
	m.life = v
	if m.past != nil && m.past.replay != nil {
		return v.read(m)
	}
	return nil
}

func (m *model) closeLife() {
	if v := m.life; v != nil && v.scan != nil {
		v.scan.stop()
	}
	m.life = nil
}

// unfollow ends following.
func (m *model) unfollow() {
	m.closeLife()
	m.say("no longer following " + m.follow.key)
	m.follow = followedKey{}
}

// lit reports whether a key of the current resource is followed.
func (m *model) lit(key string) bool {
	return m.follow.key == key && key != "" && m.follow.resource == m.resource
}

// read scans the whole recording for the key.
func (v *lifeView) read(m *model) tea.Cmd {
	p := m.past
	ctx, cancel := context.WithCancel(context.Background())
	s := &lifeScan{total: p.last.Seq - p.first.Seq + 1, stop: cancel}
	v.scan = s
	h, first, last := p.h, p.first.Seq, p.last.Seq
	filter := life.New(v.resource, v.key)
	return func() tea.Msg {
		defer cancel()
		msg := lifeMsg{scan: s}
		msg.err = h.Scan(ctx, first, last, func(e *journal.Event) bool {
			s.done.Store(e.Seq - first + 1)
			if filter.Concerns(e) {
				msg.events = append(msg.events, *e)
			}
			return true
		})
		return msg
	}
}

func (m *model) lifeRead(msg lifeMsg) {
	v := m.life
	if v == nil || v.scan != msg.scan {
		return
	}
	v.scan.events, v.scan.err, v.scan.ready = msg.events, msg.err, true
	v.life = nil
	m.dirty = true
	if msg.err != nil {
		m.refuse("the life is not complete: " + msg.err.Error())
	}
}

// reading reports whether a recording is being read.
func (v *lifeView) reading() bool { return v != nil && v.scan != nil && !v.scan.ready }

// update brings the life up to the event that the screen shows.
func (v *lifeView) update(m *model) {
	if v.life == nil || m.st.Seq < v.upTo {
		v.life, v.upTo = life.New(v.resource, v.key), 0
	}
	if s := v.scan; s != nil {
		v.from = m.past.first.Seq
		for i := range s.events {
			if e := &s.events[i]; s.ready && e.Seq > v.upTo && e.Seq <= m.st.Seq {
				v.life.Apply(e)
			}
		}
	} else {
		j := m.st.Journal
		if v.upTo == 0 {
			v.from = j.Dropped() + 1
		}
		for seq := max(v.upTo, j.Dropped()) + 1; seq <= j.Last(); seq++ {
			v.life.Apply(j.Find(seq))
		}
	}
	v.upTo = m.st.Seq
	v.rows = v.rows[:0]
	for _, p := range v.life.Passages {
		v.rows = append(v.rows, lifeRow{p, rowTimes})
		if !v.opened(p) {
			continue
		}
		v.rows = append(v.rows, lifeRow{p, rowNote})
		for i := range p.Events {
			v.rows = append(v.rows, lifeRow{p, i})
		}
	}
}

// opened reports whether the events of a passage are shown.
func (v *lifeView) opened(p *life.Passage) bool { return v.folded == v.other[p.Number] }

// selected is the row under the cursor; false when there is none.
func (v *lifeView) selected() (lifeRow, bool) {
	if i := v.list.Cursor(); i < len(v.rows) {
		return v.rows[i], true
	}
	return lifeRow{}, false
}

// selectedSeq is the event under the cursor, of a passage its newest; 0: none.
func (v *lifeView) selectedSeq() uint64 {
	r, ok := v.selected()
	switch {
	case !ok || len(r.p.Events) == 0:
		return 0
	case r.event >= 0:
		return r.p.Events[r.event].Seq
	}
	return r.p.Events[len(r.p.Events)-1].Seq
}
