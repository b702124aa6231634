package sandbox

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/duration"
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
		spec, status := dict(o, "spec"), dict(o, "status")
		names, images := containers(dict(spec, "template", "spec"))
		return []any{nameOf(o), fraction(integer(status, "readyReplicas"), integer(spec, "replicas")),
			integer(status, "updatedReplicas"), integer(status, "availableReplicas"), age(o, now), names, images, selectorText(spec)}
	}),
	"ReplicaSet":            format("Name,Desired:integer,Current:integer,Ready:integer,Age,+Containers,+Images,+Selector", replicaRow),
	"ReplicationController": format("Name,Desired:integer,Current:integer,Ready:integer,Age,+Containers,+Images,+Selector", replicaRow),
	"StatefulSet": format("Name,Ready,Age,+Containers,+Images", func(o map[string]any, now time.Time) []any {
		names, images := containers(dict(o, "spec", "template", "spec"))
		return []any{nameOf(o), fraction(integer(dict(o, "status"), "readyReplicas"), integer(dict(o, "spec"), "replicas")), age(o, now), names, images}
	}),
	"DaemonSet": format("Name,Desired:integer,Current:integer,Ready:integer,Up-to-date:integer,Available:integer,Node Selector,Age,+Containers,+Images,+Selector", func(o map[string]any, now time.Time) []any {
		s := dict(o, "status")
		names, images := containers(dict(o, "spec", "template", "spec"))
		return []any{nameOf(o), integer(s, "desiredNumberScheduled"), integer(s, "currentNumberScheduled"), integer(s, "numberReady"),
			integer(s, "updatedNumberScheduled"), integer(s, "numberAvailable"),
			orNone(labels.Set(stringMap(dict(o, "spec", "template", "spec")["nodeSelector"])).String()), age(o, now), names, images, selectorText(dict(o, "spec"))}
	}),
	"Job": format("Name,Status,Completions,Duration,Age,+Containers,+Images,+Selector", func(o map[string]any, now time.Time) []any {
		spec, status := dict(o, "spec"), dict(o, "status")
		names, images := containers(dict(spec, "template", "spec"))
		return []any{nameOf(o), jobStatus(o), fraction(integer(status, "succeeded"), integer(spec, "completions")),
			jobDuration(status, now), age(o, now), names, images, selectorText(spec)}
	}),
	"CronJob": format("Name,Schedule,Timezone,Suspend:boolean,Active:integer,Last Schedule,Age,+Containers,+Images,+Selector", func(o map[string]any, now time.Time) []any {
		spec, status := dict(o, "spec"), dict(o, "status")
		names, images := containers(dict(spec, "jobTemplate", "spec", "template", "spec"))
		return []any{nameOf(o), str(spec, "schedule"), orNone(str(spec, "timeZone")), pick(boolean(spec, "suspend"), "True", "False"),
			int64(len(list(status, "active"))), orNone(since(str(status, "lastScheduleTime"), now)), age(o, now),
			names, images, orNone(labels.Set(stringMap(dict(spec, "jobTemplate", "spec", "selector")["matchLabels"])).String())}
	}),
	"ConfigMap": format("Name,Data,Age", func(o map[string]any, now time.Time) []any {
		return []any{nameOf(o), int64(len(dict(o, "data")) + len(dict(o, "binaryData"))), age(o, now)}
	}),
	"Secret": format("Name,Type,Data,Age", func(o map[string]any, now time.Time) []any {
		return []any{nameOf(o), str(o, "type"), int64(len(dict(o, "data"))), age(o, now)}
	}),
	"Service": format("Name,Type,Cluster-IP,External-IP,Port(s),Age,+Selector", func(o map[string]any, now time.Time) []any {
		spec := dict(o, "spec")
		return []any{nameOf(o), str(spec, "type"), orNone(str(spec, "clusterIP")), externalIP(o), servicePorts(spec), age(o, now),
			orNone(labels.Set(stringMap(spec["selector"])).String())}
	}),
	"Namespace": format("Name,Status,Age", func(o map[string]any, now time.Time) []any {
		return []any{nameOf(o), str(dict(o, "status"), "phase"), age(o, now)}
	}),
	"Node": format("Name,Status,Roles,Age,Version,+Internal-IP,+External-IP,+OS-Image,+Kernel-Version,+Container-Runtime", nodeRow),
	"CustomResourceDefinition": format("Name,Scope,Versions,Created At:date", func(o map[string]any, now time.Time) []any {
		var versions []string
		for _, v := range dicts(dict(o, "spec"), "versions") {
			if boolean(v, "served") {
				versions = append(versions, str(v, "name")+pick(boolean(v, "storage"), "(storage)", ""))
			}
		}
		return []any{nameOf(o), str(dict(o, "spec"), "scope"), strings.Join(versions, ","), str(metaOf(o), "creationTimestamp")}
	}),
	"Lease": format("Name,Holder,Age", func(o map[string]any, now time.Time) []any {
		return []any{nameOf(o), str(dict(o, "spec"), "holderIdentity"), age(o, now)}
	}),
	"Event": format("Last Seen,Type,Reason,Object,+Subobject,+Source,Message,+First Seen,+Count,+Name", eventRow),
	"ServiceAccount": format("Name,Age", func(o map[string]any, now time.Time) []any {
		return []any{nameOf(o), age(o, now)}
	}),
	"Ingress": format("Name,Class,Hosts,Address,Ports,Age", func(o map[string]any, now time.Time) []any {
		var hosts []string
		for _, r := range list(dict(o, "spec"), "rules") {
			if m, ok := r.(map[string]any); ok && str(m, "host") != "" {
				hosts = append(hosts, str(m, "host"))
			}
		}
		ports := "80"
		if len(list(dict(o, "spec"), "tls")) > 0 {
			ports = "80, 443"
		}
		if len(hosts) == 0 {
			hosts = []string{"*"}
		}
		return []any{nameOf(o), orNone(str(dict(o, "spec"), "ingressClassName")), strings.Join(hosts, ","), "", ports, age(o, now)}
	}),
}

func nameOf(o map[string]any) string { return str(metaOf(o), "name") }

func age(o map[string]any, now time.Time) string {
	return orText(since(str(metaOf(o), "creationTimestamp"), now), "<unknown>")
}

// since is the time from timestamp to now as kubectl prints it, "" when there is none.
func since(timestamp string, now time.Time) string {
	t, err := time.Parse(time.RFC3339, timestamp)
	if err != nil {
		return ""
	}
	return duration.HumanDuration(now.Sub(t))
}

func orText(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func orNone(s string) string { return orText(s, "<none>") }

func fraction(have, want int64) string { return fmt.Sprintf("%d/%d", have, want) }

func containers(spec map[string]any) (names, images string) {
	var n, i []string
	for _, c := range list(spec, "containers") {
		m, _ := c.(map[string]any)
		n, i = append(n, str(m, "name")), append(i, str(m, "image"))
	}
	return orNone(strings.Join(n, ",")), orNone(strings.Join(i, ","))
}

func selectorText(spec map[string]any) string {
	if s, errs := selectorOf(spec, nil); len(errs) == 0 {
		return s.String()
	}
	return orNone(labels.Set(stringMap(spec["selector"])).String())
}

func replicaRow(o map[string]any, now time.Time) []any {
	spec, status := dict(o, "spec"), dict(o, "status")
	names, images := containers(dict(spec, "template", "spec"))
	return []any{nameOf(o), integer(spec, "replicas"), integer(status, "replicas"), integer(status, "readyReplicas"), age(o, now),
		names, images, selectorText(spec)}
}

// scaleTable is how a Scale prints.
var scaleTable = format("Name,Desired:integer,Available:integer,Age", nil)

func externalIP(o map[string]any) string {
	spec := dict(o, "spec")
	var ips []string
	for _, i := range dicts(dict(o, "status", "loadBalancer"), "ingress") {
		ips = append(ips, orText(str(i, "ip"), str(i, "hostname")))
	}
	for _, ip := range list(spec, "externalIPs") {
		ips = append(ips, fmt.Sprint(ip))
	}
	switch {
	case str(spec, "type") == "ExternalName":
		return str(spec, "externalName")
	case len(ips) == 0 && str(spec, "type") == "LoadBalancer":
		return "<pending>"
	}
	return orNone(strings.Join(ips, ","))
}

func servicePorts(spec map[string]any) string {
	var out []string
	for _, p := range list(spec, "ports") {
		m, _ := p.(map[string]any)
		port := strconv.FormatInt(integer(m, "port"), 10)
		if n := integer(m, "nodePort"); n != 0 {
			port += ":" + strconv.FormatInt(n, 10)
		}
		out = append(out, port+"/"+str(m, "protocol"))
	}
	return orNone(strings.Join(out, ","))
}

func podRow(o map[string]any, now time.Time) []any {
	spec, status := dict(o, "spec"), dict(o, "status")
	var ready, restarts int64
	reason := orText(str(status, "reason"), str(status, "phase"))
	for _, c := range list(status, "containerStatuses") {
		m, _ := c.(map[string]any)
		restarts += integer(m, "restartCount")
		if boolean(m, "ready") {
			ready++
		}
		if r := str(dict(m, "state", "waiting"), "reason"); r != "" {
			reason = r
		} else if r := str(dict(m, "state", "terminated"), "reason"); r != "" {
			reason = r
		}
	}
	if str(metaOf(o), "deletionTimestamp") != "" {
		reason = "Terminating"
	}
	return []any{nameOf(o), fraction(ready, int64(len(list(spec, "containers")))), reason, strconv.FormatInt(restarts, 10), age(o, now),
		orNone(str(status, "podIP")), orNone(str(spec, "nodeName")), orNone(str(status, "nominatedNodeName")), "<none>"}
}

func nodeRow(o map[string]any, now time.Time) []any {
	info := dict(o, "status", "nodeInfo")
	state := "Unknown"
	for _, c := range list(dict(o, "status"), "conditions") {
		if m, _ := c.(map[string]any); str(m, "type") == "Ready" {
			if state = "NotReady"; str(m, "status") == "True" {
				state = "Ready"
			}
		}
	}
	if boolean(dict(o, "spec"), "unschedulable") {
		state += ",SchedulingDisabled"
	}
	var roles []string
	for l := range stringMap(metaOf(o)["labels"]) {
		if role, ok := strings.CutPrefix(l, "node-role.kubernetes.io/"); ok {
			roles = append(roles, role)
		}
	}
	internal := ""
	for _, a := range list(dict(o, "status"), "addresses") {
		if m, _ := a.(map[string]any); str(m, "type") == "InternalIP" {
			internal = str(m, "address")
		}
	}
	return []any{nameOf(o), state, orNone(strings.Join(roles, ",")), age(o, now), str(info, "kubeletVersion"), orNone(internal), "<none>",
		str(info, "osImage"), str(info, "kernelVersion"), str(info, "containerRuntimeVersion")}
}

func jobStatus(o map[string]any) string {
	for _, c := range list(dict(o, "status"), "conditions") {
		if m, _ := c.(map[string]any); str(m, "status") == "True" {
			switch t := str(m, "type"); t {
			case "Complete", "Failed", "Suspended":
				return t
			}
		}
	}
	return "Running"
}

func jobDuration(status map[string]any, now time.Time) string {
	start, err := time.Parse(time.RFC3339, str(status, "startTime"))
	if err != nil {
		return ""
	}
	if end, err := time.Parse(time.RFC3339, str(status, "completionTime")); err == nil {
		now = end
	}
	return duration.HumanDuration(now.Sub(start))
}
