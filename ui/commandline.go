package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"informerscope/ui/source"
	"informerscope/ui/view"
)

// mostCommands is how many lines are remembered.
const mostCommands = 100

// commandLine remembers the lines that were typed, the newest last.
type commandLine struct{ said []string }

// remember keeps a line for the up key.
func (l *commandLine) remember(line string) {
	if n := len(l.said); n > 0 && l.said[n-1] == line {
		return
	}
	l.said = append(l.said, line)
	if len(l.said) > mostCommands {
		l.said = l.said[1:]
	}
}

// prompt asks for a line to a resource; run does what it says.
func (l *commandLine) prompt(s source.Commands, resource, line string, run func(line string) tea.Cmd) *prompt {
	history := len(l.said)
	var done completion
	look := func(text string) {
		from, cs := s.Complete(resource, text)
		done = completion{from, cs, -1}
	}
	look(line)
	p := &prompt{Prompt: view.Prompt{Label: ":", Help: "tab completes  up and down: earlier lines  esc leaves"}, completion: &done, usage: s.Usage}
	p.Typed = func(text string) error {
		look(text)
		return nil
	}
	p.key = func(p *prompt, name string) bool {
		switch name {
		case "tab", "shift+tab":
			p.complete(name == "tab")
		case "up", "down":
			if name == "up" && history > 0 {
				history--
			} else if name == "down" && history < len(l.said) {
				history++
			}
			text := ""
			if history < len(l.said) {
				text = l.said[history]
			}
			p.set(text)
			look(text)
		default:
			return false
		}
		return true
	}
	p.Enter = func(text string) (tea.Cmd, error) {
		text = strings.TrimSpace(text)
		if text == "" {
			return nil, nil
		}
		l.remember(text)
		return run(text), nil
	}
	return p
}
