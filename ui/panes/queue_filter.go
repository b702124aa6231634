package panes

import (
	"informerscope/ui/filter"
	"informerscope/ui/view"
)

// queueRows are the keys of one section that match a filter.
type queueRows struct {
	on   bool
	kept filter.Kept[[]string]
}

func (f *queueRows) update(c *view.Context, p *queuePane, s section) {
	f.on = false
	if !p.flt.On() {
		f.kept.Forget()
		return
	}
	f.kept.Sample(c.Name+"\x00"+p.flt.Text, c.State.Seq, c.Past != nil, c.Clock, func(keys *[]string) {
		*keys = (*keys)[:0]
		for i := range f.len(c, p, s) {
			if key := p.keyAt(c, s, i); key != "" && p.flt.Match(key) {
				*keys = append(*keys, key)
			}
		}
	})
	f.on = true
}

func (f *queueRows) len(c *view.Context, p *queuePane, s section) int {
	if f.on {
		return len(f.kept.Rows)
	}
	q := &c.Resource.Queue
	switch s {
	case secQueue:
		return q.Len()
	case secDirty:
		return q.DirtyLen()
	case secProcessing:
		return len(p.procs)
	case secFailures:
		return q.FailuresLen()
	}
	return q.WaitingLen()
}
