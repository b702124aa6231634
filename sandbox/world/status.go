package world

import (
	"slices"

	"informerscope/sandbox/tree"
)

// counts sets numbers, leaving out zeros as Kubernetes does for these fields.
func counts(status map[string]any, numbers map[string]int64) {
	for f, n := range numbers {
		if status[f] = n; n == 0 {
			delete(status, f)
		}
	}
}

func pick[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}

// condition sets one condition, and its transition time when it changes.
func (w *World) condition(status map[string]any, typ string, is bool, reason string) {
	value := pick(is, "True", "False")
	conditions := tree.List(status, "conditions")
	now := tree.Stamp(w.clock.Now())
	for _, c := range conditions {
		m, ok := c.(map[string]any)
		if !ok || tree.String(m, "type") != typ {
			continue
		}
		if tree.String(m, "status") != value {
			m["status"], m["lastTransitionTime"] = value, now
		}
		if m["reason"] = reason; reason == "" {
			delete(m, "reason")
		}
		return
	}
	c := map[string]any{"type": typ, "status": value, "lastTransitionTime": now}
	if reason != "" {
		c["reason"] = reason
	}
	status["conditions"] = append(slices.Clone(conditions), c)
}
