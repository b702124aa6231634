// Package rest is what the verbs of the API mean, with the rules that kube-apiserver keeps: what a write may change, who
// owns which field, how a deletion goes. What clients send over HTTP and what the simulation writes passes through here.
//
// It knows nothing of HTTP but the Status in its errors. It may import apimachinery, the types of autoscaling and of
// apiextensions, the libraries of patches, and of the sandbox store, kinds and tree.
package rest
