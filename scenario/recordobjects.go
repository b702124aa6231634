package scenario

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"

	"informerscope/engine"
	"informerscope/journal"
	"informerscope/journal/state"
)

// objectsBefore are the objects that the steps name and that were there before
// them, in the words of create. v is the journal, and the steps are what was done
// after the event from. Without a past there are none.
func objectsBefore(s *engine.Session, v journal.View, from uint64, steps []recordedStep) []string {
	past := s.Past()
	if from == 0 {
		from = firstSync(v)
	}
	if past == nil || from == 0 {
		return nil
	}
	then, err := past.At(from)
	if err != nil {
		return nil // no longer kept: the steps are worth having without
	}
	var all []string
	made := map[string]bool{} // keys that the steps create, and objects that are there
	for _, step := range steps {
		for _, line := range step.Do {
			words := strings.Fields(line)
			if words[0] == "create" && len(words) > 2 {
				made[withNamespace(words[2])] = true
				continue
			}
			for _, word := range words[1:] {
				for _, key := range []string{word, withNamespace(word)} {
					for _, r := range then.Resources {
						e, there := r.Indexer.Get(key)
						id := journal.BaseOf(r.Name) + " " + key
						if there && !made[key] && !made[id] {
							made[id] = true
							all = append(all, createWords(journal.BaseOf(r.Name), key, e))
						}
					}
				}
			}
		}
	}
	return all
}

// firstSync is the event with which the last of the resources was synced for the
// first time; 0 when there is none.
func firstSync(v journal.View) (seq uint64) {
	var synced []string
	for i := range v.Len() {
		if e := v.At(i); e.Kind == journal.KindSynced && !slices.Contains(synced, e.Resource) {
			synced = append(synced, e.Resource)
			seq = e.Seq
		}
	}
	return seq
}

// createWords are those of the verb create for an object like that of e: its
// labels are told, and its content is not, which may be secret.
func createWords(resource, key string, e state.Entry) string {
	words := []string{resource, key}
	if m, err := meta.Accessor(e.Object); err == nil {
		labels := m.GetLabels()
		for _, name := range slices.Sorted(maps.Keys(labels)) {
			words = append(words, name+"="+labels[name])
		}
	}
	return strings.Join(words, " ")
}
