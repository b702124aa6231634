// Package sandbox is an in-process, in-memory Kubernetes API server with a living workload.
//
// It serves HTTPS on loopback with its own CA and a random bearer token, keeps the list and watch semantics that
// client-go's informers rely on (one global resourceVersion, event history with compaction, bookmarks, WatchList), and
// answers an unmodified kubectl. A small simulation moves the objects it holds: pods start, leases renew, jobs come and
// go, and what a user changes gets the reaction that the built-in controllers of a cluster would give.
//
// The package may import client-go's REST config and scheme, apimachinery and the API types. It knows nothing of the
// engine or of the UI, and writes no file unless asked.
//
// How the files divide:
//
//	kinds       the table of resources that are served
//	object      one immutable object version; encode its JSON
//	store       tables, history, watchers: everything under one mutex
//	rest        what a write means: defaults, validation, metadata rules
//	http        routing, authentication, negotiation, one file per verb
//	world       the simulation: a queue of due actions, controllers, churn
//
// What it does not serve: server-side apply and managedFields, protobuf and CBOR answers, CustomResourceDefinitions, more
// than one user, admission beyond namespaces, the subresources of pods (log, exec, eviction, binding), and most
// validation and defaulting of specs. CronJobs, HorizontalPodAutoscalers, Services and PersistentVolumeClaims are kept
// but nothing acts on them.
package sandbox
