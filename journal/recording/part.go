package recording

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// part is the file that is written to.
type part struct {
	path string
	file *os.File
	to   io.Writer // file, but in tests
	size int64     // of what was written whole
}

// before is where a part goes when another one begins.
func before(path string) string { return path + ".1" }

// create creates the file of a recording, and never takes the place of one.
func create(o Options) (*part, error) {
	if o.MaxSize > 0 {
		if _, err := os.Lstat(before(o.Path)); err == nil {
			return nil, fmt.Errorf("record to %s: %s exists, and the older part of the recording would go there: move it away or name another file", o.Path, before(o.Path))
		}
	}
	return open(o.Path)
}

func open(path string) (*part, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("record to %s: it exists, and a recording never overwrites a file: move it away or name another one", path)
	}
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	return &part{path: path, file: f, to: f}, nil
}

// write writes whole frames.
func (p *part) write(frames []byte) error {
	if len(frames) == 0 {
		return nil
	}
	if _, err := p.to.Write(frames); err != nil {
		return err
	}
	p.size += int64(len(frames))
	return nil
}

func (p *part) close() error { return p.file.Close() }

// abandon closes the part after an error: half a frame at its end is cut off.
func (p *part) abandon() {
	p.file.Truncate(p.size)
	p.file.Close()
}

// remove takes away a file that nothing was recorded in.
func (p *part) remove() error {
	p.file.Close()
	return os.Remove(p.path)
}

// rotate moves the part, which is closed, out of the way, and begins another.
// The part before is replaced.
func (p *part) rotate() (*part, error) {
	if err := os.Rename(p.path, before(p.path)); err != nil {
		return nil, err
	}
	return open(p.path)
}
