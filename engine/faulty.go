package engine

import (
	"slices"
	"strings"

	"informerscope/engine/faults"
	"informerscope/journal"
)

// Arm arms a fault on the wire between client-go and the server, and returns
// its number. It touches no connection but this session's own.
func (s *Session) Arm(f faults.Fault) (id int, err error) {
	id, err = s.faults.Arm(f)
	if err != nil {
		return 0, err
	}
	s.journal.Append(journal.FaultArmed{Fault: f.String(), ID: int64(id), Left: s.faultLeft(id), For: f.For}.Event("", ""))
	return id, nil
}

// Armed lists the faults that are armed, the oldest first.
func (s *Session) Armed() []faults.Armed { return s.faults.Armed() }

// Disarm disarms one fault, and says whether it was armed.
func (s *Session) Disarm(id int) bool {
	for _, a := range s.faults.Armed() {
		if a.ID == id && s.faults.Disarm(id) {
			s.journal.Append(journal.FaultCleared{Fault: a.Fault.String(), ID: int64(id)}.Event("", ""))
			return true
		}
	}
	return false
}

// faultLeft is how often a fault may still strike: -1 is without end, 0 is never.
func (s *Session) faultLeft(id int) int64 {
	armed := s.faults.Armed()
	if i := slices.IndexFunc(armed, func(a faults.Armed) bool { return a.ID == id }); i >= 0 {
		return int64(armed[i].Left)
	}
	return 0
}

// faultHit runs with the set of faults locked.
func (s *Session) faultHit(h faults.Hit) {
	resource := ""
	for _, t := range s.o.Targets {
		if t.GVR == h.Request.GroupVersionResource {
			resource = t.Name
		}
	}
	s.journal.Append(journal.FaultHit{RV: h.RV, Fault: h.Fault.String(), Verb: strings.ToUpper(h.Request.Verb.String()), ID: int64(h.ID), Left: int64(h.Left)}.Event(resource, h.Key))
}
