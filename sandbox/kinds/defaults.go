package kinds

import (
	"encoding/base64"
	"maps"
	"strconv"
	"strings"

	"informerscope/sandbox/tree"
)

// SetDefaults fills in the defaults of Kubernetes for the fields that show in kubectl's output, that clients compare, or
// that the controllers rely on.
func (k *Kind) SetDefaults(content map[string]any) {
	if k.custom != nil {
		k.custom.setDefaults(content)
		return
	}
	switch k {
	case Definitions:
		defaultDefinition(content)
	case Namespaces:
		meta := tree.Meta(content)
		tree.Ensure(meta, "labels")["kubernetes.io/metadata.name"] = tree.String(meta, "name")
		tree.Ensure(content, "spec")
		tree.Default(tree.Ensure(content, "status"), "phase", "Active")
	case Pods:
		spec := tree.Ensure(content, "spec")
		defaultPodSpec(spec)
		tree.Default(spec, "enableServiceLinks", true)
		status := tree.Ensure(content, "status")
		tree.Default(status, "phase", "Pending")
		tree.Default(status, "qosClass", "BestEffort")
	case Services:
		defaultService(content)
	case Secrets:
		defaultSecret(content)
	case PersistentVolumeClaims:
		tree.Default(tree.Ensure(content, "spec"), "volumeMode", "Filesystem")
		tree.Default(tree.Ensure(content, "status"), "phase", "Pending")
	case roles, clusterRoles:
		if len(tree.List(content, "rules")) == 0 {
			content["rules"] = nil
		}
	default:
		defaultWorkload(k, content)
	}
}

// defaultWorkload fills in the defaults of the kinds that make pods.
func defaultWorkload(k *Kind, content map[string]any) {
	switch k {
	case Deployments:
		spec := tree.Ensure(content, "spec")
		tree.Default(spec, "replicas", int64(1))
		tree.Default(spec, "revisionHistoryLimit", int64(10))
		tree.Default(spec, "progressDeadlineSeconds", int64(600))
		rolling(tree.Ensure(spec, "strategy"), map[string]any{"maxSurge": "25%", "maxUnavailable": "25%"})
		defaultTemplate(spec)
		tree.Ensure(content, "status")
	case ReplicaSets:
		spec := tree.Ensure(content, "spec")
		tree.Default(spec, "replicas", int64(1))
		defaultTemplate(spec)
		tree.Default(tree.Ensure(content, "status"), "replicas", int64(0))
	case StatefulSets:
		spec := tree.Ensure(content, "spec")
		tree.Default(spec, "replicas", int64(1))
		tree.Default(spec, "revisionHistoryLimit", int64(10))
		tree.Default(spec, "podManagementPolicy", "OrderedReady")
		policy := tree.Ensure(spec, "persistentVolumeClaimRetentionPolicy")
		tree.Default(policy, "whenDeleted", "Retain")
		tree.Default(policy, "whenScaled", "Retain")
		rolling(tree.Ensure(spec, "updateStrategy"), map[string]any{"partition": int64(0), "maxUnavailable": int64(1)})
		defaultTemplate(spec)
		tree.DefaultZero(tree.Ensure(content, "status"), "replicas", "availableReplicas")
	case DaemonSets:
		spec := tree.Ensure(content, "spec")
		tree.Default(spec, "revisionHistoryLimit", int64(10))
		rolling(tree.Ensure(spec, "updateStrategy"), map[string]any{"maxSurge": int64(0), "maxUnavailable": int64(1)})
		defaultTemplate(spec)
		tree.DefaultZero(tree.Ensure(content, "status"), "currentNumberScheduled", "desiredNumberScheduled", "numberMisscheduled", "numberReady")
	case Jobs:
		defaultJob(tree.Ensure(content, "spec"))
		tree.Ensure(content, "status")
	case cronJobs:
		spec := tree.Ensure(content, "spec")
		tree.Default(spec, "concurrencyPolicy", "Allow")
		tree.Default(spec, "suspend", false)
		tree.Default(spec, "successfulJobsHistoryLimit", int64(3))
		tree.Default(spec, "failedJobsHistoryLimit", int64(1))
		defaultTemplate(tree.Ensure(spec, "jobTemplate", "spec"))
		tree.Ensure(content, "status")
	}
}

func defaultJob(spec map[string]any) {
	tree.Default(spec, "parallelism", int64(1))
	tree.Default(spec, "completions", int64(1))
	tree.Default(spec, "backoffLimit", int64(6))
	tree.Default(spec, "completionMode", "NonIndexed")
	tree.Default(spec, "manualSelector", false)
	tree.Default(spec, "suspend", false)
	tree.Default(spec, "podReplacementPolicy", "TerminatingOrFailed")
	defaultTemplate(spec)
}

// rolling makes an update strategy that says nothing a rolling one, with these parameters unless it has its own.
func rolling(strategy, parameters map[string]any) {
	if tree.String(strategy, "type") == "" {
		strategy["type"] = "RollingUpdate"
	}
	if strategy["type"] != "RollingUpdate" {
		return
	}
	for f, v := range parameters {
		tree.Default(tree.Ensure(strategy, "rollingUpdate"), f, v)
	}
}

func defaultTemplate(spec map[string]any) {
	if tree.Map(spec, "template") != nil {
		defaultPodSpec(tree.Ensure(spec, "template", "spec"))
	}
}

func defaultPodSpec(spec map[string]any) {
	tree.Default(spec, "restartPolicy", "Always")
	tree.Default(spec, "dnsPolicy", "ClusterFirst")
	tree.Default(spec, "schedulerName", "default-scheduler")
	tree.Default(spec, "terminationGracePeriodSeconds", int64(30))
	tree.Default(spec, "securityContext", map[string]any{})
	for _, group := range []string{"containers", "initContainers"} {
		for _, c := range tree.Maps(spec, group) {
			tree.Default(c, "imagePullPolicy", pullPolicy(tree.String(c, "image")))
			tree.Default(c, "resources", map[string]any{})
			tree.Default(c, "terminationMessagePath", "/dev/termination-log")
			tree.Default(c, "terminationMessagePolicy", "File")
			for _, p := range tree.Maps(c, "ports") {
				tree.Default(p, "protocol", "TCP")
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
	tree.Default(content, "type", "Opaque")
	// The map may be shared with the object as it was.
	data := maps.Clone(tree.Map(content, "data"))
	if plain := tree.Map(content, "stringData"); plain != nil {
		if data == nil {
			data = map[string]any{}
		}
		for key, v := range plain {
			s, _ := v.(string)
			data[key] = base64.StdEncoding.EncodeToString([]byte(s))
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
	spec := tree.Ensure(content, "spec")
	tree.Default(spec, "type", "ClusterIP")
	tree.Default(spec, "sessionAffinity", "None")
	external := tree.String(spec, "type") == "ExternalName"
	if !external && tree.String(spec, "clusterIP") == "" {
		// The name decides, so that the address is stable when a PUT leaves it out.
		meta := tree.Meta(content)
		spec["clusterIP"] = Address("10.96", tree.Key(tree.String(meta, "namespace"), tree.String(meta, "name")))
	}
	if !external {
		tree.Default(spec, "clusterIPs", []any{spec["clusterIP"]})
		tree.Default(spec, "internalTrafficPolicy", "Cluster")
		tree.Default(spec, "ipFamilies", []any{"IPv4"})
		tree.Default(spec, "ipFamilyPolicy", "SingleStack")
	}
	for i, p := range tree.Maps(spec, "ports") {
		tree.Default(p, "protocol", "TCP")
		if t := p["targetPort"]; t == nil || t == "" || tree.Int(p, "targetPort") == 0 && tree.String(p, "targetPort") == "" {
			p["targetPort"] = p["port"]
		}
		if typ := tree.String(spec, "type"); typ == "NodePort" || typ == "LoadBalancer" {
			key := tree.Key(tree.String(tree.Meta(content), "namespace"), tree.String(tree.Meta(content), "name")) + strconv.Itoa(i)
			if tree.Int(p, "nodePort") == 0 {
				p["nodePort"] = 30000 + int64(hash32(key)%2768)
			}
			tree.Default(spec, "externalTrafficPolicy", "Cluster")
		}
	}
	if tree.String(spec, "type") == "LoadBalancer" {
		tree.Default(spec, "allocateLoadBalancerNodePorts", true)
	}
	tree.Ensure(content, "status", "loadBalancer")
}
