package history

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Places says what Place takes, for help and errors.
const Places = "12.5s after the start, -3s before the end, 12:04:31, 2026-03-04T12:04:31Z or #1234, an event's number"

// ParsePlace reads a place in a journal that began at start and ends at end, in
// the time zone of start: a duration after start (12.5s, +1m, 12.5), one before
// end (-3s), a time of day (12:04:31.5), a whole time (RFC 3339), or the Seq of
// an event (#1234). Of the Point that it returns either Seq or Time is set.
func ParsePlace(text string, start, end time.Time) (Point, error) {
	text = strings.TrimSpace(text)
	if number, ok := strings.CutPrefix(text, "#"); ok {
		if seq, err := strconv.ParseUint(strings.ReplaceAll(number, ",", ""), 10, 64); err == nil && seq > 0 {
			return Point{Seq: seq}, nil
		}
	} else if t, ok := moment(text, start, end); ok {
		return Point{Time: t}, nil
	}
	return Point{}, fmt.Errorf("%q is no place in time: use %s", text, Places)
}

// Place finds the event that text means in h, as ParsePlace reads it, in the
// time zone loc. A time before the first event is that event, one after the
// newest is the newest; an event that is not there is a Gone error.
func Place(h History, text string, loc *time.Location) (uint64, error) {
	first, last := h.Range()
	if last.Seq == 0 {
		return 0, &Gone{}
	}
	p, err := ParsePlace(text, first.Time.In(loc), last.Time)
	switch {
	case err != nil:
		return 0, err
	case p.Seq == 0:
		return h.Seek(p.Time)
	case p.Seq < first.Seq || p.Seq > last.Seq:
		return 0, &Gone{p.Seq, first.Seq, last.Seq}
	}
	return p.Seq, nil
}

func moment(text string, start, end time.Time) (time.Time, bool) {
	d, err := time.ParseDuration(text)
	if err != nil {
		d, err = time.ParseDuration(text + "s")
	}
	if err == nil {
		if strings.HasPrefix(text, "-") {
			return end.Add(d), true
		}
		return start.Add(d), true
	}
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return t, true
	}
	for _, layout := range []string{"15:04:05", "15:04"} { // a fraction of a second may follow
		clock, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		t := time.Date(start.Year(), start.Month(), start.Day(), clock.Hour(), clock.Minute(), clock.Second(), clock.Nanosecond(), start.Location())
		// It may have begun before midnight.
		if next := t.AddDate(0, 0, 1); t.Before(start) && !next.After(end) {
			return next, true
		}
		return t, true
	}
	return time.Time{}, false
}
