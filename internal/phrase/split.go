// Package phrase reads what people type: it splits a line into words and finds
// the name that a mistyped one was meant to be. It imports the standard library
// alone, so that every room can use it.
package phrase

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Split cuts a line into words at spaces. A word with spaces of its own is
// quoted as a whole, as strconv.Quote does: "text=try again".
func Split(line string) ([]string, error) {
	var words []string
	for {
		line = strings.TrimLeftFunc(line, unicode.IsSpace)
		switch {
		case line == "":
			return words, nil
		case line[0] == '"':
			quoted, err := strconv.QuotedPrefix(line)
			if err != nil {
				return nil, fmt.Errorf("no quotation mark ends %s", line)
			}
			word, err := strconv.Unquote(quoted)
			if err != nil {
				return nil, fmt.Errorf("read %s: %w", quoted, err)
			}
			words, line = append(words, word), line[len(quoted):]
		default:
			end := strings.IndexFunc(line, unicode.IsSpace)
			if end < 0 {
				end = len(line)
			}
			words, line = append(words, line[:end]), line[end:]
		}
	}
}
