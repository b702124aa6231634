// Package cluster runs a real Kubernetes API server for tests: etcd and kube-apiserver as child processes on loopback,
// with certificates and tokens of their own, RBAC and an audit log.
//
// Nothing else of a cluster runs: no controller manager, no scheduler, no kubelet. So a namespace that is deleted stays
// in phase Terminating until somebody finalizes it, see [Cluster.Finalize], and pods are never started.
//
// The binaries are built from source, which takes minutes the first time; Build keeps them in the user's cache directory.
// The package may import client-go only; it knows nothing of informerscope.
package cluster
