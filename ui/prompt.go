package ui

import (
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"informerscope/ui/source"
	"informerscope/ui/view"
)

// prompt is a line in the footer in which something is typed.
type prompt struct {
	view.Prompt
	text textinput.Model
	x, y int // where the text begins on the screen

	// Of a command only. completion is drawn above the footer, usage in place
	// of help; key gets keys first, and says whether it took one.
	completion *completion
	usage      func(text string) string
	key        func(p *prompt, name string) bool
}

// open begins with a text.
func (p *prompt) open(was string) {
	t := textinput.New()
	t.Prompt = ""
	t.SetVirtualCursor(false)
	t.SetValue(was)
	t.CursorEnd()
	t.Focus()
	p.text = t
}

func (p *prompt) set(text string) {
	p.text.SetValue(text)
	p.text.CursorEnd()
}

// take is what a message does to the prompt: over says that it is done with, err
// why what is typed cannot be taken.
func (p *prompt) take(msg tea.Msg) (cmd tea.Cmd, over bool, err error) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		if p.key != nil && p.key(p, k.String()) {
			return nil, false, nil
		}
		switch k.String() {
		case "esc":
			if p.Cancel != nil {
				p.Cancel()
			}
			return nil, true, nil
		case "ctrl+c":
			return tea.Quit, false, nil
		case "enter":
			cmd, err = p.Enter(p.text.Value())
			return cmd, err == nil, err
		}
	}
	p.text, cmd = p.text.Update(msg)
	if p.Typed != nil {
		err = p.Typed(p.text.Value())
	}
	return cmd, false, err
}

func (p *prompt) cursor() *tea.Cursor {
	v := []rune(p.text.Value())
	n := min(p.text.Position(), len(v))
	return tea.NewCursor(p.x+ansi.StringWidth(string(v[:n])), p.y)
}

// question is asked before something that cannot be undone: y does it, any
// other key does not.
type question struct {
	text string
	yes  func() tea.Cmd
}

// letterWait is a key that waits for a letter.
type letterWait struct {
	text string
	take func(r rune)
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// completion is what is offered for the last word of a prompt.
type completion struct {
	from       int // where the word begins
	candidates []source.Candidate
	at         int // of candidates, in the text; -1: none was chosen
}
