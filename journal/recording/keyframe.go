package recording

import (
	"fmt"

	"informerscope/journal"
	"informerscope/journal/codec"
	"informerscope/journal/state"
)

// The payload of a keyframe is a table of values, how many and then each, and
// what state.Dump wrote, whose numbers of objects are places in the table, from
// 1. A keyframe without a payload is the state before the first event.

// dump is the payload of a keyframe, and how many values it refers to.
func dump(s *state.State, objects *objectWriter) (payload []byte, n int) {
	v := values{number: objects.number}
	var table []byte
	dumped := s.Dump(nil, func(obj any) uint64 {
		if obj == nil || objects.none {
			return 0
		}
		table = v.append(table, obj, 0)
		n++
		return uint64(n)
	})
	payload = codec.AppendUint(make([]byte, 0, len(table)+len(dumped)+10), uint64(n))
	payload = append(payload, table...)
	return append(payload, dumped...), n
}

// undump reads the payload of a keyframe.
func (f *File) undump(raw []byte) (*state.State, error) {
	if len(raw) == 0 {
		return state.NewWith(f.header.Thresholds).Snapshot(journal.View{}), nil
	}
	c := newCursor(raw)
	table := make([]any, c.Count())
	for i := range table {
		table[i] = c.value(f.object, 0)
	}
	if c.Err() != nil {
		return nil, c.Err()
	}
	s, err := state.Load(raw[len(raw)-c.Len():], func(n uint64) any {
		if n == 0 || n > uint64(len(table)) {
			return nil
		}
		return table[n-1]
	})
	if err != nil {
		return nil, fmt.Errorf("a keyframe: %w", err)
	}
	return s, nil
}
