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

// compareKey writes a divergence unless the real store holds under key what the
// shadow does.
func compareKey(r record, real interface {
	GetByKey(key string) (any, bool, error)
}, shadow map[string]any, key string) (equal bool) {
	got, exists, _ := real.GetByKey(key)
	want, held := shadow[key]
	if exists == held && same(got, want) {
		return true
	}
	r.diverged(key, fmt.Sprintf("GetByKey: expected %s, got %s", described(want, held), described(got, exists)))
	return false
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
