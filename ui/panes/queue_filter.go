package panes

import (
	"informerscope/ui/view"
)

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
