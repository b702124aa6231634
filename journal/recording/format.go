package recording

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
)

// The version of the format. A reader takes every minor version of the majors
// it knows: what a minor version adds is frames of new types, which it skips.
const (
	Major = 1
	Minor = 0
)

// magic begins a file; the two bytes of the version follow.
const magic = "\x89ISREC"

const magicSize = len(magic) + 2

// frameType says what a frame holds. Types are never given another meaning.
type frameType uint8

const (
	frameHeader     frameType = 1 // JSON of Header
	frameObjects    frameType = 2 // objects number ... number+count-1
	frameEvents     frameType = 3 // events number ... number+count-1
	frameKeyframe   frameType = 4 // the state after event number
	frameCheckpoint frameType = 5 // SHA-256 of the document after event number
	frameGap        frameType = 6 // events number ... number+count-1 were lost
	frameEnd        frameType = 7 // JSON of Totals
)

// compressed is the flag of a frame whose payload is one zstd frame.
const compressed = 1

// frameSize is the size of a frame's own header, little endian:
//
//	0 marker   4 payload size   16 number           32 CRC of the payload
//	2 type     8 size unpacked  24 time, Unix ns    36 CRC of bytes 0 to 35
//	3 flags   12 count
const frameSize = 40

// marker begins every frame, to find one after damage.
const marker = "\xf7i"

// What one frame may be unpacked, whatever it says.
const (
	maxEvents       = 1 << 16
	maxEventsRaw    = 8 << 20
	maxStrings      = 1 << 20 // in the table of a block
	maxObjectsRaw   = 128 << 20
	maxKeyframeRaw  = 256 << 20
	maxDocumentsRaw = 1 << 20 // header, checkpoint, gap, end
)

// raw is what a frame of the type may hold, unpacked.
func (t frameType) raw() uint32 {
	switch t {
	case frameEvents:
		return maxEventsRaw
	case frameObjects:
		return maxObjectsRaw
	case frameKeyframe:
		return maxKeyframeRaw
	case frameHeader, frameCheckpoint, frameGap, frameEnd:
		return maxDocumentsRaw
	}
	return math.MaxUint32 // never unpacked
}

// frame is the header of a frame.
type frame struct {
	typ    frameType
	flags  uint8
	size   uint32 // of the payload
	raw    uint32 // of the payload, unpacked
	count  uint32
	number uint64
	time   int64
	crc    uint32 // of the payload
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (f *frame) append(b []byte) []byte {
	at := len(b)
	b = append(b, marker...)
	b = append(b, byte(f.typ), f.flags)
	b = binary.LittleEndian.AppendUint32(b, f.size)
	b = binary.LittleEndian.AppendUint32(b, f.raw)
	b = binary.LittleEndian.AppendUint32(b, f.count)
	b = binary.LittleEndian.AppendUint64(b, f.number)
	b = binary.LittleEndian.AppendUint64(b, uint64(f.time))
	b = binary.LittleEndian.AppendUint32(b, f.crc)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[at:], castagnoli))
}

// errFrame is that of bytes that are no frame.
var errFrame = errors.New("no frame is here")

// parseFrame reads the frameSize bytes at the start of b.
func parseFrame(b []byte) (frame, error) {
	if len(b) < frameSize || string(b[:2]) != marker ||
		binary.LittleEndian.Uint32(b[36:]) != crc32.Checksum(b[:36], castagnoli) {
		return frame{}, errFrame
	}
	f := frame{
		typ: frameType(b[2]), flags: b[3],
		size:   binary.LittleEndian.Uint32(b[4:]),
		raw:    binary.LittleEndian.Uint32(b[8:]),
		count:  binary.LittleEndian.Uint32(b[12:]),
		number: binary.LittleEndian.Uint64(b[16:]),
		time:   int64(binary.LittleEndian.Uint64(b[24:])),
		crc:    binary.LittleEndian.Uint32(b[32:]),
	}
	switch {
	case f.raw > f.typ.raw(),
		f.flags&compressed == 0 && f.size != f.raw && f.typ.known(),
		f.typ == frameEvents && (f.count == 0 || f.count > maxEvents),
		f.typ == frameObjects && f.count > f.raw,
		f.number+uint64(f.count) < f.number:
		return frame{}, fmt.Errorf("%w: its numbers make no sense", errFrame)
	}
	return f, nil
}

func (t frameType) known() bool { return t >= frameHeader && t <= frameEnd }

// NewerError is that of a file whose format this program does not know yet.
type NewerError struct{ Major, Minor int }

func (e *NewerError) Error() string {
	return fmt.Sprintf("the recording has format %d.%d, and this informerscope reads up to %d.x: open it with a newer informerscope", e.Major, e.Minor, Major)
}

// checkMagic reads the first magicSize bytes of a file.
func checkMagic(b []byte) error {
	if len(b) < magicSize || string(b[:len(magic)]) != magic {
		return errors.New("this is no recording of informerscope: it does not begin like one")
	}
	if b[len(magic)] > Major {
		return &NewerError{int(b[len(magic)]), int(b[len(magic)+1])}
	}
	if b[len(magic)] == 0 {
		return errors.New("this is no recording of informerscope: no format has the version 0")
	}
	return nil
}
