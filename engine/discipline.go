package engine

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/client-go/features"
	"k8s.io/client-go/tools/cache"

	"informerscope/engine/deltafifo"
)

func (o *Options) validateFIFO() error {
	if len(o.Compare) > 0 {
		return nil // Compare names them
	}
	return validateDiscipline("fifo", o.FIFO)
}

func validateDiscipline(option, name string) error {
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
