package kubectl

import (
	"fmt"
	"os"
	"strings"
)

const scriptFile = "testdata/commands.txt"

// section is a sequence of commands with a namespace and a directory of its own.
type section struct {
	name     string
	files    map[string]string
	commands []*command
}

// command is a line for a shell.
type command struct {
	line string
	// difference and pending say why the sandbox may differ; at most one is set.
	difference, pending string
}

func (c *command) excuse() string { return c.difference + c.pending }

func readScript() ([]*section, error) {
	data, err := os.ReadFile(scriptFile)
	if err != nil {
		return nil, err
	}
	var out []*section
	var s *section
	file := ""
	for i, line := range strings.Split(string(data), "\n") {
		mark, rest, _ := strings.Cut(line, " ")
		if mark == "==" {
			s, file = &section{name: rest, files: map[string]string{}}, ""
			out = append(out, s)
			continue
		}
		if s == nil {
			continue // the preamble
		}
		switch {
		case mark == "---" && rest != "":
			file = rest
		case mark == "$":
			s.commands, file = append(s.commands, &command{line: rest}), ""
		case file != "":
			s.files[file] += line + "\n"
		case line == "":
		case len(s.commands) > 0 && mark == "~":
			s.commands[len(s.commands)-1].difference = rest
		case len(s.commands) > 0 && mark == "?":
			s.commands[len(s.commands)-1].pending = rest
		default:
			return nil, fmt.Errorf("%s:%d: neither a command nor a mark: %q", scriptFile, i+1, line)
		}
	}
	return out, nil
}
