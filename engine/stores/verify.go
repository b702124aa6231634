package stores

import (
	"fmt"

	"informerscope/journal/object"
)

// verifyKeys compares each key that a real store lists, and their number.
func verifyKeys(r record, keys []string, want int, equal func(key string) bool) (differences int) {
	if len(keys) != want {
		r.diverged("", fmt.Sprintf("ListKeys: expected %d keys, got %d", want, len(keys)))
		differences++
	}
	for _, key := range keys {
		if !equal(key) {
			differences++
		}
	}
	return differences
}

// described names an object without its content.
func described(obj any, exists bool) string {
	if !exists {
		return "nothing"
	}
	if rv := object.RV(obj); rv != "" {
		return "rv " + rv
	}
	return fmt.Sprintf("%T", obj)
}
