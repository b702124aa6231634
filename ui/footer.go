package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"informerscope/ui/phrase"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
)

// noteFor is how long Options.Note stands in the footer, messageFor how long an
// answer does.
const (
	noteFor    = 12 * time.Second
	messageFor = 6 * time.Second
)

// footer is the last line: what is typed, a question, the answer to the last key,
// or the note of the first seconds. Without any of them, hints have it.
type footer struct {
	clock     func() time.Time
	note      string
	noteUntil time.Time

	message string // an answer to the last key
	warns   bool
	until   time.Time

	input    *prompt     // not nil: a filter or a handler is being typed
	question *question   // not nil: the next key answers it
	letter   *letterWait // not nil: the next key is its letter
}

func newFooter(clock func() time.Time, note string) footer {
	f := footer{clock: clock, note: note}
	if note != "" {
		f.noteUntil = clock().Add(noteFor)
	}
	return f
}

func (f *footer) say(text string, warns bool) {
	f.message, f.warns, f.until = text, warns, f.clock().Add(messageFor)
}

// keepFor lets the message stand for longer than others.
func (f *footer) keepFor(d time.Duration) { f.until = f.clock().Add(d) }

// stands reports whether there is a message to be seen.
func (f *footer) stands() bool { return f.message != "" && f.clock().Before(f.until) }

// over reports whether a message has stood for long enough.
func (f *footer) over() bool { return f.message != "" && f.clock().After(f.until) }

// asks reports whether something is typed or asked.
func (f *footer) asks() bool { return f.input != nil || f.question != nil }

// busy reports whether there is something that no news may take the place of.
func (f *footer) busy() bool { return f.asks() || f.letter != nil || f.stands() }

func (f *footer) ask(p *prompt, was string) {
	p.open(was)
	f.input = p
}

// typed is what a key or a paste does to the prompt.
func (f *footer) typed(msg tea.Msg) tea.Cmd {
	if k, ok := msg.(tea.KeyPressMsg); !ok || k.String() != "enter" {
		f.message = ""
	}
	p := f.input
	cmd, over, err := p.take(msg)
	if over && f.input == p {
		f.input = nil
	}
	if err != nil {
		f.say(err.Error(), true)
	}
	return cmd
}

// key is what a key does to what is typed or asked; taken is false when nothing
// is.
func (f *footer) key(k tea.KeyPressMsg) (cmd tea.Cmd, taken bool) {
	f.noteUntil = f.clock()
	switch {
	case f.input != nil:
		return f.typed(k), true
	case f.question != nil:
		q := f.question
		f.question, f.message = nil, ""
		switch k.String() {
		case "y", "Y":
			return q.yes(), true
		case "ctrl+c":
			return tea.Quit, true
		}
		f.say("nothing was done", false)
		return nil, true
	case f.letter != nil:
		return f.letterKey(k), true
	}
	f.message = ""
	return nil, false
}

// letterKey takes the letter that was waited for.
func (f *footer) letterKey(k tea.KeyPressMsg) tea.Cmd {
	w := f.letter
	f.letter, f.message = nil, ""
	name := k.String()
	switch r := []rune(name); {
	case name == "ctrl+c":
		return tea.Quit
	case name == "esc":
	case len(r) == 1 && (r[0] == '\'' || isLetter(r[0])):
		w.take(r[0])
	default:
		f.say(name+" is no letter: marks are a ... z and A ... Z", true)
	}
	return nil
}

func (f *footer) cursor() *tea.Cursor {
	if f.input == nil {
		return nil
	}
	return f.input.cursor()
}

// draw draws what there is, and reports whether there was anything.
func (f *footer) draw(a screen.Area) bool {
	switch {
	case f.input != nil:
		f.drawInput(a)
	case f.letter != nil:
		screen.Fit(a, 1, 0, a.W-2, theme.Warn, f.letter.text)
	case f.question != nil:
		pen := a.Pen(1, 0)
		pen.Fit(theme.Warn, f.question.text, a.W-26)
		pen.Str(theme.Plain, "  ").Str(theme.Hotkey, "y").Str(theme.Dim, " yes  any other key: no")
	case f.stands():
		screen.Fit(a, 1, 0, a.W-2, f.style(), f.message)
	case f.clock().Before(f.noteUntil):
		drawNote(a, f.note)
	default:
		return false
	}
	return true
}

func (f *footer) style() screen.Style {
	if f.warns {
		return theme.Warn
	}
	return theme.Plain
}

func (f *footer) drawInput(a screen.Area) {
	p := f.input
	pen := a.Pen(1, 0)
	pen.Str(theme.Hotkey, p.Label)
	p.x, p.y = a.X+pen.X, a.Y
	pen.Str(theme.Plain, p.text.Value())
	text, st := p.Help, theme.Dim
	if p.usage != nil {
		if usage := p.usage(p.text.Value()); usage != "" {
			text = usage
		}
	}
	if f.message != "" {
		text, st = f.message, theme.Warn
	}
	pen.To(pen.X + 3)
	pen.Fit(st, text, pen.Left()-1)
}

// drawLong draws an answer that the footer has no room for above it. What is
// being typed keeps the footer to itself, with the message beside it.
func (f *footer) drawLong(body screen.Area) {
	room := body.W - 2
	if f.input != nil {
		room = body.W - f.input.x - len(f.input.text.Value()) - 4
	}
	if !f.stands() || len(f.message) <= room {
		return
	}
	lines := phrase.Wrap(f.message, body.W-4)
	h := min(len(lines)+2, body.H)
	box := body.Sub(0, body.H-h, body.W, h)
	box.Fill(theme.Plain)
	in := box.Box(theme.BorderFocus)
	for y := range in.H {
		screen.Fit(in, 1, y, in.W-2, f.style(), lines[y])
	}
}

// drawNote draws the note and, when there is room, the two keys that a person
// who starts needs.
func drawNote(a screen.Area, note string) {
	screen.Fit(a, 1, 0, a.W-2, theme.Plain, note)
	const room = len("? help  q quit")
	if screen.Width(a.Canvas(), note)+room+4 <= a.W {
		pen := a.Pen(a.W-1-room, 0)
		pen.Str(theme.Hotkey, "?").Str(theme.Dim, " help  ").Str(theme.Hotkey, "q").Str(theme.Dim, " quit")
	}
}
