package engine

import (
	"fmt"
	"strings"

	"informerscope/engine/check"
)

// String says what a check found in one line: "450 objects, the cache has all of
// them".
func (r CheckResult) String() string {
	text := r.caches()
	if n := len(r.Left); n > 0 {
		text += fmt.Sprintf("; %d that the watch has told as DELETED only left the selection: %s", n, check.Names(r.Left))
	}
	if r.LeftErr != nil {
		text += "; whether what was DELETED is gone is not known: " + r.LeftErr.Error()
	}
	return text
}

func (r CheckResult) caches() string {
	text := fmt.Sprintf("%d objects", r.Objects)
	if r.Objects == 1 {
		text = "1 object"
	}
	if len(r.Caches) == 1 {
		c := &r.Caches[0]
		if c.Same() {
			if r.Objects == 0 {
				return "the server has no object, and the cache has none"
			}
			return text + ", the cache has all of them"
		}
		return text + ", " + c.text("the cache")
	}
	for i := range r.Caches {
		c := &r.Caches[i]
		if c.Same() {
			text += "; " + c.Resource + " has all of them"
			continue
		}
		text += "; " + c.text(c.Resource)
	}
	return text
}

// text says what differs, and how sure that is.
func (c *CheckedCache) text(cache string) string {
	var parts []string
	if n := len(c.Differ); n > 0 {
		parts = append(parts, fmt.Sprintf("%s differs in %d: %s", cache, n, check.Names(c.Differ)))
	}
	if n := len(c.Open); n > 0 {
		parts = append(parts, fmt.Sprintf("%s may only lag in %d, which is not certain: %s (%s; check again, or give it longer)", cache, n, check.Names(c.Open), c.Why))
	}
	return strings.Join(parts, "; ")
}
