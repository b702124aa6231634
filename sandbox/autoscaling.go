package sandbox

// HorizontalPodAutoscalers are kept as autoscaling/v2. In autoscaling/v1, which kubectl autoscale writes, the one metric
// is the use of the processor, and anything else is lost, as it has no field there.

// autoscalerV1 turns an autoscaler of v2 into one of v1.
func autoscalerV1(content map[string]any) {
	spec, status := dict(content, "spec"), dict(content, "status")
	for _, m := range dicts(spec, "metrics") {
		if n := integer(dict(m, "resource", "target"), "averageUtilization"); str(dict(m, "resource"), "name") == "cpu" && n != 0 {
			spec["targetCPUUtilizationPercentage"] = n
		}
	}
	for _, m := range dicts(status, "currentMetrics") {
		if n := integer(dict(m, "resource", "current"), "averageUtilization"); str(dict(m, "resource"), "name") == "cpu" && n != 0 {
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
		zeros(status, "currentReplicas", "desiredReplicas")
	}
}

// autoscalerV2 turns an autoscaler of v1 into one of v2.
func autoscalerV2(content map[string]any) {
	spec, status := dict(content, "spec"), dict(content, "status")
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
