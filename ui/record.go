package ui

import (
	"errors"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"informerscope/journal/state"
)

// Recordings is an Engine that can write what happens to a file.
type Recordings interface {
	// StartRecording writes to path, which must not exist.
	StartRecording(path string) (answer string, err error)
	// StopRecording completes the file. The answer says what is in it.
	StopRecording() (answer string, err error)
}

// record starts a recording, or asks whether to stop the one that runs.
func (m *model) record() {
	r, ok := m.e.(Recordings)
	if !ok {
		m.refuse("this engine cannot be recorded")
		return
	}
	if file := m.st.Recording.File; file != "" {
		m.question = &question{
			text: "stop the recording to " + filepath.Base(file) + "? y stops it",
			yes: func() tea.Cmd {
				return func() tea.Msg {
					answer, err := r.StopRecording()
					return handlerMsg{answer, err}
				}
			},
		}
		return
	}
	m.ask(prompt{
		label: "record to: ", help: "a new file  enter starts  esc leaves",
		enter: func(path string) (tea.Cmd, error) {
			path = strings.TrimSpace(path)
			if path == "" {
				return nil, errors.New("name a file")
			}
			return func() tea.Msg {
				answer, err := r.StartRecording(path)
				return handlerMsg{answer, err}
			}, nil
		},
	}, m.o.Now().Format("informerscope-20060102-150405.rec"))
}

// tellRecording says when a recording has ended without having been asked to.
func (m *model) tellRecording(now *state.State) {
	if why := now.Recording.Failed; why != "" && m.st.Recording.Failed == "" {
		m.refuse("the recording stopped: " + why)
	}
}
