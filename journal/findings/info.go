package findings

// infoOf has the texts of the kinds. Explain and Remedy are shown to the authors
// of controllers beside the finding, which has the figures.
var infoOf = map[Kind]Info{
	HotLoop: {
		Kind: HotLoop, Title: "hot loop",
		Explain:    "A key is reconciled again and again although its spec stays the same. Most often the reconcile itself writes to the object, or to one that it watches, and so brings about its next event. The spec is what metadata.generation counts the changes of; of objects without one (ConfigMaps, Secrets, Services), it is all but metadata and status, so that a time which a reconcile writes into an annotation is found, and one in the data of a ConfigMap is not.",
		Remedy:     "Write only when something differs (compare before Update or Patch), and leave out what changes by itself, such as timestamps in annotations or the status. Filter updates by generation where only the spec matters.",
		Thresholds: []string{"hot-loop"},
	},
	StuckWorker: {
		Kind: StuckWorker, Title: "stuck worker",
		Explain:    "A key has been in processing for a long time: the reconcile hangs, or it ended and Done was never called. News of the key makes it dirty, but nobody gets it before its Done; the worker, or the key, is lost to the others.",
		Remedy:     "Give calls in the reconcile a context with a timeout, and call Done by defer right after Get.",
		Thresholds: []string{"stuck-worker"},
	},
	RequeuesGrowing: {
		Kind: RequeuesGrowing, Title: "requeues without Forget",
		Explain:    "A key comes back by AddRateLimited time after time, and Forget is never called: it fails at each reconcile, or succeeds without Forget. Each time its delay doubles, at last to more than a quarter of an hour, also for news that would let it succeed.",
		Remedy:     "Call Forget when a reconcile succeeds and when an error is final. Look at the error of the reconciles; for one that only waits for something, use AddAfter or watch that.",
		Thresholds: []string{"requeues-growing"},
	},
	BacklogGrowing: {
		Kind: BacklogGrowing, Title: "listener falls behind",
		Explain:    "A handler takes notifications more slowly than they come. The listener's ring has no bound: what waits in it is memory, and the handler sees older and older news.",
		Remedy:     "Let the handler only add the key to a workqueue, and do the work, and all that waits for the network or a lock, in workers.",
		Thresholds: []string{"backlog-growing", "backlog-size"},
	},
	RelistStorm: {
		Kind: RelistStorm, Title: "relist storm",
		Explain:    "The Reflector asks for everything again and again, which costs the server and etcd far more than a watch. Each time it has lost its place: 410 Expired, errors in the stream, or a watch that the server refuses.",
		Remedy:     "See the reasons of the relists. For 410: watch fewer objects or let the server send bookmarks; for errors and refused watches: look at the server, its load, and what stands between (proxies, aggregated API servers).",
		Thresholds: []string{"relist-storm"},
	},
	ShortWatches: {
		Kind: ShortWatches, Title: "watches that close at once",
		Explain:    "Watches end right after they began, one after the other. A healthy one stays open for minutes; client-go asks for 5 to 10. One that ends within a second and without an event makes client-go list again.",
		Remedy:     "Look for a proxy or load balancer that buffers or ends long responses, for --min-request-timeout of the API server, and for a webhook or aggregated server that restarts.",
		Thresholds: []string{"short-watches", "short-watch-length"},
	},
	SilentWatch: {
		Kind: SilentWatch, Title: "silent watch",
		Explain:    "A watch is open, but neither events nor bookmarks come. A connection that is half open looks like this, and so does a cache that no longer changes: everything looks synced and is old.",
		Remedy:     "Compare with the server (a cache check, or kubectl get). HTTP/2 pings find dead connections in 45 seconds (HTTP2_READ_IDLE_TIMEOUT_SECONDS); the watch's own timeout ends it after 5 to 10 minutes.",
		Thresholds: []string{"silent-watch"},
	},
	NeverSynced: {
		Kind: NeverSynced, Title: "never synced",
		Explain:    "The informer has not got its first list, so HasSynced stays false and a controller that waits for it does nothing, often without an error that anybody sees.",
		Remedy:     "Read why: forbidden needs list and watch for the service account; a WatchList without its closing bookmark needs a server that sends it, or WatchListClient=false. Give WaitForCacheSync a timeout, and set a WatchErrorHandler that speaks up.",
		Thresholds: []string{"never-synced"},
	},
	RVBackwards: {
		Kind: RVBackwards, Title: "resourceVersion went backwards",
		Explain:    "The Reflector took an older resourceVersion than it had: it lists from a server that is behind, such as after a restore of etcd or from the cache of another API server. Objects in the Indexer may go back in time.",
		Remedy:     "Do not act on the cache alone where going back hurts: read from the server, or send the resourceVersion with writes and deletes as a precondition. Find out which server is behind.",
		Thresholds: []string{"rv-backwards"},
	},
	Tombstones: {
		Kind: Tombstones, Title: "tombstones",
		Explain:    "Deletions happened while nobody watched. OnDelete gets a DeletedFinalStateUnknown with the last state that was known, which may be old, instead of the object.",
		Remedy:     "Let OnDelete accept a DeletedFinalStateUnknown (DeletionHandlingMetaNamespaceKeyFunc does); a plain type assertion panics or drops the delete. Do not trust the state in it.",
		Thresholds: []string{"tombstones"},
	},
	ResyncFlood: {
		Kind: ResyncFlood, Title: "resync flood",
		Explain:    "Most of what the handlers get are resyncs: the local store, replayed to the handlers and reconciled although nothing changed. A resync asks the server nothing and finds no missed event.",
		Remedy:     "Make the resync period longer, or 0. In OnUpdate drop updates whose old and new resourceVersion are the same.",
		Thresholds: []string{"resync-flood"},
	},
	MutatedObject: {
		Kind: MutatedObject, Title: "cached object changed in place",
		Explain:    "Somebody wrote to an object of the cache. All readers share it: they see what the server never sent, races are near, and index values that are computed again from it no longer match those that are stored.",
		Remedy:     "DeepCopy what comes from a lister or a handler before writing to it. In tests, set KUBE_CACHE_MUTATION_DETECTOR=true.",
		Thresholds: []string{"mutated-object"},
	},
	UselessIndex: {
		Kind: UselessIndex, Title: "index with one key a value",
		Explain:    "Each value of this index has one key. It costs memory and time at each change, and finds nothing that the key would not.",
		Remedy:     "Drop the index, or index by what many objects share. For one object by its name use GetByKey.",
		Thresholds: []string{"useless-index"},
	},
	CacheDiffers: {
		Kind: CacheDiffers, Title: "cache differs from the server",
		Explain:    "A LIST has what the Indexer has not, or the other way round, or in another version: an event was lost, or the watch is behind.",
		Remedy:     "Look at the watch: is it silent, was an event dropped on the way, does a selector or a transform leave the object out? A relist repairs the cache, and not the cause.",
		Thresholds: []string{"cache-differs"},
	},
}
