package server

import (
	"errors"
	"fmt"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// userName is who every request comes from.
const userName = "informerscope"

// rights are what was revoked. The zero value is nothing.
type rights struct {
	mu      sync.Mutex
	revoked map[schema.GroupResource]bool
}

func (r *rights) set(resource schema.GroupResource, revoked bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.revoked == nil {
		r.revoked = map[schema.GroupResource]bool{}
	}
	r.revoked[resource] = revoked
}

// check refuses a list or watch whose right was revoked.
func (r *rights) check(q *request, verb string) error {
	if verb != "list" && verb != "watch" {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	gr := q.kind.GR()
	if !r.revoked[gr] {
		return nil
	}
	where := "at the cluster scope"
	if q.namespace != "" {
		where = fmt.Sprintf("in the namespace %q", q.namespace)
	}
	reason := fmt.Sprintf("User %q cannot %s resource %q in API group %q %s", userName, verb, gr.Resource, gr.Group, where)
	return apierrors.NewForbidden(gr, q.name, errors.New(reason))
}
