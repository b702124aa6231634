package sandbox

import (
	"cmp"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"informerscope/sandbox/tables"
	"informerscope/sandbox/tree"
)

// kind is a resource in one version of its group. It never changes once a catalog has it.
type kind struct {
	group, version, kind string
	// listKind is the kind of its lists.
	listKind           string
	resource, singular string
	short, categories  []string
	namespaced         bool
	// status and scale are the subresources it has.
	status, scale bool
	// fields are what its field selectors know besides metadata.name and metadata.namespace.
	fields []selectable
	// needRV refuses a PUT without resourceVersion; putCreates lets a PUT create what is missing.
	needRV, putCreates bool
	// generation says that the server counts changes of spec in metadata.generation.
	generation bool
	// validName reports what is wrong with a name; prefix is set for generateName.
	validName func(name string, prefix bool) []string
	table     *tables.Format

	// stored is the version that objects are kept in, k itself unless a custom resource has several.
	stored *kind
	// toStored and fromStored convert content between k and stored, in place, where they differ in more than their name.
	toStored, fromStored func(content map[string]any)
	// storage names the table of the objects, which the versions of a resource share.
	storage string
	// versions are all the versions of the resource that are served.
	versions []string
	// custom is what a CustomResourceDefinition says of the kind; nil for a built-in one.
	custom *custom
	owners *ownership
	// prefix is how the JSON of every object of this kind begins.
	prefix string
}

// selectable is a field that selectors may name: a path in the object, and what an absent value reads as.
type selectable struct {
	path, absent string
	// read is set for a field that is no path in the object.
	read func(content map[string]any) string
}

func (s selectable) value(content map[string]any) string {
	if s.read != nil {
		return s.read(content)
	}
	parts := strings.Split(s.path, ".")
	m := tree.Map(content, parts[:len(parts)-1]...)
	switch v := m[parts[len(parts)-1]].(type) {
	case nil, []any:
		return s.absent
	case string:
		return v
	default:
		return fmt.Sprint(v)
	}
}

func (k *kind) gvk() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: k.group, Version: k.version, Kind: k.kind}
}

func (k *kind) gr() schema.GroupResource {
	return schema.GroupResource{Group: k.group, Resource: k.resource}
}

func (k *kind) gvr() schema.GroupVersionResource { return k.gr().WithVersion(k.version) }

func (k *kind) apiVersion() string {
	return schema.GroupVersion{Group: k.group, Version: k.version}.String()
}

// typed returns a new, empty value of the Go type of a built-in kind.
func (k *kind) typed() runtime.Object {
	o, err := goTypes.New(k.gvk())
	if err != nil {
		panic(fmt.Sprintf("kind %s has no Go type: %v", k.gvk(), err))
	}
	return o
}

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

	subdomain = validation.NameIsDNSSubdomain
	label     = validation.NameIsDNSLabel
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

var autoscalers = &kind{group: "autoscaling", version: "v2", kind: "HorizontalPodAutoscaler", resource: "horizontalpodautoscalers",
	short: []string{"hpa"}, categories: all, namespaced: true, status: true}

// kinds is what every server serves, in the order of discovery.
var kinds = completed([]*kind{
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
func completed(ks []*kind) []*kind {
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

func (k *kind) complete() {
	if k.listKind == "" {
		k.listKind = k.kind + "List"
	}
	if k.singular == "" {
		k.singular = strings.ToLower(k.kind)
	}
	if k.validName == nil {
		k.validName = subdomain
	}
	if k.table == nil {
		k.table = tables.Of(k.kind)
	}
	if k.stored == nil {
		k.stored = k
	}
	if k.versions == nil {
		k.versions = []string{k.version}
	}
	k.owners = &ownership{}
	k.storage = k.group + "/" + k.resource
	k.prefix = `{"apiVersion":"` + k.apiVersion() + `","kind":"` + k.kind + `",`
}

func mustKind(group, resource string) *kind {
	for _, k := range kinds {
		if k.group == group && k.resource == resource {
			return k
		}
	}
	panic("no such kind: " + group + "/" + resource)
}

// Kinds that the server itself or its simulation handles by name.
var (
	namespaces   = mustKind("", "namespaces")
	pods         = mustKind("", "pods")
	configmaps   = mustKind("", "configmaps")
	secrets      = mustKind("", "secrets")
	services     = mustKind("", "services")
	nodes        = mustKind("", "nodes")
	claims       = mustKind("", "persistentvolumeclaims")
	deployments  = mustKind("apps", "deployments")
	replicasets  = mustKind("apps", "replicasets")
	statefuls    = mustKind("apps", "statefulsets")
	daemonsets   = mustKind("apps", "daemonsets")
	jobs         = mustKind("batch", "jobs")
	cronjobs     = mustKind("batch", "cronjobs")
	roles        = mustKind("rbac.authorization.k8s.io", "roles")
	clusterRoles = mustKind("rbac.authorization.k8s.io", "clusterroles")
	leases       = mustKind("coordination.k8s.io", "leases")
)
