// Package printable is the door to the terminal for text from outside: what a
// server, a file, a kubeconfig or a command line says is printed through it. It
// imports nothing of the program. The canvas of ui has a door of its own, as it
// has to know the width of what it draws.
package printable

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxLine is how many bytes of a line Line shows.
const MaxLine = 2000

// commands reports whether a terminal may take r for a command, or a reader be
// misled by it: controls of C0 and C1, DEL, and what has no picture but reorders,
// joins or hides text (Unicode's category Cf, and its line and paragraph
// separators).
func commands(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0, r == 0x2028, r == 0x2029:
		return true
	case r < 0x7f:
		return false
	}
	return unicode.Is(unicode.Cf, r)
}

// Text is s with such characters, and bytes that are no UTF-8, as the escapes
// that Go has for them. Line ends and tabs stay.
func Text(s string) string {
	b, _ := appendText(nil, []byte(s), true)
	return string(b)
}

// Line is Text as one line, WithoutSecrets: white space is one space, and what is
// longer than MaxLine says how much is left out.
func Line(s string) string {
	left := 0
	if len(s) > 8*MaxLine { // long before it is folded
		left, s = len(s)-8*MaxLine, s[:8*MaxLine]
	}
	s = Text(WithoutSecrets(strings.Join(strings.Fields(s), " ")))
	if len(s) > MaxLine {
		cut := MaxLine
		for !utf8.RuneStart(s[cut]) {
			cut--
		}
		left, s = left+len(s)-cut, s[:cut]
	}
	if left > 0 {
		s += fmt.Sprintf(" ... (%d bytes more)", left)
	}
	return s
}

// appendText appends the Text of p, and returns the begun character at its end
// unless it is the last.
func appendText(b, p []byte, last bool) (text, begun []byte) {
	for len(p) > 0 {
		r, n := utf8.DecodeRune(p)
		switch {
		case r == '\n' || r == '\t':
			b = append(b, p[0])
		case r == utf8.RuneError && n == 1:
			if !last && !utf8.FullRune(p) {
				return b, p
			}
			b = fmt.Appendf(b, `\x%02x`, p[0])
		case r < 0x20 || r == 0x7f:
			b = fmt.Appendf(b, `\x%02x`, r)
		case !commands(r):
			b = append(b, p[:n]...)
		case r > 0xffff:
			b = fmt.Appendf(b, `\U%08x`, r)
		default:
			b = fmt.Appendf(b, `\u%04x`, r)
		}
		p = p[n:]
	}
	return b, nil
}

// Writer returns a writer that writes the Text of what it gets to w. It is safe
// for concurrent use.
func Writer(w io.Writer) io.Writer { return &writer{w: w} }

type writer struct {
	mu    sync.Mutex
	w     io.Writer
	begun []byte // of a character that the next Write goes on with
	text  []byte
}

func (w *writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	in := p
	if len(w.begun) > 0 {
		in = append(w.begun, p...)
	}
	text, begun := appendText(w.text[:0], in, false)
	w.begun, w.text = append([]byte(nil), begun...), text
	if _, err := w.w.Write(text); err != nil {
		return 0, err
	}
	return len(p), nil
}

// AppendJSON appends a JSON text in which strings have such characters as \u
// escapes: it means the same.
func AppendJSON(b, text []byte) []byte {
	plain := 0 // of text from there on
	for i := 0; i < len(text); {
		if text[i] < 0x7f { // what is below a space stands between values only
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if commands(r) {
			b = append(b, text[plain:i]...)
			if r > 0xffff {
				high, low := utf16.EncodeRune(r)
				b = fmt.Appendf(b, `\u%04x\u%04x`, high, low)
			} else {
				b = fmt.Appendf(b, `\u%04x`, r)
			}
			plain = i + n
		}
		i += n
	}
	return append(b, text[plain:]...)
}
