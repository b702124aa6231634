package findings

// infoReflector has the texts of what goes wrong between the server and the FIFO.
var infoReflector = []Info{
	{
		Kind: Blind, Severity: High, Title: "blind", Lesson: "14",
		Explain: "The informer synced once, and has lost its server since: no watch is open, and none comes. HasSynced stays true, the cache goes on to serve what it had, and client-go tries again for ever, at most every 30 s or so. Nothing that happens on the server reaches the handlers.",
		Remedy:  "Find out why requests fail, and mend that; the informer recovers by itself at its next attempt. Let the controller notice: set a WatchErrorHandler that counts errors, and fail the health check when it goes on for long.",
		Go: `informer.SetWatchErrorHandlerWithContext(func(ctx context.Context, r *cache.Reflector, err error) {
	watchErrors.Inc() // alert on it: nothing else tells
	cache.DefaultWatchErrorHandler(ctx, r, err)
})`,
		Unless:     "Do not let the health check fail at once: a restart lists everything again, and an API server that restarts would get that from all controllers together. Minutes are soon enough.",
		Until:      "a watch opens",
		Thresholds: []string{"blind"},
	},
	{
		Kind: NeverSynced, Severity: High, Title: "never synced", Lesson: "14",
		Explain:    "The informer has not got its first list, so HasSynced stays false and a controller that waits for it does nothing, often without an error that anybody sees.",
		Remedy:     "Mend what the last failure names. 401: the token. 403: list and watch for the service account. 404: install the CRD before the controller, or start its informer when it is there. 429: fewer requests, or a priority level of its own. A WatchList without its closing bookmark needs a server that sends it, or WatchListClient=false; so does a server that takes no notice of as=PartialObjectMetadata. Give WaitForCacheSync a timeout.",
		Go:         "ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)\ndefer cancel()\nif !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {\n\treturn errors.New(\"caches did not sync: see the errors of list and watch above\")\n}",
		Unless:     "A timeout that ends the program is wrong where a CRD may come later: there the informer of that kind must be optional.",
		Until:      "a list, or the bookmark that ends the initial events, comes",
		Thresholds: []string{"never-synced"},
	},
	{
		Kind: SilentWatch, Severity: High, Title: "silent watch", Lesson: "13",
		Explain:    "A watch is open, but neither events nor bookmarks come. A connection that is half open looks like this, and so does a cache that no longer changes: everything looks synced and is old.",
		Causes:     []Cause{{"the connection is half open: a firewall or NAT has forgotten it, or the server's machine is gone", ""}, {"the server sends no bookmarks, and nothing happens", ""}},
		Remedy:     "Compare with the server (a cache check, or kubectl get). HTTP/2 pings find dead connections in 45 seconds (HTTP2_READ_IDLE_TIMEOUT_SECONDS); the watch's own timeout ends it after 5 to 10 minutes.",
		Unless:     "Where the server sends no bookmarks and nothing happens, all is well: a check of the cache tells the two apart.",
		Until:      "an event or a bookmark comes, or a check finds nothing missing",
		Thresholds: []string{"silent-watch"},
	},
	{
		Kind: WatchCuts, Severity: Medium, Title: "watches are cut at one age", Lesson: "9",
		Explain:    "The watches end at the same age, one after the other, and before the 5 to 10 minutes that client-go asks for: something ends them by the clock. Each end costs a request and, where events came meanwhile, a relist.",
		Remedy:     "Take the timeout off whole requests of this client (rest.Config.Timeout must be 0 for informers; use a context for single calls). In a proxy or load balancer, let responses take 10 minutes, and idle ones too.",
		Go:         "config.Timeout = 0 // is for the whole request, the body of a watch too",
		Unless:     "A watch that ends at the age that its own timeoutSeconds asks for is as it should be.",
		Until:      "a watch gets twice as old",
		Thresholds: []string{"watch-cuts"},
	},
	{
		Kind: ShortWatches, Severity: Medium, Title: "watches that close at once", Lesson: "9",
		Explain:    "Watches end right after they began, one after the other. A healthy one stays open for minutes; client-go asks for 5 to 10. One that ends within a second and without an event makes client-go list again.",
		Causes:     []Cause{{"a proxy or load balancer buffers or ends long responses", ""}, {"the server restarts, or an aggregated API server behind it does", ""}},
		Remedy:     "Look for a proxy or load balancer that buffers or ends long responses, for --min-request-timeout of the API server, and for a webhook or aggregated server that restarts.",
		Unless:     "While API servers are upgraded one after the other, watches end like this for a minute.",
		Until:      "watches stay open, so that fewer than the threshold close at once",
		Thresholds: []string{"short-watches", "short-watch-length"},
	},
	{
		Kind: RelistStorm, Severity: Medium, Title: "relist storm", Lesson: "9",
		Explain:    "The Reflector gets everything again and again, which costs the server and etcd far more than a watch. Each time it has lost its place: 410 Expired, errors in the stream, or a watch that ends at once. client-go's backoff leaves one or two a minute.",
		Causes:     []Cause{{"see the reasons of the relists", ""}},
		Remedy:     "See the reasons of the relists. For 410: watch fewer objects, or let the server send bookmarks; for errors and refused watches: look at the server, its load, and what stands between (proxies, aggregated API servers).",
		Unless:     "A few relists after an upgrade of the API servers are as they should be, and pass.",
		Until:      "lists become fewer than the threshold",
		Thresholds: []string{"relist-storm"},
	},
	{
		Kind: CostlyList, Severity: Low, Title: "costly list", Lesson: "11",
		Explain:    "A list brings much, or takes long. The API server builds all of it in memory, and so does the client; with resourceVersion \"\" it is read from etcd with a quorum.",
		Causes:     []Cause{{"whole objects are cached where their metadata would do", ""}, {"managedFields, Secrets or large ConfigMaps make up most of it", ""}, {"everything is watched where one namespace or a label would do", ""}},
		Remedy:     "Watch metadata only (PartialObjectMetadata) where labels and owners are all that is read; drop what nobody reads by a transform; narrow it by namespace, label or field. A WatchList, or a limit with pages, spares the server.",
		Go:         "informer.SetTransform(func(obj any) (any, error) {\n\tif m, err := meta.Accessor(obj); err == nil {\n\t\tm.SetManagedFields(nil)\n\t}\n\treturn obj, nil\n})",
		Unless:     "Do not drop managedFields where the object is written back by Update: server-side apply would lose its owners. Use patches there.",
		Until:      "no list was so large for a minute",
		Thresholds: []string{"costly-list", "costly-list-time"},
	},
	{
		Kind: RVBackwards, Severity: High, Title: "resourceVersion went backwards",
		Explain:    "The Reflector took an older resourceVersion than it had: it lists from a server that is behind, such as after a restore of etcd or from the cache of another API server. Objects in the Indexer may go back in time.",
		Causes:     []Cause{{"etcd was restored from a backup", ""}, {"one of several API servers is behind, or cut off from etcd", ""}},
		Remedy:     "Do not act on the cache alone where going back hurts: read from the server, or send the resourceVersion with writes and deletes as a precondition. Find out which server is behind.",
		Go:         "uid, rv := obj.GetUID(), obj.GetResourceVersion()\nerr := client.Delete(ctx, obj.GetName(), metav1.DeleteOptions{\n\tPreconditions: &metav1.Preconditions{UID: &uid, ResourceVersion: &rv},\n})",
		Unless:     "After a restore that was meant, the old state is the true one: restart what remembers the newer one.",
		Until:      "it went back fewer times than the threshold within the last minute",
		Thresholds: []string{"rv-backwards"},
	},
}
