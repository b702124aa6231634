package findings

// cutter is a detector that remembers what it has reported as going on.
type cutter interface {
	// cut ends that, with the figures it has now, so that it is reported anew if
	// it still goes on.
	cut(f *fold)
}

var _ = []cutter{&stuckWorkers{}, &requeues{}, &backlogs{}, &silentWatches{}, &neverSynced{}, &uselessIndexes{},
	&blinds{}, &watchCuts{}, &growingQueues{}, &waitingKeys{}, &failingReconciles{}}

// Rejudge returns a Set that goes on from s by other thresholds. What s has found
// is not taken over, as other thresholds have found it; what it remembers is, so
// that what still goes on is found with the next event. Instead it has what
// before has found, nil is nothing: before was judged by these thresholds, and
// what happened between the two is not known.
func (s *Set) Rejudge(t Thresholds, before *Set) *Set {
	if before == nil {
		before = New(t)
	}
	n, b := s.Clone(), before.Clone()
	n.cut()
	b.cut()
	n.thresholds, n.on, n.next, n.raised = t, onOf(t), 0, nil
	for i := range n.found {
		d := n.found[i].Detector
		n.found[i] = b.found[i]
		n.found[i].Detector = d
	}
	return n
}

func (s *Set) cut() {
	for i := range s.found {
		if d, ok := s.found[i].Detector.(cutter); ok {
			f := s.at(s.time)
			f.kind = i
			d.cut(&f)
		}
	}
}

func (d *stuckWorkers) cut(f *fold) {
	for i := range d.Resources {
		p, resource := &d.Resources[i].Value, d.Resources[i].Name
		end := func(x *inProcessing) bool {
			told := x.Told
			if x.Told = false; told {
				f.end(resource, x.Key, x.Worker, f.run-x.Run)
			}
			return told
		}
		for j := range p.Workers {
			end(&p.Workers[j].Value)
		}
		var ended []inProcessing
		p.Left.scan(func(_ string, x *inProcessing) {
			if end(x) {
				ended = append(ended, *x)
			}
		})
		for _, x := range ended {
			p.Left.set(x.Key, x)
		}
	}
}

func (d *requeues) cut(f *fold) {
	for i := range d.Resources {
		d.Resources[i].Value.scan(func(key string, n *int) { f.end(d.Resources[i].Name, key, "", int64(*n)) })
	}
}

func (d *backlogs) cut(f *fold) {
	for i := range d.Resources {
		for j := range d.Resources[i].Value {
			l := &d.Resources[i].Value[j]
			if l.Value.Told {
				l.Value.Told = false
				f.end(d.Resources[i].Name, "", l.Name, l.Value.Peak)
			}
		}
	}
}

func (d *silentWatches) cut(f *fold) {
	for i := range d.Resources {
		d.over(f, d.Resources[i].Name, &d.Resources[i].Value)
	}
}

func (d *neverSynced) cut(f *fold) {
	for i := range d.Resources {
		if s := &d.Resources[i].Value; s.Told && !s.Listed {
			s.Told = false
			f.end(d.Resources[i].Name, "", "", f.wire-s.Run)
		}
	}
}

func (d *uselessIndexes) cut(f *fold) {
	for i := range d.Resources {
		for j := range d.Resources[i].Value.Indices {
			k := &d.Resources[i].Value.Indices[j]
			if k.Value.Told {
				k.Value.Told = false
				f.end(d.Resources[i].Name, "", k.Name, int64(k.Value.Values.len()))
			}
		}
	}
}

func (d *blinds) cut(f *fold) {
	for i := range d.Resources {
		d.over(f, d.Resources[i].Name, &d.Resources[i].Value)
	}
}

func (d *watchCuts) cut(f *fold) {
	for i := range d.Resources {
		d.over(f, d.Resources[i].Name, &d.Resources[i].Value)
	}
}

func (d *growingQueues) cut(f *fold) {
	for i := range d.Resources {
		if q := &d.Resources[i].Value; q.Ready.Told {
			q.Ready.Told = false
			f.end(d.Resources[i].Name, "", "", q.Ready.Peak)
		}
	}
}

func (d *waitingKeys) cut(f *fold) {
	for i := range d.Resources {
		q := &d.Resources[i].Value
		var told []string
		q.Keys.scan(func(key string, k *readyKey) {
			if k.Told {
				told = append(told, key)
			}
		})
		for _, key := range told {
			k, _ := q.Keys.get(key)
			k.Told = false
			q.Keys.set(key, k)
			f.end(d.Resources[i].Name, key, "", f.run-k.Run)
		}
	}
}

func (d *failingReconciles) cut(f *fold) {
	for i := range d.Resources {
		d.Resources[i].Value.Streak.scan(func(key string, s *streak) { f.end(d.Resources[i].Name, key, "", int64(s.N)) })
	}
}
