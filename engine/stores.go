package engine

import (
	"k8s.io/client-go/tools/cache"

	"informerscope/engine/stores"
)

// besideStores lets the stores of the options, if any, have what the Reflector
// gives to queue.
func (p *pipeline) besideStores(queue cache.Queue) cache.Queue {
	if len(p.s.o.Stores) == 0 {
		return queue
	}
	p.stores = stores.New(stores.Options{Resource: p.target.Name, Journal: p.s.journal, Specs: p.s.o.Stores})
	return stores.NewTee(queue, p.stores)
}
