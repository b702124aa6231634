package findings

// infoQueue has the texts of what goes wrong in the workqueue and in reconciles.
var infoQueue = []Info{
	{
		Kind: QueueGrows, Severity: Medium, Title: "workqueue does not drain", Lesson: "6",
		Explain:    "More keys become ready than the workers finish, and so each key waits longer and longer. The queue holds keys, not objects: it grows to the number of objects and no further.",
		Remedy:     "Make reconciles shorter (what waits for the network has a timeout; what polls asks to be called again instead), or run more workers: keys are reconciled side by side, each by one worker.",
		Go:         "ctrl.NewControllerManagedBy(mgr).For(&v1.Thing{}).\n\tWithOptions(controller.Options{MaxConcurrentReconciles: 4}).\n\tComplete(r)",
		Unless:     "More workers are wrong where reconciles share a lock, a rate limit or something outside that takes one at a time: they would only wait there.",
		Until:      "half of the keys are taken",
		Thresholds: []string{"queue-grows", "queue-size"},
	},
	{
		Kind: KeyWaits, Severity: Medium, Title: "a key waits and is overtaken",
		Explain:    "In a priority queue a key is ready, and keys that came later are taken before it, for their priority is higher. controller-runtime gives what the first list and resyncs bring -100: with enough news such a key is never taken.",
		Remedy:     "Let the news become less (see hot loops and requeues), or the workers more. The priority of a key is raised by an Add with a higher one.",
		Go:         "mgr, err := ctrl.NewManager(config, ctrl.Options{Controller: config.Controller{\n\tUsePriorityQueue: ptr.To(false), // first come, first served\n}})",
		Unless:     "Without priorities, the first list of a large cluster keeps fresh news waiting after each restart: that is what they are for.",
		Until:      "a worker takes the key",
		Thresholds: []string{"key-waits", "key-overtaken"},
	},
	{
		Kind: StuckWorker, Severity: High, Title: "stuck worker", Lesson: "16",
		Explain:    "A key has been in processing for a long time: the reconcile hangs, or it ended and Done was never called. News of the key makes it dirty, but nobody gets it before its Done; the worker, or the key, is lost to the others.",
		Causes:     []Cause{{"a call without a timeout waits", ""}, {"a way out of the worker's loop without Done", ""}},
		Remedy:     "Give calls in the reconcile a context with a timeout, and call Done by defer right after Get.",
		Go:         "key, shutdown := queue.Get()\nif shutdown {\n\treturn false\n}\ndefer queue.Done(key)",
		Unless:     "Where a reconcile is meant to take minutes, raise the threshold: a timeout would cut its work off.",
		Until:      "Done is called",
		Thresholds: []string{"stuck-worker"},
	},
	{
		Kind: HotLoop, Severity: Medium, Title: "hot loop", Lesson: "18",
		Explain:    "A key is reconciled again and again although its spec stays the same. Most often the reconcile itself writes to the object, or to one that it watches, and so brings about its next event. The spec is what metadata.generation counts the changes of; of objects without one (ConfigMaps, Secrets, Services), it is all but metadata and status, so that a time which a reconcile writes into an annotation is found, and one in the data of a ConfigMap is not.",
		Remedy:     "Write only when something differs (compare before Update or Patch), and leave out what changes by itself, such as timestamps in annotations or the status. Filter updates by generation where only the spec matters.",
		Go:         "if equality.Semantic.DeepEqual(before.Status, after.Status) {\n\treturn nil // nothing to write\n}\nreturn r.Status().Update(ctx, after)",
		Unless:     "Filtering by generation is wrong where the reconcile acts on labels, annotations, finalizers or the status: no generation counts their changes.",
		Until:      "the key is reconciled less often than the threshold",
		Thresholds: []string{"hot-loop", "hot-loop-idle", "hot-loop-writes"},
	},
	{
		Kind: FailingReconciles, Severity: Medium, Title: "reconciles fail", Lesson: "7",
		Explain:    "A key fails time after time, or many reconciles do. Each failure waits longer for its retry, at last a quarter of an hour and more.",
		Causes:     []Cause{{"see the errors", ""}},
		Remedy:     "See the errors: they are grouped, the most frequent first. One that no retry can mend (an invalid object) is final: say so in the status, and return no error, so that only news brings the key back.",
		Go:         "if apierrors.IsInvalid(err) {\n\treturn reconcile.Result{}, reconcile.TerminalError(err) // no retry\n}",
		Unless:     "An error that time or something outside mends (a conflict, a server that is down) must be retried: do not make it final.",
		Until:      "the key succeeds, or the share is below the threshold",
		Thresholds: []string{"failing-reconciles", "failing-share"},
	},
	{
		Kind: RequeuesGrowing, Severity: Medium, Title: "requeues without Forget", Lesson: "7",
		Explain:    "A key comes back by AddRateLimited time after time, and Forget is never called. Each time its delay doubles, at last to more than a quarter of an hour. The delay is for the retry alone: an Add during it is taken at once. But a handler that uses AddRateLimited for news makes the news wait too.",
		Causes:     []Cause{{"handlers add what is new by AddRateLimited instead of Add", ""}, {"reconciles succeed, and Forget is not called", ""}, {"the key fails each time", ""}},
		Remedy:     "In handlers use Add: AddRateLimited is for failures. Call Forget when a reconcile succeeds and when an error is final. For one that only waits for something, use AddAfter or watch that.",
		Go:         "if err := reconcile(key); err != nil {\n\tqueue.AddRateLimited(key)\n\treturn\n}\nqueue.Forget(key)",
		Unless:     "Do not call Forget on each failure: the backoff is what spares the server. Adds before the first reconcile count as well, so that a burst of news may look like failures.",
		Until:      "Forget is called",
		Thresholds: []string{"requeues-growing"},
	},
	{
		Kind: EarlyRead, Severity: Medium, Title: "read before the sync",
		Explain:    "A reconcile looked for its object in a cache that had not synced, and found nothing. The object may exist: who takes that for a deletion cleans up what is in use.",
		Causes:     []Cause{{"workers start before WaitForCacheSync has returned", ""}, {"another informer than the one that was waited for is read", ""}},
		Remedy:     "Wait for every informer that the reconcile reads before the first worker starts.",
		Go:         "if !cache.WaitForCacheSync(ctx.Done(), podInformer.HasSynced, nodeInformer.HasSynced) {\n\treturn\n}\nfor range workers {\n\tgo wait.UntilWithContext(ctx, c.runWorker, time.Second)\n}",
		Unless:     "Where one of the informers may never sync (an optional CRD), waiting for it stops all: wait for that one elsewhere.",
		Until:      "none came for a minute",
		Thresholds: []string{"early-read"},
	},
	{
		Kind: StaleRead, Severity: Low, Title: "stale read",
		Explain:    "A reconcile read an older version of its object than it had written itself: the watch had not brought that yet. What it decides from the old one may be done twice: a second child is created, a counter counts twice.",
		Causes:     []Cause{{"news that was older than the write made the key due again at once", ""}, {"the watch is behind", ""}},
		Remedy:     "Make what the reconcile does the same when it is done twice: names that follow from the object instead of generateName, and a resourceVersion with each update, so that one from an old read ends in a conflict.",
		Go:         "child.Name = parent.Name + \"-worker\" // the same each time: a second create ends in AlreadyExists",
		Unless:     "Do not read from the server in every reconcile to avoid it: that is what the cache spares. The controllers of Kubernetes itself live with it, by expectations.",
		Until:      "none came for a minute",
		Thresholds: []string{"stale-read"},
	},
}

// infoOf has the texts of the kinds. They are shown to the authors of controllers
// beside the finding, which has the figures.
var infoOf = func() map[Kind]Info {
	m := map[Kind]Info{}
	for _, part := range [][]Info{infoReflector, infoCache, infoQueue} {
		for _, i := range part {
			m[i.Kind] = i
		}
	}
	return m
}()
