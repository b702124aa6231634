package ui

import (
	"informerscope/journal/state"
	"informerscope/ui/compare"
	"informerscope/ui/view"
)

// Pull takes the newest state; of a frozen screen only what the keys control.
func (m *model) Pull() {
	st := m.c.Source.Snapshot()
	if st == nil {
		st = &state.State{}
	}
	if st.Paused != m.c.Paused || st.Pace != m.pace {
		m.c.Paused, m.pace, m.dirty = st.Paused, st.Pace, true
	}
	if m.dock != nil && m.dock.Pull() {
		m.dirty = true
	}
	if m.c.Past != nil {
		m.travel.Pull()
		return
	}
	m.news.stopped(st)
	if m.frozen {
		return
	}
	c := &m.c
	c.Now = c.Clock()
	was := c.State
	if was == nil || st.Seq != was.Seq {
		m.dirty = true
		m.changed = c.Now
	}
	if was == nil || was.Seq == 0 {
		if st.Journal.Len() > 0 {
			c.Start = st.Journal.At(0).Time
		}
	}
	c.State = st
	m.news.between(was, st)
	m.resolve()
	m.greetLanes()
	m.news.steps()
	m.news.findings()
}

// ShowNow takes the newest state: what the engine did meanwhile is no news.
func (m *model) ShowNow() {
	m.c.State = nil
	m.views.tell(&m.c, view.TimeMoved)
	m.Pull()
}

// greetLanes opens the comparison when the first lanes are there.
func (m *model) greetLanes() {
	if m.news.lanesSeen || !compare.HasLanes(&m.c) {
		return
	}
	m.news.lanesSeen = true
	m.c.Name = ""
	m.resolve()
	compare.Open(&m.c)
}
