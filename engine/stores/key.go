package stores

import (
	"errors"
	"fmt"
	"reflect"

	"k8s.io/client-go/tools/cache"
)

// keyFunc is the one that informers give to their stores.
var keyFunc cache.KeyFunc = cache.DeletionHandlingMetaNamespaceKeyFunc

// same reports whether a and b are the same object. Values that cannot be
// compared count as the same.
func same(a, b any) bool {
	if v := reflect.ValueOf(a); v.IsValid() && !v.Comparable() {
		return true
	}
	if v := reflect.ValueOf(b); v.IsValid() && !v.Comparable() {
		return true
	}
	return a == b
}

// errorText is err without the object that a KeyError prints in full: it may be
// a Secret.
func errorText(err error) string {
	if k, ok := errors.AsType[cache.KeyError](err); ok {
		return fmt.Sprintf("no key for %T: %v", k.Obj, k.Err)
	}
	return err.Error()
}

// keyed is what a Replace leaves of list: the last object of each key, in the
// order in which the keys first came. ok is false when an object has no key.
func keyed(list []any) (keys []string, items map[string]any, ok bool) {
	items = make(map[string]any, len(list))
	for _, obj := range list {
		key, err := keyFunc(obj)
		if err != nil {
			return keys, items, false
		}
		if _, seen := items[key]; !seen {
			keys = append(keys, key)
		}
		items[key] = obj
	}
	return keys, items, true
}
