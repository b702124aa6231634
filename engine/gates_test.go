package engine

import (
	"testing"

	"k8s.io/client-go/features"

	"informerscope/journal"
	"informerscope/journal/state"
)

func TestFeatureGatesOfTheEnvironmentAreTold(t *testing.T) {
	s := &Session{folder: state.New()}
	s.journal = journal.New(journal.Options{Fold: s.folder.Apply})
	s.tellGates([]string{
		"HOME=/root", "KUBECONFIG=x", "KUBE_FEATURE_WatchListClient=false", "KUBE_FEATURE_InOrderInformers=0",
		"KUBE_FEATURE_InOrderInformersBatchProcess=off", "KUBE_FEATURE_AtomicFIFO=false", "KUBE_FEATURE_WatchList=true", "KUBE_FEATURE_UnlockWhileProcessingFIFO=T",
	})
	want := []string{
		"info: KUBE_FEATURE_AtomicFIFO=false chooses client-go's queue in informers: here the queue discipline is chosen apart",
		"warning: KUBE_FEATURE_InOrderInformers=0 has no effect: client-go has locked this feature gate to true",
		"warning: KUBE_FEATURE_InOrderInformersBatchProcess=off has no effect: use true or false",
		"info: client-go's feature gate UnlockWhileProcessingFIFO is true (KUBE_FEATURE_UnlockWhileProcessingFIFO=T, default true)",
		"warning: KUBE_FEATURE_WatchList=true has no effect: client-go has no such feature gate",
		"info: client-go's feature gate WatchListClient is false (KUBE_FEATURE_WatchListClient=false, default true)",
	}
	v := s.journal.View()
	if v.Len() != len(want) {
		t.Fatalf("%d lines, want %d", v.Len(), len(want))
	}
	for i, w := range want {
		if e := v.At(i); e.Raw().Name+": "+e.Raw().Text != w {
			t.Errorf("%s: %s\nwant %s", e.Raw().Name, e.Raw().Text, w)
		}
	}
}

// A client-go that locks a gate, or drops it, changes what has to be compared.
func TestTheGatesThatAreComparedCanBeSwitched(t *testing.T) {
	known := gateSpecs{}
	if err := features.AddFeaturesToExistingFeatureGates(known); err != nil {
		t.Fatal(err)
	}
	for _, f := range []features.Feature{features.AtomicFIFO, features.WatchListClient, features.UnlockWhileProcessingFIFO, features.InOrderInformersBatchProcess} {
		if spec, ok := known[f]; !ok || spec.LockToDefault || !spec.Default {
			t.Errorf("%s: %+v; the differential test takes it to be on and free to be switched", f, spec)
		}
	}
}
