package findings

import "informerscope/journal"

// Kind names what can be found. The names are public: flags, JSON and scenario
// files use them.
type Kind string

// The kinds, in the order of lists.
const (
	HotLoop         Kind = "hot-loop"
	StuckWorker     Kind = "stuck-worker"
	RequeuesGrowing Kind = "requeues-growing"
	BacklogGrowing  Kind = "backlog-growing"
	RelistStorm     Kind = "relist-storm"
	ShortWatches    Kind = "short-watches"
	SilentWatch     Kind = "silent-watch"
	NeverSynced     Kind = "never-synced"
	RVBackwards     Kind = "rv-backwards"
	Tombstones      Kind = "tombstones"
	ResyncFlood     Kind = "resync-flood"
	MutatedObject   Kind = "mutated-object"
	UselessIndex    Kind = "useless-index"
	CacheDiffers    Kind = "cache-differs"
)

// Info says what a kind is, for who has never heard of it.
type Info struct {
	Kind       Kind
	Title      string   // a few words
	Explain    string   // what it means, in a sentence or two
	Remedy     string   // what to do about it
	Thresholds []string // the names of the thresholds that decide
}

// kinds is the table of all kinds. A kind without a detector is never found.
var kinds = []struct {
	Info
	detector func() detector
}{
	{infoOf[HotLoop], newHotLoops},
	{infoOf[StuckWorker], newStuckWorkers},
	{infoOf[RequeuesGrowing], newRequeues},
	{infoOf[BacklogGrowing], newBacklogs},
	{infoOf[RelistStorm], newRelists},
	{infoOf[ShortWatches], newShortWatches},
	{infoOf[SilentWatch], newSilentWatches},
	{infoOf[NeverSynced], newNeverSynced},
	{infoOf[RVBackwards], newRVBackwards},
	{infoOf[Tombstones], newTombstones},
	{infoOf[ResyncFlood], newResyncFloods},
	{infoOf[MutatedObject], newMutatedObjects},
	{infoOf[UselessIndex], newUselessIndexes},
	{infoOf[CacheDiffers], newCacheDiffers},
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
