package rest

import (
	"k8s.io/utils/clock"

	"informerscope/sandbox/store"
)

// API is what clients may do to a store: each method keeps the rules that kube-apiserver keeps. Errors are those of the API,
// with a Status, unless something inside failed. Methods may be called from any goroutine.
type API struct {
	store *store.Store
	clock clock.PassiveClock
}

// New writes to s. c is the time of timestamps.
func New(s *store.Store, c clock.PassiveClock) *API { return &API{store: s, clock: c} }

// Options are what the query of a write says.
type Options struct {
	DryRun bool
	// FieldValidation is what becomes of unknown and repeated fields: Ignore, Warn (or empty) or Strict.
	FieldValidation string
	// Manager is who writes, for managedFields; with "" they stay as they are.
	Manager string
	// Force has an apply take fields over from other managers.
	Force bool
	// applied says that managedFields are up to date, since an apply made the content.
	applied bool
}
