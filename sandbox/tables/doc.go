// Package tables says how objects print in kubectl's tables: the columns of a kind, and the cells of one object, in
// kube-apiserver's words. Everything in it may be used from any goroutine.
//
// It works on decoded content alone, and may import apimachinery, the type of a CustomResourceDefinition, and tree.
package tables
