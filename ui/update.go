package ui

import (
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"informerscope/journal/state"
	"informerscope/ui/control"
	"informerscope/ui/lesson"
	"informerscope/ui/panes"
	"informerscope/ui/past"
	"informerscope/ui/source"
	"informerscope/ui/theme"
	"informerscope/ui/view"
)

// How often a snapshot is pulled: while things move, and when nothing has
// changed for idleAfter.
const (
	busyTick  = time.Second / 30
	idleTick  = time.Second / 10
	idleAfter = 2 * time.Second
)

type tickMsg time.Time

func newModel(src source.Source, o Options) *model {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Replay != nil {
		src = past.Recording{History: o.Replay.History}
	}
	environ := o.Environ
	if environ == nil {
		environ = os.Environ()
	}
	panes := panes.New()
	m := &model{o: o, environ: environ, dirty: true, dark: true, colour: !noColour(environ), views: stack{views: []view.View{panes}}}
	now := o.Now()
	m.c = view.Context{Program: m, Source: src, Clock: o.Now, Object: o.Object, Resource: &state.Resource{}, Start: now, Now: now}
	m.travel = past.New(&m.c, m)
	m.news = news{c: &m.c, foot: &m.foot}
	m.foot = newFooter(o.Now, o.Note)
	m.palette = theme.NewPalette(m.dark, m.colour)
	if o.Lesson != nil {
		m.dock = lesson.New(o.Lesson, panes.Look)
	}
	m.Pull()
	if o.Replay != nil {
		m.travel.OpenReplay(o.Replay)
		if o.Replay.Lost != "" && m.c.Past.Last.Seq != 0 {
			m.Refuse(o.Replay.Lost)
			m.foot.keepFor(noteFor)
		}
	}
	return m
}

// Init starts the tick and asks for the background's colour.
func (m *model) Init() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, m.tick())
}

func (m *model) tick() tea.Cmd {
	d := busyTick
	if m.c.Clock().Sub(m.changed) > idleAfter {
		d = idleTick
	}
	return tea.Tick(d, func(t time.Time) tea.Msg { return tickMsg(t) })
}

// aged reports whether an age on the screen has changed since it was drawn.
func (m *model) aged() bool {
	step := time.Second
	if m.c.Tenths {
		step = time.Second / 10
	}
	return !m.c.Now.Truncate(step).Equal(m.drawnAge.Truncate(step))
}

// Update takes one message.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.update(msg)
	if look := m.travel.LookOver(); look != nil {
		cmd = tea.Batch(cmd, look)
	}
	return m, cmd
}

func (m *model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tickMsg:
		m.Pull()
		if m.aged() || m.views.moving() || m.travel.Aged(m.drawnAt) || m.foot.over() {
			m.dirty = true
		}
		return m.tick()
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
		m.touch()
	case tea.BackgroundColorMsg:
		m.dark = msg.IsDark()
		m.palette = theme.NewPalette(m.dark, m.colour)
		m.dirty = true
	case tea.ModeReportMsg:
		// As the renderer does: the terminal measures by grapheme cluster.
		if msg.Mode == ansi.ModeUnicodeCore && !msg.Value.IsNotRecognized() && !msg.Value.IsPermanentlyReset() {
			m.canvas.Graphemes = true
			m.dirty = true
		}
	case tea.ResumeMsg:
		m.touch()
		return tea.ClearScreen
	case tea.KeyPressMsg:
		m.touch()
		return m.keyPress(msg)
	case tea.PasteMsg:
		if m.foot.input != nil {
			m.touch()
			return m.foot.typed(msg)
		}
	case tea.MouseClickMsg:
		m.touch()
		return m.click(msg.X, msg.Y, msg.Button)
	case tea.MouseWheelMsg:
		m.touch()
		m.wheel(msg.X, msg.Y, msg.Button)
	case tea.MouseMotionMsg, tea.MouseReleaseMsg:
		m.travel.Drag(msg)
	case control.Stepped:
		m.Pull()
		m.news.stepped(msg)
	case view.Done:
		m.Pull()
		m.answer(msg.What, msg.Err)
	case view.Answer:
		msg()
	}
	return nil
}

// touch says that the user or the terminal changed something.
func (m *model) touch() {
	m.Redraw()
	m.Pull()
}

// View returns the frame, composing it only when it is out of date.
func (m *model) View() tea.View {
	if m.dirty {
		m.frame = tea.View{Content: m.compose(), AltScreen: true, MouseMode: tea.MouseModeCellMotion, Cursor: m.foot.cursor()}
		m.dirty = false
	}
	return m.frame
}
