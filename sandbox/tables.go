package sandbox

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/duration"

	"informerscope/sandbox/tree"
)

// tableFormat is how a kind prints: its columns, and the cells of one object, as many as columns.
type tableFormat struct {
	columns []metav1.TableColumnDefinition
	row     func(o map[string]any, now time.Time) []any
}

// format makes a tableFormat from column names. "+" before a name marks a wide column; ":integer" after it the type.
func format(columns string, row func(o map[string]any, now time.Time) []any) *tableFormat {
	t := &tableFormat{row: row}
	for c := range strings.SplitSeq(columns, ",") {
		d := metav1.TableColumnDefinition{Type: "string"}
		if rest, wide := strings.CutPrefix(c, "+"); wide {
			c, d.Priority = rest, 1
		}
		if name, typ, ok := strings.Cut(c, ":"); ok {
			c, d.Type = name, typ
		}
		d.Name = c
		if c == "Name" {
			d.Format = "name"
		}
		t.columns = append(t.columns, d)
	}
	return t
}

var genericTable = format("Name,Age", func(o map[string]any, now time.Time) []any {
	return []any{nameOf(o), age(o, now)}
})

// tables has the kinds that print more than their name and age, by kind.
var tables = map[string]*tableFormat{
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
	"ConfigMap": format("Name,Data,Age", func(o map[string]any, now time.Time) []any {
		return []any{nameOf(o), int64(len(tree.Map(o, "data")) + len(tree.Map(o, "binaryData"))), age(o, now)}
	}),
	"Secret": format("Name,Type,Data,Age", func(o map[string]any, now time.Time) []any {
		return []any{nameOf(o), tree.String(o, "type"), int64(len(tree.Map(o, "data"))), age(o, now)}
	}),
	"Service": format("Name,Type,Cluster-IP,External-IP,Port(s),Age,+Selector", func(o map[string]any, now time.Time) []any {
		spec := tree.Map(o, "spec")
		return []any{nameOf(o), tree.String(spec, "type"), orNone(tree.String(spec, "clusterIP")), externalIP(o), servicePorts(spec), age(o, now),
			orNone(labels.Set(tree.Strings(spec["selector"])).String())}
	}),
	"Namespace": format("Name,Status,Age", func(o map[string]any, now time.Time) []any {
		return []any{nameOf(o), tree.String(tree.Map(o, "status"), "phase"), age(o, now)}
	}),
	"Node": format("Name,Status,Roles,Age,Version,+Internal-IP,+External-IP,+OS-Image,+Kernel-Version,+Container-Runtime", nodeRow),
	"CustomResourceDefinition": format("Name,Scope,Versions,Created At:date", func(o map[string]any, now time.Time) []any {
		var versions []string
		for _, v := range tree.Maps(tree.Map(o, "spec"), "versions") {
			if tree.Bool(v, "served") {
				name := tree.String(v, "name")
				if tree.Bool(v, "storage") {
					name += "(storage)"
				}
				versions = append(versions, name)
			}
		}
		return []any{nameOf(o), tree.String(tree.Map(o, "spec"), "scope"), strings.Join(versions, ","), tree.String(tree.Meta(o), "creationTimestamp")}
	}),
	"Lease": format("Name,Holder,Age", func(o map[string]any, now time.Time) []any {
		return []any{nameOf(o), tree.String(tree.Map(o, "spec"), "holderIdentity"), age(o, now)}
	}),
	"Event": format("Last Seen,Type,Reason,Object,+Subobject,+Source,Message,+First Seen,+Count,+Name", eventRow),
	"ServiceAccount": format("Name,Age", func(o map[string]any, now time.Time) []any {
		return []any{nameOf(o), age(o, now)}
	}),
	"Ingress": format("Name,Class,Hosts,Address,Ports,Age", func(o map[string]any, now time.Time) []any {
		var hosts []string
		for _, r := range tree.List(tree.Map(o, "spec"), "rules") {
			if m, ok := r.(map[string]any); ok && tree.String(m, "host") != "" {
				hosts = append(hosts, tree.String(m, "host"))
			}
		}
		ports := "80"
		if len(tree.List(tree.Map(o, "spec"), "tls")) > 0 {
			ports = "80, 443"
		}
		if len(hosts) == 0 {
			hosts = []string{"*"}
		}
		return []any{nameOf(o), orNone(tree.String(tree.Map(o, "spec"), "ingressClassName")), strings.Join(hosts, ","), "", ports, age(o, now)}
	}),
}

// titled is a boolean as kubectl prints it.
func titled(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

func nameOf(o map[string]any) string { return tree.String(tree.Meta(o), "name") }

func age(o map[string]any, now time.Time) string {
	return cmp.Or(since(tree.String(tree.Meta(o), "creationTimestamp"), now), "<unknown>")
}

// since is the time from timestamp to now as kubectl prints it, "" when there is none.
func since(timestamp string, now time.Time) string {
	t, err := time.Parse(time.RFC3339, timestamp)
	if err != nil {
		return ""
	}
	return duration.HumanDuration(now.Sub(t))
}

func orNone(s string) string { return cmp.Or(s, "<none>") }

func fraction(have, want int64) string { return fmt.Sprintf("%d/%d", have, want) }

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

func replicaRow(o map[string]any, now time.Time) []any {
	spec, status := tree.Map(o, "spec"), tree.Map(o, "status")
	names, images := containers(tree.Map(spec, "template", "spec"))
	return []any{nameOf(o), tree.Int(spec, "replicas"), tree.Int(status, "replicas"), tree.Int(status, "readyReplicas"), age(o, now),
		names, images, selectorText(spec)}
}

// scaleTable is how a Scale prints.
var scaleTable = format("Name,Desired:integer,Available:integer,Age", nil)

func externalIP(o map[string]any) string {
	spec := tree.Map(o, "spec")
	var ips []string
	for _, i := range tree.Maps(tree.Map(o, "status", "loadBalancer"), "ingress") {
		ips = append(ips, cmp.Or(tree.String(i, "ip"), tree.String(i, "hostname")))
	}
	for _, ip := range tree.List(spec, "externalIPs") {
		ips = append(ips, fmt.Sprint(ip))
	}
	switch {
	case tree.String(spec, "type") == "ExternalName":
		return tree.String(spec, "externalName")
	case len(ips) == 0 && tree.String(spec, "type") == "LoadBalancer":
		return "<pending>"
	}
	return orNone(strings.Join(ips, ","))
}

func servicePorts(spec map[string]any) string {
	var out []string
	for _, p := range tree.List(spec, "ports") {
		m, _ := p.(map[string]any)
		port := strconv.FormatInt(tree.Int(m, "port"), 10)
		if n := tree.Int(m, "nodePort"); n != 0 {
			port += ":" + strconv.FormatInt(n, 10)
		}
		out = append(out, port+"/"+tree.String(m, "protocol"))
	}
	return orNone(strings.Join(out, ","))
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

func nodeRow(o map[string]any, now time.Time) []any {
	info := tree.Map(o, "status", "nodeInfo")
	state := "Unknown"
	for _, c := range tree.List(tree.Map(o, "status"), "conditions") {
		if m, _ := c.(map[string]any); tree.String(m, "type") == "Ready" {
			if state = "NotReady"; tree.String(m, "status") == "True" {
				state = "Ready"
			}
		}
	}
	if tree.Bool(tree.Map(o, "spec"), "unschedulable") {
		state += ",SchedulingDisabled"
	}
	var roles []string
	for l := range tree.Strings(tree.Meta(o)["labels"]) {
		if role, ok := strings.CutPrefix(l, "node-role.kubernetes.io/"); ok {
			roles = append(roles, role)
		}
	}
	internal := ""
	for _, a := range tree.List(tree.Map(o, "status"), "addresses") {
		if m, _ := a.(map[string]any); tree.String(m, "type") == "InternalIP" {
			internal = tree.String(m, "address")
		}
	}
	return []any{nameOf(o), state, orNone(strings.Join(roles, ",")), age(o, now), tree.String(info, "kubeletVersion"), orNone(internal), "<none>",
		tree.String(info, "osImage"), tree.String(info, "kernelVersion"), tree.String(info, "containerRuntimeVersion")}
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
