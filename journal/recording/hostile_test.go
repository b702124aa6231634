package recording

import (
	"bytes"
	"context"
	"errors"
	"hash/crc32"
	"os"
	"strings"
	"testing"
)

// counted counts how much of a source is read.
type counted struct {
	b byte
	n int
}

func (c *counted) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = c.b
	}
	c.n += len(p)
	return len(p), nil
}

func TestWhatIsNoRecordingIsRefusedAtItsFirstBytes(t *testing.T) {
	endless := &counted{}
	if _, err := Read(t.Context(), endless, OpenOptions{}); err == nil || !strings.Contains(err.Error(), "no recording") || endless.n > 100 {
		t.Errorf("%v after %d bytes", err, endless.n)
	}
	if _, err := Open(t.Context(), "/dev/zero", OpenOptions{}); err == nil || !strings.Contains(err.Error(), "no recording") {
		t.Error(err)
	}
}

func TestReadEndsWithItsContext(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, r, OpenOptions{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// reads counts the bytes that are read of a file.
type reads struct {
	*bytes.Reader
	n int64
}

func (r *reads) ReadAt(p []byte, off int64) (int, error) {
	n, err := r.Reader.ReadAt(p, off)
	r.n += int64(n)
	return n, err
}

// However a file is made, opening it reads it a few times at most.
func TestOpeningAFileMadeOfFramesIsLinear(t *testing.T) {
	file, _ := small(t)
	lie := frame{typ: frameEvents, flags: compressed, raw: 1 << 20, count: 1, number: 1}
	lie.size = 3 << 20
	lie.crc = crc32.Checksum(nil, castagnoli) + 1
	for name, filling := range map[string][]byte{"markers": []byte(marker), "headers": lie.append(nil)} {
		made := append(bytes.Clone(file[:len(file)/2]), bytes.Repeat(filling, (8<<20)/len(filling))...)
		r := &reads{Reader: bytes.NewReader(made)}
		f, err := openAt(t.Context(), r, int64(len(made)), OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if f.Lost() == "" {
			t.Errorf("%s: nothing is lost", name)
		}
		if limit := 10*int64(len(made)) + 100<<20; r.n > limit {
			t.Errorf("%s: %d bytes were read of %d", name, r.n, len(made))
		}
	}
}
