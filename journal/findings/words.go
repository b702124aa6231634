package findings

import (
	"strconv"
	"strings"
)

// baseOf is the resource of a lane, and of any other the resource itself.
func baseOf(resource string) string {
	base, _, _ := strings.Cut(resource, "@")
	return base
}

// plural counts things: "1 key", "3 keys".
func plural(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.FormatInt(n, 10) + " " + thing + "s"
}
