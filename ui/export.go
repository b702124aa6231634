package ui

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"informerscope/journal/state"
	"informerscope/journal/state/document"
	"informerscope/ui/screen"
	"informerscope/ui/view"
)

// picture is what was shown when the user asked for a file: the engine runs on
// while a name is typed.
type picture struct {
	canvas  *screen.Canvas
	palette *screen.Palette
	paper   screen.Paper
	title   string
	st      *state.State
	now     time.Time
}

// endings are those of the files that can be written.
const endings = ".svg .txt .ans .json .yaml"

// stamp is the time in the names of files.
const stamp = "20060102-150405"

// export asks for the file that takes what is shown.
func (m *model) export() {
	m.foot.message = ""
	m.compose()
	p := &picture{canvas: m.canvas.Clone(), palette: m.palette, paper: screen.LightPaper, st: m.c.State, now: m.c.Now}
	if m.dark {
		p.paper = screen.DarkPaper
	}
	p.title = strings.Join(strings.Fields(productName+" "+m.o.Source+" "+m.c.Name), " ") + ", " + m.c.Now.Format(time.DateTime)
	m.askExport(p, free(productName+"-"+m.c.Now.Format(stamp)+".svg"))
}

// askExport asks for the name of the file of a picture.
func (m *model) askExport(p *picture, name string) {
	m.Ask(view.Prompt{
		Label: "write to: ", Help: endings + "  enter writes  esc leaves",
		Enter: func(path string) (tea.Cmd, error) {
			path = strings.TrimSpace(path)
			if path == "" {
				return nil, errors.New("name a file")
			}
			encode, err := p.encoder(path)
			if err != nil {
				return nil, err
			}
			return func() tea.Msg {
				b, err := encode()
				if err == nil {
					err = writeNew(home(path), b)
				}
				return view.Answer(func() { m.exported(p, path, len(b), err) })
			}, nil
		},
	}, name)
}

// exported says where the file is; a name that cannot be used can be mended.
func (m *model) exported(p *picture, path string, n int, err error) {
	m.foot.noteUntil = m.c.Clock()
	if err == nil {
		full, err := filepath.Abs(home(path))
		if err != nil {
			full = path
		}
		m.Say("wrote " + view.ByteCount(n) + " to " + filepath.Base(full) + " in " + filepath.Dir(full))
		return
	}
	if !m.foot.asks() {
		name := path
		if errors.Is(err, fs.ErrExist) {
			name = free(name)
		}
		m.askExport(p, name)
	}
	m.Refuse(err.Error())
}

// encoder is what makes a file of the picture, by the ending of its name.
func (p *picture) encoder(path string) (func() ([]byte, error), error) {
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".svg":
		return func() ([]byte, error) { return p.canvas.SVG(p.palette, p.paper, p.title), nil }, nil
	case ".txt":
		return func() ([]byte, error) { return []byte(view.JoinLines(p.canvas.All().Lines())), nil }, nil
	case ".ans":
		return func() ([]byte, error) { return []byte(p.canvas.Encode(p.palette) + "\n"), nil }, nil
	case ".json", ".yaml", ".yml":
		return func() ([]byte, error) { return document.Of(p.st, p.now).Print(ext != ".json") }, nil
	default:
		return nil, errors.New("the name must end in one of " + endings)
	}
}

// writeNew writes a file that must not exist yet. When that fails, nothing is
// left of it.
func writeNew(path string, b []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return &existsError{path}
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no folder %s: name another one, or create it first", filepath.Dir(path))
	case err != nil:
		return err
	}
	_, err = f.Write(b)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(fmt.Errorf("nothing was written: %w", err), os.Remove(path))
	}
	return nil
}

// existsError says that a file is there already.
type existsError struct{ path string }

func (e *existsError) Error() string {
	return filepath.Base(e.path) + " exists already and is not overwritten; enter takes this name instead"
}

func (e *existsError) Unwrap() error { return fs.ErrExist }

// free is a name that no file has: the given one, or one with a number.
func free(path string) string {
	ext := filepath.Ext(path)
	stem := strings.TrimSuffix(path, ext)
	for n := 2; n < 1000; n++ {
		if _, err := os.Lstat(home(path)); errors.Is(err, fs.ErrNotExist) {
			break
		}
		path = stem + "-" + strconv.Itoa(n) + ext
	}
	return path
}

// home puts the home folder in the place of a leading ~, as a shell would.
func home(path string) string {
	rest, ok := strings.CutPrefix(path, "~/")
	if !ok {
		return path
	}
	dir, err := os.UserHomeDir()
	if err != nil {
		return path
	}
	return filepath.Join(dir, rest)
}

// copyText copies what the topmost view shows.
func (m *model) copyText(top view.View) tea.Cmd {
	m.compose() // settles the lists, and what is where
	text, what := top.Text(&m.c, m.lay.body)
	return view.Copy(&m.c, text, what)
}
