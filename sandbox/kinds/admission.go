package kinds

import "informerscope/sandbox/tree"

// ClaimProtection keeps a claim while a pod uses it.
const ClaimProtection = "kubernetes.io/pvc-protection"

// Admit adds to a new object what the admission plugins that every cluster runs add.
func (k *Kind) Admit(content map[string]any) {
	switch k {
	case Pods:
		spec := tree.Ensure(content, "spec")
		tree.Default(spec, "priority", int64(0))
		tree.Default(spec, "preemptionPolicy", "PreemptLowerPriority")
		for _, taint := range []string{"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"} {
			tolerate(spec, taint)
		}
	case Namespaces:
		tree.Default(tree.Ensure(content, "spec"), "finalizers", []any{"kubernetes"})
	case PersistentVolumeClaims:
		meta := tree.Meta(content)
		if !tree.HasFinalizer(meta, ClaimProtection) {
			meta["finalizers"] = append(tree.List(meta, "finalizers"), ClaimProtection)
		}
	case Nodes:
		spec := tree.Ensure(content, "spec")
		spec["taints"] = append(tree.List(spec, "taints"), map[string]any{"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"})
	}
}

// tolerate has a pod stay five minutes on a node with a NoExecute taint, unless it says itself what it does about it.
func tolerate(spec map[string]any, taint string) {
	for _, t := range tree.Maps(spec, "tolerations") {
		if key, effect := tree.String(t, "key"), tree.String(t, "effect"); (key == taint || key == "") && (effect == "NoExecute" || effect == "") {
			return
		}
	}
	spec["tolerations"] = append(tree.List(spec, "tolerations"), map[string]any{
		"key": taint, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": int64(300)})
}
