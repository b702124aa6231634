package ui

import (
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"informerscope/ui/source"
	"informerscope/ui/view"
)

// record starts a recording, or asks whether to stop the one that runs.
func (m *model) record() {
	s, ok := m.c.Source.(source.Recordings)
	if !ok {
		m.Refuse("this engine cannot be recorded")
		return
	}
	if file := m.c.State.Recording.File; file != "" {
		m.Confirm("stop the recording to "+filepath.Base(file)+"? y stops it", func() tea.Cmd {
			return func() tea.Msg {
				answer, err := s.StopRecording()
				return view.Done{What: answer, Err: err}
			}
		})
		return
	}
	m.Ask(view.Prompt{
		Label: "record to: ", Help: "a new file  enter starts  esc leaves",
		Enter: namedFile(s.StartRecording),
	}, m.c.Clock().Format("informerscope-20060102-150405.rec"))
}
