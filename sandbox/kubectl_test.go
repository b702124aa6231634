package sandbox

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"informerscope/sandbox/tree"
)

// kubectl runs the real kubectl as a user would.
type kubectl struct {
	t      *testing.T
	config string
	home   string
}

func newKubectl(t *testing.T, s *Server) *kubectl {
	t.Helper()
	if _, err := exec.LookPath("kubectl"); err != nil {
		t.Skip("there is no kubectl in PATH")
	}
	k := &kubectl{t: t, config: filepath.Join(t.TempDir(), "kubeconfig"), home: t.TempDir()}
	if err := s.WriteKubeconfig(k.config); err != nil {
		t.Fatal(err)
	}
	return k
}

func (k *kubectl) command(ctx context.Context, stdin, line string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "kubectl", strings.Fields(line)...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+k.config, "HOME="+k.home)
	cmd.Stdin = strings.NewReader(stdin)
	return cmd
}

// run runs kubectl with the words of line and returns stdout. Its failure fails the test.
func (k *kubectl) run(line string) string { return k.pipe("", line) }

func (k *kubectl) pipe(stdin, line string) string {
	k.t.Helper()
	var out, errs bytes.Buffer
	cmd := k.command(testContext(k.t), stdin, line)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		k.t.Fatalf("kubectl %s: %v\n%s%s", line, err, out.String(), errs.String())
	}
	return out.String()
}

// refuse is run for what must fail, and returns stderr.
func (k *kubectl) refuse(stdin, line string) string {
	k.t.Helper()
	var errs bytes.Buffer
	cmd := k.command(testContext(k.t), stdin, line)
	cmd.Stderr = &errs
	if cmd.Run() == nil {
		k.t.Errorf("kubectl %s: succeeded", line)
	}
	return errs.String()
}

func (k *kubectl) expect(got string, want ...string) {
	k.t.Helper()
	for _, w := range want {
		if !strings.Contains(got, w) {
			k.t.Errorf("no %q in:\n%s", w, got)
		}
	}
}

const manifest = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: hello, labels: {app: hello}}
spec:
  replicas: 2
  selector: {matchLabels: {app: hello}}
  template:
    metadata: {labels: {app: hello}}
    spec: {containers: [{name: hello, image: "hello:1"}]}
---
apiVersion: v1
kind: Service
metadata: {name: hello}
spec: {selector: {app: hello}, ports: [{port: 80}]}
`

func TestKubectlReads(t *testing.T) {
	t.Parallel()
	s := start(t, Options{Objects: 60, Seed: 1})
	k := newKubectl(t, s)
	k.expect(k.run("get pods -A -o wide"), "NAMESPACE", "READY", "STATUS", "RESTARTS", "AGE", "IP", "NODE", "kube-system", "1/1", "Running", "node-1")
	k.expect(k.run("get deploy -A"), "UP-TO-DATE", "AVAILABLE", "coredns", "2/2")
	k.expect(k.run("get all,cm,leases,nodes -A"), "pod/db-0", "service/web", "deployment.apps/web", "replicaset.apps/", "statefulset.apps/db", "configmap/web-config", "lease.coordination.k8s.io/", "node/node-1")
	k.expect(k.run("get pods -n shop -l app=db -o name"), "pod/db-0\npod/db-1\npod/db-2\n")
	k.expect(k.run("get pod db-0 -n shop -o yaml"), "kind: Pod\n", "name: db-0\n")
	k.expect(k.run("get po -A --field-selector=spec.nodeName=node-1 -o jsonpath={.items[*].spec.nodeName}"), "node-1")
	k.expect(k.run("get pods -A --chunk-size=3 -o name"), "pod/db-2")
	k.expect(k.run("describe pod db-0 -n shop"), "Controlled By:  StatefulSet/db", "Restart Count:")
	k.expect(k.run("describe node node-1"), "Roles:", "control-plane")
	k.expect(k.run("api-resources"), "deployments", "deploy", "apps/v1", "leases")
	k.expect(k.run("api-versions"), "batch/v1", "coordination.k8s.io/v1")
	k.expect(k.run("version"), "Server Version: v1.37.2+sandbox")
	k.expect(k.run("explain deployment.spec.replicas"), "FIELD: replicas <integer>", "Number of desired pods")
	k.expect(k.run("get --raw /readyz"), "ok")
	k.expect(k.run("auth can-i list pods"), "yes")
	k.expect(k.refuse("", "get widgets"), `doesn't have a resource type "widgets"`)
	k.expect(k.refuse("", "get pod none"), `pods "none" not found`)
}

func TestKubectlWrites(t *testing.T) {
	t.Parallel()
	s := start(t, Options{Objects: 60, Seed: 1})
	k := newKubectl(t, s)
	k.expect(k.pipe(manifest, "apply -f -"), "deployment.apps/hello created", "service/hello created")
	k.expect(k.pipe(manifest, "apply -f -"), "deployment.apps/hello unchanged", "service/hello unchanged")
	k.expect(k.pipe(strings.Replace(manifest, "hello:1", "hello:2", 1), "apply -f -"), "deployment.apps/hello configured")
	k.run("rollout status deploy/hello --timeout=25s")
	k.expect(k.run("get deploy hello -o wide"), "2/2", "hello:2")
	k.expect(k.run("rollout history deploy/hello"), "1 ", "2 ")
	k.run("rollout undo deploy/hello")
	k.run("rollout status deploy/hello --timeout=25s")
	k.expect(k.run("get deploy hello -o wide"), "2/2", "hello:1")
	k.expect(k.run("scale deploy web --replicas=6 -n shop"), "deployment.apps/web scaled")
	k.run("rollout status deploy/web -n shop --timeout=25s")
	k.expect(k.run("get deploy web -n shop"), "6/6")
	k.run("delete pod db-0 -n shop --timeout=25s")
	k.run("wait pod/db-0 -n shop --for=create --timeout=25s")
	k.run("wait pod/db-0 -n shop --for=condition=Ready --timeout=25s")
	k.run("create deployment quick --image=quick:1 --replicas=1")
	k.run("wait deploy/quick --for=condition=Available --timeout=25s")
	k.run("create configmap a --from-literal=x=y")
	k.run("label cm a color=red")
	k.run("annotate cm a note=hi")
	k.run(`patch cm a -p {"data":{"z":"1"}}`)
	k.run(`patch cm a --type=json -p [{"op":"remove","path":"/data/x"}]`)
	k.expect(k.run("get cm a -o jsonpath={.data},{.metadata.labels.color},{.metadata.annotations.note}"), `{"z":"1"},red,hi`)
	k.expect(k.refuse("", "create configmap a"), "already exists")
	k.run("create ns extra")
	k.run("create secret generic s -n extra --from-literal=p=q")
	k.run("run one --image=one:1 -n extra")
	k.run("delete ns extra --timeout=25s")
	k.expect(k.refuse("", "get ns extra"), "not found")
	k.run("cordon node-1")
	k.expect(k.run("get node node-1"), "SchedulingDisabled")
	k.run("delete cm -l color=red")
	k.expect(k.run("drain node-2 --ignore-daemonsets --force --delete-emptydir-data --timeout=25s"), "node/node-2 drained")
	k.expect(k.run("autoscale deploy hello --max=3 --cpu-percent=50"), "autoscaled")
	k.expect(k.run("get hpa hello"), "Deployment/hello", "cpu: <unknown>/50%", "3")
	k.expect(k.run("get deploy hello --subresource=scale"), "DESIRED", "AVAILABLE")
	k.expect(k.run("auth whoami"), "sandbox", "system:masters")
	k.expect(k.run("auth can-i --list"), "*.*")
	k.expect(k.run("explain pod.spec.restartPolicy"), "ENUM:", "OnFailure")
	k.expect(k.run("explain deploy.spec.strategy --recursive"), "maxSurge\t<IntOrString>")
	k.run("create service externalname away --external-name=x.example.com")
	k.expect(k.run("get svc away"), "ExternalName", "x.example.com")
	k.run("create service nodeport np --tcp=80")
	k.expect(k.run("get svc np"), "80:3")
	k.expect(k.pipe(manifest, "delete -f - --timeout=25s"), `deployment.apps "hello" deleted`)
	k.expect(k.refuse("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\ndatta: {}\n", "create -f -"), `unknown field "datta"`)
	k.expect(k.refuse("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: B}\n", "create -f -"), `"B" is invalid`)
}

func TestKubectlAppliesOnTheServer(t *testing.T) {
	t.Parallel()
	k := newKubectl(t, start(t, Options{}))
	k.expect(k.pipe(manifest, "apply --server-side -f -"), "deployment.apps/hello serverside-applied", "service/hello serverside-applied")
	k.run("scale deploy hello --replicas=3")
	k.expect(k.refuse(manifest, "apply --server-side -f -"), `conflict with "kubectl" with subresource "scale"`, ".spec.replicas")
	k.expect(k.pipe(manifest, "apply --server-side --force-conflicts -f -"), "deployment.apps/hello serverside-applied")
	k.expect(k.pipe(strings.Replace(manifest, "replicas: 2", "replicas: 4", 1), "apply --server-side --dry-run=server -f -"), "serverside-applied (server dry run)")
	k.expect(k.run("get deploy hello -o jsonpath={.spec.replicas}"), "2")
	k.expect(k.run("get deploy hello -o yaml --show-managed-fields"), "manager: kubectl", "operation: Apply", "f:replicas")
	if out := k.run("get deploy hello -o yaml"); strings.Contains(out, "managedFields") {
		t.Errorf("managedFields without being asked for:\n%s", out)
	}
	// Someone who applied on the client's side goes over to the server's.
	k.pipe(strings.ReplaceAll(manifest, "hello", "moving"), "apply -f -")
	k.expect(k.pipe(strings.ReplaceAll(manifest, "hello", "moving"), "apply --server-side -f -"), "deployment.apps/moving serverside-applied")
}

func TestKubectlUsesCustomResources(t *testing.T) {
	t.Parallel()
	k := newKubectl(t, start(t, Options{}))
	k.expect(k.pipe(shirts(shirtVersion("v1", true, shirtExtras)), "apply -f -"), "customresourcedefinition.apiextensions.k8s.io/shirts.stable.example.com created")
	k.run("wait crd/shirts.stable.example.com --for=condition=Established --timeout=25s")
	k.expect(k.run("get crd"), "NAME", "CREATED AT", "shirts.stable.example.com")
	k.expect(k.run("api-resources --api-group=stable.example.com"), "shirts", "sh", "stable.example.com/v1", "true", "Shirt")
	k.expect(k.run("explain shirt.spec.color"), "FIELD: color <string>", "The color of the shirt.", "ENUM:")
	k.expect(k.pipe(shirt("a", `"color":"red","replicas":1`), "apply -f -"), "shirt.stable.example.com/a created")
	k.expect(k.pipe(shirt("a", `"color":"blue","replicas":1`), "apply -f -"), "shirt.stable.example.com/a configured")
	k.expect(k.pipe(shirt("b", `"color":"blue"`), "apply --server-side -f -"), "shirt.stable.example.com/b serverside-applied")
	k.expect(k.run("get sh"), "NAME", "COLOR", "COUNT", "BORN", "blue")
	k.expect(k.run("get all"), "shirt.stable.example.com/a")
	k.run("scale sh a --replicas=4")
	k.run(`patch sh a --type=merge -p {"spec":{"size":"L"}}`)
	k.expect(k.run("get sh a -o jsonpath={.spec}"), `"replicas":4`, `"size":"L"`)
	k.expect(k.refuse(shirt("c", `"color":"pink"`), "create -f -"), `The Shirt "c" is invalid: spec.color: Unsupported value: "pink"`)
	k.expect(k.refuse(shirt("c", `"colour":"red","color":"red"`), "create -f -"), `unknown field "spec.colour"`)
	k.expect(k.run("describe sh a"), "Kind:         Shirt", "Color:")
	k.run("delete crd shirts.stable.example.com --timeout=25s")
	k.expect(k.refuse("", "get sh"), "could not find the requested resource")
}

func TestKubectlWatches(t *testing.T) {
	t.Parallel()
	s := start(t, Options{Objects: 60, Seed: 1})
	k := newKubectl(t, s)
	w := newWire(t, s)
	w.createConfigMap("first", "")
	ctx, cancel := context.WithCancel(testContext(t))
	defer cancel()
	cmd := k.command(ctx, "", "get cm -w --output-watch-events")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { cancel(); _ = cmd.Wait() }()
	lines := bufio.NewScanner(out)
	expect := func(want ...string) {
		t.Helper()
		if !lines.Scan() {
			t.Fatalf("the watch ended, want %v", want)
		}
		k.expect(lines.Text(), want...)
	}
	expect("EVENT", "NAME", "DATA", "AGE")
	for _, o := range tree.List(w.must("GET", cms, ""), "items") {
		expect("ADDED", tree.String(tree.Map(o.(map[string]any), "metadata"), "name"))
	}
	w.createConfigMap("zz", "")
	expect("ADDED", "zz", "0")
	w.must("PATCH", cms+"/zz", `{"data":{"x":"y"}}`, "Content-Type", mergePatch)
	expect("MODIFIED", "zz", "1")
	w.must("DELETE", cms+"/zz", "")
	expect("DELETED", "zz", "1")
}
