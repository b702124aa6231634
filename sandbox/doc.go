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
//	kinds, catalog     the resources that a server serves; definitions and custom objects add to them
//	object             one immutable object version; encode its JSON, wire form in protobuf
//	store              tables, history, watchers: everything under one mutex
//	rest               what a write means: defaults, admission, validation, metadata rules, managedFields
//	handler            routing, authentication, negotiation, one file per verb
//	discovery, openapi what clients learn about the server
//	world              the simulation: a queue of due actions, controllers, churn
//
// What it does not serve: CBOR, more than one user, admission webhooks and policies, the log and exec of pods, quotas. Of
// the specs of built-in kinds the common fields are defaulted and validated. Custom resources have structural schemas, with
// pruning, defaults, validation and the None conversion, but no CEL rules and no conversion webhooks. CronJobs,
// HorizontalPodAutoscalers, Services, PodDisruptionBudgets and PersistentVolumeClaims are kept but nothing acts on them.
//
// A watch that falls too far behind ends as in kube-apiserver: its client gets what was buffered and then the end of the
// stream. It resumes from the last resourceVersion that it saw, and hears 410 Expired only when the history, as long as
// Options.History says, no longer reaches back to that.
package sandbox
