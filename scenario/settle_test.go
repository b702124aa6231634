package scenario_test

import (
	"strings"
	"testing"
)

// A step waits for the event that is on its way to its gate, and one verb after
// the other finds what the verb before has let come.
func TestStepsWaitForWhatIsOnItsWay(t *testing.T) {
	t.Parallel()
	got := failures(t, `title: t
settings: {paused: true, workers: 1}
objects: [configmap default/a, configmap default/b]
steps:
  - do: [step reflector, step reflector, step reflector]
  - do: [step deltafifo, step listener, step workqueue, step workqueue, step deltafifo, step listener]
    expect: {indexer: {count: 2}, workqueue: {queue: {len: 1}, processing: []}}
  - do: [update configmap default/a, step reflector, update configmap default/b, step reflector, pop, pop]
    expect: {deltaFIFO: {depth: 0}, listeners: {controller: {backlog: 2}}}
`)
	if len(got) > 0 {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
}
