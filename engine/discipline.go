package engine

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/client-go/features"
	"k8s.io/client-go/tools/cache"

	"informerscope/engine/deltafifo"
	"informerscope/journal"
)

// checkFIFO settles the discipline of the queues.
func (o *Options) checkFIFO() error {
	if o.FIFO == "" {
		o.FIFO = journal.DisciplineDelta
	}
	return checkDiscipline("fifo", o.FIFO)
}

func checkDiscipline(option, name string) error {
	if !slices.Contains(deltafifo.Disciplines, name) {
		return fmt.Errorf("%s: there is no queue discipline %q: use %s", option, name, strings.Join(deltafifo.Disciplines, ", "))
	}
	return nil
}

// unlockWhileProcessing is a feature gate of client-go: by default the atomic
// queue is unlocked while it processes; KUBE_FEATURE_UnlockWhileProcessingFIFO=false
// keeps it locked. Whether deltas are popped in batches client-go's controller
// decides itself (InOrderInformersBatchProcess).
func unlockWhileProcessing() bool {
	return features.FeatureGates().Enabled(features.UnlockWhileProcessingFIFO)
}

// blockingBatch is blocking for batches.
func (p *pipeline) blockingBatch(f cache.ProcessBatchFunc) cache.ProcessBatchFunc {
	return func(deltas []cache.Delta, initial bool) error {
		p.blockDeltas.Lock()
		defer p.blockDeltas.Unlock()
		return f(deltas, initial)
	}
}
