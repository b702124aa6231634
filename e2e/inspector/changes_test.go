package inspector

import (
	"testing"

	"informerscope/e2e/cluster"
)

// What kubectl changes arrives in the cache, with the version that kubectl sees.
func TestFollowsWhatKubectlChanges(t *testing.T) {
	c := cluster.Shared(t)
	ns := namespace(t, c)
	kubectl(t, c, "create", "configmap", "before", "-n", ns)
	for _, fifo := range []string{"delta", "inorder", "atomic"} {
		t.Run(fifo, func(t *testing.T) {
			i := inspect(t, c, cluster.Admin, "configmaps", "-n", ns, "--fifo", fifo)
			key := "key=" + ns + "/a"
			version := func() string {
				return "resourceVersion=" + kubectl(t, c, "get", "configmap", "a", "-n", ns, "-o", "jsonpath={.metadata.resourceVersion}")
			}
			kubectl(t, c, "create", "configmap", "a", "-n", ns, "--from-literal=k=v")
			i.await(t, "reflector.watchEvent", key, "type=ADDED")
			i.await(t, "indexer.added", key, version())
			i.await(t, "workqueue.got", key)
			i.await(t, "worker.reconcileStarted", key, "found=true")
			kubectl(t, c, "patch", "configmap", "a", "-n", ns, "-p", `{"data":{"k":"w"}}`)
			i.await(t, "indexer.updated", key, version())
			kubectl(t, c, "delete", "configmap", "a", "-n", ns)
			i.await(t, "indexer.deleted", key)
			i.await(t, "listener.notified", key, "type=OnDelete")
			i.await(t, "worker.reconcileDone", key)
			if n := i.count("reflector.relist"); n != 0 {
				t.Errorf("%d relists", n)
			}
		})
	}
}

// An object whose labels change leaves the watch of a selector and comes back, while the server has it all the time.
func TestObjectLeavesSelector(t *testing.T) {
	c := cluster.Shared(t)
	ns := namespace(t, c)
	kubectl(t, c, "create", "configmap", "a", "-n", ns)
	kubectl(t, c, "label", "configmap", "a", "-n", ns, "app=web")
	kubectl(t, c, "create", "configmap", "never", "-n", ns)
	i := inspect(t, c, cluster.Admin, "configmaps", "-n", ns, "-l", "app=web")
	key := "key=" + ns + "/a"
	kubectl(t, c, "label", "configmap", "a", "-n", ns, "app=db", "--overwrite")
	i.await(t, "reflector.watchEvent", key, "type=DELETED")
	i.await(t, "indexer.deleted", key)
	kubectl(t, c, "label", "configmap", "a", "-n", ns, "app=web", "--overwrite")
	i.await(t, "reflector.watchEvent", key, "type=ADDED")
	i.await(t, "indexer.added", key)
	if n := i.count("reflector.watchEvent", "key="+ns+"/never"); n != 0 {
		t.Errorf("%d events of what the selector leaves out", n)
	}
}

// A namespace goes away in steps. The controller that empties namespaces does not run here, so the test does its work.
func TestNamespaceIsDeleted(t *testing.T) {
	c := cluster.Shared(t)
	ns := namespace(t, c)
	kubectl(t, c, "create", "configmap", "a", "-n", ns)
	i := inspect(t, c, cluster.Admin, "namespaces,configmaps", "-A")
	kubectl(t, c, "delete", "namespace", ns, "--wait=false")
	i.await(t, "reflector.watchEvent", "resource=namespaces", "key="+ns, "type=MODIFIED")
	i.await(t, "indexer.updated", "resource=namespaces", "key="+ns)
	kubectl(t, c, "delete", "configmaps", "--all", "-n", ns)
	i.await(t, "indexer.deleted", "resource=configmaps", "key="+ns+"/a")
	if err := c.Finalize(t.Context(), ns); err != nil {
		t.Fatal(err)
	}
	i.await(t, "indexer.deleted", "resource=namespaces", "key="+ns)
}

const lampCRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lamps.e2e.example.com}
spec:
  group: e2e.example.com
  scope: Namespaced
  names: {plural: lamps, singular: lamp, kind: Lamp, shortNames: [lp]}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {colour: {type: string}}}
`

const lamp = `
apiVersion: e2e.example.com/v1
kind: Lamp
metadata: {name: red}
spec: {colour: red}
`

// Custom resources are watched like built-in ones, also while their definition goes and comes back.
func TestCustomResources(t *testing.T) {
	c := cluster.Shared(t)
	ns := namespace(t, c)
	create := func() {
		kubectlWith(t, c, lampCRD, "apply", "-f", "-")
		kubectl(t, c, "wait", "--for=condition=Established", "crd/lamps.e2e.example.com", "--timeout=60s")
	}
	create()
	definitions := inspect(t, c, cluster.Admin, "customresourcedefinitions")
	lamps := inspect(t, c, cluster.Admin, "lp", "-n", ns)
	key := "key=" + ns + "/red"
	kubectlWith(t, c, lamp, "apply", "-n", ns, "-f", "-")
	lamps.await(t, "indexer.added", key)
	kubectl(t, c, "patch", "lamp", "red", "-n", ns, "--type=merge", "-p", `{"spec":{"colour":"blue"}}`)
	lamps.await(t, "indexer.updated", key)

	kubectl(t, c, "delete", "crd", "lamps.e2e.example.com")
	definitions.await(t, "indexer.deleted", "key=lamps.e2e.example.com")
	lamps.await(t, "indexer.deleted", key)
	lamps.await(t, "reflector.watchEnded")
	lamps.await(t, "wire.response", "code=404")
	lamps.await(t, "reflector.error")

	create()
	definitions.await(t, "indexer.added", "key=lamps.e2e.example.com")
	kubectlWith(t, c, lamp, "apply", "-n", ns, "-f", "-")
	lamps.await(t, "indexer.added", key)
}
