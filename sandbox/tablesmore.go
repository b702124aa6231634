package sandbox

import (
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// inertTables are the formats of kinds that nothing in the sandbox acts on, by kind.
var inertTables = map[string]*tableFormat{
	"Endpoints": format("Name,Endpoints,Age", func(o map[string]any, now time.Time) []any {
		return []any{nameOf(o), endpointsText(o), age(o, now)}
	}),
	"EndpointSlice": format("Name,AddressType,Ports,Endpoints,Age", func(o map[string]any, now time.Time) []any {
		var ports, addresses []string
		for _, p := range dicts(o, "ports") {
			text := orText(str(p, "name"), "*")
			if p["port"] != nil {
				text = strconv.FormatInt(integer(p, "port"), 10)
			}
			ports = append(ports, text)
		}
		for _, e := range dicts(o, "endpoints") {
			for _, a := range list(e, "addresses") {
				addresses = append(addresses, fmt.Sprint(a))
			}
		}
		return []any{nameOf(o), str(o, "addressType"), firstThree(ports, "<unset>"), firstThree(addresses, "<unset>"), age(o, now)}
	}),
	"PersistentVolume": format("Name,Capacity,Access Modes,Reclaim Policy,Status,Claim,StorageClass,VolumeAttributesClass,Reason,Age,+VolumeMode",
		func(o map[string]any, now time.Time) []any {
			spec, claim := dict(o, "spec"), ""
			if c := dict(spec, "claimRef"); c != nil {
				claim = str(c, "namespace") + "/" + str(c, "name")
			}
			return []any{nameOf(o), orText(str(dict(spec, "capacity"), "storage"), "0"), accessModes(list(spec, "accessModes")),
				str(spec, "persistentVolumeReclaimPolicy"), phaseOf(o), claim, str(spec, "storageClassName"),
				orText(str(spec, "volumeAttributesClassName"), "<unset>"), str(dict(o, "status"), "reason"), age(o, now),
				orText(str(spec, "volumeMode"), "<unset>")}
		}),
	"PersistentVolumeClaim": format("Name,Status,Volume,Capacity,Access Modes,StorageClass,VolumeAttributesClass,Age,+VolumeMode",
		func(o map[string]any, now time.Time) []any {
			spec, status := dict(o, "spec"), dict(o, "status")
			capacity, modes := "", ""
			if str(spec, "volumeName") != "" {
				capacity, modes = str(dict(status, "capacity"), "storage"), accessModes(list(status, "accessModes"))
			}
			return []any{nameOf(o), phaseOf(o), str(spec, "volumeName"), capacity, modes, str(spec, "storageClassName"),
				orText(str(spec, "volumeAttributesClassName"), "<unset>"), age(o, now), orText(str(spec, "volumeMode"), "<unset>")}
		}),
	"ControllerRevision": format("Name,Controller,Revision,Age", func(o map[string]any, now time.Time) []any {
		controller := "<none>"
		for _, r := range dicts(metaOf(o), "ownerReferences") {
			if boolean(r, "controller") {
				group, _, _ := strings.Cut(str(r, "apiVersion"), "/")
				controller = strings.ToLower(str(r, "kind")) + "." + group + "/" + str(r, "name")
			}
		}
		return []any{nameOf(o), controller, integer(o, "revision"), age(o, now)}
	}),
	"HorizontalPodAutoscaler": format("Name,Reference,Targets,MinPods,MaxPods,Replicas,Age", func(o map[string]any, now time.Time) []any {
		spec, target := dict(o, "spec"), dict(o, "spec", "scaleTargetRef")
		least := "<unset>"
		if spec["minReplicas"] != nil {
			least = strconv.FormatInt(integer(spec, "minReplicas"), 10)
		}
		return []any{nameOf(o), str(target, "kind") + "/" + str(target, "name"), metricsText(spec), least,
			integer(spec, "maxReplicas"), integer(dict(o, "status"), "currentReplicas"), age(o, now)}
	}),
	"NetworkPolicy": format("Name,Pod-Selector,Age", func(o map[string]any, now time.Time) []any {
		var s metav1.LabelSelector
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(orNew(dict(o, "spec", "podSelector")), &s); err != nil {
			return []any{nameOf(o), "<error>", age(o, now)}
		}
		return []any{nameOf(o), metav1.FormatLabelSelector(&s), age(o, now)}
	}),
	"PodDisruptionBudget": format("Name,Min Available,Max Unavailable,Allowed Disruptions:integer,Age", func(o map[string]any, now time.Time) []any {
		spec := dict(o, "spec")
		amount := func(f string) string {
			if spec[f] == nil {
				return "N/A"
			}
			return fmt.Sprint(spec[f])
		}
		return []any{nameOf(o), amount("minAvailable"), amount("maxUnavailable"), integer(dict(o, "status"), "disruptionsAllowed"), age(o, now)}
	}),
	"Role":               format("Name,Created At:date", createdRow),
	"ClusterRole":        format("Name,Created At:date", createdRow),
	"RoleBinding":        format("Name,Role,Age,+Users,+Groups,+ServiceAccounts", bindingRow),
	"ClusterRoleBinding": format("Name,Role,Age,+Users,+Groups,+ServiceAccounts", bindingRow),
	"StorageClass": format("Name,Provisioner,ReclaimPolicy,VolumeBindingMode,AllowVolumeExpansion,Age", func(o map[string]any, now time.Time) []any {
		name := nameOf(o)
		if str(dict(metaOf(o), "annotations"), "storageclass.kubernetes.io/is-default-class") == "true" {
			name += " (default)"
		}
		return []any{name, str(o, "provisioner"), orText(str(o, "reclaimPolicy"), "Delete"), orText(str(o, "volumeBindingMode"), "<unset>"),
			boolean(o, "allowVolumeExpansion"), age(o, now)}
	}),
}

// dicts is the list at key, of what in it is an object.
func dicts(m map[string]any, key string) []map[string]any {
	var out []map[string]any
	for _, e := range list(m, key) {
		if d, ok := e.(map[string]any); ok {
			out = append(out, d)
		}
	}
	return out
}

// firstThree joins up to three, and says how many more there are.
func firstThree(texts []string, none string) string {
	const most = 3
	switch {
	case len(texts) == 0:
		return none
	case len(texts) > most:
		return fmt.Sprintf("%s + %d more...", strings.Join(texts[:most], ","), len(texts)-most)
	}
	return strings.Join(texts, ",")
}

func endpointsText(o map[string]any) string {
	var out []string
	for _, s := range dicts(o, "subsets") {
		addresses := dicts(s, "addresses")
		ports := dicts(s, "ports")
		if len(ports) == 0 {
			for _, a := range addresses {
				out = append(out, str(a, "ip"))
			}
		}
		for _, p := range ports {
			for _, a := range addresses {
				out = append(out, net.JoinHostPort(str(a, "ip"), strconv.FormatInt(integer(p, "port"), 10)))
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
	if str(metaOf(o), "deletionTimestamp") != "" {
		return "Terminating"
	}
	return str(dict(o, "status"), "phase")
}

func createdRow(o map[string]any, _ time.Time) []any {
	return []any{nameOf(o), str(metaOf(o), "creationTimestamp")}
}

func bindingRow(o map[string]any, now time.Time) []any {
	role := dict(o, "roleRef")
	var users, groups, accounts []string
	for _, s := range dicts(o, "subjects") {
		switch str(s, "kind") {
		case "User":
			users = append(users, str(s, "name"))
		case "Group":
			groups = append(groups, str(s, "name"))
		case "ServiceAccount":
			accounts = append(accounts, str(s, "namespace")+"/"+str(s, "name"))
		}
	}
	return []any{nameOf(o), str(role, "kind") + "/" + str(role, "name"), age(o, now),
		strings.Join(users, ", "), strings.Join(groups, ", "), strings.Join(accounts, ", ")}
}

// metricsText names what an autoscaler watches. No metrics come in here, so that what is measured is unknown.
func metricsText(spec map[string]any) string {
	var out []string
	for _, m := range dicts(spec, "metrics") {
		r := dict(m, "resource")
		target := dict(r, "target")
		if n := integer(target, "averageUtilization"); n != 0 {
			out = append(out, fmt.Sprintf("%s: <unknown>/%d%%", str(r, "name"), n))
		} else {
			out = append(out, "<unknown>/"+orText(str(target, "averageValue"), "<auto>"))
		}
	}
	return orNone(strings.Join(out, ", "))
}

// eventRow shows an Event of the core group or of events.k8s.io.
func eventRow(o map[string]any, now time.Time) []any {
	about, message, source, host := dict(o, "involvedObject"), str(o, "message"), str(dict(o, "source"), "component"), str(dict(o, "source"), "host")
	first, last, count := str(o, "firstTimestamp"), str(o, "lastTimestamp"), integer(o, "count")
	if about == nil {
		about, message, source, host = dict(o, "regarding"), str(o, "note"), "", ""
		first, last, count = str(o, "deprecatedFirstTimestamp"), str(o, "deprecatedLastTimestamp"), integer(o, "deprecatedCount")
	}
	first = orText(first, orText(str(o, "eventTime"), str(metaOf(o), "creationTimestamp")))
	last = orText(last, first)
	if s := dict(o, "series"); s != nil {
		last, count = str(s, "lastObservedTime"), integer(s, "count")
	}
	source = orText(source, orText(str(o, "reportingComponent"), str(o, "reportingController")))
	if host = orText(host, str(o, "reportingInstance")); host != "" {
		source += ", " + host
	}
	target := strings.ToLower(str(about, "kind"))
	if name := str(about, "name"); name != "" {
		target += "/" + name
	}
	return []any{orText(since(last, now), "<unknown>"), str(o, "type"), str(o, "reason"), target, str(about, "fieldPath"), source,
		strings.TrimSpace(message), orText(since(first, now), "<unknown>"), max(count, 1), nameOf(o)}
}
