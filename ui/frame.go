package ui

import (
	"strconv"

	"informerscope/ui/screen"
)

// compose draws one frame.
func (m *model) compose() string {
	if m.w == 0 || m.h == 0 {
		return ""
	}
	m.tenths = false
	m.drawnAge, m.drawnAt = m.now, m.o.Now()
	m.canvas.Resize(m.w, m.h)
	m.lay = m.arrange()
	if m.lay.small {
		text := "too small: " + strconv.Itoa(m.w) + "x" + strconv.Itoa(m.h) + ", needs " + strconv.Itoa(minWidth) + "x" + strconv.Itoa(minHeight)
		screen.Fit(m.canvas.All(), 0, 0, m.w, plain, text)
		return m.canvas.Encode(m.palette)
	}
	m.drawHeader(m.lay.header)
	if m.lay.single && m.compare == nil && m.stores == nil && m.life == nil {
		m.drawTabs(m.lay.flow)
	} else {
		m.drawFlow(m.lay.flow)
	}
	switch {
	case m.viewer != nil:
		m.viewer.draw(m, m.lay.body)
	case m.listing != nil:
		m.listing.draw(m, m.lay.body)
	case m.breaks != nil:
		m.breaks.draw(m, m.lay.body)
	case m.wrongs != nil:
		m.wrongs.draw(m, m.lay.body)
	case m.life != nil:
		m.life.draw(m, m.lay.body)
	case m.compare != nil:
		m.compare.draw(m, m.lay.body)
	case m.stores != nil:
		m.stores.draw(m, m.lay.body)
	default:
		for id := paneFIFO; id < numPanes; id++ {
			m.drawPane(id)
		}
	}
	if m.lesson != nil {
		m.lesson.draw(m, m.lay.lesson)
	}
	if m.resources != nil {
		m.resources.draw(m, m.lay.body)
	}
	if m.faults != nil {
		m.faults.draw(m, m.lay.body)
	}
	if m.marksList != nil {
		m.marksList.draw(m, m.lay.body)
	}
	if m.help != nil {
		m.help.draw(m, m.lay.body)
	}
	if m.input != nil {
		m.input.drawCompletion(m.lay.body)
	}
	if m.past != nil {
		m.drawScrubber(m.lay.scrubber)
	}
	m.drawLongMessage(m.lay.body)
	m.drawFooter(m.lay.footer)
	m.composed.Store(true)
	return m.canvas.Encode(m.palette)
}
