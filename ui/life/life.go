// Package life shows the life of the followed key. It imports viewer, view and what
// is below them.
package life

import (
	"context"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"informerscope/journal"
	"informerscope/journal/life"
	"informerscope/ui/screen"
	"informerscope/ui/view"
	"informerscope/ui/vlist"
)

// lifeView shows the life of the followed key, up to the event that the screen
// shows.
type lifeView struct {
	view.Base
	view.Followed
	life *life.Life
	from uint64 // the first event that could be looked at
	upTo uint64 // events looked at
	scan *lifeScan

	list   vlist.List
	left   bool         // it is no longer on the screen
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
	events []journal.Event // of the key; complete when ready
	ready  bool
	err    error
}

var (
	_ view.View     = (*lifeView)(nil)
	_ view.Header   = (*lifeView)(nil)
	_ view.Animated = (*lifeView)(nil)
)

// Follow opens the life of a key, or of the one that is selected elsewhere or
// followed already.
func Follow(c *view.Context, key string) tea.Cmd {
	if key == "" {
		key = c.Key
	}
	if key == "" && c.Followed.Resource == c.Name {
		key = c.Followed.Key
	}
	if key == "" {
		c.Refuse("no key is selected to follow")
		return nil
	}
	c.Followed, c.Key = view.Followed{Resource: c.Name, Key: key}, key
	v := &lifeView{Followed: c.Followed, tail: true, other: map[int]bool{}}
	c.Open(v)
	if c.Recording() {
		return v.read(c)
	}
	return nil
}

// Unfollow ends following.
func Unfollow(c *view.Context) {
	c.Say("no longer following " + c.Followed.Key)
	c.Followed = view.Followed{}
}

// FollowHint leaves the key out when there is nothing to follow.
func FollowHint(c *view.Context, b *view.Binding) string {
	if c.Key == "" && c.Followed.Key == "" {
		return ""
	}
	return b.Hint
}

// Name is that of the view.
func (v *lifeView) Name() string { return "life" }

// Scope is that of a life.
func (v *lifeView) Scope() view.Scope {
	return view.Everywhere | view.Running | view.InTime | view.InLife
}

// DrawHead leaves the line to the pipeline.
func (v *lifeView) DrawHead(*view.Context, screen.Area, screen.Area) bool { return false }

// leave takes the view from the screen; the key stays lit.
func (v *lifeView) leave(c *view.Context) {
	if v.scan != nil {
		v.scan.stop()
	}
	v.left = true
	c.Remove(v)
}

// Close ends following, too.
func (v *lifeView) Close(c *view.Context) {
	v.leave(c)
	Unfollow(c)
}

// read scans the whole recording for the key.
func (v *lifeView) read(c *view.Context) tea.Cmd {
	p := c.Past
	ctx, cancel := context.WithCancel(context.Background())
	s := &lifeScan{total: p.Last.Seq - p.First.Seq + 1, stop: cancel}
	v.scan = s
	h, first, last := p.History, p.First.Seq, p.Last.Seq
	of := life.New(v.Resource, v.Key)
	return func() tea.Msg {
		defer cancel()
		var events []journal.Event
		err := h.Scan(ctx, first, last, func(e *journal.Event) bool {
			s.done.Store(e.Seq - first + 1)
			if of.Concerns(e) {
				events = append(events, *e)
			}
			return true
		})
		return view.Answer(func() { v.take(c, events, err) })
	}
}

// take takes what was read, unless the view was left meanwhile.
func (v *lifeView) take(c *view.Context, events []journal.Event, err error) {
	v.scan.events, v.scan.err, v.scan.ready = events, err, true
	v.life = nil
	if v.left {
		return
	}
	c.Redraw()
	if err != nil {
		c.Refuse("the life is not complete: " + err.Error())
	}
}

// Moving reports whether a recording is being read.
func (v *lifeView) Moving() bool { return v.scan != nil && !v.scan.ready }

// update brings the life up to the event that the screen shows.
func (v *lifeView) update(c *view.Context) {
	if v.life == nil || c.State.Seq < v.upTo {
		v.life, v.upTo = life.New(v.Resource, v.Key), 0
	}
	if s := v.scan; s != nil {
		v.from = c.Past.First.Seq
		for i := range s.events {
			if e := &s.events[i]; s.ready && e.Seq > v.upTo && e.Seq <= c.State.Seq {
				v.life.Apply(e)
			}
		}
	} else {
		j := c.State.Journal
		if v.upTo == 0 {
			v.from = j.Dropped() + 1
		}
		for seq := max(v.upTo, j.Dropped()) + 1; seq <= j.Last(); seq++ {
			v.life.Apply(j.Find(seq))
		}
	}
	v.upTo = c.State.Seq
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
