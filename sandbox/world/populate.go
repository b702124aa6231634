package world

import (
	"context"
	"fmt"
	"time"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

// apps are what the workload is made of at first; more of them get a number.
var apps = []struct{ namespace, name string }{
	{"shop", "web"}, {"shop", "cart"}, {"billing", "payments"}, {"shop", "checkout"}, {"default", "frontend"},
	{"billing", "invoices"}, {"shop", "search"}, {"batch", "importer"}, {"billing", "ledger"}, {"default", "docs"},
	{"shop", "recommender"}, {"batch", "scheduler"},
}

// appsPerNamespace is how many numbered apps share a namespace of their own.
const appsPerNamespace = 25

// Populate makes the namespaces and the workload's first objects, as many as Options.Objects says. The objects are
// settled: a controller that looks at them finds nothing to do. From then on the world hears of every write. The error is that
// of ctx when that is done before.
func (w *World) Populate(ctx context.Context) error {
	started := w.clock.Now()
	p := &population{World: w, ctx: ctx, left: w.options.Objects, now: started, born: started.Add(-36 * time.Hour)}
	for _, ns := range []string{"default", "kube-node-lease", "kube-public", "kube-system"} {
		p.namespace(ns)
	}
	if p.left > 0 {
		for _, ns := range []string{"shop", "billing", "batch"} {
			p.namespace(ns)
		}
		p.cluster()
		for i := 0; p.left > 0 && p.err == nil; i++ {
			if i == 2 {
				p.stateful("shop", "db")
			}
			app := apps[i%len(apps)]
			if round := i / len(apps); round > 0 {
				app.name = fmt.Sprintf("%s-%d", app.name, round+1)
				app.namespace = fmt.Sprintf("team-%d", i/appsPerNamespace+1)
				p.namespace(app.namespace)
			}
			p.app(app.namespace, app.name, i)
		}
	}
	// The first writes are history for watches, but no news for the controllers.
	clear(w.own)
	w.writes = 0
	w.store.OnCommit(w.heard)
	return p.err
}

// population counts down the objects that are still to be made, and keeps the first error.
type population struct {
	*World
	ctx       context.Context
	left      int
	now, born time.Time
	nodes     []string
	err       error
}

// put creates one object, unless there are enough.
func (p *population) put(k *kinds.Kind, content map[string]any) *store.Object {
	if p.err == nil {
		p.err = p.ctx.Err()
	}
	if p.left == 0 || p.err != nil {
		return nil
	}
	meta := tree.Meta(content)
	meta["uid"] = p.uid()
	p.born = p.born.Add(time.Duration(p.rng.IntN(int(p.now.Sub(p.born)/40 + 1))))
	meta["creationTimestamp"] = tree.Stamp(p.born)
	o, err := p.store.Create(k, content)
	if err != nil {
		p.err = err
		return nil
	}
	p.left--
	return o
}

// namespace makes a namespace if it is missing. Namespaces do not count as workload.
func (p *population) namespace(name string) {
	if p.err != nil || p.store.Get(store.Ref{Kind: kinds.Namespaces, Name: name}) != nil {
		return
	}
	content := map[string]any{"metadata": map[string]any{"name": name, "uid": p.uid(), "creationTimestamp": tree.Stamp(p.born)}}
	kinds.Namespaces.SetDefaults(content)
	kinds.Namespaces.Admit(content)
	_, p.err = p.store.Create(kinds.Namespaces, content)
}

// cluster makes nodes, their leases, and the leases of the control plane.
func (p *population) cluster() {
	n := min(1+p.left/20, 3+p.left/500, 200)
	for i := range n {
		role, name := "", fmt.Sprintf("node-%d", i+1)
		if i == 0 {
			role = "control-plane"
		}
		if p.put(kinds.Nodes, nodeNamed(name, role, tree.Stamp(p.now))) != nil {
			p.nodes = append(p.nodes, name)
		}
	}
	if p.left < 12 || p.err != nil {
		return
	}
	for _, name := range p.nodes {
		p.put(kinds.Leases, leaseFor("kube-node-lease", name, name, p.now))
	}
	for _, name := range []string{"kube-controller-manager", "kube-scheduler"} {
		p.put(kinds.Leases, leaseFor("kube-system", name, p.nodes[0]+"_"+p.uid(), p.now))
	}
	p.deployment("kube-system", "coredns", "registry.example.com/coredns:1.12", 2)
}

// app makes one app: a deployment with its pods, and what goes with it.
func (p *population) app(namespace, name string, i int) {
	if p.left >= 6 {
		replicas := 3 + p.rng.IntN(3+min(p.options.Objects/5000, 12))
		p.deployment(namespace, name, fmt.Sprintf("registry.example.com/%s:1.%d", name, p.rng.IntN(20)), int64(replicas))
		p.put(kinds.Services, serviceFor(namespace, name))
	}
	p.put(kinds.ConfigMaps, configMapFor(namespace, name+"-config", name))
	if i%3 == 0 {
		p.put(kinds.Leases, leaseFor(namespace, name+"-leader", name+"-"+p.suffix(5), p.now))
	}
	if i%4 == 1 {
		p.put(kinds.Secrets, secretFor(namespace, name+"-credentials", name, p.suffix(16)))
	}
}

// deployment makes a deployment, its ReplicaSet and its pods, settled. It asks for no more pods than there is room for.
func (p *population) deployment(namespace, name, image string, replicas int64) {
	replicas = max(min(replicas, int64(p.left-2)), 0)
	content := deploymentFor(namespace, name, image, replicas)
	hash := templateHash(tree.Map(content, "spec", "template"))
	status := tree.Ensure(content, "status")
	n := map[string]int64{"replicas": replicas, "readyReplicas": replicas, "availableReplicas": replicas, "updatedReplicas": replicas}
	counts(status, n)
	status["observedGeneration"] = int64(1)
	p.condition(status, "Available", true, "MinimumReplicasAvailable")
	p.condition(status, "Progressing", true, "NewReplicaSetAvailable")
	d := p.put(kinds.Deployments, content)
	if d == nil {
		return
	}
	content = replicaSetFor(d, content, hash, replicas)
	status = tree.Ensure(content, "status")
	counts(status, map[string]int64{"fullyLabeledReplicas": replicas, "readyReplicas": replicas, "availableReplicas": replicas})
	status["replicas"], status["observedGeneration"] = replicas, int64(1)
	rs := p.put(kinds.ReplicaSets, content)
	if rs == nil {
		return
	}
	p.pods(rs, tree.Map(content, "spec", "template"), replicas)
}

func (p *population) stateful(namespace, name string) {
	if p.left < 6 {
		return
	}
	content := statefulFor(namespace, name, "registry.example.com/postgres:17", 3)
	status := tree.Ensure(content, "status")
	for _, f := range []string{"replicas", "readyReplicas", "availableReplicas", "currentReplicas", "updatedReplicas"} {
		status[f] = int64(3)
	}
	status["observedGeneration"] = int64(1)
	sts := p.put(kinds.StatefulSets, content)
	p.pods(sts, tree.Map(content, "spec", "template"), 3)
	p.put(kinds.Leases, leaseFor(namespace, name+"-leader", name+"-0", p.now))
}

// pods makes n running pods of owner.
func (p *population) pods(owner *store.Object, template map[string]any, n int64) {
	if owner == nil {
		return
	}
	containers := encodedOf(tree.Map(template, "spec")["containers"])
	for i := range n {
		name := owner.Name() + "-" + p.suffix(5)
		if owner.Kind() == kinds.StatefulSets {
			name = fmt.Sprintf("%s-%d", owner.Name(), i)
		}
		content := podFor(owner, template, name)
		if owner.Kind() == kinds.StatefulSets {
			tree.Ensure(tree.Meta(content), "labels")["statefulset.kubernetes.io/pod-name"] = name
		}
		node := p.nodes[p.rng.IntN(len(p.nodes))]
		spec, status := tree.Ensure(content, "spec"), tree.Ensure(content, "status")
		spec["nodeName"] = node
		started := tree.Stamp(p.born)
		runPod(content, owner.UID()+name, started)
		status["hostIP"], status["startTime"] = kinds.Address("172.18", node), started
		conditions := make([]byte, 0, 384)
		for i, typ := range []string{"PodScheduled", "Initialized", "ContainersReady", "Ready"} {
			conditions = append(conditions, pick(i == 0, '[', byte(','))) // opens the list, or separates its elements
			conditions = append(conditions, `{"lastTransitionTime":"`...)
			conditions = append(conditions, started...)
			conditions = append(conditions, `","status":"True","type":"`...)
			conditions = append(conditions, typ...)
			conditions = append(conditions, `"}`...)
		}
		status["conditions"] = tree.Encoded(append(conditions, ']'))
		spec["containers"] = containers
		p.put(kinds.Pods, content)
	}
}

func encodedOf(v any) tree.Encoded {
	data, err := tree.AppendJSON(nil, v)
	if err != nil {
		panic(err)
	}
	return data
}
