package sandbox

import (
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	appsapply "k8s.io/client-go/applyconfigurations/apps/v1"
	coreapply "k8s.io/client-go/applyconfigurations/core/v1"
	metaapply "k8s.io/client-go/applyconfigurations/meta/v1"

	"informerscope/sandbox/tree"
)

func helloApply(image string, replicas int32) *appsapply.DeploymentApplyConfiguration {
	return appsapply.Deployment("hello", "default").
		WithSpec(appsapply.DeploymentSpec().WithReplicas(replicas).
			WithSelector(metaapply.LabelSelector().WithMatchLabels(map[string]string{"app": "hello"})).
			WithTemplate(coreapply.PodTemplateSpec().WithLabels(map[string]string{"app": "hello"}).
				WithSpec(coreapply.PodSpec().WithContainers(coreapply.Container().WithName("c").WithImage(image).
					WithPorts(coreapply.ContainerPort().WithContainerPort(80))))))
}

// managers are the entries of managedFields, each as manager/operation/subresource.
func managers(m []metav1.ManagedFieldsEntry) string {
	var out []string
	for _, e := range m {
		out = append(out, strings.TrimSuffix(e.Manager+"/"+string(e.Operation)+"/"+e.Subresource, "/"))
	}
	return strings.Join(out, " ")
}

func fieldsOf(m []metav1.ManagedFieldsEntry, manager string) string {
	for _, e := range m {
		if e.Manager == manager {
			return e.FieldsV1.GetRawString()
		}
	}
	return ""
}

func TestApplyCreatesMergesAndConflicts(t *testing.T) {
	ctx, s := testContext(t), start(t, Options{})
	c := clientset(t, s).AppsV1().Deployments("default")
	one := metav1.ApplyOptions{FieldManager: "one"}
	d, err := c.Apply(ctx, helloApply("i:1", 2), one)
	if err != nil {
		t.Fatal(err)
	}
	if got := managers(d.ManagedFields); got != "one/Apply" {
		t.Fatalf("managers after the first apply: %s", got)
	}
	if got := fieldsOf(d.ManagedFields, "one"); !strings.Contains(got, `"k:{\"containerPort\":80,\"protocol\":\"TCP\"}"`) {
		t.Errorf("ports merge by port and protocol, got %s", got)
	}
	rv := s.ResourceVersion()
	if again, err := c.Apply(ctx, helloApply("i:1", 2), one); err != nil || again.ResourceVersion != d.ResourceVersion && s.ResourceVersion() == rv {
		t.Errorf("applying the same again: version %s after %s, %v", again.ResourceVersion, d.ResourceVersion, err)
	}
	two := appsapply.Deployment("hello", "default").WithSpec(appsapply.DeploymentSpec().WithReplicas(5))
	_, err = c.Apply(ctx, two, metav1.ApplyOptions{FieldManager: "two"})
	if !apierrors.IsConflict(err) || !strings.Contains(err.Error(), `Apply failed with 1 conflict: conflict with "one": .spec.replicas`) {
		t.Fatalf("a conflicting apply: %v", err)
	}
	causes := err.(apierrors.APIStatus).Status().Details.Causes
	if len(causes) != 1 || causes[0].Type != metav1.CauseTypeFieldManagerConflict || causes[0].Field != ".spec.replicas" {
		t.Errorf("causes: %+v", causes)
	}
	d, err = c.Apply(ctx, two, metav1.ApplyOptions{FieldManager: "two", Force: true})
	if err != nil || *d.Spec.Replicas != 5 {
		t.Fatalf("a forced apply: %v %v", d, err)
	}
	if got := fieldsOf(d.ManagedFields, "one"); strings.Contains(got, "f:replicas") || !strings.Contains(got, "f:image") {
		t.Errorf("one still owns %s", got)
	}
	// A field that nobody wants any more goes.
	d, err = c.Apply(ctx, helloApply("i:1", 5).WithLabels(map[string]string{"a": "b"}), one)
	if err != nil || d.Labels["a"] != "b" {
		t.Fatal(d.Labels, err)
	}
	if d, err = c.Apply(ctx, helloApply("i:1", 5), one); err != nil || len(d.Labels) != 0 {
		t.Errorf("a label that is no longer applied: %v %v", d.Labels, err)
	}
}

func TestWritersAreTracked(t *testing.T) {
	ctx, s := testContext(t), start(t, Options{})
	c := clientset(t, s).CoreV1().ConfigMaps("default")
	cm, err := c.Create(ctx, configMap("a", map[string]string{"x": "1"}), metav1.CreateOptions{FieldManager: "creator"})
	if err != nil {
		t.Fatal(err)
	}
	cm.Data["y"] = "2"
	if _, err = c.Update(ctx, cm, metav1.UpdateOptions{FieldManager: "updater"}); err != nil {
		t.Fatal(err)
	}
	if cm, err = c.Patch(ctx, "a", "application/merge-patch+json", []byte(`{"data":{"z":"3"}}`), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := managers(cm.ManagedFields); got != "creator/Update sandbox.test/Update updater/Update" {
		t.Errorf("managers: %s", got)
	}
	for manager, want := range map[string]string{
		"creator": `{"f:data":{".":{},"f:x":{}}}`, "updater": `{"f:data":{"f:y":{}}}`, "sandbox.test": `{"f:data":{"f:z":{}}}`} {
		if got := fieldsOf(cm.ManagedFields, manager); got != want {
			t.Errorf("%s owns %s, want %s", manager, got, want)
		}
	}
	cm.ManagedFields = []metav1.ManagedFieldsEntry{}
	cm.ManagedFields = append(cm.ManagedFields, metav1.ManagedFieldsEntry{})
	if cm, err = c.Update(ctx, cm, metav1.UpdateOptions{}); err != nil || len(cm.ManagedFields) != 0 {
		t.Errorf("managedFields that a client resets: %v %v", cm.ManagedFields, err)
	}
	_, err = c.Apply(ctx, coreapply.ConfigMap("a", "default").WithData(map[string]string{"x": "9"}), metav1.ApplyOptions{FieldManager: "late"})
	if !apierrors.IsConflict(err) || !strings.Contains(err.Error(), `conflict with "before-first-apply" using v1`) {
		t.Errorf("the first apply to an object without managedFields: %v", err)
	}
}

func TestStatusAndScaleHaveTheirOwners(t *testing.T) {
	ctx, s := testContext(t), start(t, Options{})
	c := clientset(t, s).AppsV1().StatefulSets("default")
	sts := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: "x"}, Spec: appsv1.StatefulSetSpec{
		Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}},
		Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"a": "b"}},
			Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "i"}}}}}}
	if _, err := c.Create(ctx, sts, metav1.CreateOptions{FieldManager: "m"}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.ApplyScale(ctx, "x", nil, metav1.ApplyOptions{}); err == nil {
		t.Error("applied no scale")
	}
	scale, err := c.GetScale(ctx, "x", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	scale.Spec.Replicas = 0
	if _, err := c.UpdateScale(ctx, "x", scale, metav1.UpdateOptions{FieldManager: "scaler"}); err != nil {
		t.Fatal(err)
	}
	status := appsapply.StatefulSet("x", "default").WithStatus(appsapply.StatefulSetStatus().WithReplicas(0).WithCurrentRevision("r"))
	got, err := c.ApplyStatus(ctx, status, metav1.ApplyOptions{FieldManager: "s", Force: true})
	if err != nil {
		t.Fatal(err)
	}
	if m := managers(got.ManagedFields); !strings.Contains(m, "scaler/Update/scale") || !strings.Contains(m, "s/Apply/status") || !strings.Contains(m, "m/Update") {
		t.Errorf("managers: %s", m)
	}
	if f := fieldsOf(got.ManagedFields, "scaler"); f != `{"f:spec":{"f:replicas":{}}}` {
		t.Errorf("the scaler owns %s", f)
	}
	if f := fieldsOf(got.ManagedFields, "m"); strings.Contains(f, "f:replicas") || strings.Contains(f, "f:status") {
		t.Errorf("the creator owns %s", f)
	}
}

func TestApplyRefusals(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	const apply = "application/apply-patch+yaml"
	cm := func(rest string) string { return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n" + rest }
	for _, tc := range []struct {
		name, path, body string
		code             int
		reason, message  string
	}{
		{"no manager", "a", cm(""), 422, "Invalid", "fieldManager: Required value: is required for apply patch"},
		{"not YAML", "a?fieldManager=m", "{", 400, "BadRequest", "error decoding patch"},
		{"unknown field", "a?fieldManager=m", cm("datta: {}"), 500, "", "failed to create typed patch object (/a; /v1, Kind=ConfigMap): .datta: field not declared in schema"},
		{"other version", "a?fieldManager=m", "apiVersion: v2\nkind: ConfigMap\nmetadata: {name: a}\n", 400, "BadRequest", "invalid object type: /v2, Kind=ConfigMap"},
		{"managedFields", "a?fieldManager=m", cm("") + "  \n", 201, "", ""},
		{"managedFields set", "a?fieldManager=m", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, managedFields: [{manager: x}]}\n", 400, "BadRequest", "metadata.managedFields must be nil"},
		{"other name", "b?fieldManager=m", cm(""), 400, "BadRequest", "the name of the object (a) does not match the name on the URL (b)"},
		{"a uid and no object", "b?fieldManager=m", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b, uid: u}\n", 409, "Conflict", "uid mismatch: the provided object specified uid u, and no existing object was found"},
		{"twice, strict", "a?fieldManager=m&fieldValidation=Strict", cm("data: {x: a, x: b}"), 400, "BadRequest", "error strict decoding patch"},
	} {
		code, m := w.do("PATCH", cms+"/"+tc.path, tc.body, "Content-Type", apply)
		if code != tc.code || tree.String(m, "reason") != tc.reason || !strings.Contains(tree.String(m, "message"), tc.message) {
			t.Errorf("%s: got %d %s %q\nwant %d %s %q", tc.name, code, m["reason"], m["message"], tc.code, tc.reason, tc.message)
		}
	}
}

// A write of the status of a built-in kind may change metadata too, but not what belongs to the spec.
func TestStatusWritesMayChangeMetadata(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	const object = `{"metadata":{"name":"a","labels":{"l":"1"}},"spec":{"replicas":0,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}`
	const patch = `{"metadata":{"labels":{"l":"2"},"annotations":{"n":"1"}},"spec":{"replicas":7},"status":{"observedGeneration":3}}`
	for path, label := range map[string]string{"/apis/apps/v1/namespaces/default/deployments": "1", "/apis/apps/v1/namespaces/default/statefulsets": "2"} {
		w.must("POST", path, object)
		o := w.must("PATCH", path+"/a/status", patch, "Content-Type", mergePatch)
		if got := tree.String(tree.Map(o, "metadata", "labels"), "l"); got != label {
			t.Errorf("%s: label %s, want %s", path, got, label)
		}
		if tree.String(tree.Map(o, "metadata", "annotations"), "n") != "1" || tree.Int(tree.Map(o, "spec"), "replicas") != 0 || tree.Int(tree.Map(o, "status"), "observedGeneration") != 3 {
			t.Errorf("%s: %v", path, o)
		}
	}
}
