package stores

import "k8s.io/client-go/tools/cache"

// Fan hands what a Reflector does to several stores: Each calls a function with one
// after the other, and says which of their errors count.
type Fan struct {
	Each func(func(cache.ReflectorStore) error) error
}

var _ cache.ReflectorStore = Fan{}

// Add hands obj to each store.
func (f Fan) Add(obj any) error {
	return f.Each(func(s cache.ReflectorStore) error { return s.Add(obj) })
}

// Update hands obj to each store.
func (f Fan) Update(obj any) error {
	return f.Each(func(s cache.ReflectorStore) error { return s.Update(obj) })
}

// Delete hands obj to each store.
func (f Fan) Delete(obj any) error {
	return f.Each(func(s cache.ReflectorStore) error { return s.Delete(obj) })
}

// Replace gives each store a copy of list: queues keep what they get.
func (f Fan) Replace(list []any, resourceVersion string) error {
	return f.Each(func(s cache.ReflectorStore) error {
		return s.Replace(append([]any(nil), list...), resourceVersion)
	})
}

// Resync resyncs each store.
func (f Fan) Resync() error {
	return f.Each(func(s cache.ReflectorStore) error { return s.Resync() })
}
