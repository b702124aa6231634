package openapi

import (
	"fmt"
	"reflect"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
)

// enums are the values of string types, which Go's reflection does not know. They are those that users meet most.
var enums = map[reflect.Type][]any{
	reflect.TypeFor[corev1.RestartPolicy]():                 {"Always", "Never", "OnFailure"},
	reflect.TypeFor[corev1.PullPolicy]():                    {"Always", "IfNotPresent", "Never"},
	reflect.TypeFor[corev1.TerminationMessagePolicy]():      {"FallbackToLogsOnError", "File"},
	reflect.TypeFor[corev1.DNSPolicy]():                     {"ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"},
	reflect.TypeFor[corev1.Protocol]():                      {"SCTP", "TCP", "UDP"},
	reflect.TypeFor[corev1.ServiceType]():                   {"ClusterIP", "ExternalName", "LoadBalancer", "NodePort"},
	reflect.TypeFor[corev1.ServiceAffinity]():               {"ClientIP", "None"},
	reflect.TypeFor[corev1.ServiceInternalTrafficPolicy]():  {"Cluster", "Local"},
	reflect.TypeFor[corev1.ServiceExternalTrafficPolicy]():  {"Cluster", "Local"},
	reflect.TypeFor[corev1.PodPhase]():                      {"Failed", "Pending", "Running", "Succeeded", "Unknown"},
	reflect.TypeFor[corev1.NamespacePhase]():                {"Active", "Terminating"},
	reflect.TypeFor[corev1.TaintEffect]():                   {"NoExecute", "NoSchedule", "PreferNoSchedule"},
	reflect.TypeFor[corev1.NodeSelectorOperator]():          {"DoesNotExist", "Exists", "Gt", "In", "Lt", "NotIn"},
	reflect.TypeFor[corev1.PersistentVolumeMode]():          {"Block", "Filesystem"},
	reflect.TypeFor[corev1.URIScheme]():                     {"HTTP", "HTTPS"},
	reflect.TypeFor[appsv1.DeploymentStrategyType]():        {"Recreate", "RollingUpdate"},
	reflect.TypeFor[appsv1.StatefulSetUpdateStrategyType](): {"OnDelete", "RollingUpdate"},
	reflect.TypeFor[appsv1.DaemonSetUpdateStrategyType]():   {"OnDelete", "RollingUpdate"},
	reflect.TypeFor[appsv1.PodManagementPolicyType]():       {"OrderedReady", "Parallel"},
	reflect.TypeFor[batchv1.ConcurrencyPolicy]():            {"Allow", "Forbid", "Replace"},
	reflect.TypeFor[batchv1.CompletionMode]():               {"Indexed", "NonIndexed"},
	reflect.TypeFor[networkingv1.PathType]():                {"Exact", "ImplementationSpecific", "Prefix"},
}

// possibleValues is what kube-apiserver adds to the description of a field of an enum type.
func possibleValues(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	values := enums[t]
	if values == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n\nPossible enum values:")
	for _, v := range values {
		fmt.Fprintf(&b, "\n - `%q`", v)
	}
	return b.String()
}
