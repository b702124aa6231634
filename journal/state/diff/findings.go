package diff

import (
	"informerscope/journal/findings"
	"informerscope/journal/state"
)

// findings compares what looked wrong at either moment.
func (d *differ) findings(a, b *state.State) {
	type name struct {
		kind                findings.Kind
		resource, key, name string
	}
	of := func(f *findings.Finding) name { return name{f.Kind, f.Resource, f.Key, f.Name} }
	before := map[name]findings.Finding{}
	for _, f := range a.Findings(a.Time) {
		before[of(&f)] = f
	}
	for _, is := range b.Findings(b.Time) {
		d.resource = is.Resource
		was, found := before[of(&is)]
		delete(before, of(&is))
		switch {
		case !found:
			d.changed(StructureFindings, is.Key, "found: "+is.Text, "", is.Text)
		case was.Active && !is.Active:
			d.changed(StructureFindings, is.Key, "over: "+is.Text, was.Text, is.Text)
		case is.Active && !was.Active:
			d.changed(StructureFindings, is.Key, "again: "+is.Text, was.Text, is.Text)
		case was.Count != is.Count || was.Seq != is.Seq || was.Text != is.Text:
			d.changed(StructureFindings, is.Key, "still: "+is.Text, was.Text, is.Text)
		}
	}
	for _, was := range a.Findings(a.Time) {
		if _, left := before[of(&was)]; left {
			d.resource = was.Resource
			d.changed(StructureFindings, was.Key, "not found: "+was.Text, was.Text, "")
		}
	}
	d.resource = ""
}
