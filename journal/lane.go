package journal

import "strings"

// Events of a comparison name as their resource a lane, one of the pipelines that
// run side by side: "pods@atomic" is the lane atomic of pods, its base.

// LaneOf is the name of a lane.
func LaneOf(base, lane string) string { return base + "@" + lane }

// CutLane splits the name of a lane; ok is false for an ordinary resource, which is
// its own base.
func CutLane(resource string) (base, lane string, ok bool) { return strings.Cut(resource, "@") }

// BaseOf is the resource of a lane, and of any other the resource itself.
func BaseOf(resource string) string {
	base, _, _ := CutLane(resource)
	return base
}
