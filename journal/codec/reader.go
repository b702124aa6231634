// Package codec is the compact binary form in which recordings hold what
// happened: varints, strings, names that are told once, times told as
// differences. A Reader reads what the Append functions wrote; a Codec says once
// what a structure consists of, to write it and to read it. The package imports
// nothing of the program.
package codec

import (
	"encoding/binary"
	"fmt"
)

// Zigzag makes a small number of one that is near 0.
func Zigzag(n int64) uint64 { return uint64(n<<1) ^ uint64(n>>63) }

// Unzigzag undoes Zigzag.
func Unzigzag(n uint64) int64 { return int64(n>>1) ^ -int64(n&1) }

// AppendUint appends a varint.
func AppendUint(b []byte, n uint64) []byte { return binary.AppendUvarint(b, n) }

// AppendInt appends a signed number, zigzag.
func AppendInt(b []byte, n int64) []byte { return binary.AppendUvarint(b, Zigzag(n)) }

// AppendString appends the length of s, and s.
func AppendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// Reader reads what was appended. Strings are parts of what it reads. After the
// first mistake it gives zeroes.
type Reader struct {
	in  string // left to read
	err error
}

// NewReader reads s.
func NewReader(s string) Reader { return Reader{in: s} }

// Len is how many bytes are left.
func (r *Reader) Len() int { return len(r.in) }

// Err is the first mistake.
func (r *Reader) Err() error { return r.err }

// Fail says that what was read is wrong.
func (r *Reader) Fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
	r.in = ""
}

// Uint reads a varint.
func (r *Reader) Uint() uint64 {
	if len(r.in) > 0 && r.in[0] < 0x80 {
		n := r.in[0]
		r.in = r.in[1:]
		return uint64(n)
	}
	n := uint64(0)
	for i := range len(r.in) {
		x := r.in[i]
		if i == binary.MaxVarintLen64 || i == binary.MaxVarintLen64-1 && x > 1 {
			break
		}
		n |= uint64(x&0x7f) << (7 * i)
		if x < 0x80 {
			r.in = r.in[i+1:]
			return n
		}
	}
	r.Fail("a number is cut or too long")
	return 0
}

// Int reads a signed number.
func (r *Reader) Int() int64 { return Unzigzag(r.Uint()) }

// Byte reads a byte as it is.
func (r *Reader) Byte() byte {
	if len(r.in) == 0 {
		r.Fail("a byte is cut")
		return 0
	}
	c := r.in[0]
	r.in = r.in[1:]
	return c
}

// Count reads a number of things that take at least a byte each, so that what is
// read is never more than what is there.
func (r *Reader) Count() int {
	n := r.Uint()
	if n > uint64(len(r.in)) {
		r.Fail("%d elements are cut", n)
		return 0
	}
	return int(n)
}

// Take reads n bytes as they are.
func (r *Reader) Take(n uint64) string {
	if n > uint64(len(r.in)) {
		r.Fail("a text of %d bytes is cut", n)
		return ""
	}
	s := r.in[:n]
	r.in = r.in[n:]
	return s
}

// String reads a length, and as many bytes.
func (r *Reader) String() string { return r.Take(r.Uint()) }
