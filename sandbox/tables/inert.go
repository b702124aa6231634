package tables

import (
	"cmp"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"informerscope/sandbox/tree"
)

// inert are the formats of kinds that nothing in the sandbox acts on, by kind.
var inert = map[string]*Format{
	"Endpoints": format("Name,Endpoints,Age", func(o map[string]any, now time.Time) []any {
		return []any{nameOf(o), endpointsText(o), age(o, now)}
	}),
	"EndpointSlice": format("Name,AddressType,Ports,Endpoints,Age", func(o map[string]any, now time.Time) []any {
		var ports, addresses []string
		for _, p := range tree.Maps(o, "ports") {
			text := cmp.Or(tree.String(p, "name"), "*")
			if p["port"] != nil {
				text = strconv.FormatInt(tree.Int(p, "port"), 10)
			}
			ports = append(ports, text)
		}
		for _, e := range tree.Maps(o, "endpoints") {
			for _, a := range tree.List(e, "addresses") {
				addresses = append(addresses, fmt.Sprint(a))
			}
		}
		return []any{nameOf(o), tree.String(o, "addressType"), firstThree(ports, "<unset>"), firstThree(addresses, "<unset>"), age(o, now)}
	}),
	"PersistentVolume": format("Name,Capacity,Access Modes,Reclaim Policy,Status,Claim,StorageClass,VolumeAttributesClass,Reason,Age,+VolumeMode",
		func(o map[string]any, now time.Time) []any {
			spec, claim := tree.Map(o, "spec"), ""
			if c := tree.Map(spec, "claimRef"); c != nil {
				claim = tree.String(c, "namespace") + "/" + tree.String(c, "name")
			}
			return []any{nameOf(o), cmp.Or(tree.String(tree.Map(spec, "capacity"), "storage"), "0"), accessModes(tree.List(spec, "accessModes")),
				tree.String(spec, "persistentVolumeReclaimPolicy"), phaseOf(o), claim, tree.String(spec, "storageClassName"),
				cmp.Or(tree.String(spec, "volumeAttributesClassName"), "<unset>"), tree.String(tree.Map(o, "status"), "reason"), age(o, now),
				cmp.Or(tree.String(spec, "volumeMode"), "<unset>")}
		}),
	"PersistentVolumeClaim": format("Name,Status,Volume,Capacity,Access Modes,StorageClass,VolumeAttributesClass,Age,+VolumeMode",
		func(o map[string]any, now time.Time) []any {
			spec, status := tree.Map(o, "spec"), tree.Map(o, "status")
			capacity, modes := "", ""
			if tree.String(spec, "volumeName") != "" {
				capacity, modes = tree.String(tree.Map(status, "capacity"), "storage"), accessModes(tree.List(status, "accessModes"))
			}
			return []any{nameOf(o), phaseOf(o), tree.String(spec, "volumeName"), capacity, modes, tree.String(spec, "storageClassName"),
				cmp.Or(tree.String(spec, "volumeAttributesClassName"), "<unset>"), age(o, now), cmp.Or(tree.String(spec, "volumeMode"), "<unset>")}
		}),
	"ControllerRevision": format("Name,Controller,Revision,Age", func(o map[string]any, now time.Time) []any {
		controller := "<none>"
		for _, r := range tree.Maps(tree.Meta(o), "ownerReferences") {
			if tree.Bool(r, "controller") {
				group, _, _ := strings.Cut(tree.String(r, "apiVersion"), "/")
				controller = strings.ToLower(tree.String(r, "kind")) + "." + group + "/" + tree.String(r, "name")
			}
		}
		return []any{nameOf(o), controller, tree.Int(o, "revision"), age(o, now)}
	}),
	"HorizontalPodAutoscaler": format("Name,Reference,Targets,MinPods,MaxPods,Replicas,Age", func(o map[string]any, now time.Time) []any {
		spec, target := tree.Map(o, "spec"), tree.Map(o, "spec", "scaleTargetRef")
		least := "<unset>"
		if spec["minReplicas"] != nil {
			least = strconv.FormatInt(tree.Int(spec, "minReplicas"), 10)
		}
		return []any{nameOf(o), tree.String(target, "kind") + "/" + tree.String(target, "name"), metricsText(spec), least,
			tree.Int(spec, "maxReplicas"), tree.Int(tree.Map(o, "status"), "currentReplicas"), age(o, now)}
	}),
	"NetworkPolicy": format("Name,Pod-Selector,Age", func(o map[string]any, now time.Time) []any {
		var s metav1.LabelSelector
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(tree.OrNew(tree.Map(o, "spec", "podSelector")), &s); err != nil {
			return []any{nameOf(o), "<error>", age(o, now)}
		}
		return []any{nameOf(o), metav1.FormatLabelSelector(&s), age(o, now)}
	}),
	"PodDisruptionBudget": format("Name,Min Available,Max Unavailable,Allowed Disruptions:integer,Age", func(o map[string]any, now time.Time) []any {
		spec := tree.Map(o, "spec")
		amount := func(f string) string {
			if spec[f] == nil {
				return "N/A"
			}
			return fmt.Sprint(spec[f])
		}
		return []any{nameOf(o), amount("minAvailable"), amount("maxUnavailable"), tree.Int(tree.Map(o, "status"), "disruptionsAllowed"), age(o, now)}
	}),
	"Role":               format("Name,Created At:date", createdRow),
	"ClusterRole":        format("Name,Created At:date", createdRow),
	"RoleBinding":        format("Name,Role,Age,+Users,+Groups,+ServiceAccounts", bindingRow),
	"ClusterRoleBinding": format("Name,Role,Age,+Users,+Groups,+ServiceAccounts", bindingRow),
	"StorageClass": format("Name,Provisioner,ReclaimPolicy,VolumeBindingMode,AllowVolumeExpansion,Age", func(o map[string]any, now time.Time) []any {
		name := nameOf(o)
		if tree.String(tree.Map(tree.Meta(o), "annotations"), "storageclass.kubernetes.io/is-default-class") == "true" {
			name += " (default)"
		}
		return []any{name, tree.String(o, "provisioner"), cmp.Or(tree.String(o, "reclaimPolicy"), "Delete"), cmp.Or(tree.String(o, "volumeBindingMode"), "<unset>"),
			tree.Bool(o, "allowVolumeExpansion"), age(o, now)}
	}),
}

func endpointsText(o map[string]any) string {
	var out []string
	for _, s := range tree.Maps(o, "subsets") {
		addresses := tree.Maps(s, "addresses")
		ports := tree.Maps(s, "ports")
		if len(ports) == 0 {
			for _, a := range addresses {
				out = append(out, tree.String(a, "ip"))
			}
		}
		for _, p := range ports {
			for _, a := range addresses {
				out = append(out, net.JoinHostPort(tree.String(a, "ip"), strconv.FormatInt(tree.Int(p, "port"), 10)))
			}
		}
	}
	return firstThree(out, "<none>")
}

// accessModes abbreviates the access modes of a volume.
func accessModes(modes []any) string {
	var out []string
	for _, m := range []struct{ mode, short string }{
		{"ReadWriteOnce", "RWO"}, {"ReadOnlyMany", "ROX"}, {"ReadWriteMany", "RWX"}, {"ReadWriteOncePod", "RWOP"}} {
		for _, have := range modes {
			if have == m.mode {
				out = append(out, m.short)
				break
			}
		}
	}
	return strings.Join(out, ",")
}

func phaseOf(o map[string]any) string {
	if tree.String(tree.Meta(o), "deletionTimestamp") != "" {
		return "Terminating"
	}
	return tree.String(tree.Map(o, "status"), "phase")
}

func createdRow(o map[string]any, _ time.Time) []any {
	return []any{nameOf(o), tree.String(tree.Meta(o), "creationTimestamp")}
}

func bindingRow(o map[string]any, now time.Time) []any {
	role := tree.Map(o, "roleRef")
	var users, groups, accounts []string
	for _, s := range tree.Maps(o, "subjects") {
		switch tree.String(s, "kind") {
		case "User":
			users = append(users, tree.String(s, "name"))
		case "Group":
			groups = append(groups, tree.String(s, "name"))
		case "ServiceAccount":
			accounts = append(accounts, tree.String(s, "namespace")+"/"+tree.String(s, "name"))
		}
	}
	return []any{nameOf(o), tree.String(role, "kind") + "/" + tree.String(role, "name"), age(o, now),
		strings.Join(users, ", "), strings.Join(groups, ", "), strings.Join(accounts, ", ")}
}

// metricsText names what an autoscaler watches. No metrics come in here, so that what is measured is unknown.
func metricsText(spec map[string]any) string {
	var out []string
	for _, m := range tree.Maps(spec, "metrics") {
		r := tree.Map(m, "resource")
		target := tree.Map(r, "target")
		if n := tree.Int(target, "averageUtilization"); n != 0 {
			out = append(out, fmt.Sprintf("%s: <unknown>/%d%%", tree.String(r, "name"), n))
		} else {
			out = append(out, "<unknown>/"+cmp.Or(tree.String(target, "averageValue"), "<auto>"))
		}
	}
	return orNone(strings.Join(out, ", "))
}

// eventRow shows an Event of the core group or of events.k8s.io.
func eventRow(o map[string]any, now time.Time) []any {
	about, message, source, host := tree.Map(o, "involvedObject"), tree.String(o, "message"), tree.String(tree.Map(o, "source"), "component"), tree.String(tree.Map(o, "source"), "host")
	first, last, count := tree.String(o, "firstTimestamp"), tree.String(o, "lastTimestamp"), tree.Int(o, "count")
	if about == nil {
		about, message, source, host = tree.Map(o, "regarding"), tree.String(o, "note"), "", ""
		first, last, count = tree.String(o, "deprecatedFirstTimestamp"), tree.String(o, "deprecatedLastTimestamp"), tree.Int(o, "deprecatedCount")
	}
	first = cmp.Or(first, cmp.Or(tree.String(o, "eventTime"), tree.String(tree.Meta(o), "creationTimestamp")))
	last = cmp.Or(last, first)
	if s := tree.Map(o, "series"); s != nil {
		last, count = tree.String(s, "lastObservedTime"), tree.Int(s, "count")
	}
	source = cmp.Or(source, cmp.Or(tree.String(o, "reportingComponent"), tree.String(o, "reportingController")))
	if host = cmp.Or(host, tree.String(o, "reportingInstance")); host != "" {
		source += ", " + host
	}
	target := strings.ToLower(tree.String(about, "kind"))
	if name := tree.String(about, "name"); name != "" {
		target += "/" + name
	}
	return []any{cmp.Or(since(last, now), "<unknown>"), tree.String(o, "type"), tree.String(o, "reason"), target, tree.String(about, "fieldPath"), source,
		strings.TrimSpace(message), cmp.Or(since(first, now), "<unknown>"), max(count, 1), nameOf(o)}
}
