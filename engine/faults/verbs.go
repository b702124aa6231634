package faults

import (
	"fmt"
	"strings"
)

// Verbs is a set of the requests that a client reads with.
type Verbs uint8

// The requests, as the Reflector means them. VerbWatchList is a watch with
// sendInitialEvents.
const (
	VerbList Verbs = 1 << iota
	VerbWatch
	VerbWatchList
	VerbGet
	VerbDiscovery

	Watches = VerbWatch | VerbWatchList
	Bodies  = VerbList | VerbGet // answers that end by themselves
	Reads   = Bodies | Watches

	AnyRequest = Reads | VerbDiscovery
)

var verbNames = []string{"list", "watch", "watchlist", "get", "discovery"}

// String lists the verbs as ParseVerbs takes them: "list,watch".
func (v Verbs) String() string {
	var names []string
	for i, name := range verbNames {
		if v&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// ParseVerbs reads names with commas between.
func ParseVerbs(s string) (Verbs, error) {
	var v Verbs
next:
	for part := range strings.SplitSeq(s, ",") {
		for i, name := range verbNames {
			if part == name {
				v |= 1 << i
				continue next
			}
		}
		return 0, fmt.Errorf("%q is none of %s", part, strings.Join(verbNames, ", "))
	}
	return v, nil
}
