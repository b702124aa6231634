package printable

import (
	"fmt"
	"regexp"
	"strings"
)

// body matches where client-go's errors and log lines quote what a server sent,
// or print an object: JSON, plain or within quotes, and Go's forms of maps and
// structs.
var body = regexp.MustCompile(`\{\\*"|map\[|&?[A-Za-z0-9]+\.[A-Z]\w*\{`)

// login matches the user and password of a URL.
var login = regexp.MustCompile(`(://[^\s/:@]*):[^\s/@]+@`)

// WithoutSecrets is s with each such quotation replaced by its size, as it may be
// a Secret, and with the passwords of URLs hidden.
func WithoutSecrets(s string) string {
	if strings.Contains(s, "://") {
		s = login.ReplaceAllString(s, "$1:(hidden)@")
	}
	if !strings.ContainsAny(s, "{[") {
		return s
	}
	var b strings.Builder
	for {
		at := body.FindStringIndex(s)
		if at == nil {
			return b.String() + s
		}
		n := extent(s[at[0]:])
		fmt.Fprintf(&b, "%s(%d bytes, not shown)", s[:at[0]], n)
		s = s[at[0]+n:]
	}
}

// extent is how long the first thing of s in brackets is, all of s when they do
// not close.
func extent(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}
