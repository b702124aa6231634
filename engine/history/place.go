package history

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Places says what Place takes, for help and errors.
const Places = "12.5s after the start, -3s before the end, 12:04:31, 2026-03-04T12:04:31Z or #1234, an event's number"

// Place finds the event that text means in h: a duration after the first event
// (12.5s, +1m), one before the newest (-3s), a time of the day of the first
// event or of the next (12:04:31, in loc), a whole time (RFC 3339), or the Seq
// of an event (#1234). A time before the first event is that event, one after
// the newest is the newest; an event that is not there is a Gone error.
func Place(h History, text string, loc *time.Location) (uint64, error) {
	first, last := h.Range()
	if last.Seq == 0 {
		return 0, &Gone{}
	}
	text = strings.TrimSpace(text)
	if number, ok := strings.CutPrefix(text, "#"); ok {
		seq, err := strconv.ParseUint(strings.ReplaceAll(number, ",", ""), 10, 64)
		switch {
		case err != nil:
			return 0, fmt.Errorf("%q is no place in time: use %s", text, Places)
		case seq < first.Seq || seq > last.Seq:
			return 0, &Gone{seq, first.Seq, last.Seq}
		}
		return seq, nil
	}
	t, ok := moment(text, first.Time, last.Time, loc)
	if !ok {
		return 0, fmt.Errorf("%q is no place in time: use %s", text, Places)
	}
	return h.Seek(t)
}

// moment is the time that text means between first and last.
func moment(text string, first, last time.Time, loc *time.Location) (time.Time, bool) {
	if d, err := time.ParseDuration(text); err == nil {
		if strings.HasPrefix(text, "-") {
			return last.Add(d), true
		}
		return first.Add(d), true
	}
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return t, true
	}
	for _, layout := range []string{"15:04:05", "15:04"} { // a fraction of a second may follow
		clock, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		day := first.In(loc)
		t := time.Date(day.Year(), day.Month(), day.Day(), clock.Hour(), clock.Minute(), clock.Second(), clock.Nanosecond(), loc)
		// It may have begun before midnight.
		if next := t.AddDate(0, 0, 1); t.Before(first) && !next.After(last) {
			return next, true
		}
		return t, true
	}
	return time.Time{}, false
}
