package ui

// compareMarks opens what changed in each structure from a to b.
func (m *model) compareMarks(aName string, a *mark, bName string, b *mark) {
	m.refuse("not yet")
}
