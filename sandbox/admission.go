package sandbox

// pvcProtection keeps a claim while a pod uses it.
const pvcProtection = "kubernetes.io/pvc-protection"

// admit adds to a new object what the admission plugins that every cluster runs add.
func admit(k *kind, content map[string]any) {
	switch k {
	case pods:
		spec := ensure(content, "spec")
		absent(spec, "priority", int64(0))
		absent(spec, "preemptionPolicy", "PreemptLowerPriority")
		for _, taint := range []string{"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"} {
			tolerate(spec, taint)
		}
	case namespaces:
		absent(ensure(content, "spec"), "finalizers", []any{"kubernetes"})
	case claims:
		meta := metaOf(content)
		if !hasFinalizer(meta, pvcProtection) {
			meta["finalizers"] = append(list(meta, "finalizers"), pvcProtection)
		}
	case nodes:
		spec := ensure(content, "spec")
		spec["taints"] = append(list(spec, "taints"), map[string]any{"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"})
	}
}

// tolerate has a pod stay five minutes on a node with a NoExecute taint, unless it says itself what it does about it.
func tolerate(spec map[string]any, taint string) {
	for _, t := range dicts(spec, "tolerations") {
		if key, effect := str(t, "key"), str(t, "effect"); (key == taint || key == "") && (effect == "NoExecute" || effect == "") {
			return
		}
	}
	spec["tolerations"] = append(list(spec, "tolerations"), map[string]any{
		"key": taint, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": int64(300)})
}

func hasFinalizer(meta map[string]any, name string) bool {
	for _, f := range list(meta, "finalizers") {
		if f == name {
			return true
		}
	}
	return false
}

// releaseClaim lets a claim go that is being deleted: nothing in the sandbox uses volumes.
func (w *world) releaseClaim(o *object) {
	if !o.deleting {
		return
	}
	w.modify(o.ref(), func(content map[string]any) bool {
		return dropFinalizer(metaOf(content), pvcProtection)
	})
}

// dropFinalizer says whether the finalizer was there.
func dropFinalizer(meta map[string]any, name string) bool {
	if !hasFinalizer(meta, name) {
		return false
	}
	var rest []any
	for _, f := range list(meta, "finalizers") {
		if f != name {
			rest = append(rest, f)
		}
	}
	if meta["finalizers"] = rest; len(rest) == 0 {
		delete(meta, "finalizers")
	}
	return true
}
