package scenario

import "informerscope/engine"

var indexVerbs = []Verb{
	indexFault("index fail", "an index function returns an error for the next object: client-go panics on that, and the pipeline of this resource stops", false),
	indexFault("index panic", "an index function panics on the next object, and the pipeline of this resource stops", true),
}

func indexFault(name, help string, panics bool) Verb {
	return Verb{
		Name: name, Group: GroupIndexer, Help: help,
		Args: []Arg{
			{Name: "INDEX", Help: "such as namespace", values: indexNames},
			{Name: "KEY", Help: "only when it is this object", Optional: true, values: storedKeys},
		},
		do: func(c *call) (string, error) {
			m, err := c.manual()
			if err != nil {
				return "", err
			}
			f := engine.IndexFault{Index: c.arg(0), Key: c.arg(1), Panic: panics}
			if err := m.FailIndex(f); err != nil {
				return "", err
			}
			return f.String(), nil
		},
	}
}
