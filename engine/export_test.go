package engine

import "k8s.io/client-go/tools/cache"

// NewWithIndex is New with one more index function, which may do what no spec of
// Options.Indexes can: block.
func NewWithIndex(o Options, name string, f cache.IndexFunc) (*Session, error) {
	o.Complete()
	if err := o.Validate(); err != nil {
		return nil, err
	}
	x, err := parseIndexes(o.Indexes)
	if err != nil {
		return nil, err
	}
	x.add(name, f)
	return newSession(o, x)
}
