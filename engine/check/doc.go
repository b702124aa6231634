// Package check compares what a cache holds with what the server has: it takes a
// LIST, of the metadata alone, and decides key by key whether a difference is
// one or only the lag that every cache has. It asks for no more rights than list.
//
// Of this program it imports journal, and of engine/reflector the words for a
// server's errors.
package check
