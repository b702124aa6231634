package object

import (
	"regexp"
	"strings"
)

// sensitiveNames are parts of the names of annotations that hold credentials.
var sensitiveNames = []string{"token", "password", "passwd", "secret", "credential", "apikey", "api-key", "private-key", "privatekey"}

// sensitiveValue matches a JWT, an Authorization header's credentials, and a
// private key.
var sensitiveValue = regexp.MustCompile(`eyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{6,}|(?i:\b(bearer|basic)\s+[A-Za-z0-9+/._~-]{8,})|-----BEGIN [A-Z ]*PRIVATE KEY-----`)

// Sensitive reports whether the value of an annotation is not to get out of
// the cluster: by its name, by what it looks like, or since it repeats the
// whole object.
func Sensitive(name, value string) bool {
	if name == lastApplied {
		return true
	}
	lower := strings.ToLower(name)
	for _, part := range sensitiveNames {
		if strings.Contains(lower, part) {
			return true
		}
	}
	return strings.ContainsAny(value, ".- ") && sensitiveValue.MatchString(value)
}
