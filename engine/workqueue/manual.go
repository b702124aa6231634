package workqueue

// By hand: what a person does to a queue, past the gates and without waiting.

// TryGetAs is GetAs without waiting, neither for a key nor at the gate: ok is
// false when no key is ready.
func (q *Queue) TryGetAs(holder string) (key string, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.len == 0 {
		return "", false
	}
	key, shutdown := q.takeLocked(holder)
	return key, !shutdown
}

// DoneUngated is Done past the gate.
func (q *Queue) DoneUngated(key string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.doneLocked(key)
}

// TryGetAs is GetAs without waiting, neither for a key nor at the gate: ok is
// false when no key is ready.
func (q *Priority) TryGetAs(holder string) (key string, priority int, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.settleLocked()
	if q.down || q.freeLocked() <= 0 {
		return "", 0, false
	}
	key, priority, shutdown := q.takeLocked(holder)
	return key, priority, !shutdown
}

// DoneUngated is Done past the gate.
func (q *Priority) DoneUngated(key string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.doneLocked(key)
}
