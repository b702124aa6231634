package ui

import (
	"os"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/charmbracelet/x/ansi"

	"informerscope/journal/state"
	"informerscope/ui/screen"
)

// How often a snapshot is pulled: while things move, and when nothing has
// changed for idleAfter.
const (
	busyTick  = time.Second / 30
	idleTick  = time.Second / 10
	idleAfter = 2 * time.Second
)

// noteFor is how long Options.Note stands in the footer, messageFor how long an
// answer does.
const (
	noteFor    = 12 * time.Second
	messageFor = 6 * time.Second
)

type tickMsg time.Time

// model is the whole screen. Bubble Tea calls it from one goroutine.
type model struct {
	e Engine
	o Options

	environ []string

	canvas  screen.Canvas
	measure screen.Canvas // see scratch
	tabs    [numPanes]int // columns of the tabs
	palette *screen.Palette
	colour  bool
	dark    bool // the terminal's background
	w, h    int

	st       *state.State
	r        *state.Resource // the current resource; never nil
	resource string          // its name; "" until the first one is known
	key      string          // the key the user selected last, in whatever pane
	start    time.Time       // of the time offsets: the first event
	now      time.Time       // of the frame; stands still while frozen

	paused bool    // the engine, also while the screen is frozen
	pace   float64 // likewise

	past     *pastView // not nil: the view is not at now
	marks    []mark    // by their letters
	dragging bool      // the mouse holds the scrubber's cursor

	frozen    bool
	focus     paneID
	maximised bool
	panes     [numPanes]pane
	lay       layout

	aside     paneID       // which of Reflector and Listeners is in the place that they share
	viewer    *viewer      // not nil: an object or event is open
	listing   *listing     // not nil: a list is open, below a viewer
	compare   *compareView // not nil: lanes side by side in place of the panes
	stores    *storesView  // not nil: storage types side by side in place of the panes
	wrongs    *wrongView   // not nil: what is wrong in place of the panes
	breaks    *breaksView  // not nil: the breakpoints in place of the panes
	resources *chooser
	faults    *faultMenu
	lesson    *lessonPanel // nil: none is open
	said      []string     // command lines, the newest last
	help      *helpScreen
	input     *prompt     // not nil: a filter or a handler is being typed
	question  *question   // not nil: the next key answers it
	letter    *letterWait // not nil: the next key is its letter
	marksList *marksView  // not nil: the marks are listed
	life      *lifeView   // not nil: the life of a key is open
	follow    followedKey // its key is "" when none is

	message      string // an answer to the last key, in the footer
	messageWarns bool
	found        foundNow
	told         map[string]bool // findings that the footer told, by foundID; nil before the first state
	stop         state.Stop      // what the engine stands still at; Event 0: no breakpoint made it
	stopTold     uint64          // the event of the newest one that the footer told
	awaited      *stepMsg        // a step whose item has not passed yet
	messageUntil time.Time
	noteUntil    time.Time
	lanesSeen    bool // the comparison was opened by itself once

	// dirty says that view is out of date.
	dirty   bool
	drawnAt time.Time // when the view was composed, by the clock of now
	view    tea.View
	changed time.Time // when the state or the user last changed something
	// tenths says that the frame shows an age that changes each 0.1 s.
	tenths   bool
	drawnAge time.Time

	composed atomic.Bool // a whole frame was composed once; read by firstWriter
}

func newModel(e Engine, o Options) *model {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Replay != nil {
		e = recording{}
	}
	environ := o.Environ
	if environ == nil {
		environ = os.Environ()
	}
	m := &model{e: e, o: o, environ: environ, focus: paneFIFO, aside: paneReflector, dirty: true, dark: true, colour: !noColour(environ)}
	m.palette = newPalette(m.dark, m.colour)
	m.panes = [numPanes]pane{paneFIFO: &fifoPane{}, paneIndexer: newIndexerPane(), paneQueue: &queuePane{},
		paneReflector: &reflectorPane{}, paneTimeline: &timelinePane{follow: true}, paneListeners: &listenersPane{}}
	m.now = o.Now()
	m.start = m.now
	if o.Note != "" {
		m.noteUntil = m.now.Add(noteFor)
	}
	if o.Lesson != nil {
		m.lesson = &lessonPanel{lesson: o.Lesson}
	}
	m.r = &state.Resource{}
	m.pull()
	if o.Replay != nil {
		m.openReplay(o.Replay)
	}
	return m
}

// Init starts the tick and asks for the background's colour.
func (m *model) Init() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, m.tick())
}

func (m *model) tick() tea.Cmd {
	d := busyTick
	if m.o.Now().Sub(m.changed) > idleAfter {
		d = idleTick
	}
	return tea.Tick(d, func(t time.Time) tea.Msg { return tickMsg(t) })
}

// pull takes the newest state; of a frozen screen only what the keys control.
func (m *model) pull() {
	st := m.e.Snapshot()
	if st == nil {
		st = &state.State{}
	}
	if st.Paused != m.paused || st.Pace != m.pace {
		m.paused, m.pace, m.dirty = st.Paused, st.Pace, true
	}
	if m.lesson != nil && m.lesson.pull() {
		m.lookAt(m.lesson.view.Look)
		m.dirty = true
	}
	if m.past != nil {
		m.pullPast()
		return
	}
	m.pullStop(st)
	if m.frozen {
		return
	}
	m.now = m.o.Now()
	if m.st == nil || st.Seq != m.st.Seq {
		m.dirty = true
		m.changed = m.now
	}
	if m.st == nil || m.st.Seq == 0 {
		if st.Journal.Len() > 0 {
			m.start = st.Journal.At(0).Time
		}
	}
	if m.st != nil && st.Divergences > m.st.Divergences {
		m.refuse("divergence: the real object did something else than predicted: " + st.LastDivergence)
	}
	if m.st != nil {
		m.tellRecording(st)
	}
	m.st = st
	m.resolve()
	m.greetLanes()
	m.tellStep()
	m.tellFindings()
}

// resolve finds the current resource in the newest state.
func (m *model) resolve() {
	if m.resource == "" && len(m.st.Resources) > 0 {
		m.resource = m.st.Resources[0].Name
	}
	if r := m.st.Resource(m.resource); r != nil {
		m.r = r
	} else if m.past != nil {
		m.r = &state.Resource{} // it was not there yet
	}
}

// aged reports whether an age on the screen has changed since it was drawn.
func (m *model) aged() bool {
	step := time.Second
	if m.tenths {
		step = time.Second / 10
	}
	return !m.now.Truncate(step).Equal(m.drawnAge.Truncate(step))
}

// Update takes one message.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.update(msg)
	if look := m.lookOver(); look != nil {
		cmd = tea.Batch(cmd, look)
	}
	return m, cmd
}

func (m *model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tickMsg:
		m.pull()
		if m.aged() || m.life.reading() || m.past != nil && m.past.aged(m) || (m.message != "" && m.o.Now().After(m.messageUntil)) {
			m.dirty = true
		}
		return m.tick()
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
		m.touch()
	case tea.BackgroundColorMsg:
		m.dark = msg.IsDark()
		m.palette = newPalette(m.dark, m.colour)
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
		if m.input != nil {
			m.touch()
			return m.input.update(m, msg)
		}
	case tea.MouseClickMsg:
		m.touch()
		return m.click(msg.X, msg.Y, msg.Button)
	case tea.MouseWheelMsg:
		m.touch()
		m.wheel(msg.X, msg.Y, msg.Button)
	case tea.MouseMotionMsg, tea.MouseReleaseMsg:
		m.drag(msg)
	case overviewMsg:
		m.lookedOver(msg)
	case lifeMsg:
		m.lifeRead(msg)
	case hitMsg:
		m.foundHit(msg)
	case stepMsg:
		m.pull()
		m.stepped(msg)
	case commandMsg:
		m.commandDone(msg)
	case lessonMsg:
		m.lessonDone(msg)
	case exportMsg:
		m.exported(msg)
	case handlerMsg:
		m.pull()
		m.handled(msg)
	}
	return nil
}

// touch says that the user or the terminal changed something.
func (m *model) touch() {
	m.dirty = true
	m.changed = m.o.Now()
	m.pull()
}

// say shows an answer in the footer.
func (m *model) say(text string) {
	m.message, m.messageWarns, m.messageUntil = text, false, m.o.Now().Add(messageFor)
	m.dirty = true
}

// refuse says why a key cannot act now.
func (m *model) refuse(text string) {
	m.say(text)
	m.messageWarns = true
}

// View returns the frame, composing it only when it is out of date.
func (m *model) View() tea.View {
	if m.dirty {
		m.view = tea.View{Content: m.compose(), AltScreen: true, MouseMode: tea.MouseModeCellMotion}
		if m.input != nil {
			m.view.Cursor = m.input.cursor()
		}
		m.dirty = false
	}
	return m.view
}
