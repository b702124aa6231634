package tables

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/labels"

	"informerscope/sandbox/tree"
)

// plain are the formats of the other kinds that users meet first, by kind.
var plain = map[string]*Format{
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
