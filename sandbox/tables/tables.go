package tables

import (
	"cmp"
	"time"

	"informerscope/sandbox/tree"
)

// Of is how the objects of a built-in kind print, in whatever group it is: by name and age if nothing more is known.
func Of(kind string) *Format {
	return cmp.Or(workloads[kind], plain[kind], inert[kind], generic)
}

// Scale is how a Scale prints.
var Scale = format("Name,Desired:integer,Available:integer,Age", func(o map[string]any, now time.Time) []any {
	return []any{nameOf(o), tree.Int(tree.Map(o, "spec"), "replicas"), tree.Int(tree.Map(o, "status"), "replicas"), age(o, now)}
})
