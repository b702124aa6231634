// Package server speaks HTTP for the sandbox as kube-apiserver does: routing, authentication, discovery, negotiation of
// JSON, YAML, tables and protobuf, and watches as streams. What a write means is for package rest to say.
//
// It may import apimachinery, the API types of what it answers itself, and of the sandbox rest, store, openapi, kinds,
// tables and tree. It opens no port.
package server
