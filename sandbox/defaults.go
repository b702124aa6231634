package sandbox

import (
	"hash/fnv"
	"maps"
	"strconv"
	"strings"
)

// setDefaults fills in the defaults of Kubernetes for the fields that show in kubectl's output, that clients compare, or
// that the controllers rely on.
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
		ensure(content, "spec")
		absent(ensure(content, "status"), "phase", "Active")
	case pods:
		spec := ensure(content, "spec")
		defaultPodSpec(spec)
		absent(spec, "enableServiceLinks", true)
		status := ensure(content, "status")
		absent(status, "phase", "Pending")
		absent(status, "qosClass", "BestEffort")
	case services:
		defaultService(content)
	case secrets:
		defaultSecret(content)
	case claims:
		absent(ensure(content, "spec"), "volumeMode", "Filesystem")
		absent(ensure(content, "status"), "phase", "Pending")
	case roles, clusterRoles:
		if len(list(content, "rules")) == 0 {
			content["rules"] = nil
		}
	default:
		defaultWorkload(k, content)
	}
}

// defaultWorkload fills in the defaults of the kinds that make pods.
func defaultWorkload(k *kind, content map[string]any) {
	switch k {
	case deployments:
		spec := ensure(content, "spec")
		absent(spec, "replicas", int64(1))
		absent(spec, "revisionHistoryLimit", int64(10))
		absent(spec, "progressDeadlineSeconds", int64(600))
		rolling(ensure(spec, "strategy"), map[string]any{"maxSurge": "25%", "maxUnavailable": "25%"})
		defaultTemplate(spec)
		ensure(content, "status")
	case replicasets:
		spec := ensure(content, "spec")
		absent(spec, "replicas", int64(1))
		defaultTemplate(spec)
		absent(ensure(content, "status"), "replicas", int64(0))
	case statefuls:
		spec := ensure(content, "spec")
		absent(spec, "replicas", int64(1))
		absent(spec, "revisionHistoryLimit", int64(10))
		absent(spec, "podManagementPolicy", "OrderedReady")
		policy := ensure(spec, "persistentVolumeClaimRetentionPolicy")
		absent(policy, "whenDeleted", "Retain")
		absent(policy, "whenScaled", "Retain")
		rolling(ensure(spec, "updateStrategy"), map[string]any{"partition": int64(0), "maxUnavailable": int64(1)})
		defaultTemplate(spec)
		zeros(ensure(content, "status"), "replicas", "availableReplicas")
	case daemonsets:
		spec := ensure(content, "spec")
		absent(spec, "revisionHistoryLimit", int64(10))
		rolling(ensure(spec, "updateStrategy"), map[string]any{"maxSurge": int64(0), "maxUnavailable": int64(1)})
		defaultTemplate(spec)
		zeros(ensure(content, "status"), "currentNumberScheduled", "desiredNumberScheduled", "numberMisscheduled", "numberReady")
	case jobs:
		defaultJob(ensure(content, "spec"))
		ensure(content, "status")
	case cronjobs:
		spec := ensure(content, "spec")
		absent(spec, "concurrencyPolicy", "Allow")
		absent(spec, "suspend", false)
		absent(spec, "successfulJobsHistoryLimit", int64(3))
		absent(spec, "failedJobsHistoryLimit", int64(1))
		defaultTemplate(ensure(spec, "jobTemplate", "spec"))
		ensure(content, "status")
	}
}

func defaultJob(spec map[string]any) {
	absent(spec, "parallelism", int64(1))
	absent(spec, "completions", int64(1))
	absent(spec, "backoffLimit", int64(6))
	absent(spec, "completionMode", "NonIndexed")
	absent(spec, "manualSelector", false)
	absent(spec, "suspend", false)
	absent(spec, "podReplacementPolicy", "TerminatingOrFailed")
	defaultTemplate(spec)
}

// rolling makes an update strategy that says nothing a rolling one, with these parameters unless it has its own.
func rolling(strategy, parameters map[string]any) {
	if str(strategy, "type") == "" {
		strategy["type"] = "RollingUpdate"
	}
	if strategy["type"] != "RollingUpdate" {
		return
	}
	for f, v := range parameters {
		absent(ensure(strategy, "rollingUpdate"), f, v)
	}
}

func zeros(m map[string]any, fields ...string) {
	for _, f := range fields {
		absent(m, f, int64(0))
	}
}

func defaultTemplate(spec map[string]any) {
	if dict(spec, "template") != nil {
		defaultPodSpec(ensure(spec, "template", "spec"))
	}
}

func defaultPodSpec(spec map[string]any) {
	absent(spec, "restartPolicy", "Always")
	absent(spec, "dnsPolicy", "ClusterFirst")
	absent(spec, "schedulerName", "default-scheduler")
	absent(spec, "terminationGracePeriodSeconds", int64(30))
	absent(spec, "securityContext", map[string]any{})
	for _, group := range []string{"containers", "initContainers"} {
		for _, c := range dicts(spec, group) {
			absent(c, "imagePullPolicy", pullPolicy(str(c, "image")))
			absent(c, "resources", map[string]any{})
			absent(c, "terminationMessagePath", "/dev/termination-log")
			absent(c, "terminationMessagePolicy", "File")
			for _, p := range dicts(c, "ports") {
				absent(p, "protocol", "TCP")
			}
		}
	}
}

// pullPolicy is how an image is pulled by default: one that may move under its name, each time.
func pullPolicy(image string) string {
	name := image[strings.LastIndexByte(image, '/')+1:]
	if strings.Contains(name, "@") {
		return "IfNotPresent"
	}
	if _, tag, tagged := strings.Cut(name, ":"); tagged && tag != "latest" {
		return "IfNotPresent"
	}
	return "Always"
}

func defaultSecret(content map[string]any) {
	absent(content, "type", "Opaque")
	// The map may be shared with the object as it was.
	data := maps.Clone(dict(content, "data"))
	if plain := dict(content, "stringData"); plain != nil {
		if data == nil {
			data = map[string]any{}
		}
		for key, v := range plain {
			s, _ := v.(string)
			data[key] = base64Of(s)
		}
		delete(content, "stringData")
	}
	for key, v := range data {
		if v == nil {
			data[key] = ""
		}
	}
	if data != nil {
		content["data"] = data
	}
}

func defaultService(content map[string]any) {
	spec := ensure(content, "spec")
	absent(spec, "type", "ClusterIP")
	absent(spec, "sessionAffinity", "None")
	external := str(spec, "type") == "ExternalName"
	if !external && str(spec, "clusterIP") == "" {
		// The name decides, so that the address is stable when a PUT leaves it out.
		meta := metaOf(content)
		spec["clusterIP"] = address("10.96", objectKey(str(meta, "namespace"), str(meta, "name")))
	}
	if !external {
		absent(spec, "clusterIPs", []any{spec["clusterIP"]})
		absent(spec, "internalTrafficPolicy", "Cluster")
		absent(spec, "ipFamilies", []any{"IPv4"})
		absent(spec, "ipFamilyPolicy", "SingleStack")
	}
	for i, p := range dicts(spec, "ports") {
		absent(p, "protocol", "TCP")
		if t := p["targetPort"]; t == nil || t == "" || integer(p, "targetPort") == 0 && str(p, "targetPort") == "" {
			p["targetPort"] = p["port"]
		}
		if typ := str(spec, "type"); typ == "NodePort" || typ == "LoadBalancer" {
			key := objectKey(str(metaOf(content), "namespace"), str(metaOf(content), "name")) + strconv.Itoa(i)
			if integer(p, "nodePort") == 0 {
				p["nodePort"] = 30000 + int64(hash32(key)%2768)
			}
			absent(spec, "externalTrafficPolicy", "Cluster")
		}
	}
	if str(spec, "type") == "LoadBalancer" {
		absent(spec, "allocateLoadBalancerNodePorts", true)
	}
	ensure(content, "status", "loadBalancer")
}

func hash32(key string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(key))
	return h.Sum32()
}

// address makes an IPv4 address under the two bytes of prefix from key.
func address(prefix, key string) string {
	n := hash32(key)
	return prefix + "." + strconv.Itoa(int(n>>8&0xff)) + "." + strconv.Itoa(int(n&0xff)%254+1)
}

func absent(m map[string]any, key string, v any) {
	if cur, ok := m[key]; !ok || cur == nil {
		m[key] = v
	}
}
