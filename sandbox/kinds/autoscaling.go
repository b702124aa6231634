package kinds

import "informerscope/sandbox/tree"

// HorizontalPodAutoscalers are kept as autoscaling/v2. In autoscaling/v1, which kubectl autoscale writes, the one metric
// is the use of the processor, and anything else is lost, as it has no field there.

// autoscalerV1 turns an autoscaler of v2 into one of v1.
func autoscalerV1(content map[string]any) {
	spec, status := tree.Map(content, "spec"), tree.Map(content, "status")
	for _, m := range tree.Maps(spec, "metrics") {
		if n := tree.Int(tree.Map(m, "resource", "target"), "averageUtilization"); tree.String(tree.Map(m, "resource"), "name") == "cpu" && n != 0 {
			spec["targetCPUUtilizationPercentage"] = n
		}
	}
	for _, m := range tree.Maps(status, "currentMetrics") {
		if n := tree.Int(tree.Map(m, "resource", "current"), "averageUtilization"); tree.String(tree.Map(m, "resource"), "name") == "cpu" && n != 0 {
			status["currentCPUUtilizationPercentage"] = n
		}
	}
	for _, f := range []string{"metrics", "behavior"} {
		delete(spec, f)
	}
	for _, f := range []string{"currentMetrics", "conditions"} {
		delete(status, f)
	}
	if status != nil {
		tree.DefaultZero(status, "currentReplicas", "desiredReplicas")
	}
}

// autoscalerV2 turns an autoscaler of v1 into one of v2.
func autoscalerV2(content map[string]any) {
	spec, status := tree.Map(content, "spec"), tree.Map(content, "status")
	use := func(n any, field string) []any {
		return []any{map[string]any{"type": "Resource", "resource": map[string]any{"name": "cpu", field: n}}}
	}
	if n := spec["targetCPUUtilizationPercentage"]; n != nil {
		spec["metrics"] = use(map[string]any{"type": "Utilization", "averageUtilization": n}, "target")
	}
	if n := status["currentCPUUtilizationPercentage"]; n != nil {
		status["currentMetrics"] = use(map[string]any{"averageUtilization": n}, "current")
	}
	delete(spec, "targetCPUUtilizationPercentage")
	delete(status, "currentCPUUtilizationPercentage")
}
