// Package store keeps the objects of the sandbox: every version is immutable and carries a resourceVersion of one global
// sequence, as in etcd. It answers for the present and, as far as its history reaches, for the past, and tells watchers of
// every change in its order.
//
// It knows no rule of the API but uniqueness of names, and that a namespace must exist and not be terminating; package rest
// has the others. It may import apimachinery, and of the sandbox kinds and tree.
package store
