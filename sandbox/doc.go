// Package sandbox is an in-process, in-memory Kubernetes API server with a living workload.
//
// It serves HTTPS on loopback with its own CA and a random bearer token, keeps the list and watch semantics that
// client-go's informers rely on (one global resourceVersion, event history with compaction, bookmarks, WatchList), and
// answers an unmodified kubectl. A small simulation moves the objects it holds: pods start, leases renew, jobs come and
// go, and what a user changes gets the reaction that the built-in controllers of a cluster would give.
//
// This package starts and stops a server, and writes its kubeconfig. The rest is in rooms of its own; each may import those
// below it, and none imports this package:
//
//	world     the simulation: a queue of due actions, controllers, churn
//	server    HTTP: routing, discovery, negotiation, watches
//	rest      what a write means: admission, metadata rules, managedFields, patches, deletion
//	store     immutable object versions, tables, history, watchers: everything under one mutex
//	openapi   the OpenAPI documents
//	kinds     the resources that are served, with their defaults and validation; custom ones too
//	tables    how kinds print
//	tree      decoded content: reading, changing, encoding
//
// Besides them it may import client-go's REST config and clientcmd. None of the rooms knows the engine or the UI, and no file
// is written unless asked.
//
// What it does not serve: CBOR, more than one user, admission webhooks and policies, the log and exec of pods, quotas. Of
// the specs of built-in kinds the common fields are defaulted and validated. Custom resources have structural schemas, with
// pruning, defaults, validation and the None conversion, but no CEL rules and no conversion webhooks. CronJobs,
// HorizontalPodAutoscalers, Services, PodDisruptionBudgets and PersistentVolumeClaims are kept but nothing acts on them.
//
// A watch that falls too far behind ends as in kube-apiserver: its client gets what was buffered and then the end of the
// stream. It resumes from the last resourceVersion that it saw, and hears 410 Expired only when the history, as long as
// Options.History says and at most 64 MiB of earlier object versions, no longer reaches back to that.
package sandbox
