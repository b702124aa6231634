package ui

import (
	"strconv"
	"strings"

	"informerscope/journal/findings"
	"informerscope/journal/state"
	"informerscope/ui/control"
	"informerscope/ui/phrase"
	"informerscope/ui/problems"
	"informerscope/ui/view"
)

// news tells in the footer, once, what happened without being asked for.
type news struct {
	c    *view.Context
	foot *footer

	told      map[string]bool  // findings, by foundID; nil before the first state
	stop      state.Stop       // what the engine stands still at; Event 0: no breakpoint made it
	stopTold  uint64           // the event of the newest one that was told
	awaited   *control.Stepped // a step whose item has not passed yet
	lanesSeen bool             // the comparison was opened by itself once
}

// stopped takes what the engine stopped at.
func (n *news) stopped(st *state.State) {
	stop, ok := st.Stopped()
	if !ok || !st.Paused {
		n.stop = state.Stop{}
		return
	}
	if stop != n.stop {
		n.stop = stop
		n.c.Redraw()
		if stop.Event != n.stopTold && n.foot.input == nil {
			n.stopTold = stop.Event
			n.c.Refuse(stopText(st, &stop))
		}
	}
}

// stopText says what the engine stopped at.
func stopText(st *state.State, s *state.Stop) string {
	text := "breakpoint " + strconv.FormatInt(s.Breakpoint, 10) + " hit: " + s.Expr + "  "
	if what := phrase.Event(st, s.Event); what != "" {
		return text + what
	}
	return strings.TrimSpace(text + s.Key)
}

// between tells what is in a state and was not in the one before: a divergence,
// a recording that has ended without having been asked to.
func (n *news) between(was, st *state.State) {
	if was == nil {
		return
	}
	if st.Divergences > was.Divergences {
		n.c.Refuse("divergence: the real object did something else than predicted: " + st.LastDivergence)
	}
	if why := st.Recording.Failed; why != "" && was.Recording.Failed == "" {
		n.c.Refuse("the recording stopped: " + why)
	}
}

// stepped tells what a step let through.
func (n *news) stepped(s control.Stepped) {
	if s.Err != nil {
		n.c.Refuse(s.Err.Error())
		return
	}
	if s.What == "" {
		s.What = "stepped"
	}
	n.c.Say(s.What)
	n.awaited = &s
	n.steps()
}

// steps adds to the answer which key it was, once the journal says so.
func (n *news) steps() {
	s := n.awaited
	if s == nil {
		return
	}
	if n.foot.message != s.What {
		n.awaited = nil // another answer took its place
		return
	}
	if text, ok := s.Event(n.c.State, n.c.Resource); ok {
		n.c.Say(s.What + ": " + text)
		n.awaited = nil
	}
}

// findings says that something looks wrong which did not before. What is typed or
// asked, and what was answered last, come first.
func (n *news) findings() {
	first := n.told == nil
	if first || len(n.told) > 10_000 {
		n.told = map[string]bool{}
	}
	var fresh []findings.Finding
	for _, f := range n.c.Findings() {
		if f.Active && f.Resource != "" && !n.told[foundID(&f)] {
			fresh = append(fresh, f)
		}
	}
	if len(fresh) == 0 || n.foot.busy() && !first {
		return
	}
	for i := range fresh {
		n.told[foundID(&fresh[i])] = true
	}
	if first || n.c.Shows(problems.Name) {
		return // of a time before, or in sight
	}
	info, _ := findings.InfoOf(fresh[0].Kind)
	text := "! " + info.Title + "  " + problems.Subject(&fresh[0])
	if more := len(fresh) - 1; more > 0 {
		text += "  and " + strconv.Itoa(more) + " more"
	}
	n.c.Refuse(text + "  w explains it")
}

func foundID(f *findings.Finding) string {
	return string(f.Kind) + "\x00" + f.Resource + "\x00" + f.Key + "\x00" + f.Name
}
