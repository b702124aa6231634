package scenario_test

import (
	"errors"
	"testing"

	"informerscope/scenario"
)

// minimal is a file without mistakes, of three lines.
const minimal = "title: t\nsteps:\n  - say: s\n"

// TestMistakesOfAFile has each message as it is printed.
func TestMistakesOfAFile(t *testing.T) {
	for name, c := range map[string]struct{ file, want string }{
		"empty":                {"", "1: the file is empty: title and steps are needed"},
		"only a comment":       {"# x\n", "1: the file is empty: title and steps are needed"},
		"no mapping":           {"- a\n", "1: a scenario: a mapping is needed, not a list"},
		"no YAML":              {"title: t\nsteps: [\n", "2: this is no YAML: did not find expected node content"},
		"no title":             {"steps: [{say: s}]\n", "1: title is missing"},
		"no steps":             {"title: t\n", "1: steps are missing: there is nothing to do"},
		"a field twice":        {minimal + "title: u\n", "4: a scenario: title is there twice"},
		"unknown field":        {minimal + "settigns: {}\n", `4: a scenario has no field "settigns"; do you mean settings?`},
		"unknown, and unlike":  {minimal + "colour: red\n", `4: a scenario has no field "colour": use one of title, source, about, settings, objects, before, steps`},
		"settings are no list": {minimal + "settings: [fifo]\n", "4: settings: a mapping is needed, not a list"},
		"unknown setting":      {minimal + "settings:\n  worker: 1\n", `5: settings has no field "worker"; do you mean workers?`},
		"discipline":           {minimal + "settings: {fifo: deltas}\n", `4: fifo: "deltas" is not accepted: use delta, inorder, atomic`},
		"clock":                {minimal + "settings: {clock: slow}\n", `4: clock: "slow" is not accepted: use real, fake`},
		"workers are a number": {minimal + "settings: {workers: many}\n", `4: workers: a whole number of at least 0 is needed, not the text "many"`},
		"negative workers":     {minimal + "settings: {workers: -1}\n", "4: workers: a whole number of at least 0 is needed, not -1"},
		"a share":              {minimal + "settings: {fail: 2}\n", `4: fail: "2" is no share: use one from 0 to 1, or 0% to 100%`},
		"a duration":           {minimal + "settings: {resync: 5}\n", `4: resync: "5" is no duration: use one such as 200ms or 5s`},
		"a negative duration":  {minimal + "settings: {work: -5s}\n", `4: work: "-5s" is no duration: use one such as 200ms or 5s`},
		"true or false":        {minimal + "settings: {watchList: maybe}\n", `4: watchList: true or false is needed, not the text "maybe"`},
		"a handler":            {minimal + "settings:\n  handlers: [a, \"b,c=1\"]\n", `5: handlers: handler "b,c=1": "c=1" is not accepted: use delay=DURATION or resync=DURATION`},
		"fake priority":        {minimal + "settings: {clock: fake, queue: priority}\n", "4: settings: the priority queue reads the real time: clock: fake is for queue: fifo"},
		"compare and fifo":     {minimal + "settings: {compare: [delta, atomic], fifo: delta}\n", "4: settings: compare names the disciplines: leave fifo out"},
		"an object in short":   {minimal + "objects: [configmap]\n", "4: objects: create: KEY is missing: create RESOURCE KEY [LABEL=VALUE...]"},
		"an object's label":    {minimal + "objects: [configmap a web]\n", `4: objects: create: "web" is not accepted: use LABEL=VALUE`},
		"a manifest":           {minimal + "objects:\n  - kind: Pod\n    metadata: {name: a}\n", "5: objects: a manifest needs apiVersion"},
		"a step is no text":    {"title: t\nsteps:\n  - add a\n", `3: a step: a mapping is needed, not the text "add a"`},
		"unknown verb":         {minimal + "    do: ad a\n", `4: do: there is no verb "ad"; do you mean add?`},
		"unlike any verb":      {minimal + "    do: frobnicate\n", `4: do: there is no verb "frobnicate"; docs/verbs.md lists them`},
		"half a verb":          {minimal + "    do: worker\n", "4: do: worker: say what to do: add, remove, block, unblock, fail, slow, write"},
		"a verb's argument":    {minimal + "    do:\n      - get\n      - add\n", "6: do: add: KEY is missing: add KEY"},
		"too many arguments":   {minimal + "    do: add a b\n", `4: do: add: "b" is too much: add KEY`},
		"a verb's duration":    {minimal + "    do: add-after a soon\n", `4: do: add-after: "soon" is no duration: use one such as 200ms or 5s`},
		"a stage":              {minimal + "    do: step indexer\n", `4: do: step: there is no stage "indexer": use one of reflector, deltafifo, listener, workqueue`},
		"an outcome":           {minimal + "    do: reconcile a never\n", `4: do: reconcile: there is no outcome "never": use one of ok, error, panic, no-forget, no-done`},
		"a fault":              {minimal + "    do: http 200\n", "4: do: http: status: use one of 401, 403, 404, 405, 410, 422, 429, 500, 503, 504"},
		"another resource":     {minimal + "    do: -r pods pause\n", `4: do: no resource "pods" is watched: use one of configmaps`},
		"a step's resource":    {minimal + "    resource: pods\n", `3: resource: "pods" is not watched: use one of configmaps`},
		"a lane":               {minimal + "    resource: configmaps\nsettings: {compare: [delta, atomic]}\n", `3: resource: "configmaps" is not watched: use one of configmaps@delta, configmaps@atomic`},
		"too many workers":     {minimal + "settings: {workers: 1000000}\n", "4: workers: 1000000 is too many: at most 1024"},
		"too short a resync":   {minimal + "settings: {resync: 999ms}\n", "4: resync: 999ms is too short: use at least 1s"},
		"too short a look":     {minimal + "settings: {detectMutations: 1ns}\n", "4: detectMutations: 1ns is too short: use at least 10ms"},
		"too fast":             {minimal + "settings: {pace: 1000000}\n", `4: pace: "1000000" is no pace: use items a second up to 100000, such as 4 or 0.5; 0 is real time`},
		"too often":            {minimal + "    repeat: 1000000000\n", "4: repeat: 1000000000 is too many: at most 100000"},
		"calls of nobody":      {minimal + "    calls: {controler: []}\n", `4: calls: there is no handler "controler"; do you mean controller?`},
		"a listener":           {minimal + "    expect: {listeners: {extr: {onAdd: 1}}}\nsettings: {handlers: extra}\n", `4: expect.listeners: there is no handler "extr"; do you mean extra?`},
		"a listener in a list": {minimal + "    expect: {listeners: {has: [{name: audit}]}}\n", `4: expect.listeners: there is no handler "audit"; use one of controller`},
		"a worker":             {minimal + "    expect: {workers: {worker-2: {done: 1}}}\nsettings: {workers: 1}\n", `4: expect.workers: there is no worker "worker-2"; do you mean worker-1?`},
		"a worker in short":    {minimal + "    expect: {workers: {has: [wrker-1]}}\nsettings: {workers: 1}\n", `4: expect.workers: there is no worker "wrker-1"; do you mean worker-1?`},
		"an index's name":      {minimal + "    expect: {indexer: {indices: {namespaces: {a: [b]}}}}\n", `4: expect.indexer.indices: there is no index "namespaces"; do you mean namespace?`},
		"a store":              {minimal + "    expect: {stores: {heap: {count: 1}}}\nsettings: {stores: store}\n", `4: expect.stores: there is no store "heap"; use one of Store`},
		"no store":             {minimal + "    expect: {stores: {heap: {count: 1}}}\n", `4: expect.stores: there is no store "heap"; there is none`},
		"a finding":            {minimal + "    expect: {findings: [hot-lop]}\n", `4: expect.findings: there is no kind of finding "hot-lop"; do you mean hot-loop?`},
		"a finding at length":  {minimal + "    expect: {findings: {has: [{kind: blnd}]}}\n", `4: expect.findings: there is no kind of finding "blnd"; do you mean blind?`},
		"a severity":           {minimal + "    expect: {findings: [{severity: hihg}]}\n", `4: expect.findings: there is no severity "hihg"; do you mean high?`},
		"a verb's handler":     {minimal + "    do: handler block extr\nsettings: {handlers: extra}\n", `4: do: handler block: there is no handler "extr"; do you mean extra?`},
		"a verb's worker":      {minimal + "    do: worker block worker-2\nsettings: {workers: 1}\n", `4: do: worker block: there is no worker "worker-2"; do you mean worker-1?`},
		"a verb's index":       {minimal + "    do: index fail label:app\n", `4: do: index fail: there is no index "label:app"; use one of namespace`},
		"a fault's resource":   {minimal + "    do: cut configmap\n", `4: do: cut: there is no resource "configmap"; do you mean configmaps?`},
		"has is no handler":    {minimal + "    calls: {has: [OnAdd a]}\n", `4: calls: there is no handler "has"; use one of controller`},
		"repeat":               {minimal + "    repeat: 0\n", "4: repeat: a whole number of at least 1 is needed, not 0"},
		"wait":                 {minimal + "    wait: a while\n", `4: wait: "a while" is no duration: use one such as 200ms or 5s`},
		"no structure":         {minimal + "    expect: {workqeue: {}}\n", `4: expect has no field "workqeue"; do you mean workqueue?`},
		"no field of it":       {minimal + "    expect:\n      workqueue:\n        dirtyy: []\n", `6: expect.workqueue has no field "dirtyy"; do you mean dirty?`},
		"a text for a list":    {minimal + "    expect: {workqueue: {queue: a}}\n", `4: expect.workqueue.queue: a list is needed, not the text "a"`},
		"a text for a number":  {minimal + "    expect: {indexer: {count: some}}\n", `4: expect.indexer.count: a number is needed, not the text "some"`},
		"a number for a truth": {minimal + "    expect: {synced: 1}\n", "4: expect.synced: true or false is needed, not 1"},
		"a range of a list":    {minimal + "    expect: {workqueue: {queue: {from: 1}}}\n", "4: expect.workqueue.queue: from is not for a list"},
		"any order of a text":  {minimal + "    expect: {reflector: {state: {anyOrder: [a]}}}\n", "4: expect.reflector.state: anyOrder is not for a text"},
		"operator and value":   {minimal + "    expect: {indexer: {count: {from: 1, upto: 3}}}\n", "4: expect.indexer.count: upto cannot stand beside from"},
		"a regular expression": {minimal + "    expect: {reflector: {state: {matches: \"(\"}}}\n", "4: expect.reflector.state: error parsing regexp: missing closing ): `(`"},
		"a call":               {minimal + "    calls: [OnFoo a]\n", callHint("OnFoo a")},
		"an add of versions":   {minimal + "    calls: [OnAdd a@x->y]\n", callHint("OnAdd a@x->y")},
		"an open tombstone":    {minimal + "    calls: [\"OnDelete T{a\"]\n", callHint("OnDelete T{a")},
		"an order of calls":    {minimal + "    calls: {anyOrder: [OnAdd a], b: []}\n", "4: calls: a list, or anyOrder with one, is needed, not b"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := scenario.Parse("f.yaml", []byte(c.file))
			if err == nil {
				t.Fatal("it is accepted")
			}
			if got, want := err.Error(), "f.yaml:"+c.want; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func callHint(call string) string {
	return `4: calls: "` + call + `" is no call: use OnAdd KEY, OnUpdate KEY, OnDelete KEY or OnDelete T{KEY}, with @x for a resourceVersion and @x->y for those of an update`
}

func TestAllMistakesAreToldInOrder(t *testing.T) {
	_, err := scenario.Parse("f.yaml", []byte("steps:\n  - do: [ad a, get b]\n  - wait: x\nsettings: {fifo: x}\n"))
	var mistakes scenario.Mistakes
	if !errors.As(err, &mistakes) {
		t.Fatalf("%v", err)
	}
	var lines []int
	for i, m := range mistakes {
		lines = append(lines, m.Line)
		if i > 0 && lines[i-1] > m.Line {
			t.Errorf("lines %v", lines)
		}
	}
	if len(mistakes) != 5 {
		t.Errorf("%d mistakes, want 5:\n%v", len(mistakes), err)
	}
}

func TestAFileWithoutMistakesIsTaken(t *testing.T) {
	f, err := scenario.Parse("f.yaml", []byte(minimal+`    do: ["add-after default/$n $ns", -r pods pause]
settings: {resources: [configmaps, pods], workers: 2, fail: 50%, watchList: false}
objects:
  - &a {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
before: http 405 on=watch
`))
	if err != nil {
		t.Fatal(err)
	}
	if s := f.Settings; s.Workers != 2 || s.Fail != 0.5 || len(s.Resources) != 2 || s.WatchList == nil || *s.WatchList {
		t.Errorf("settings %+v", s)
	}
	if len(f.Steps) != 1 || len(f.Steps[0].Do) != 2 || f.Steps[0].Do[1].Line != 4 || len(f.Before) != 1 || len(f.Objects) != 1 {
		t.Errorf("file %+v", f)
	}
}

// What comes to be while a scenario runs, and what is to be gone, has a name too.
func TestNamesThatAreThereLater(t *testing.T) {
	for _, file := range []string{
		"    do: [handler add audit, handler block audit]\n    expect: {listeners: {audit: {onAdd: 0}}}\n    calls: {audit: []}\n",
		"    do: handler add audit-$n\n    repeat: 3\n    calls: {audit-2: []}\n",
		"    do: worker add\n    repeat: 3\n    expect: {workers: {worker-3: {done: 0}, hand: null}}\n",
		"    expect: {listeners: {gone: null}, workers: {worker-9: null}, indexer: {indices: {label:app: null}}}\n",
		"    do: [cut deployments, cut deployments.apps, cut]\nsettings: {resources: deployments.apps}\n",
		"    expect: {indexer: {indices: {label:app: {x: [a]}}}, stores: {Heap by RV: {count: 0}}}\nsettings: {indexes: label:app, stores: heap=rv}\n",
	} {
		if _, err := scenario.Parse("f", []byte(minimal+file)); err != nil {
			t.Errorf("%s\n%v", file, err)
		}
	}
}
