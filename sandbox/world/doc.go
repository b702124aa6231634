// Package world simulates what lives in a cluster: the controllers that react to all writes, the
// scheduler and the kubelets, and a workload that writes by itself. The same seed makes the same writes.
//
// It acts through the store and through package rest, as clients do. It may import apimachinery, and of the sandbox rest,
// store, kinds and tree; it knows nothing of HTTP.
package world
