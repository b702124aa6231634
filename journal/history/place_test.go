package history

import (
	"errors"
	"strings"
	"testing"
	"time"

	"informerscope/journal"
	"informerscope/journal/state"
)

// line is a Past with an event each second, from start on.
func line(start time.Time, n int) *Past {
	now := start
	f := state.New()
	k := NewKeyframes(1 << 20)
	k.Add(f.Snapshot(journal.View{}), 0)
	c := new(journal.Chunk)
	for i := range n {
		c[i] = journal.Event{Seq: uint64(i + 1), Time: now, Kind: journal.KindLogLine}
		now = now.Add(time.Second)
	}
	return k.Past(journal.ViewOf(0, []*journal.Chunk{c}, n))
}

func TestPlace(t *testing.T) {
	start := time.Date(2026, 3, 4, 23, 59, 30, 500e6, time.UTC)
	h := line(start, 100) // #100 is at 00:01:09.5
	for _, c := range []struct {
		text string
		want uint64
	}{
		{"0s", 1}, {"12.5s", 13}, {"+1m", 61}, {"1h", 100}, {"12.5", 13}, {"-3", 97},
		{"-3s", 97}, {"-1h", 1},
		{"#1", 1}, {" #100 ", 100},
		{"23:59:30", 1}, {"23:59:40.5", 11}, {"23:59:40.4", 10}, {"00:00:30", 60}, {"00:01", 90}, {"23:59:00", 1},
		{"00:30:00", 1}, // of neither day: taken for the first one's
		{"2026-03-04T23:59:40.5Z", 11}, {"2026-03-05T00:59:40+01:00", 10}, {"2027-01-01T00:00:00Z", 100},
	} {
		if got, err := Place(h, c.text, time.UTC); err != nil || got != c.want {
			t.Errorf("%q: event %d, %v; want %d", c.text, got, err, c.want)
		}
	}
	if got, err := Place(h, "00:59:40.5", time.FixedZone("", 3600)); err != nil || got != 11 {
		t.Errorf("an hour to the east: event %d, %v; want 11", got, err)
	}
	for _, text := range []string{"", "yesterday", "#", "#x", "#0", "25:00:00", "12:"} {
		if _, err := Place(h, text, time.UTC); err == nil || !strings.Contains(err.Error(), "use 12.5s after") {
			t.Errorf("%q: %v", text, err)
		}
	}
	var gone *Gone
	if _, err := Place(h, "#101", time.UTC); !errors.As(err, &gone) {
		t.Errorf("an event that is not there: %v", err)
	}
	if _, err := Place(new(Past), "1s", time.UTC); !errors.As(err, &gone) || gone.Error() != "nothing has happened yet" {
		t.Errorf("of an empty past: %v", err)
	}
}
