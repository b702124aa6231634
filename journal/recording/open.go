package recording

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"strings"
)

// OpenOptions say how a recording is read. The zero value is usable.
type OpenOptions struct {
	// Memory is about how many bytes of unpacked events and objects are kept, to
	// be fast where somebody was before; 0 is 64 MiB.
	Memory int64
	// Check is the size up to which a file is read as a whole when it is opened,
	// so that Lost tells of all damage. Of a larger one only the headers of the
	// frames are read, and damage is found by whoever comes to it. 0 is 256 MiB.
	Check int64
	// Pipe is how many bytes Read takes; 0 is 1 GiB.
	Pipe int64
}

func (o OpenOptions) complete() OpenOptions {
	if o.Memory <= 0 {
		o.Memory = 64 << 20
	}
	if o.Check == 0 {
		o.Check = 256 << 20
	}
	if o.Pipe <= 0 {
		o.Pipe = 1 << 30
	}
	return o
}

// Open opens a recording, which may be one that is being written: what is there
// now is what is seen. A file that is cut or damaged opens; Lost says what is
// missing. The error is that of the system, that it is no recording, or a
// *NewerError; or ctx ended first.
func Open(ctx context.Context, path string, o OpenOptions) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		defer file.Close()
		return Read(ctx, file, o) // a named pipe
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	f, err := openAt(ctx, file, info.Size(), o)
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f.close = file.Close
	return f, nil
}

// Read reads a recording to its end, from a pipe, and keeps it in a file that no
// directory has. What is no recording is refused after its first bytes. When ctx
// ends first, a goroutine stays until r has something to read.
func Read(ctx context.Context, r io.Reader, o OpenOptions) (*File, error) {
	o = o.complete()
	type result struct {
		f   *File
		err error
	}
	done := make(chan result, 1)
	go func() {
		f, err := spool(ctx, r, o)
		done <- result{f, err}
	}()
	select {
	case got := <-done:
		return got.f, got.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func spool(ctx context.Context, r io.Reader, o OpenOptions) (*File, error) {
	head := make([]byte, magicSize)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("read the recording: %w", err)
	}
	if head = head[:n]; !cutMagic(head) {
		if err := checkMagic(head); err != nil {
			return nil, err
		}
	}
	file, err := os.CreateTemp("", "informerscope-*.rec")
	if err != nil {
		return nil, fmt.Errorf("keep the recording: %w", err)
	}
	os.Remove(file.Name())
	size, err := io.Copy(file, io.MultiReader(bytes.NewReader(head), io.LimitReader(r, o.Pipe+1-int64(n))))
	switch {
	case err != nil:
		err = fmt.Errorf("read the recording: %w", err)
	case size > o.Pipe:
		err = fmt.Errorf("the recording is larger than the %d bytes that are taken from a pipe: write it to a file and open that", o.Pipe)
	}
	var f *File
	if err == nil {
		f, err = openAt(ctx, file, size, o)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	f.close = file.Close
	return f, nil
}

// cutMagic reports whether b is the beginning of a recording, cut within magic.
func cutMagic(b []byte) bool {
	return len(b) < magicSize && strings.HasPrefix(magic+string([]byte{Major, Minor}), string(b))
}

func openAt(ctx context.Context, r io.ReaderAt, size int64, o OpenOptions) (*File, error) {
	o = o.complete()
	head := make([]byte, min(size, int64(magicSize)))
	if _, err := r.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	f := newFile(r, size, o)
	if cutMagic(head) {
		f.problem(problem{at: size, what: "the file is cut before anything was recorded"})
		return f, nil
	}
	if err := checkMagic(head); err != nil {
		return nil, err
	}
	s := scanner{ctx: ctx, f: f, check: size <= o.Check, search: 4*size + 64<<20}
	if err := s.scan(); err != nil {
		return nil, err
	}
	return f, nil
}

// scanner finds the frames of a file.
type scanner struct {
	ctx    context.Context
	f      *File
	check  bool // payloads too
	cur    *segment
	begun  bool  // a header was read
	search int64 // how many bytes find may still read, of a file that was made to have it read for ever

	window []byte // of the file
	from   int64  // where in it
}

// bytes returns the n bytes at off; they are valid until the next call.
func (s *scanner) bytes(off int64, n int) ([]byte, error) {
	if off < s.from || off+int64(n) > s.from+int64(len(s.window)) {
		if err := s.ctx.Err(); err != nil {
			return nil, err
		}
		want := max(n, 4<<10)
		if s.check {
			want = max(n, 1<<20)
		}
		want = int(min(int64(want), s.f.size-off))
		if cap(s.window) < want {
			s.window = make([]byte, want)
		}
		s.window, s.from = s.window[:want], off
		if k, err := s.f.r.ReadAt(s.window, off); k < want {
			s.window = s.window[:k]
			if k >= n {
				return s.window[:n], nil
			}
			return nil, fmt.Errorf("read byte %d: %w", off+int64(k), err)
		}
	}
	at := off - s.from
	return s.window[at : at+int64(n)], nil
}

// whole reports whether the payload at off is what the frame says.
func (s *scanner) whole(f frame, off int64) (bool, error) {
	sum, left := uint32(0), int(f.size)
	for left > 0 {
		n := min(left, 1<<20)
		b, err := s.bytes(off, n)
		if err != nil {
			return false, err
		}
		sum = crc32.Update(sum, castagnoli, b)
		off, left = off+int64(n), left-n
	}
	return sum == f.crc, nil
}

func (s *scanner) scan() error {
	f, off := s.f, int64(magicSize)
	for off < f.size {
		if f.size-off < frameSize {
			f.problem(problem{at: off, what: "the file is cut there", cut: true})
			return nil
		}
		b, err := s.bytes(off, frameSize)
		if err != nil {
			return err
		}
		fr, err := parseFrame(b)
		if err != nil {
			next, err := s.find(off + 1)
			if err != nil {
				return err
			}
			s.damaged(off, next)
			off = next
			continue
		}
		payload := off + frameSize
		if int64(fr.size) > f.size-payload {
			f.problem(problem{at: off, what: "the file is cut there", cut: true})
			return nil
		}
		good := true
		if s.check || !s.begun {
			if good, err = s.whole(fr, payload); err != nil {
				return err
			}
		}
		if stop := s.take(block{fr, payload}, good); stop {
			return nil
		}
		off = payload + int64(fr.size)
	}
	if f.totals == nil {
		f.problem(problem{at: f.size, what: "the recording was not closed: it goes on, or its program was killed", cut: true})
	}
	return nil
}

// find looks for the next frame that is whole, payload too; the end when there
// is none.
func (s *scanner) find(off int64) (int64, error) {
	for off+frameSize <= s.f.size && s.search > 0 {
		b, err := s.ahead(off)
		if err != nil {
			return 0, err
		}
		at := bytes.Index(b, []byte(marker))
		if at < 0 {
			at = len(b) - 1 // which may begin one
		}
		off += int64(at)
		if b = b[at:]; len(b) < frameSize {
			continue
		}
		if fr, err := parseFrame(b); err == nil && int64(fr.size) <= s.f.size-off-frameSize {
			s.search -= int64(fr.size) + 1<<20
			good, err := s.whole(fr, off+frameSize)
			if err != nil {
				return 0, err
			}
			if good {
				return off, nil
			}
		}
		off++
	}
	return s.f.size, nil
}

// ahead is what the window has from off on, a frameSize at least.
func (s *scanner) ahead(off int64) ([]byte, error) {
	end := s.from + int64(len(s.window))
	if off < s.from || off+frameSize > end {
		return s.bytes(off, int(min(1<<20, s.f.size-off)))
	}
	return s.window[off-s.from:], nil
}

// damaged notes that nothing between two frames can be read.
func (s *scanner) damaged(from, to int64) {
	s.cur = nil
	s.f.problem(problem{at: from, what: fmt.Sprintf("%d bytes are damaged", to-from), cut: to == s.f.size})
}

// take notes a frame. It reports whether nothing after it can be read.
func (s *scanner) take(b block, good bool) (stop bool) {
	f := s.f
	if !s.begun {
		if b.typ != frameHeader || !good || f.readHeader(b) != nil {
			f.problem(problem{at: b.off - frameSize, what: "the header of the recording is damaged, and without it nothing can be read"})
			return true
		}
		s.begun = true
		return false
	}
	if !good {
		switch b.typ {
		case frameEvents:
			s.cur = nil
			f.problem(problem{at: b.off, what: fmt.Sprintf("the events %d to %d are damaged", b.number, b.number+uint64(b.count)-1)})
		case frameObjects:
			f.problem(problem{at: b.off, what: fmt.Sprintf("%d objects are damaged", b.count)})
		case frameKeyframe, frameCheckpoint:
			f.problem(problem{at: b.off, what: "a check or a state is damaged; no event is lost"})
		case frameGap, frameEnd:
			f.problem(problem{at: b.off, what: "what is said about the recording is damaged"})
		}
		return false
	}
	switch b.typ {
	case frameObjects:
		if n := len(f.objects); n == 0 || f.objects[n-1].end() <= b.number {
			f.objects = append(f.objects, b)
		}
	case frameEvents:
		switch {
		case s.cur == nil || b.number > s.cur.last+1:
			s.cur = nil
			f.unreachable += uint64(b.count)
		case b.number == s.cur.last+1:
			s.cur.last += uint64(b.count)
			f.blocks = append(f.blocks, b)
		}
	case frameKeyframe:
		if s.cur == nil || b.number != s.cur.last {
			if n := len(f.segments); n > 0 && b.number < f.segments[n-1].last {
				return false
			}
			s.cur = &segment{base: b.number, last: b.number}
			f.segments = append(f.segments, s.cur)
		}
		s.cur.keyframes = append(s.cur.keyframes, b)
	case frameCheckpoint:
		f.checkpoints = append(f.checkpoints, b)
	case frameGap:
		s.cur = nil
		f.problem(problem{at: b.off, what: fmt.Sprintf("the events %d to %d came faster than they could be written", b.number, b.number+uint64(b.count)-1)})
	case frameEnd:
		var t Totals
		if raw, err := f.unpack(b, nil); err == nil && json.Unmarshal(raw, &t) == nil {
			f.totals = &t
		}
	}
	return false
}
