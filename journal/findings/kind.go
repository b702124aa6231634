package findings

import "informerscope/journal"

// Kind names what can be found. The names are public: flags, JSON and scenario
// files use them.
type Kind string

// The kinds, in the order of lists: that of the pipeline.
const (
	Blind             Kind = "blind"
	NeverSynced       Kind = "never-synced"
	SilentWatch       Kind = "silent-watch"
	WatchCuts         Kind = "watch-cuts"
	ShortWatches      Kind = "short-watches"
	RelistStorm       Kind = "relist-storm"
	CostlyList        Kind = "costly-list"
	RVBackwards       Kind = "rv-backwards"
	CacheDiffers      Kind = "cache-differs"
	LeftSelection     Kind = "left-selection"
	MutatedObject     Kind = "mutated-object"
	UselessIndex      Kind = "useless-index"
	BacklogGrowing    Kind = "backlog-growing"
	Tombstones        Kind = "tombstones"
	ResyncFlood       Kind = "resync-flood"
	Panics            Kind = "panics"
	QueueGrows        Kind = "queue-grows"
	KeyWaits          Kind = "key-waits"
	StuckWorker       Kind = "stuck-worker"
	HotLoop           Kind = "hot-loop"
	FailingReconciles Kind = "failing-reconciles"
	RequeuesGrowing   Kind = "requeues-growing"
	EarlyRead         Kind = "early-read"
	StaleRead         Kind = "stale-read"
)

// Info says what a kind is, for who has never heard of it.
type Info struct {
	Kind       Kind
	Severity   Severity
	Title      string   // a few words
	Explain    string   // what it means and why it matters, in a sentence or two
	Causes     []Cause  // the common ones, where a finding has none of its own
	Remedy     string   // what to do about it
	Go         string   // the few lines that do it, "" where no code does
	Unless     string   // the case in which following Remedy would be wrong
	Until      string   // what would make it untrue
	Lesson     string   // the number of the lesson that teaches it, "" for none
	Thresholds []string // the names of the thresholds that decide
}

// kinds is the table of all kinds. A kind without a detector is never found.
var kinds = []struct {
	Info
	detector func() detector
}{
	{infoOf[Blind], newBlinds},
	{infoOf[NeverSynced], newNeverSynced},
	{infoOf[SilentWatch], newSilentWatches},
	{infoOf[WatchCuts], newWatchCuts},
	{infoOf[ShortWatches], newShortWatches},
	{infoOf[RelistStorm], newRelists},
	{infoOf[CostlyList], newCostlyLists},
	{infoOf[RVBackwards], newRVBackwards},
	{infoOf[CacheDiffers], newCacheDiffers},
	{infoOf[LeftSelection], newLeftSelections},
	{infoOf[MutatedObject], newMutatedObjects},
	{infoOf[UselessIndex], newUselessIndexes},
	{infoOf[BacklogGrowing], newBacklogs},
	{infoOf[Tombstones], newTombstones},
	{infoOf[ResyncFlood], newResyncFloods},
	{infoOf[Panics], newPanics},
	{infoOf[QueueGrows], newGrowingQueues},
	{infoOf[KeyWaits], newWaitingKeys},
	{infoOf[StuckWorker], newStuckWorkers},
	{infoOf[HotLoop], newHotLoops},
	{infoOf[FailingReconciles], newFailingReconciles},
	{infoOf[RequeuesGrowing], newRequeues},
	{infoOf[EarlyRead], newEarlyReads},
	{infoOf[StaleRead], newStaleReads},
}

// Kinds lists all kinds with their texts. The caller must not change it.
func Kinds() []Info {
	infos := make([]Info, len(kinds))
	for i := range kinds {
		infos[i] = kinds[i].Info
	}
	return infos
}

// InfoOf returns the texts of a kind; ok is false for one that is not known.
func InfoOf(k Kind) (info Info, ok bool) {
	info, ok = infoOf[k]
	return info, ok
}

// wanted has for each kind of event a bit for each detector that takes it.
var wanted = func() (w [256]uint32) {
	for i := range kinds {
		if kinds[i].detector == nil {
			continue
		}
		for _, k := range kinds[i].detector().wants() {
			w[k] |= 1 << i
		}
	}
	return w
}()

// Concerns reports whether events of this kind can be evidence of k.
func (k Kind) Concerns(e journal.Kind) bool {
	for i := range kinds {
		if kinds[i].Kind == k {
			return wanted[e]&(1<<i) != 0
		}
	}
	return false
}
