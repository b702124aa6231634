package conformance

// randomKind is a kind that random requests are about.
type randomKind struct {
	// path is that of its collection, with NS for the namespace.
	path, apiVersion, kind string
	// bodies complete an object; parts are for patches, statuses for the status subresource.
	bodies, parts, statuses []string
	// patches are JSON patches.
	patches []string
	// whole says that parts are for patches only, not to be applied.
	whole bool
}

// lamps is the custom resource among the random kinds.
var lamps = crd{group: "random.example.com", plural: "lamps", kind: "Lamp", short: "rl", name: "lamps.random.example.com"}

// randomKinds are of those that no controller of the sandbox changes.
var randomKinds = []*randomKind{
	{
		path: "/api/v1/namespaces/NS/configmaps", apiVersion: "v1", kind: "ConfigMap", whole: true,
		bodies: []string{`"data":{}`, `"data":{"k":"v"}`, `"data":{"k":"w","l":"x"}`, `"data":{"l":"y"},"binaryData":{"b":"AAE="}`, `"data":null`},
		parts:  []string{`"data":{"k":"p"}`, `"data":{"k":null,"m":"n"}`, `"data":null`, `"binaryData":{"b":null}`},
		patches: []string{
			`[{"op":"add","path":"/data","value":{"k":"j"}}]`, `[{"op":"remove","path":"/data/k"}]`,
			`[{"op":"replace","path":"/data/k","value":"r"}]`,
			`[{"op":"test","path":"/data/k","value":"v"},{"op":"move","from":"/data/k","path":"/data/m"}]`,
		},
	},
	{
		path: "/api/v1/namespaces/NS/secrets", apiVersion: "v1", kind: "Secret", whole: true,
		bodies:  []string{`"data":{"k":"dg=="}`, `"stringData":{"k":"w","l":"x"}`, `"type":"Opaque"`, `"type":"example.com/own","data":{"k":"dw=="}`},
		parts:   []string{`"data":{"k":"cA=="}`, `"data":{"k":null}`, `"type":"Opaque"`, `"immutable":true`},
		patches: []string{`[{"op":"add","path":"/data","value":{"k":"ag=="}}]`, `[{"op":"remove","path":"/data"}]`},
	},
	{
		path: "/apis/batch/v1/namespaces/NS/cronjobs", apiVersion: "batch/v1", kind: "CronJob", whole: true,
		bodies: []string{
			cronJob(`0 0 1 1 *`, `{"name":"c","image":"i"}`),
			cronJob(`0 0 1 1 *`, `{"name":"c","image":"j:1","env":[{"name":"A","value":"1"},{"name":"B","value":"2"}]},{"name":"d","image":"k"}`),
			cronJob(`5 5 1 1 *`, `{"name":"d","image":"k","ports":[{"containerPort":80},{"containerPort":81,"name":"alt"}]}`),
		},
		parts: []string{
			`"spec":{"schedule":"1 1 1 1 *"}`, `"spec":{"concurrencyPolicy":"Forbid","successfulJobsHistoryLimit":null}`,
			`"spec":{"jobTemplate":{"spec":{"template":{"spec":{"containers":[{"name":"c","image":"p:2","env":[{"name":"B","value":"3"}]}]}}}}}`,
			`"spec":{"jobTemplate":{"metadata":{"labels":{"x":"y"}},"spec":{"backoffLimit":2}}}`, `"spec":{"suspend":true,"nope":1}`,
		},
		statuses: []string{`"status":{"lastScheduleTime":"2026-01-01T00:00:00Z"}`, `"status":{}`, `"status":null,"spec":{"schedule":"9 9 1 1 *"}`},
		patches: []string{
			`[{"op":"replace","path":"/spec/jobTemplate/spec/template/spec/containers","value":[{"name":"e","image":"e"},{"name":"c","image":"c"}]}]`,
			`[{"op":"replace","path":"/spec/schedule","value":"2 2 1 1 *"}]`,
		},
	},
	{
		path: "/apis/random.example.com/v1/namespaces/NS/lamps", apiVersion: "random.example.com/v1", kind: "Lamp",
		bodies: []string{`"spec":{"colour":"blue"}`, `"spec":{"colour":"red","size":5,"nope":1}`, `"spec":{"size":1}`, `"spec":{"colour":"mauve"}`,
			`"spec":{"colour":"red","size":-1},"status":{"ready":true}`},
		parts:    []string{`"spec":{"colour":"red"}`, `"spec":{"size":null}`, `"spec":{"size":7}`, `"spec":{"colour":null}`, `"status":{"ready":true}`},
		statuses: []string{`"status":{"ready":true}`, `"status":null`, `"spec":{"colour":"red"},"status":{"ready":false}`},
		patches:  []string{`[{"op":"replace","path":"/spec/colour","value":"blue"}]`, `[{"op":"remove","path":"/spec/size"}]`},
	},
}

// cronJob is the spec of a suspended CronJob.
func cronJob(schedule, containers string) string {
	return `"spec":{"suspend":true,"schedule":"` + schedule + `","jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[` + containers + `]}}}}}`
}
