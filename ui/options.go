package ui

import (
	"io"
	"strconv"
	"strings"
	"time"

	"informerscope/journal/object"
	"informerscope/ui/lesson"
	"informerscope/ui/past"
)

// Options configure the screen. The zero value is usable.
type Options struct {
	Source string // "sandbox", or the kubeconfig's context or server
	Scope  string // "all namespaces", "namespace shop"
	Note   string // a line for the help screen and the first seconds, e.g. how to point kubectl at the sandbox
	Object object.Options

	Lesson lesson.Course // nil: none
	Replay *past.Replay  // not nil: a past that is over is shown; there is no Source then

	Now func() time.Time // nil: time.Now

	Input      io.Reader // nil: the terminal
	Output     io.Writer // nil: the terminal
	Environ    []string  // nil: os.Environ; COLUMNS and LINES are the size of an Output that is no terminal
	FirstFrame func()    // called once, after the first whole frame was written
}

// noColour follows https://no-color.org: any value that is not empty.
func noColour(environ []string) bool {
	return variable(environ, "NO_COLOR") != ""
}

func variable(environ []string, name string) string {
	for i := len(environ) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(environ[i], name+"="); ok {
			return v
		}
	}
	return ""
}

func number(environ []string, name string) int {
	n, _ := strconv.Atoi(variable(environ, name))
	return n
}
