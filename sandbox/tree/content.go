package tree

// Map is the map at the end of path, nil if there is none.
func Map(m map[string]any, path ...string) map[string]any {
	for _, p := range path {
		next, ok := m[p].(map[string]any)
		if !ok {
			return nil
		}
		m = next
	}
	return m
}

// Ensure is Map, but makes the maps that are missing. It panics on a nil m.
func Ensure(m map[string]any, path ...string) map[string]any {
	for _, p := range path {
		next, ok := m[p].(map[string]any)
		if !ok {
			next = map[string]any{}
			m[p] = next
		}
		m = next
	}
	return m
}

// String is the string at key, "" for anything else.
func String(m map[string]any, key string) string { s, _ := m[key].(string); return s }

// List is the list at key, nil for anything else.
func List(m map[string]any, key string) []any { l, _ := m[key].([]any); return l }

// Maps is the maps in the list at key; other elements are left out.
func Maps(m map[string]any, key string) []map[string]any {
	var out []map[string]any
	for _, e := range List(m, key) {
		if d, ok := e.(map[string]any); ok {
			out = append(out, d)
		}
	}
	return out
}

// Int is the number at key, without its fraction; 0 for anything else.
func Int(m map[string]any, key string) int64 {
	switch n := m[key].(type) {
	case int64:
		return n
	case int:
		return int64(n)
	case int32:
		return int64(n)
	case float64:
		return int64(n)
	}
	return 0
}

// Bool is the boolean at key, false for anything else.
func Bool(m map[string]any, key string) bool { b, _ := m[key].(bool); return b }

// Strings is v, a map of strings, in a map of its own type; nil for an empty map and for anything else. What is no string
// reads as "".
func Strings(v any) map[string]string {
	switch m := v.(type) {
	case map[string]string:
		return m
	case map[string]any:
		if len(m) == 0 {
			return nil
		}
		out := make(map[string]string, len(m))
		for k, v := range m {
			out[k], _ = v.(string)
		}
		return out
	}
	return nil
}

// Default sets key to v where it is missing or null.
func Default(m map[string]any, key string, v any) {
	if cur, ok := m[key]; !ok || cur == nil {
		m[key] = v
	}
}

// DefaultZero sets fields to 0 where they are missing or null.
func DefaultZero(m map[string]any, fields ...string) {
	for _, f := range fields {
		Default(m, f, int64(0))
	}
}

// OrNew is m, or a new map for nil.
func OrNew(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}
