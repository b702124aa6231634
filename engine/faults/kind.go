package faults

import (
	"net/http"
	"slices"
)

// Kind names what a fault does. The names are what users type, and never
// change once released.
type Kind string

// The kinds. What each does, and what client-go does with it, is in Kinds.
const (
	Cut                Kind = "cut"
	CutMidJSON         Kind = "cut-mid-json"
	Freeze             Kind = "freeze"
	Malformed          Kind = "malformed"
	Error410           Kind = "error-410"
	Error429           Kind = "error-429"
	Error500           Kind = "error-500"
	HTTP               Kind = "http"
	Drop               Kind = "drop"
	Repeat             Kind = "repeat"
	Stale              Kind = "stale"
	Delay              Kind = "delay"
	WithholdBookmarks  Kind = "withhold-bookmarks"
	WithholdInitialEnd Kind = "withhold-initial-end"
	SlowList           Kind = "slow-list"
	ExpiredContinue    Kind = "expired-continue"
	Table              Kind = "table"
	Refused            Kind = "refused"
	GoAway             Kind = "goaway"
)

// Info is what is known of a kind: Parse, menus and documentation are made
// from it.
type Info struct {
	Kind  Kind
	Help  string // one line: what happens on the wire
	Then  string // one line: what client-go v0.37.2 does then; each is tested
	Value *Param // an argument without a name, which must be given; nil for none
	// Params are the arguments with a name, name=value, that the kind takes.
	Params []*Param
	Times  int   // how often it strikes unless told otherwise; 0 is until it is disarmed
	On     Verbs // the requests that it strikes unless told otherwise
	// may are requests that it does not strike by itself, but that On may be set to.
	may Verbs
}

// anyEvent are the parameters of what strikes single events.
var (
	anyEvent  = []*Param{paramType, paramKey, paramTimes, paramFor, paramProbability, paramOn}
	anyStream = []*Param{paramTimes, paramFor, paramProbability, paramOn}
	anyPage   = append(slices.Clip(anyStream), paramPage)
	anyBody   = append(slices.Clip(anyPage), paramAt)
)

// Kinds lists all kinds in the order in which a menu shows them.
var Kinds = []Info{
	{Kind: Cut, On: Watches, may: Bodies, Times: 1, Params: anyBody,
		Help: "end the open watches now: connection reset; with page, at or on=list the body of a list, which ends too early",
		Then: "the Reflector watches again at once from its last resourceVersion; it relists if the watch was under 1s old without an event; " +
			"a list whose body breaks off is thrown away with all of its pages, and begun anew after a backoff"},
	{Kind: CutMidJSON, On: Watches, Times: 1, Params: anyEvent,
		Help: "end the watch in the middle of the next event (of either encoding)",
		Then: "half an event is thrown away silently; the Reflector watches again at once from its last resourceVersion"},
	{Kind: Freeze, On: Watches, Params: []*Param{paramFor, paramOn},
		Help: "half-open watches: bytes stop, nothing closes, until disarmed",
		Then: "nothing at all: a watch has no timeout of its own, HasSynced stays true, the cache grows stale"},
	{Kind: Malformed, On: Watches, may: Bodies, Times: 1, Params: append(append([]*Param{paramText}, anyEvent...), paramPage, paramAt),
		Help: "the next event is garbage; with page, at or on=list the rest of a list",
		Then: "the decoder reports an internal error and the Reflector relists; of a list it reports the error, and begins anew after a backoff"},
	{Kind: Error410, On: Watches, Times: 1, Params: append([]*Param{paramText}, anyStream...),
		Help: "an ERROR event now: 410 Expired, as after a compaction",
		Then: "the Reflector relists at its last resourceVersion, after a backoff"},
	{Kind: Error429, On: Watches, Times: 1, Params: append([]*Param{paramText, paramRetryAfter}, anyStream...),
		Help: "an ERROR event now: 429 TooManyRequests",
		Then: "the Reflector backs off, then watches again from its last resourceVersion; no list"},
	{Kind: Error500, On: Watches, Times: 1, Params: append([]*Param{paramText}, anyStream...),
		Help: "an ERROR event now: 500 InternalError",
		Then: "the Reflector relists at its last resourceVersion, after a backoff"},
	{Kind: HTTP, On: Reads, may: AnyRequest, Times: 1, Value: paramStatus, Params: append([]*Param{paramRetryAfter, paramText}, anyPage...),
		Help: "answer a request with an HTTP status, as kube-apiserver says it",
		Then: "a refused WATCHLIST is tried as a LIST at once; a refused LIST or WATCH is followed by a relist after a backoff; " +
			"410 and 504 to a list: another at once with resourceVersion \"\"; 429 to a watch: another after a backoff, no list; " +
			"with retry-after the REST client repeats 429 and 5xx, up to 10 times, and the Reflector never knows"},
	{Kind: Drop, On: Watches, Times: 1, Params: anyEvent,
		Help: "the next ADDED, MODIFIED or DELETED never arrives",
		Then: "nothing notices: the cache is wrong until the object changes again or a relist"},
	{Kind: Repeat, On: Watches, Times: 1, Params: anyEvent,
		Help: "the next ADDED, MODIFIED or DELETED arrives twice",
		Then: "a second update with the same resourceVersion; a second DELETED finds nothing"},
	{Kind: Stale, On: Watches, Times: 1, Params: anyEvent,
		Help: "after the next change of an object, its version before that arrives again, if that came since this was armed",
		Then: "the Reflector takes it: the object in the cache and the Reflector's resourceVersion go back, until the object's next event, or until a watch that begins there tells the newer version again"},
	{Kind: Delay, On: Watches, Value: paramDelay, Params: anyEvent,
		Help: "hold each event for a time, one after the other",
		Then: "the cache lags; no request, no error"},
	{Kind: WithholdBookmarks, On: Watches, Params: anyStream,
		Help: "no BOOKMARK arrives, except the end of the initial events",
		Then: "a quiet resource's resourceVersion stays old: after a compaction the next watch is Expired"},
	{Kind: WithholdInitialEnd, On: VerbWatchList, Times: 1, Params: []*Param{paramTimes, paramFor, paramProbability},
		Help: "the BOOKMARK that ends a WatchList's initial events never arrives",
		Then: "HasSynced stays false for the life of the stream; client-go warns every 10s"},
	{Kind: SlowList, On: VerbList | VerbWatchList, Times: 1, Value: paramDelay, Params: anyPage,
		Help: "the body of a list comes late",
		Then: "HasSynced waits; nothing is retried"},
	{Kind: ExpiredContinue, On: VerbList, Times: 1, Params: append([]*Param{paramText}, []*Param{paramTimes, paramFor, paramProbability}...),
		Help: "410 Expired for a list's continue token",
		Then: "the pager throws its pages away and asks for the whole list without a limit"},
	{Kind: Table, On: VerbList, Times: 1, Params: []*Param{paramTimes, paramFor, paramProbability, paramPage},
		Help: "a list is answered with a Table of meta.k8s.io, as a server does that takes every client for kubectl",
		Then: "the Reflector refuses it, shows the error and begins anew after a backoff; the cache keeps what it had"},
	{Kind: Refused, On: Reads, may: AnyRequest, Times: 1, Params: anyPage,
		Help: "connection refused",
		Then: "on a watch the Reflector backs off and watches again; on a list it backs off and starts over"},
	{Kind: GoAway, On: Reads, may: AnyRequest, Times: 1, Params: anyBody,
		Help: "HTTP/2 GOAWAY and the connection closed: open watches end, or the next request fails, with at the body of a list",
		Then: "a watch that was open starts again at once; a request that failed is retried by the REST client after 1s; " +
			"a list whose body breaks off is begun anew by the Reflector, after a backoff"},
}

// Lookup returns what is known of a kind.
func Lookup(k Kind) (Info, bool) {
	i := slices.IndexFunc(Kinds, func(info Info) bool { return info.Kind == k })
	if i < 0 {
		return Info{}, false
	}
	return Kinds[i], true
}

// takes says whether p is among the parameters.
func (i Info) takes(p *Param) bool { return i.Value == p || slices.Contains(i.Params, p) }

// Statuses are what kind http can answer.
var Statuses = []int{
	http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone,
	http.StatusUnprocessableEntity, http.StatusTooManyRequests, http.StatusInternalServerError,
	http.StatusServiceUnavailable, http.StatusGatewayTimeout,
}
