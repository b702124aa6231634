// Package inspector tests the informerscope binary as a user runs it, against a real kube-apiserver, with an unmodified
// kubectl making the changes.
package inspector
