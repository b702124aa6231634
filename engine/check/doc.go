// Package check compares what a cache holds with what the server has: it takes a
// LIST, of the metadata alone, and decides key by key whether a difference is
// one or only the lag that every cache has. It imports no glass and asks for no
// more rights than list.
package check
