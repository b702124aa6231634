package ui

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"informerscope/ui/screen"
)

// Commands is an Engine that takes what a person types after ":". Its methods
// may be called from another goroutine than the Engine's.
type Commands interface {
	// Command does what a line says to a resource. The answer is one line.
	Command(resource, line string) (answer string, err error)
	// Complete lists what the last word of a line could become, and where in
	// the line that word begins.
	Complete(resource, line string) (from int, candidates []Candidate)
	// Usage is the verb that a line begins with, with its arguments and what it
	// does; "" when there is none yet.
	Usage(line string) string
	// Save writes what was done since the last Save into a scenario file, which
	// must not exist. The answer says what was written.
	Save(path string) (answer string, err error)
	// Faults lists the verbs that arm a fault on the wire.
	Faults() []Candidate
}

// Candidate is a word that could come next, and what it means.
type Candidate struct{ Word, Help string }

// commandMsg is what came of a line.
type commandMsg struct {
	line, answer string
	err          error
}

// mostCommands is how many lines are remembered.
const mostCommands = 100

// completion is what is offered for the last word of a prompt.
type completion struct {
	from       int // where the word begins
	candidates []Candidate
	at         int // of candidates, in the text; -1: none was chosen
}

func (m *model) commands() Commands {
	c, ok := m.e.(Commands)
	if !ok {
		m.refuse("this engine takes no commands")
		return nil
	}
	return c
}

// openCommand asks for a line, which begins with what is given.
func (m *model) openCommand(line string) {
	c := m.commands()
	if c == nil {
		return
	}
	resource := m.resource
	history := len(m.said)
	var done completion
	look := func(text string) {
		from, cs := c.Complete(resource, text)
		done = completion{from, cs, -1}
	}
	m.ask(prompt{
		label: ":", help: "tab completes  up and down: earlier lines  esc leaves",
		completion: &done,
		usage:      c.Usage,
		typed: func(text string) error {
			look(text)
			return nil
		},
		key: func(p *prompt, name string) bool {
			switch name {
			case "tab", "shift+tab":
				p.complete(name == "tab")
			case "up", "down":
				if name == "up" && history > 0 {
					history--
				} else if name == "down" && history < len(m.said) {
					history++
				}
				text := ""
				if history < len(m.said) {
					text = m.said[history]
				}
				p.set(text)
				look(text)
			default:
				return false
			}
			return true
		},
		enter: func(text string) (tea.Cmd, error) {
			text = strings.TrimSpace(text)
			if text == "" {
				return nil, nil
			}
			m.remember(text)
			return func() tea.Msg {
				answer, err := c.Command(resource, text)
				return commandMsg{text, answer, err}
			}, nil
		},
	}, line)
	look(line)
}

// save asks for the file that takes what was done.
func (m *model) save() {
	c := m.commands()
	if c == nil {
		return
	}
	m.ask(prompt{
		label: "write what was done to: ", help: "a new scenario file  enter writes  esc leaves",
		enter: func(path string) (tea.Cmd, error) {
			path = strings.TrimSpace(path)
			if path == "" {
				return nil, errors.New("name a file")
			}
			return func() tea.Msg {
				answer, err := c.Save(path)
				return handlerMsg{answer, err}
			}, nil
		},
	}, "scenario.yaml")
}

// remember keeps a line for the up key.
func (m *model) remember(line string) {
	if n := len(m.said); n > 0 && m.said[n-1] == line {
		return
	}
	m.said = append(m.said, line)
	if len(m.said) > mostCommands {
		m.said = m.said[1:]
	}
}

// commandDone shows what came of a line. One that failed can be mended.
func (m *model) commandDone(msg commandMsg) {
	m.pull()
	m.noteUntil = m.o.Now()
	if msg.err == nil {
		m.say(msg.answer)
		return
	}
	if m.input == nil && m.question == nil {
		m.openCommand(msg.line)
	}
	m.refuse(msg.err.Error())
}

// complete puts the next candidate, or the one before, in the place of the last
// word.
func (p *prompt) complete(next bool) {
	c := p.completion
	n := len(c.candidates)
	switch {
	case n == 0:
		return
	case next:
		c.at = (c.at + 1) % n
	case c.at <= 0:
		c.at = n - 1
	default:
		c.at--
	}
	word := c.candidates[c.at].Word
	if n == 1 && !strings.HasSuffix(word, "=") {
		word += " "
	}
	text := p.text.Value()
	p.set(text[:min(c.from, len(text))] + word)
}

func (p *prompt) set(text string) {
	p.text.SetValue(text)
	p.text.CursorEnd()
}

// mostOffered is how many candidates are shown at once.
const mostOffered = 8

// drawCompletion draws the candidates above the footer, from the word on that
// they would take the place of.
func (p *prompt) drawCompletion(body screen.Area) {
	c := p.completion
	if c == nil || len(c.candidates) == 0 || body.H < 5 {
		return
	}
	canvas := body.Canvas()
	rows := min(len(c.candidates), mostOffered, body.H-3)
	top := 0
	if c.at >= rows {
		top = c.at - rows + 1
	}
	wordW, helpW := 0, 0
	for _, x := range c.candidates {
		wordW = max(wordW, screen.Width(canvas, x.Word))
		helpW = max(helpW, screen.Width(canvas, x.Help))
	}
	wordW = min(wordW, body.W-4)
	w := min(body.W, wordW+4)
	if helpW > 0 {
		w = min(body.W, wordW+2+helpW+4)
	}
	box := body.Sub(0, body.H-rows-2, w, rows+2)
	box.Fill(plain)
	in := box.Box(borderFocus)
	for i := range rows {
		x := c.candidates[top+i]
		pen := in.Pen(1, i)
		pen.Fit(plain, x.Word, wordW)
		if x.Help != "" {
			pen.To(wordW + 3)
			pen.Fit(dim, x.Help, pen.Left()-1)
		}
		if top+i == c.at {
			selectRow(in, i)
		}
	}
	if more := len(c.candidates) - rows; more > 0 {
		pen := box.Pen(2, box.H-1)
		pen.Str(dim, " ").Int(dim, int64(more)).Str(dim, " more ")
	}
}
