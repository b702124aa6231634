package tables

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/duration"

	"informerscope/sandbox/tree"
)

// workloads are the formats of the kinds that run pods, by kind.
var workloads = map[string]*Format{
	"Pod": format("Name,Ready,Status,Restarts,Age,+IP,+Node,+Nominated Node,+Readiness Gates", podRow),
	"Deployment": format("Name,Ready,Up-to-date,Available,Age,+Containers,+Images,+Selector", func(o map[string]any, now time.Time) []any {
		spec, status := tree.Map(o, "spec"), tree.Map(o, "status")
		names, images := containers(tree.Map(spec, "template", "spec"))
		return []any{nameOf(o), fraction(tree.Int(status, "readyReplicas"), tree.Int(spec, "replicas")),
			tree.Int(status, "updatedReplicas"), tree.Int(status, "availableReplicas"), age(o, now), names, images, selectorText(spec)}
	}),
	"ReplicaSet":            format("Name,Desired:integer,Current:integer,Ready:integer,Age,+Containers,+Images,+Selector", replicaRow),
	"ReplicationController": format("Name,Desired:integer,Current:integer,Ready:integer,Age,+Containers,+Images,+Selector", replicaRow),
	"StatefulSet": format("Name,Ready,Age,+Containers,+Images", func(o map[string]any, now time.Time) []any {
		names, images := containers(tree.Map(o, "spec", "template", "spec"))
		return []any{nameOf(o), fraction(tree.Int(tree.Map(o, "status"), "readyReplicas"), tree.Int(tree.Map(o, "spec"), "replicas")), age(o, now), names, images}
	}),
	"DaemonSet": format("Name,Desired:integer,Current:integer,Ready:integer,Up-to-date:integer,Available:integer,Node Selector,Age,+Containers,+Images,+Selector", func(o map[string]any, now time.Time) []any {
		s := tree.Map(o, "status")
		names, images := containers(tree.Map(o, "spec", "template", "spec"))
		return []any{nameOf(o), tree.Int(s, "desiredNumberScheduled"), tree.Int(s, "currentNumberScheduled"), tree.Int(s, "numberReady"),
			tree.Int(s, "updatedNumberScheduled"), tree.Int(s, "numberAvailable"),
			orNone(labels.Set(tree.Strings(tree.Map(o, "spec", "template", "spec")["nodeSelector"])).String()), age(o, now), names, images, selectorText(tree.Map(o, "spec"))}
	}),
	"Job": format("Name,Status,Completions,Duration,Age,+Containers,+Images,+Selector", func(o map[string]any, now time.Time) []any {
		spec, status := tree.Map(o, "spec"), tree.Map(o, "status")
		names, images := containers(tree.Map(spec, "template", "spec"))
		return []any{nameOf(o), jobStatus(o), fraction(tree.Int(status, "succeeded"), tree.Int(spec, "completions")),
			jobDuration(status, now), age(o, now), names, images, selectorText(spec)}
	}),
	"CronJob": format("Name,Schedule,Timezone,Suspend:boolean,Active:integer,Last Schedule,Age,+Containers,+Images,+Selector", func(o map[string]any, now time.Time) []any {
		spec, status := tree.Map(o, "spec"), tree.Map(o, "status")
		names, images := containers(tree.Map(spec, "jobTemplate", "spec", "template", "spec"))
		return []any{nameOf(o), tree.String(spec, "schedule"), orNone(tree.String(spec, "timeZone")), titled(tree.Bool(spec, "suspend")),
			int64(len(tree.List(status, "active"))), orNone(since(tree.String(status, "lastScheduleTime"), now)), age(o, now),
			names, images, orNone(labels.Set(tree.Strings(tree.Map(spec, "jobTemplate", "spec", "selector")["matchLabels"])).String())}
	}),
}

func podRow(o map[string]any, now time.Time) []any {
	spec, status := tree.Map(o, "spec"), tree.Map(o, "status")
	var ready, restarts int64
	reason := cmp.Or(tree.String(status, "reason"), tree.String(status, "phase"))
	for _, c := range tree.List(status, "containerStatuses") {
		m, _ := c.(map[string]any)
		restarts += tree.Int(m, "restartCount")
		if tree.Bool(m, "ready") {
			ready++
		}
		if r := tree.String(tree.Map(m, "state", "waiting"), "reason"); r != "" {
			reason = r
		} else if r := tree.String(tree.Map(m, "state", "terminated"), "reason"); r != "" {
			reason = r
		}
	}
	if tree.String(tree.Meta(o), "deletionTimestamp") != "" {
		reason = "Terminating"
	}
	return []any{nameOf(o), fraction(ready, int64(len(tree.List(spec, "containers")))), reason, strconv.FormatInt(restarts, 10), age(o, now),
		orNone(tree.String(status, "podIP")), orNone(tree.String(spec, "nodeName")), orNone(tree.String(status, "nominatedNodeName")), "<none>"}
}

func replicaRow(o map[string]any, now time.Time) []any {
	spec, status := tree.Map(o, "spec"), tree.Map(o, "status")
	names, images := containers(tree.Map(spec, "template", "spec"))
	return []any{nameOf(o), tree.Int(spec, "replicas"), tree.Int(status, "replicas"), tree.Int(status, "readyReplicas"), age(o, now),
		names, images, selectorText(spec)}
}

func jobStatus(o map[string]any) string {
	for _, c := range tree.List(tree.Map(o, "status"), "conditions") {
		if m, _ := c.(map[string]any); tree.String(m, "status") == "True" {
			switch t := tree.String(m, "type"); t {
			case "Complete", "Failed", "Suspended":
				return t
			}
		}
	}
	return "Running"
}

func jobDuration(status map[string]any, now time.Time) string {
	start, err := time.Parse(time.RFC3339, tree.String(status, "startTime"))
	if err != nil {
		return ""
	}
	if end, err := time.Parse(time.RFC3339, tree.String(status, "completionTime")); err == nil {
		now = end
	}
	return duration.HumanDuration(now.Sub(start))
}

func containers(spec map[string]any) (names, images string) {
	var n, i []string
	for _, c := range tree.List(spec, "containers") {
		m, _ := c.(map[string]any)
		n, i = append(n, tree.String(m, "name")), append(i, tree.String(m, "image"))
	}
	return orNone(strings.Join(n, ",")), orNone(strings.Join(i, ","))
}

func selectorText(spec map[string]any) string {
	if s, errs := tree.Selector(spec, nil); len(errs) == 0 {
		return s.String()
	}
	return orNone(labels.Set(tree.Strings(spec["selector"])).String())
}
