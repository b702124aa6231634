package kinds

import (
	"fmt"
	"maps"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"informerscope/sandbox/tree"
)

// The checks below are of what users get wrong most, in kube-apiserver's words.

func validateRestartPolicy(spec map[string]any, path *field.Path) field.ErrorList {
	switch p := tree.String(spec, "restartPolicy"); p {
	case "Always", "OnFailure", "Never":
		return nil
	default:
		return field.ErrorList{field.NotSupported(path.Child("restartPolicy"), p, []string{"Always", "OnFailure", "Never"})}
	}
}

// validateJobTemplate checks that the pods of a job end.
func validateJobTemplate(spec map[string]any, path *field.Path) field.ErrorList {
	pod, path := tree.Map(spec, "template", "spec"), path.Child("template", "spec")
	errs := validatePodSpec(pod, path)
	switch p := tree.String(pod, "restartPolicy"); p {
	case "OnFailure", "Never":
	case "Always", "":
		errs = append(errs, field.Required(path.Child("restartPolicy"), `valid values: "OnFailure", "Never"`))
	default:
		errs = append(errs, field.NotSupported(path.Child("restartPolicy"), p, []string{"OnFailure", "Never"}))
	}
	return errs
}

func validateCronJob(spec map[string]any, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	schedule := tree.String(spec, "schedule")
	fields := strings.Fields(schedule)
	switch {
	case schedule == "":
		errs = append(errs, field.Required(path.Child("schedule"), ""))
	case !strings.HasPrefix(schedule, "@") && len(fields) != 5:
		errs = append(errs, field.Invalid(path.Child("schedule"), schedule,
			fmt.Sprintf("expected exactly 5 fields, found %d: %s", len(fields), fields)))
	}
	switch p := tree.String(spec, "concurrencyPolicy"); p {
	case "Allow", "Forbid", "Replace":
	default:
		errs = append(errs, field.NotSupported(path.Child("concurrencyPolicy"), p, []string{"Allow", "Forbid", "Replace"}))
	}
	return append(errs, validateJobTemplate(tree.Map(spec, "jobTemplate", "spec"), path.Child("jobTemplate", "spec"))...)
}

// mutablePodFields are what an update of a pod may change in its spec, besides the images of containers.
var mutablePodFields = []string{"activeDeadlineSeconds", "terminationGracePeriodSeconds", "tolerations", "schedulingGates", "nodeName"}

// validatePodUpdate refuses changes of what a pod cannot change while it lives.
func validatePodUpdate(content, old map[string]any) field.ErrorList {
	if reflect.DeepEqual(content["spec"], old["spec"]) {
		return nil // as in nearly every update
	}
	bare := func(o map[string]any) map[string]any {
		o = map[string]any{"spec": runtime.DeepCopyJSON(tree.OrNew(tree.Map(o, "spec")))}
		Pods.SetDefaults(o)
		spec := maps.Clone(tree.Map(o, "spec"))
		for _, f := range mutablePodFields {
			delete(spec, f)
		}
		for _, group := range []string{"containers", "initContainers"} {
			for _, c := range tree.Maps(spec, group) {
				delete(c, "image")
				delete(c, "imagePullPolicy")
			}
		}
		return spec
	}
	if tree.Equal(bare(content), bare(old)) {
		return nil
	}
	return field.ErrorList{field.Forbidden(field.NewPath("spec"), "pod updates may not change fields other than `spec.containers[*].image`,"+
		"`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),"+
		"`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)")}
}

var serviceTypes = []string{"ClusterIP", "ExternalName", "LoadBalancer", "NodePort"}

func validateService(spec map[string]any, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	typ := tree.String(spec, "type")
	ports := tree.Maps(spec, "ports")
	if typ != "ExternalName" && tree.String(spec, "clusterIP") != "None" && len(ports) == 0 {
		errs = append(errs, field.Required(path.Child("ports"), ""))
	}
	seen := map[string]bool{}
	for i, p := range ports {
		at := path.Child("ports").Index(i)
		name := tree.String(p, "name")
		switch {
		case name == "" && len(ports) > 1:
			errs = append(errs, field.Required(at.Child("name"), ""))
		case name != "" && seen[name]:
			errs = append(errs, field.Duplicate(at.Child("name"), name))
		case name != "":
			for _, msg := range validation.NameIsDNSLabel(name, false) {
				errs = append(errs, field.Invalid(at.Child("name"), name, msg))
			}
		}
		seen[name] = true
		for _, msg := range utilvalidation.IsValidPortNum(int(tree.Int(p, "port"))) {
			errs = append(errs, field.Invalid(at.Child("port"), tree.Int(p, "port"), msg))
		}
		errs = append(errs, validateTargetPort(p["targetPort"], at.Child("targetPort"))...)
		switch proto := tree.String(p, "protocol"); proto {
		case "TCP", "UDP", "SCTP":
		default:
			errs = append(errs, field.NotSupported(at.Child("protocol"), proto, []string{"SCTP", "TCP", "UDP"}))
		}
	}
	for _, t := range serviceTypes {
		if t == typ {
			return errs
		}
	}
	return append(errs, field.NotSupported(path.Child("type"), typ, serviceTypes))
}

func validateTargetPort(port any, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	switch t := port.(type) {
	case int64:
		for _, msg := range utilvalidation.IsValidPortNum(int(t)) {
			errs = append(errs, field.Invalid(path, t, msg))
		}
	case string:
		for _, msg := range utilvalidation.IsValidPortName(t) {
			errs = append(errs, field.Invalid(path, t, msg))
		}
	}
	return errs
}

// secretKeys are what Secrets of some types must hold.
var secretKeys = map[string][]string{
	"kubernetes.io/tls":              {"tls.crt", "tls.key"},
	"kubernetes.io/dockercfg":        {".dockercfg"},
	"kubernetes.io/dockerconfigjson": {".dockerconfigjson"},
	"kubernetes.io/ssh-auth":         {"ssh-privatekey"},
}

func validateSecretType(content, old map[string]any) field.ErrorList {
	var errs field.ErrorList
	typ := tree.String(content, "type")
	if old != nil && tree.String(old, "type") != typ {
		errs = append(errs, field.Invalid(field.NewPath("type"), typ, validation.FieldImmutableErrorMsg))
	}
	for _, key := range secretKeys[typ] {
		if _, ok := tree.Map(content, "data")[key]; !ok {
			errs = append(errs, field.Required(field.NewPath("data").Key(key), ""))
		}
	}
	return errs
}

func validatePodSpec(spec map[string]any, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	containers := tree.List(spec, "containers")
	if len(containers) == 0 {
		return append(errs, field.Required(path.Child("containers"), ""))
	}
	seen := map[string]bool{}
	for i, c := range containers {
		m, _ := c.(map[string]any)
		p := path.Child("containers").Index(i)
		name := tree.String(m, "name")
		switch {
		case name == "":
			errs = append(errs, field.Required(p.Child("name"), ""))
		case seen[name]:
			errs = append(errs, field.Duplicate(p.Child("name"), name))
		default:
			for _, msg := range validation.NameIsDNSLabel(name, false) {
				errs = append(errs, field.Invalid(p.Child("name"), name, msg))
			}
		}
		seen[name] = true
		if tree.String(m, "image") == "" {
			errs = append(errs, field.Required(p.Child("image"), ""))
		}
	}
	return errs
}

func validateWorkload(spec map[string]any, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if n := tree.Int(spec, "replicas"); n < 0 {
		errs = append(errs, field.Invalid(path.Child("replicas"), n, "must be greater than or equal to 0"))
	}
	templateLabels := tree.Strings(tree.Map(spec, "template", "metadata")["labels"])
	selector, selErrs := tree.Selector(spec, path)
	errs = append(errs, selErrs...)
	if selector == nil || !selector.Matches(labels.Set(templateLabels)) {
		errs = append(errs, field.Invalid(path.Child("template", "metadata", "labels"), templateLabels,
			"`selector` does not match template `labels`"))
	}
	return append(errs, validatePodSpec(tree.Map(spec, "template", "spec"), path.Child("template", "spec"))...)
}
