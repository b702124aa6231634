// Package tree reads, changes and encodes the content of API objects as decoded JSON: maps with string keys, lists,
// strings, numbers and booleans.
//
// Reading never fails: what is missing or of another type reads as the zero value. Nothing here locks or copies: a tree
// belongs to its caller, and what a reader returns is a part of it.
//
// The package may import apimachinery. It knows no kind but by what all objects share, their metadata, and the label
// selectors of workloads.
package tree
