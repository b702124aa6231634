// Package jsontext writes JSON strings where encoding/json is too slow. It
// imports printable.
package jsontext

import (
	"encoding/json"

	"informerscope/internal/printable"
)

// AppendString appends s as a JSON string. Nearly all are plain, or have quotes
// only; the rest goes through encoding/json.
func AppendString(b []byte, s string) []byte {
	at := len(b)
	b = append(b, '"')
	plain := 0 // of s from there on
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(append(b, s[plain:i]...), '\\')
			plain = i
		case c < 0x20 || c >= 0x7f:
			return appendAny(b[:at], s)
		}
	}
	b = append(b, s[plain:]...)
	return append(b, '"')
}

// AppendEscaped appends s as encoding/json does, with <, > and & escaped too, and
// with what a terminal might obey.
func AppendEscaped(b []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '<' || c == '>' || c == '&' || c < 0x20 || c >= 0x7f:
			return printable.AppendJSON(b, appendAny(nil, s))
		}
	}
	return AppendString(b, s)
}

func appendAny(b []byte, s string) []byte {
	text, err := json.Marshal(s)
	if err != nil { // cannot happen for a string
		return append(b, `""`...)
	}
	return append(b, text...)
}
