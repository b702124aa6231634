package life

import "time"

// Summary says a Life in a few figures.
type Summary struct {
	Passages, Over int
	Reconciled     int      // passages that a reconcile ended well
	Slowest        *Passage // of those, from its beginning to the end of its reconcile; nil: none
	Mean           Duration // of those
	Wait           Stage    // in which one passage waited longest
	WaitFor        Duration // how long; 0: nothing waited
	WaitIn         int      // the number of that passage
	Open           *Passage // the oldest that is not over; nil: none
}

// Summary counts what the Life keeps. A passage that still waits counts until
// now.
func (l *Life) Summary(now time.Time) Summary {
	s := Summary{Passages: l.Dropped + len(l.Passages), Over: l.Dropped}
	var sum Duration
	for stage, t := range l.Totals {
		if Stage(stage).Waits() && t.Most > s.WaitFor {
			s.Wait, s.WaitFor, s.WaitIn = Stage(stage), t.Most, t.MostIn
		}
	}
	for _, p := range l.Passages {
		if !p.Over() {
			if s.Open == nil {
				s.Open = p
			}
			if d := p.Since(now); p.Stage.Waits() && d > s.WaitFor {
				s.Wait, s.WaitFor, s.WaitIn = p.Stage, d, p.Number
			}
			continue
		}
		s.Over++
		if p.Outcome != Reconciled {
			continue
		}
		s.Reconciled++
		sum += p.Total()
		if s.Slowest == nil || p.Total() > s.Slowest.Total() {
			s.Slowest = p
		}
	}
	if s.Reconciled > 0 {
		s.Mean = sum / Duration(s.Reconciled)
	}
	return s
}
