package kinds

import (
	"cmp"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/validation"

	"informerscope/sandbox/tree"
)

func at(paths ...string) []selectable {
	out := make([]selectable, len(paths))
	for i, p := range paths {
		path, absent, _ := strings.Cut(p, "=")
		out[i] = selectable{path: path, absent: absent}
	}
	return out
}

// eventFields are the selectors of core Events; kubectl describe relies on those of involvedObject.
var eventFields = append(at("involvedObject.kind", "involvedObject.namespace", "involvedObject.name", "involvedObject.uid",
	"involvedObject.apiVersion", "involvedObject.resourceVersion", "involvedObject.fieldPath", "reason",
	"reportingComponent", "type"), selectable{path: "source", read: func(o map[string]any) string {
	return cmp.Or(tree.String(tree.Map(o, "source"), "component"), tree.String(o, "reportingComponent"))
}})

var (
	all = []string{"all"}

	label = validation.NameIsDNSLabel
)

// segment allows any name that can be one segment of a path, which is all that the names of RBAC objects need.
func segment(name string, prefix bool) []string {
	var errs []string
	if !prefix && (name == "." || name == "..") {
		errs = append(errs, fmt.Sprintf("may not be '%s'", name))
	}
	for _, part := range []string{"/", "%"} {
		if strings.Contains(name, part) {
			errs = append(errs, fmt.Sprintf("may not contain '%s'", part))
		}
	}
	return errs
}

var autoscalers = &Kind{group: "autoscaling", version: "v2", kind: "HorizontalPodAutoscaler", resource: "horizontalpodautoscalers",
	short: []string{"hpa"}, categories: all, namespaced: true, status: true}

// rows is what every server serves, in the order of discovery.
var rows = completed([]*Kind{
	{version: "v1", kind: "ConfigMap", resource: "configmaps", short: []string{"cm"}, namespaced: true},
	{version: "v1", kind: "Endpoints", resource: "endpoints", singular: "endpoints", short: []string{"ep"}, namespaced: true, putCreates: true},
	{version: "v1", kind: "Event", resource: "events", short: []string{"ev"}, namespaced: true, putCreates: true, fields: eventFields},
	{version: "v1", kind: "Namespace", resource: "namespaces", short: []string{"ns"}, status: true, validName: label, fields: at("status.phase")},
	{version: "v1", kind: "Node", resource: "nodes", short: []string{"no"}, status: true, fields: at("spec.unschedulable=false")},
	{version: "v1", kind: "PersistentVolumeClaim", resource: "persistentvolumeclaims", short: []string{"pvc"}, namespaced: true, status: true},
	{version: "v1", kind: "PersistentVolume", resource: "persistentvolumes", short: []string{"pv"}, status: true},
	{version: "v1", kind: "Pod", resource: "pods", short: []string{"po"}, categories: all, namespaced: true, status: true, generation: true,
		fields: at("spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName",
			"spec.hostNetwork=false", "status.phase", "status.podIP", "status.podIPs", "status.nominatedNodeName")},
	{version: "v1", kind: "ReplicationController", resource: "replicationcontrollers", short: []string{"rc"}, categories: all,
		namespaced: true, status: true, scale: true, generation: true, fields: at("status.replicas=0")},
	{version: "v1", kind: "Secret", resource: "secrets", namespaced: true, fields: at("type")},
	{version: "v1", kind: "ServiceAccount", resource: "serviceaccounts", short: []string{"sa"}, namespaced: true},
	{version: "v1", kind: "Service", resource: "services", short: []string{"svc"}, categories: all, namespaced: true, status: true,
		putCreates: true, validName: label, fields: at("spec.clusterIP", "spec.type")},

	{group: "apps", version: "v1", kind: "ControllerRevision", resource: "controllerrevisions", namespaced: true},
	{group: "apps", version: "v1", kind: "DaemonSet", resource: "daemonsets", short: []string{"ds"}, categories: all, namespaced: true, status: true, generation: true},
	{group: "apps", version: "v1", kind: "Deployment", resource: "deployments", short: []string{"deploy"}, categories: all,
		namespaced: true, status: true, scale: true, generation: true},
	{group: "apps", version: "v1", kind: "ReplicaSet", resource: "replicasets", short: []string{"rs"}, categories: all,
		namespaced: true, status: true, scale: true, generation: true},
	{group: "apps", version: "v1", kind: "StatefulSet", resource: "statefulsets", short: []string{"sts"}, categories: all,
		namespaced: true, status: true, scale: true, generation: true},

	{group: "events.k8s.io", version: "v1", kind: "Event", resource: "events", short: []string{"ev"}, namespaced: true, putCreates: true,
		fields: at("regarding.kind", "regarding.namespace", "regarding.name", "regarding.uid", "regarding.apiVersion",
			"regarding.resourceVersion", "regarding.fieldPath", "reason", "type", "reportingController")},

	autoscalers,
	{group: "autoscaling", version: "v1", kind: "HorizontalPodAutoscaler", resource: "horizontalpodautoscalers", short: []string{"hpa"},
		categories: all, namespaced: true, status: true, stored: autoscalers, toStored: autoscalerV2, fromStored: autoscalerV1},

	{group: "batch", version: "v1", kind: "CronJob", resource: "cronjobs", short: []string{"cj"}, categories: all, namespaced: true, status: true, generation: true},
	{group: "batch", version: "v1", kind: "Job", resource: "jobs", categories: all, namespaced: true, status: true, generation: true,
		fields: at("status.successful=0")},

	{group: "networking.k8s.io", version: "v1", kind: "Ingress", resource: "ingresses", short: []string{"ing"}, namespaced: true, status: true, generation: true},
	{group: "networking.k8s.io", version: "v1", kind: "NetworkPolicy", resource: "networkpolicies", short: []string{"netpol"}, namespaced: true, generation: true},

	{group: "policy", version: "v1", kind: "PodDisruptionBudget", resource: "poddisruptionbudgets", short: []string{"pdb"}, namespaced: true, status: true, generation: true},

	{group: "rbac.authorization.k8s.io", version: "v1", kind: "ClusterRoleBinding", resource: "clusterrolebindings", validName: segment, putCreates: true},
	{group: "rbac.authorization.k8s.io", version: "v1", kind: "ClusterRole", resource: "clusterroles", validName: segment, putCreates: true},
	{group: "rbac.authorization.k8s.io", version: "v1", kind: "RoleBinding", resource: "rolebindings", namespaced: true, validName: segment, putCreates: true},
	{group: "rbac.authorization.k8s.io", version: "v1", kind: "Role", resource: "roles", namespaced: true, validName: segment, putCreates: true},

	{group: "storage.k8s.io", version: "v1", kind: "StorageClass", resource: "storageclasses", short: []string{"sc"}},

	{group: "coordination.k8s.io", version: "v1", kind: "Lease", resource: "leases", namespaced: true, needRV: true, putCreates: true},

	{group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition", resource: "customresourcedefinitions",
		short: []string{"crd", "crds"}, categories: []string{"api-extensions"}, status: true, generation: true, needRV: true},

	{group: "discovery.k8s.io", version: "v1", kind: "EndpointSlice", resource: "endpointslices", namespaced: true, generation: true},
})

// completed sets what follows from the rest of each row.
func completed(ks []*Kind) []*Kind {
	for _, k := range ks {
		k.complete()
	}
	for _, k := range ks {
		if k.stored != k {
			k.versions = append(k.versions, k.stored.version)
		}
	}
	return ks
}

func mustKind(group, resource string) *Kind {
	for _, k := range rows {
		if k.group == group && k.resource == resource {
			return k
		}
	}
	panic("no such kind: " + group + "/" + resource)
}

// Kinds that the server itself or its simulation handles by name.
var (
	Namespaces             = mustKind("", "namespaces")
	Pods                   = mustKind("", "pods")
	ConfigMaps             = mustKind("", "configmaps")
	Secrets                = mustKind("", "secrets")
	Services               = mustKind("", "services")
	Nodes                  = mustKind("", "nodes")
	PersistentVolumeClaims = mustKind("", "persistentvolumeclaims")
	Deployments            = mustKind("apps", "deployments")
	ReplicaSets            = mustKind("apps", "replicasets")
	StatefulSets           = mustKind("apps", "statefulsets")
	ReplicationControllers = mustKind("", "replicationcontrollers")
	DaemonSets             = mustKind("apps", "daemonsets")
	Jobs                   = mustKind("batch", "jobs")
	cronJobs               = mustKind("batch", "cronjobs")
	roles                  = mustKind("rbac.authorization.k8s.io", "roles")
	clusterRoles           = mustKind("rbac.authorization.k8s.io", "clusterroles")
	Leases                 = mustKind("coordination.k8s.io", "leases")
	Definitions            = mustKind("apiextensions.k8s.io", "customresourcedefinitions")
)
