package problems

import (
	"slices"
	"strconv"

	"informerscope/journal"
	"informerscope/journal/findings"
	"informerscope/journal/state"
	"informerscope/ui/view"
	"informerscope/ui/viewer"
)

// problemRow is one row of what is wrong: a finding with what explains it, or a
// failure, which is no matter of judgement and comes first.
type problemRow struct {
	findings.Finding
	title, explain string
	info           findings.Info // zero for a failure
	remedy         string
	open           func(c *view.Context) // nil: the newest evidence
}

// id tells rows apart while the list changes.
func (r *problemRow) id() string {
	return r.title + "\x00" + r.Resource + "\x00" + r.Key + "\x00" + r.Name
}

// Subject is what a finding is about.
func Subject(f *findings.Finding) string {
	switch {
	case f.Key != "":
		return f.Key
	case f.Name != "":
		return f.Name
	case len(f.Resources) > 0:
		return strconv.Itoa(len(f.Resources)) + " resources"
	}
	return f.Resource
}

// problems lists what is wrong in the current resource, or in all: failures,
// then findings, first those that go on.
func problems(c *view.Context, all bool) (rows []problemRow) {
	for _, r := range c.State.Resources {
		if all || r.Name == c.Name {
			rows = append(rows, failures(r)...)
		}
	}
	for _, f := range c.Findings() {
		if !all && !concerns(&f, c.Name) || f.Kind == findings.MutatedObject && f.Key != "" && mutationListed(c, &f) {
			continue
		}
		info, _ := findings.InfoOf(f.Kind)
		rows = append(rows, problemRow{Finding: f, title: info.Title, explain: info.Explain, remedy: info.Remedy, info: info})
	}
	return rows
}

// concerns reports whether a finding is about a resource, or about none.
func concerns(f *findings.Finding, name string) bool {
	if len(f.Resources) > 0 {
		return slices.Contains(f.Resources, name)
	}
	return f.Resource == "" || f.Resource == name
}

// mutationListed reports whether failures has the change that a finding is of.
func mutationListed(c *view.Context, f *findings.Finding) bool {
	r := c.State.Resource(f.Resource)
	if r == nil {
		return false
	}
	for _, mu := range r.Indexer.Mutations() {
		if mu.Key == f.Key {
			return true
		}
	}
	return false
}

// failures are a stopped pipeline, a failed index function and objects that
// were changed in place.
func failures(r *state.Resource) (rows []problemRow) {
	x := &r.Indexer
	row := func(title, key, name, text string) *problemRow {
		rows = append(rows, problemRow{Finding: findings.Finding{Resource: r.Name, Key: key, Name: name, Text: text, Active: true, Count: 1}, title: title})
		return &rows[len(rows)-1]
	}
	if x.FailedIndex != "" {
		f := row("index function failed", x.FailedKey, x.FailedIndex, "index function "+x.FailedIndex+": "+x.FailedText)
		f.explain = "The function of an index panicked or returned an error for an object. client-go panics then: a controller stops, with all of its informers."
		f.remedy = "Let the function return no value, and not an error, for objects without what it looks for, and check types before asserting them."
		f.open = openNewest(r.Name, x.FailedKey, journal.KindIndexFailed)
	}
	if r.Failed != "" {
		f := row("stopped", "", "", "stopped: "+r.Failed)
		f.explain = "The pipeline of " + r.Name + " stopped; those of other resources run on."
		f.remedy = "See what stopped it, and start anew."
		f.open = openNewest(r.Name, "", journal.KindPipelineFailed)
	}
	info, _ := findings.InfoOf(findings.MutatedObject)
	for _, mu := range x.Mutations() {
		f := row("changed in place", mu.Key, "", mutationText(mu))
		f.Kind, f.First, f.Seq, f.Since, f.Last = findings.MutatedObject, mu.Seq, mu.Seq, mu.Time, mu.Time
		f.explain, f.remedy = info.Explain, info.Remedy
		f.open = func(c *view.Context) { openMutation(c, mu) }
	}
	return rows
}

func mutationText(mu state.Mutation) string {
	text := "changed " + mu.Field + ": " + mu.Change
	if mu.RV != "" {
		text += "  (stored@" + mu.RV + ")"
	}
	return text
}

// openNewest opens the newest event of a kind, for a key unless that is "".
func openNewest(resource, key string, kind journal.Kind) func(c *view.Context) {
	return func(c *view.Context) {
		v := c.State.Journal
		for seq := v.Last(); seq > v.Dropped(); seq-- {
			if e := v.Find(seq); e != nil && e.Kind == kind && e.Resource == resource && (key == "" || e.Key == key) {
				viewer.OpenEvent(c, e)
				return
			}
		}
		c.Refuse("the event is not in memory any more")
	}
}

// openMutation opens the event that found a change, or what is still known.
func openMutation(c *view.Context, mu state.Mutation) {
	if e := c.State.Journal.Find(mu.Seq); e != nil {
		viewer.OpenEvent(c, e)
		return
	}
	viewer.OpenStored(c, mu.Key)
}
