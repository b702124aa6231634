package world

import (
	"encoding/base64"
	"fmt"
	"hash/fnv"
	"time"

	"k8s.io/apimachinery/pkg/util/rand"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

// This file makes the objects of the workload and of the controllers. Parts may be shared between objects: the store
// encodes what it is given and keeps no reference to it.

// templateHash names a ReplicaSet after its pod template.
func templateHash(template map[string]any) string {
	data, err := tree.AppendJSON(nil, template)
	if err != nil {
		panic(err)
	}
	h := fnv.New32a()
	h.Write(data)
	return rand.SafeEncodeString(fmt.Sprint(h.Sum32()))
}

// owned is the owner references of what owner controls.
func owned(owner *store.Object) []any {
	return []any{map[string]any{"apiVersion": owner.Kind().APIVersion(), "kind": owner.Kind().GVK().Kind, "name": owner.Name(), "uid": owner.UID(),
		"controller": true, "blockOwnerDeletion": true}}
}

// copyStrings is a copy that can be extended without changing the original.
func copyStrings(v any) map[string]any {
	out := map[string]any{}
	for k, s := range tree.Strings(v) {
		out[k] = s
	}
	return out
}

// podFor is a new pod of owner, from a template with its defaults set.
func podFor(owner *store.Object, template map[string]any, name string) map[string]any {
	meta := map[string]any{"name": name, "namespace": owner.Namespace(), "generation": int64(1), "ownerReferences": owned(owner),
		"labels": copyStrings(tree.Map(template, "metadata")["labels"])}
	if a := tree.Map(template, "metadata", "annotations"); len(a) > 0 {
		meta["annotations"] = a
	}
	spec := make(map[string]any, 8)
	for k, v := range tree.Map(template, "spec") {
		spec[k] = v
	}
	return map[string]any{"metadata": meta, "spec": spec, "status": map[string]any{"phase": "Pending", "qosClass": "BestEffort"}}
}

// replicaSetFor is the ReplicaSet of a deployment's current template.
func replicaSetFor(d *store.Object, content map[string]any, hash string, replicas int64) map[string]any {
	spec := tree.Map(content, "spec")
	template := map[string]any{"metadata": map[string]any{}, "spec": tree.Map(spec, "template", "spec")}
	for k, v := range tree.Map(spec, "template", "metadata") {
		template["metadata"].(map[string]any)[k] = v
	}
	templateLabels := copyStrings(tree.Map(spec, "template", "metadata")["labels"])
	templateLabels["pod-template-hash"] = hash
	template["metadata"].(map[string]any)["labels"] = templateLabels
	selector := map[string]any{}
	for k, v := range tree.Map(spec, "selector") {
		selector[k] = v
	}
	match := copyStrings(selector["matchLabels"])
	match["pod-template-hash"] = hash
	selector["matchLabels"] = match
	return map[string]any{
		"metadata": map[string]any{"name": d.Name() + "-" + hash, "namespace": d.Namespace(), "generation": int64(1), "labels": templateLabels,
			"ownerReferences": owned(d), "annotations": map[string]any{revisionAnnotation: "1"}},
		"spec":   map[string]any{"replicas": replicas, "selector": selector, "template": template},
		"status": map[string]any{"replicas": int64(0)},
	}
}

// deploymentFor is a deployment of the workload.
func deploymentFor(namespace, app, image string, replicas int64) map[string]any {
	match := map[string]any{"app": app}
	content := map[string]any{
		"metadata": map[string]any{"name": app, "namespace": namespace, "generation": int64(1),
			"labels":      map[string]any{"app": app, "tier": tierOf(app)},
			"annotations": map[string]any{revisionAnnotation: "1"}},
		"spec": map[string]any{"replicas": replicas, "selector": map[string]any{"matchLabels": match},
			"template": podTemplate(app, image)},
	}
	kinds.Deployments.SetDefaults(content)
	return content
}

func podTemplate(app, image string) map[string]any {
	return map[string]any{
		"metadata": map[string]any{"labels": map[string]any{"app": app, "tier": tierOf(app)}},
		"spec": map[string]any{"containers": []any{map[string]any{
			"name": app, "image": image,
			"ports":     []any{map[string]any{"containerPort": int64(8080), "protocol": "TCP"}},
			"resources": map[string]any{"requests": map[string]any{"cpu": "50m", "memory": "64Mi"}},
			"envFrom":   []any{map[string]any{"configMapRef": map[string]any{"name": app + "-config"}}},
		}}},
	}
}

func tierOf(app string) string {
	if app == "db" {
		return "data"
	}
	switch app[0] {
	case 'd', 'r', 'p':
		return "backend"
	}
	return "frontend"
}

func serviceFor(namespace, app string) map[string]any {
	content := map[string]any{
		"metadata": map[string]any{"name": app, "namespace": namespace, "labels": map[string]any{"app": app}},
		"spec": map[string]any{"selector": map[string]any{"app": app},
			"ports": []any{map[string]any{"name": "http", "port": int64(80), "targetPort": int64(8080)}}},
	}
	kinds.Services.SetDefaults(content)
	return content
}

func configMapFor(namespace, name, app string) map[string]any {
	return map[string]any{
		"metadata": map[string]any{"name": name, "namespace": namespace, "labels": map[string]any{"app": app}},
		"data":     map[string]any{"log-level": "info", "revision": "1", "workers": "4", "feature.checkout-v2": "false"},
	}
}

func secretFor(namespace, name, app, password string) map[string]any {
	return map[string]any{
		"metadata": map[string]any{"name": name, "namespace": namespace, "labels": map[string]any{"app": app}},
		"type":     "Opaque",
		"data":     map[string]any{"password": base64.StdEncoding.EncodeToString([]byte(password))},
	}
}

func leaseFor(namespace, name, holder string, now time.Time) map[string]any {
	return map[string]any{
		"metadata": map[string]any{"name": name, "namespace": namespace},
		"spec": map[string]any{"holderIdentity": holder, "leaseDurationSeconds": int64(15), "leaseTransitions": int64(0),
			"acquireTime": tree.MicroStamp(now), "renewTime": tree.MicroStamp(now)},
	}
}

func jobFor(namespace, name, app string) map[string]any {
	template := podTemplate(app, "registry.example.com/"+app+":2.0")
	tree.Ensure(template, "spec")["restartPolicy"] = "Never"
	tree.Ensure(template, "metadata", "labels")["batch.kubernetes.io/job-name"] = name
	tree.Ensure(template, "metadata", "labels")["job-name"] = name
	content := map[string]any{
		"metadata": map[string]any{"name": name, "namespace": namespace, "generation": int64(1), "labels": map[string]any{"app": app}},
		"spec": map[string]any{"template": template, "ttlSecondsAfterFinished": int64(6),
			"selector": map[string]any{"matchLabels": map[string]any{"batch.kubernetes.io/job-name": name}}},
	}
	kinds.Jobs.SetDefaults(content)
	return content
}

func statefulFor(namespace, app, image string, replicas int64) map[string]any {
	content := map[string]any{
		"metadata": map[string]any{"name": app, "namespace": namespace, "generation": int64(1), "labels": map[string]any{"app": app, "tier": "data"}},
		"spec": map[string]any{"replicas": replicas, "serviceName": app, "selector": map[string]any{"matchLabels": map[string]any{"app": app}},
			"template": podTemplate(app, image)},
	}
	kinds.StatefulSets.SetDefaults(content)
	return content
}

func nodeNamed(name, role, now string) map[string]any {
	labels := map[string]any{"kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64"}
	if role != "" {
		labels["node-role.kubernetes.io/"+role] = ""
	}
	capacity := map[string]any{"cpu": "8", "memory": "32Gi", "pods": "110"}
	return map[string]any{
		"metadata": map[string]any{"name": name, "labels": labels},
		"spec":     map[string]any{"providerID": "sandbox://" + name},
		"status": map[string]any{
			"capacity": capacity, "allocatable": capacity,
			"addresses": []any{map[string]any{"type": "InternalIP", "address": kinds.Address("172.18", name)}, map[string]any{"type": "Hostname", "address": name}},
			"conditions": []any{map[string]any{"type": "Ready", "status": "True", "reason": "KubeletReady", "message": "kubelet is posting ready status",
				"lastHeartbeatTime": now, "lastTransitionTime": now}},
			"nodeInfo": map[string]any{"kubeletVersion": kinds.ServerVersion.GitVersion, "kubeProxyVersion": "", "osImage": "Sandbox Linux",
				"kernelVersion": "6.12.0", "containerRuntimeVersion": "containerd://2.1.0", "architecture": "amd64", "operatingSystem": "linux",
				"machineID": "", "systemUUID": "", "bootID": ""},
		},
	}
}

// revisionAnnotation numbers the rollouts of a deployment, on itself and on its ReplicaSets.
const revisionAnnotation = "deployment.kubernetes.io/revision"
