package sandbox

import (
	"hash/fnv"
	"strconv"
)

// setDefaults fills in the defaults of Kubernetes that show in kubectl's output or that the controllers rely on. It
// covers the common fields only.
func setDefaults(k *kind, content map[string]any) {
	if k.custom != nil {
		k.custom.setDefaults(content)
		return
	}
	switch k {
	case definitions:
		defaultDefinition(content)
	case namespaces:
		meta := metaOf(content)
		ensure(meta, "labels")["kubernetes.io/metadata.name"] = str(meta, "name")
		spec := ensure(content, "spec")
		if spec["finalizers"] == nil {
			spec["finalizers"] = []any{"kubernetes"}
		}
		absent(ensure(content, "status"), "phase", "Active")
	case pods:
		defaultPodSpec(ensure(content, "spec"), "Always")
		status := ensure(content, "status")
		absent(status, "phase", "Pending")
		absent(status, "qosClass", "BestEffort")
	case deployments:
		spec := ensure(content, "spec")
		absent(spec, "replicas", int64(1))
		absent(spec, "revisionHistoryLimit", int64(10))
		absent(spec, "progressDeadlineSeconds", int64(600))
		absent(spec, "strategy", map[string]any{"type": "RollingUpdate",
			"rollingUpdate": map[string]any{"maxSurge": "25%", "maxUnavailable": "25%"}})
		defaultTemplate(spec, "Always")
		ensure(content, "status")
	case replicasets, statefuls:
		spec := ensure(content, "spec")
		absent(spec, "replicas", int64(1))
		defaultTemplate(spec, "Always")
		absent(ensure(content, "status"), "replicas", int64(0))
	case daemonsets:
		defaultTemplate(ensure(content, "spec"), "Always")
		ensure(content, "status")
	case jobs:
		spec := ensure(content, "spec")
		absent(spec, "parallelism", int64(1))
		absent(spec, "completions", int64(1))
		absent(spec, "backoffLimit", int64(6))
		absent(spec, "completionMode", "NonIndexed")
		defaultTemplate(spec, "")
		ensure(content, "status")
	case services:
		defaultService(content)
	case secrets:
		absent(content, "type", "Opaque")
		if plain := dict(content, "stringData"); plain != nil {
			data := ensure(content, "data")
			for key, v := range plain {
				s, _ := v.(string)
				data[key] = base64Of(s)
			}
			delete(content, "stringData")
		}
	case claims:
		absent(ensure(content, "status"), "phase", "Pending")
	}
}

func defaultTemplate(spec map[string]any, restart string) {
	if dict(spec, "template") != nil {
		defaultPodSpec(ensure(spec, "template", "spec"), restart)
	}
}

func defaultPodSpec(spec map[string]any, restart string) {
	if restart != "" {
		absent(spec, "restartPolicy", restart)
	}
	absent(spec, "dnsPolicy", "ClusterFirst")
	absent(spec, "schedulerName", "default-scheduler")
	absent(spec, "terminationGracePeriodSeconds", int64(30))
	absent(spec, "securityContext", map[string]any{})
	for _, c := range list(spec, "containers") {
		m, ok := c.(map[string]any)
		if !ok {
			continue
		}
		absent(m, "imagePullPolicy", "IfNotPresent")
		absent(m, "resources", map[string]any{})
		absent(m, "terminationMessagePath", "/dev/termination-log")
		absent(m, "terminationMessagePolicy", "File")
		for _, p := range list(m, "ports") {
			if pm, ok := p.(map[string]any); ok {
				absent(pm, "protocol", "TCP")
			}
		}
	}
}

func defaultService(content map[string]any) {
	spec := ensure(content, "spec")
	absent(spec, "type", "ClusterIP")
	absent(spec, "sessionAffinity", "None")
	if str(spec, "type") != "ExternalName" && str(spec, "clusterIP") == "" {
		// The name decides, so that the address is stable when a PUT leaves it out.
		meta := metaOf(content)
		spec["clusterIP"] = address("10.96", objectKey(str(meta, "namespace"), str(meta, "name")))
		spec["clusterIPs"] = []any{spec["clusterIP"]}
	}
	for _, p := range list(spec, "ports") {
		if m, ok := p.(map[string]any); ok {
			absent(m, "protocol", "TCP")
			absent(m, "targetPort", m["port"])
		}
	}
	ensure(content, "status", "loadBalancer")
}

// address makes an IPv4 address under the two bytes of prefix from key.
func address(prefix, key string) string {
	h := fnv.New32a()
	h.Write([]byte(key))
	n := h.Sum32()
	return prefix + "." + strconv.Itoa(int(n>>8&0xff)) + "." + strconv.Itoa(int(n&0xff)%254+1)
}

func absent(m map[string]any, key string, v any) {
	if cur, ok := m[key]; !ok || cur == nil {
		m[key] = v
	}
}
